"""Values of the engine as plain JSON: the kind of each, and its own fields in camel case.

Evidence, requirements that could be lifted and uncertainties are frozen structs of their plugins and modules. They
are written by what they are made of, so that a new one needs nothing here."""

from __future__ import annotations

import collections.abc
import dataclasses
import enum
import sys
import types
import typing
import zlib
from collections.abc import Mapping
from datetime import datetime
from enum import Enum
from functools import cache
from importlib import import_module
from math import isfinite
from typing import TYPE_CHECKING, Any, Final, get_args

import msgspec
import numpy as np

from clusters.engine import registry
from clusters.engine.conclusion import Conclusion, Uncertainty
from clusters.engine.evidence import Comparison
from clusters.engine.quotas import Quota, QuotaUser, fullest_share, quota_uses
from clusters.engine.status import Reason

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine.plugin import Constraint


_Kind = typing.TypeVar("_Kind", bound=msgspec.Struct)
_UNCERTAINTIES = {each.kind: each for each in get_args(Uncertainty)}


def camel(name: str) -> str:
    """Write a name in snake case as the JSON has it."""
    first, *others = name.split("_")
    return first + "".join(each.capitalize() for each in others)


def value_document(value: Any) -> dict[str, Any]:
    """Return a frozen struct as plain values: its ``kind``, where its class has one, and its fields.

    A comparison also says whether it ``holds``.
    """
    head = {} if (kind := getattr(type(value), "kind", None)) is None else {"kind": kind}
    if isinstance(value, Comparison):
        head["holds"] = value.holds
    return head | {camel(name): _plain(getattr(value, name)) for name in value.__struct_fields__}


def plain_json(value: Any) -> Any:
    """Return what reading the JSON of a value gives: lists in place of tuples, objects in place of structs."""
    return msgspec.json.decode(msgspec.json.encode(value))


def constraint_document(constraint: Constraint) -> dict[str, Any]:
    """Return the plugin of a constraint and its subject, which is null for a whole filter."""
    subject = constraint.subject
    return {"plugin": constraint.plugin, "subject": None if subject is None else value_document(subject)}


def fits_or_unknown(conclusion: Conclusion) -> bool | None:
    """Return a conclusion as programs read it: None where it is uncertain."""
    return None if conclusion is Conclusion.UNCERTAIN else conclusion is Conclusion.FITS


def read_value(kind: type[_Kind], stored: Mapping[str, Any]) -> _Kind:
    """Return the value of a class that `value_document` wrote. Raises KeyError for a field that is missing."""
    return msgspec.convert({name: stored[camel(name)] for name in kind.__struct_fields__}, kind)


def read_uncertainty(stored: Mapping[str, Any]) -> Uncertainty:
    """Return the uncertainty that `value_document` wrote. Raises KeyError for a kind that there is not."""
    uncertainty: Uncertainty = read_value(_UNCERTAINTIES[stored["kind"]], stored)
    return uncertainty


def read_reason(stored: Mapping[str, Any]) -> Reason:
    """Return the reason that `value_document` wrote. Raises KeyError for a kind that there is not."""
    return read_value(_reasons()[stored["kind"]], stored)


# Asked once all modules that state reasons are there.
@cache
def _reasons() -> dict[str, type[Reason]]:
    return kinds_of(Reason)


def _plain(value: Any) -> Any:
    if isinstance(value, msgspec.Struct):
        return value_document(value)
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Mapping):
        # Keys are names of the cluster, not of fields.
        return {str(key): _plain(each) for key, each in value.items()}
    if isinstance(value, frozenset):
        return sorted(_plain(each) for each in value)
    if isinstance(value, tuple | list):
        return [_plain(each) for each in value]
    # What NumPy computed, as a number of Python's.
    return value.item() if isinstance(value, np.generic) else value


# The JSON schema of the engine's own values, as `values.value_document` writes them: from their fields and types.

if typing.TYPE_CHECKING:
    from collections.abc import Iterator

_ENGINE: Final = registry.__name__.rpartition(".")[0]
_PLAIN: Final[dict[Any, str]] = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}
_LISTS: Final = (tuple, list, frozenset, collections.abc.Sequence)


def _below(base: type[_Kind]) -> Iterator[type[_Kind]]:
    for each in base.__subclasses__():
        yield each
        yield from _below(each)


def kinds_of(base: type[_Kind]) -> dict[str, type[_Kind]]:
    """Return by kind every class below a base that has one; plugins are all known once the registry is."""
    found = {each.__dict__["kind"]: each for each in _below(base) if "kind" in each.__dict__}
    return dict(sorted(found.items()))


def value_schemas(family: typing.Iterable[type], prefix: str) -> dict[str, Any]:
    """Return the schema of each class of a family and of whatever those hold, by name; ``prefix`` begins references."""
    schemas = _Schemas(prefix)
    for each in family:
        schemas.of(each)
    return schemas.found


class _Schemas:
    def __init__(self, prefix: str) -> None:
        self.found: dict[str, Any] = {}
        self._prefix = prefix
        self._classes: dict[str, type] = {}
        self._names = {**vars(collections.abc), **_engine_classes()}

    def of(self, asked: Any) -> dict[str, Any]:
        """Return the schema of a type; a struct is described once and referred to."""
        arguments, origin = typing.get_args(asked), typing.get_origin(asked) or asked
        if asked in _PLAIN:
            return {"type": _PLAIN[asked]}
        if origin is typing.Literal:
            return {"enum": list(arguments)}
        if origin in (typing.Union, types.UnionType):
            return {"anyOf": [self.of(each) for each in arguments]}
        if origin in _LISTS:
            return {"type": "array", "items": self.of(arguments[0])}
        if origin in (dict, collections.abc.Mapping):
            return {"type": "object", "additionalProperties": self.of(arguments[1])}
        if isinstance(asked, type) and issubclass(asked, enum.Enum):
            return {"enum": [each.value for each in asked]}
        if isinstance(asked, type) and issubclass(asked, msgspec.Struct):
            return self._struct(asked)
        raise TypeError(f"{asked} has no form in JSON")

    def _struct(self, asked: type[msgspec.Struct]) -> dict[str, Any]:
        name = asked.__name__
        if self._classes.setdefault(name, asked) is not asked:
            raise TypeError(f"{asked} and {self._classes[name]} have one name")
        if name not in self.found:
            self.found[name] = {}
            kind = getattr(asked, "kind", None)
            properties: dict[str, Any] = {} if kind is None else {"kind": {"const": kind}}
            properties |= {"holds": {"type": "boolean"}} if issubclass(asked, Comparison) else {}
            properties |= {camel(field): self.of(each) for field, each in self._fields(asked).items()}
            self.found[name] = {
                "title": name,
                "description": (asked.__doc__ or "").partition("\n")[0],
                "type": "object",
                "properties": properties,
                "required": list(properties),
            }
        return {"$ref": f"{self._prefix}{name}"}

    def _fields(self, asked: type[msgspec.Struct]) -> dict[str, Any]:
        """Return the types of a struct's fields, also of those that are imported for type checking alone."""
        module = vars(sys.modules[asked.__module__])
        hints = typing.get_type_hints(asked, localns={**self._names, **module})
        return {name: hints[name] for name in asked.__struct_fields__}


def _engine_classes() -> dict[str, type]:
    modules = [module for name, module in list(sys.modules.items()) if name.startswith(f"{_ENGINE}.")]
    return {
        name: each
        for module in modules
        for name, each in vars(module).items()
        if isinstance(each, type) and each.__module__ == module.__name__
    }


# Typed values as bytes, for what one process works out and another one shows: kept for a while, never for good.
#
# Frozen structs and dataclasses, named tuples and enumerations of this project are written with the name of their
# class, so that a new one needs nothing here. Another release may have other fields: what it wrote is not read.

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
        if dataclasses.is_dataclass(value) or isinstance(value, msgspec.Struct):
            # Its class has it; of a struct no instance does.
            names: tuple[str, ...] = type(value).__match_args__  # type: ignore[union-attr]
            fields = {name: self.written(getattr(value, name)) for name in names}
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
        dataclasses.is_dataclass(found) or issubclass(found, msgspec.Struct | Enum) or hasattr(found, "_asdict")
    ):
        raise ValueError(name)
    return found


def quota_document(quota: Quota, users: Iterable[QuotaUser]) -> dict[str, Any]:
    """Return a quota with the workloads that use it."""
    return {
        "namespace": quota.namespace,
        "name": quota.name,
        "scopes": [str(scope) for scope in quota.scopes],
        "isExhausted": fullest_share(quota) >= 1,
        "resources": [
            {
                "resource": use.resource,
                "used": str(quota.used[use.resource]),
                "hard": str(quota.hard[use.resource]),
                "share": round(use.share, 4),
            }
            for use in quota_uses([quota])
        ],
        "users": [_user_document(user) for user in users],
    }


def _user_document(user: QuotaUser) -> dict[str, Any]:
    workload = {"namespace": user.workload.namespace, "kind": user.workload.kind, "name": user.workload.name}
    return {
        "workload": workload if user.workload.kind else None,
        "pods": user.pods,
        "used": {resource: str(amount) for resource, amount in sorted(user.amounts.items())},
        "share": round(user.share, 4),
        "more": user.more,
        "unspecified": list(user.unspecified),
    }
