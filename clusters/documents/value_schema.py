"""The JSON schema of the engine's own values, as `values.value_document` writes them: from their fields and types."""

from __future__ import annotations

import collections.abc
import dataclasses
import enum
import sys
import types
import typing
from typing import Any, Final

from clusters.documents.values import camel
from clusters.engine import registry
from clusters.engine.evidence import Comparison

if typing.TYPE_CHECKING:
    from collections.abc import Iterator

_ENGINE: Final = registry.__name__.rpartition(".")[0]
_PLAIN: Final[dict[Any, str]] = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}
_LISTS: Final = (tuple, list, frozenset, collections.abc.Sequence)


def kinds_of(base: type) -> dict[str, type]:
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

    def of(self, asked: Any) -> dict[str, Any]:
        """Return the schema of a type; a dataclass is described once and referred to."""
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
        if isinstance(asked, type) and dataclasses.is_dataclass(asked):
            return self._dataclass(asked)
        raise TypeError(f"{asked} has no form in JSON")

    def _dataclass(self, asked: type) -> dict[str, Any]:
        name = asked.__name__
        if self._classes.setdefault(name, asked) is not asked:
            raise TypeError(f"{asked} and {self._classes[name]} have one name")
        if name not in self.found:
            self.found[name] = {}
            kind = getattr(asked, "kind", None)
            properties: dict[str, Any] = {} if kind is None else {"kind": {"const": kind}}
            properties |= {"holds": {"type": "boolean"}} if issubclass(asked, Comparison) else {}
            properties |= {camel(field): self.of(each) for field, each in _fields(asked).items()}
            self.found[name] = {
                "title": name,
                "description": (asked.__doc__ or "").partition("\n")[0],
                "type": "object",
                "properties": properties,
                "required": list(properties),
            }
        return {"$ref": f"{self._prefix}{name}"}


def _fields(asked: type) -> dict[str, Any]:
    """Return the types of a dataclass's fields, also of those that are imported for type checking alone."""
    module = vars(sys.modules[asked.__module__])
    hints = typing.get_type_hints(asked, localns={**vars(collections.abc), **_engine_classes(), **module})
    return {field.name: hints[field.name] for field in dataclasses.fields(asked)}


def _engine_classes() -> dict[str, type]:
    modules = [module for name, module in list(sys.modules.items()) if name.startswith(f"{_ENGINE}.")]
    return {
        name: each
        for module in modules
        for name, each in vars(module).items()
        if isinstance(each, type) and each.__module__ == module.__name__
    }


def _below(base: type) -> Iterator[type]:
    below: list[type] = base.__subclasses__()
    for each in below:
        # A dataclass with slots is made from another class of its name.
        if getattr(sys.modules[each.__module__], each.__name__, None) is each:
            yield each
        yield from _below(each)
