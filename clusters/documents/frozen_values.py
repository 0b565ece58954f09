"""Typed values as bytes, for what one process works out and another one shows: kept for a while, never for good.

Frozen dataclasses, named tuples and enumerations of this project are written with the name of their class, so that a
new one needs nothing here. Another release may have other fields: what it wrote is not read.
"""

from __future__ import annotations

import dataclasses
import zlib
from collections.abc import Mapping
from datetime import datetime
from enum import Enum
from importlib import import_module
from math import isfinite
from typing import Any, Final

import msgspec
import numpy as np

_OWN: Final = "clusters."


class UnreadableError(ValueError):
    """The bytes are not what this release writes."""


def packed_values(value: Any) -> bytes:
    """Return a value as compressed bytes. Raises TypeError for what is none of the above, nor a plain value."""
    return zlib.compress(msgspec.json.encode(_Writer().written(value)), 1)


def read_values(text: bytes) -> Any:
    """Return what `packed_values` wrote. Raises UnreadableError."""
    try:
        return _Reader().read(msgspec.json.decode(zlib.decompress(text)))
    except (ArithmeticError, AttributeError, ImportError, LookupError, TypeError, ValueError, zlib.error) as error:
        raise UnreadableError(repr(error)) from error


class _Writer:
    """Writes each object once: many pods share what was found."""

    def __init__(self) -> None:
        self._numbers: dict[int, int] = {}
        # As long as these live, no other object has their identity.
        self._written: list[Any] = []

    def written(self, value: Any) -> Any:
        if isinstance(value, Enum):
            return ["enum", _class_name(value), value.value]
        if isinstance(value, float) and not isfinite(value):
            return ["float", str(value)]
        if value is None or isinstance(value, bool | int | float | str):
            return value
        if isinstance(value, np.generic):
            return self.written(value.item())
        number = self._numbers.get(id(value))
        if number is not None:
            return ["same", number]
        found = self._compound(value)
        self._numbers[id(value)] = len(self._written)
        self._written.append(value)
        return found

    def _compound(self, value: Any) -> list[Any]:
        if dataclasses.is_dataclass(value):
            fields = {each.name: self.written(getattr(value, each.name)) for each in dataclasses.fields(value)}
            return ["class", _class_name(value), fields]
        if isinstance(value, Mapping):
            return ["map", [[self.written(key), self.written(each)] for key, each in value.items()]]
        if isinstance(value, tuple) and hasattr(value, "_asdict"):
            return ["class", _class_name(value), {key: self.written(each) for key, each in value._asdict().items()}]
        for kind, name in ((tuple, "tuple"), (list, "list"), (frozenset, "set")):
            if isinstance(value, kind):
                return [name, [self.written(each) for each in value]]
        if isinstance(value, bytes):
            return ["bytes", value.hex()]
        if isinstance(value, datetime):
            return ["time", value.isoformat()]
        raise TypeError(f"{type(value)} is no frozen value")


class _Reader:
    """Reads objects in the order in which they were written."""

    def __init__(self) -> None:
        self._read: list[Any] = []

    def read(self, written: Any) -> Any:
        if not isinstance(written, list):
            return written
        kind, *told = written
        if kind == "same":
            return self._read[told[0]]
        if kind == "enum":
            return _class_of(told[0])(told[1])
        if kind == "float":
            return float(told[0])
        found = self._compound(kind, told)
        self._read.append(found)
        return found

    def _compound(self, kind: str, told: list[Any]) -> Any:
        match kind:
            case "class":
                return _class_of(told[0])(**{name: self.read(each) for name, each in told[1].items()})
            case "map":
                return {self.read(key): self.read(each) for key, each in told[0]}
            case "tuple":
                return tuple([self.read(each) for each in told[0]])
            case "list":
                return [self.read(each) for each in told[0]]
            case "set":
                return frozenset([self.read(each) for each in told[0]])
            case "bytes":
                return bytes.fromhex(told[0])
            case "time":
                return datetime.fromisoformat(told[0])
        raise ValueError(kind)


def _class_name(value: Any) -> str:
    return f"{type(value).__module__}:{type(value).__qualname__}"


def _class_of(name: str) -> Any:
    module, _, own = name.partition(":")
    found = getattr(import_module(module), own) if module.startswith(_OWN) else None
    if not isinstance(found, type) or not (
        dataclasses.is_dataclass(found) or issubclass(found, Enum) or hasattr(found, "_asdict")
    ):
        raise ValueError(name)
    return found
