"""Types of CEL, how they are written, and which agree with which.

Upstream: ``checker/types.go`` of ``cel-go`` v0.29.2. Types that contain parameters unify; ``dyn`` and ``any`` agree
with everything, and so does an error, of which is told once.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from clusters.engine.devices import UnsupportedExpressionError

# How many parts a type may have: those of bound values can double with each level.
_MOST_PARTS: Final = 300


class Type(NamedTuple):
    """A type by its name; a name of one capital letter, or with ``_`` before it, is a parameter.

    ``parts``: how many types it is made of.
    """

    name: str
    parameters: tuple[Type, ...] = ()
    parts: int = 1

    def __str__(self) -> str:
        name = _WRITTEN.get(self.name, self.name)
        return f"{name}({', '.join(map(str, self.parameters))})" if self.parameters else name

    @property
    def full_name(self) -> str:
        """The type as it is called where a value of it is no answer."""
        parameters = ", ".join(each.full_name for each in self.parameters)
        name = "google.protobuf.Any" if self.name == "any" else self.name
        return f"{name}({parameters})" if parameters else name

    @property
    def is_parameter(self) -> bool:
        return self.name.isupper() or self.name[0] == "_"

    @property
    def is_dynamic(self) -> bool:
        """Whether it agrees with every type."""
        return self.name in ("dyn", "any", "error")

    @property
    def is_nullable(self) -> bool:
        """Whether null is one of its values: of objects, and of what libraries bring."""
        return "." in self.name or self.name in ("optional_type", "null_type")


_WRITTEN: Final = {"null_type": "null", "error": "!error!"}
_WORD: Final = re.compile(r"[\w.@]+|[(),]")

BOOL: Final = Type("bool")
BYTES: Final = Type("bytes")
DYN: Final = Type("dyn")
ANY: Final = Type("any")
ERROR: Final = Type("error")
INT: Final = Type("int")
STRING: Final = Type("string")
UINT: Final = Type("uint")
DOUBLE: Final = Type("double")
NULL: Final = Type("null_type")


def type_of(name: str, *parameters: Type) -> Type:
    """A type with these parameters. Raises UnsupportedExpressionError."""
    parts = 1 + sum(each.parts for each in parameters)
    if parts > _MOST_PARTS:
        raise UnsupportedExpressionError("types")
    return Type(name, parameters, parts)


def list_of(item: Type) -> Type:
    """The type of lists of such items."""
    return type_of("list", item)


def map_of(key: Type, value: Type) -> Type:
    """The type of maps."""
    return type_of("map", key, value)


def optional_of(value: Type) -> Type:
    """The type of what may be there."""
    return type_of("optional_type", value)


def types_of(text: str) -> tuple[Type, ...]:
    """Read types that are separated by commas."""
    words = _WORD.findall(text)

    def read() -> tuple[Type, ...]:
        found: list[Type] = []
        while words and words[0] != ")":
            word = words.pop(0)
            if word == "(":
                found[-1] = type_of(found[-1].name, *read())
                words.pop(0)
            elif word != ",":
                found.append(Type(word))
        return tuple(found)

    return read()


class Substitutions:
    """What parameters of types were found to stand for."""

    def __init__(self) -> None:
        self._found: dict[Type, Type] = {}
        # What the last question changed: parameters with what they stood for, themselves where that was nothing.
        self._learned: list[tuple[Type, Type]] = []
        self._count = 0

    def parameter(self) -> Type:
        """A parameter of which nothing is known."""
        self._count += 1
        return Type(f"_var{self._count - 1}")

    def fresh(self, types: tuple[Type, ...]) -> tuple[Type, ...]:
        """The types with parameters of their own."""
        renamed: dict[str, Type] = {}

        def rename(each: Type) -> Type:
            if each.is_parameter:
                if each.name not in renamed:
                    renamed[each.name] = self.parameter()
                return renamed[each.name]
            return type_of(each.name, *map(rename, each.parameters)) if each.parameters else each

        return tuple(map(rename, types))

    def resolved(self, each: Type, *, free_as_dyn: bool = False) -> Type:
        """A type with what its parameters stand for."""
        if each in self._found:
            return self.resolved(self._found[each], free_as_dyn=free_as_dyn)
        if each.is_parameter:
            return DYN if free_as_dyn else each
        if not each.parameters:
            return each
        return type_of(each.name, *(self.resolved(part, free_as_dyn=free_as_dyn) for part in each.parameters))

    def agree(self, pairs: list[tuple[Type, Type]]) -> bool:
        """Whether each type is one of the other; what is learned on the way is kept if all do."""
        self._learned.clear()
        if all(self._agrees(*pair) for pair in pairs):
            return True
        for parameter, before in reversed(self._learned):
            self._found[parameter] = before
            if before == parameter:
                del self._found[parameter]
        return False

    def _learn(self, parameter: Type, found: Type) -> None:
        self._learned.append((parameter, self._found.get(parameter, parameter)))
        self._found[parameter] = found

    def _agrees(self, one: Type, other: Type) -> bool:
        if other.is_parameter:
            is_valid, is_known = self._stands_for(one, other)
            if is_valid:
                return True
            if is_known:
                return False
        if one.is_parameter:
            return self._stands_for(other, one)[0]
        if one.is_dynamic or other.is_dynamic:
            return True
        if NULL in (one, other):
            return (other if one == NULL else one).is_nullable
        if one.name != other.name:
            return False
        if one.name == "type":
            return True
        pairs = zip(one.parameters, other.parameters, strict=False)
        return len(one.parameters) == len(other.parameters) and all(self._agrees(*pair) for pair in pairs)

    def _stands_for(self, one: Type, parameter: Type) -> tuple[bool, bool]:
        """Whether a parameter can stand for a type, and whether it was known what it stands for."""
        if one == parameter:
            return True, True
        known = self._found.get(parameter)
        if known is not None:
            if one == known:
                return True, True
            if not self._agrees(one, known):
                return False, True
            general = more_general(one, known)
            if not self._contains(general, parameter):
                self._learn(parameter, general)
            return True, True
        if self._contains(one, parameter):
            return False, False
        self._learn(parameter, one)
        return True, False

    def _contains(self, within: Type, parameter: Type) -> bool:
        if within == parameter:
            return True
        if within.is_parameter:
            return within in self._found and self._contains(self._found[within], parameter)
        return any(self._contains(part, parameter) for part in within.parameters)


def more_general(one: Type, other: Type) -> Type:
    """The more general of two types that agree."""
    return one if _is_as_general(one, other) else other


def _is_as_general(one: Type, other: Type) -> bool:
    if one.name in ("dyn", "any") or one.is_parameter:
        return True
    if other.name in ("dyn", "any") or other.is_parameter or one.name != other.name:
        return False
    return one.name == "type" or all(map(_is_as_general, one.parameters, other.parameters))
