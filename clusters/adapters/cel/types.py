"""Types of CEL, how they are written, and which agree with which.

Upstream: ``checker/types.go`` of ``cel-go`` v0.29.2. Types that contain parameters unify; ``dyn`` and ``any`` agree
with everything, and so does an error, of which is told once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cached_property
from typing import Any, Final, NamedTuple

from clusters.adapters.cel.values import Address, CelError, CelMapping, OptionalValue, Prefix, Uint, Version, type_name
from clusters.engine.devices import CostlyExpressionError, UnsupportedExpressionError

# How many parts a type may have: those of bound values can double with each level.
_MOST_PARTS: Final = 300
# How many steps the types of one expression may take: the longest plain ones take a fraction of it.
_MOST_STEPS: Final = 30_000
# Comparing so many parts takes as long as one step.
_COMPARED_AT_ONCE: Final = 10


class Type(NamedTuple):
    """A type by its name; a name of one capital letter, or with ``_`` before it, is a parameter.

    ``parts``: how many types it is made of. ``is_free``: whether there are parameters among them.
    """

    name: str
    parameters: tuple[Type, ...] = ()
    parts: int = 1
    is_free: bool = False

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
    return Type(name, parameters, parts, any(each.is_free for each in parameters))


def parameter_of(name: str) -> Type:
    """A parameter by its name."""
    return Type(name, is_free=True)


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
                plain = Type(word)
                found.append(parameter_of(word) if plain.is_parameter else plain)
        return tuple(found)

    return read()


class Substitutions:
    """What parameters of types were found to stand for, and the account of finding it out."""

    def __init__(self) -> None:
        self._found: dict[str, Type] = {}
        # What the last question changed: parameters with what they stood for, themselves where that was nothing.
        self._learned: list[tuple[Type, Type]] = []
        self._count = 0
        self._steps = 0

    def _step(self, count: int = 1) -> None:
        """Account for looking into so many types. Raises CostlyExpressionError."""
        self._steps += count
        if self._steps > _MOST_STEPS:
            raise CostlyExpressionError("types")

    def is_same(self, one: Type, other: Type) -> bool:
        """Whether two types are equal."""
        self._step(min(one.parts, other.parts) // _COMPARED_AT_ONCE)
        return one == other

    def parameter(self) -> Type:
        """A parameter of which nothing is known."""
        self._count += 1
        return parameter_of(f"_var{self._count - 1}")

    def fresh(self, types: tuple[Type, ...]) -> tuple[Type, ...]:
        """The types with parameters of their own."""
        renamed: dict[str, Type] = {}

        def rename(each: Type) -> Type:
            if not each.is_free:
                return each
            self._step()
            if not each.is_parameter:
                return type_of(each.name, *map(rename, each.parameters))
            if each.name not in renamed:
                renamed[each.name] = self.parameter()
            return renamed[each.name]

        return tuple(map(rename, types))

    def resolved(self, each: Type, *, free_as_dyn: bool = False) -> Type:
        """A type with what its parameters stand for."""
        if not each.is_free:
            return each
        self._step()
        if not each.is_parameter:
            return type_of(each.name, *(self.resolved(part, free_as_dyn=free_as_dyn) for part in each.parameters))
        if each.name in self._found:
            return self.resolved(self._found[each.name], free_as_dyn=free_as_dyn)
        return DYN if free_as_dyn else each

    def agree(self, pairs: list[tuple[Type, Type]]) -> bool:
        """Whether each type is one of the other; what is learned on the way is kept if all do."""
        self._learned.clear()
        if all(self._agrees(*pair) for pair in pairs):
            return True
        for parameter, before in reversed(self._learned):
            self._found[parameter.name] = before
            if before == parameter:
                del self._found[parameter.name]
        return False

    def more_general(self, one: Type, other: Type) -> Type:
        """The more general of two types that agree."""
        return one if self._is_as_general(one, other) else other

    def _learn(self, parameter: Type, found: Type) -> None:
        self._learned.append((parameter, self._found.get(parameter.name, parameter)))
        self._found[parameter.name] = found

    def _agrees(self, one: Type, other: Type) -> bool:
        if one is other:
            return True
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
        self._step()
        pairs = zip(one.parameters, other.parameters, strict=False)
        return len(one.parameters) == len(other.parameters) and all(self._agrees(*pair) for pair in pairs)

    def _stands_for(self, one: Type, parameter: Type) -> tuple[bool, bool]:
        """Whether a parameter can stand for a type, and whether it was known what it stands for."""
        if one.name == parameter.name:
            return True, True
        self._step()
        known = self._found.get(parameter.name)
        if known is not None:
            if self.is_same(one, known):
                return True, True
            if not self._agrees(one, known):
                return False, True
            general = self.more_general(one, known)
            if not self._contains(general, parameter):
                self._learn(parameter, general)
            return True, True
        if self._contains(one, parameter):
            return False, False
        self._learn(parameter, one)
        return True, False

    def _contains(self, within: Type, parameter: Type) -> bool:
        if not within.is_free:
            return False
        self._step()
        if not within.is_parameter:
            return any(self._contains(part, parameter) for part in within.parameters)
        known = self._found.get(within.name)
        return within.name == parameter.name or (known is not None and self._contains(known, parameter))

    def _is_as_general(self, one: Type, other: Type) -> bool:
        if one is other or one.name in ("dyn", "any") or one.is_parameter:
            return True
        if other.name in ("dyn", "any") or other.is_parameter or one.name != other.name:
            return False
        self._step()
        return one.name == "type" or all(map(self._is_as_general, one.parameters, other.parameters))


# What functions take and give: one row for each overload, by which types are checked and values chosen.

Compute = Callable[..., Any]
_CLASSES: Final[Mapping[str, type]] = {
    "bool": bool,
    "bytes": bytes,
    "double": float,
    "int": int,
    "list": list,
    "null_type": type(None),
    "optional_type": OptionalValue,
    "string": str,
    "uint": Uint,
    "kubernetes.Quantity": Fraction,
    "kubernetes.Semver": Version,
    "net.IP": Address,
    "net.CIDR": Prefix,
}


class Overload(NamedTuple):
    """One way to call a function; the first of a method's ``arguments`` is what it is called for."""

    arguments: tuple[Type, ...]
    result: Type
    compute: Compute
    is_method: bool


class Function:
    """A function by its name, with its overloads.

    ``tells_types``: where none of them is for some values, the error names their types. Otherwise it names nothing, or
    the function alone where ``tells_name``.
    """

    def __init__(self, name: str, *overloads: Overload, tells_types: bool = True, tells_name: bool = False) -> None:
        self.name, self.overloads = name, overloads
        self.tells_types, self.tells_name = tells_types, tells_name

    @cached_property
    def matchers(self) -> dict[Overload, tuple[Callable[[Any], bool], ...]]:
        """What tells of each overload's arguments whether values are of their types."""
        return {
            each: tuple(_matcher(kind, is_deep=self.tells_types) for kind in each.arguments) for each in self.overloads
        }

    def fault(self, values: tuple[Any, ...]) -> CelError:
        """The error where no overload is for these values."""
        if self.tells_types:
            return CelError(f"no such overload: {self.name}({', '.join(map(type_name, values))})")
        # Texts are asked whether they know it.
        is_named = self.tells_name and type(values[0]) is not str
        return CelError(f"no such overload: {self.name}" if is_named else "no such overload")


def function(arguments: str, result: str, compute: Compute) -> Overload:
    """An overload of a function."""
    return Overload(types_of(arguments), types_of(result)[0], compute, is_method=False)


def method(arguments: str, result: str, compute: Compute) -> Overload:
    """An overload of a method."""
    return Overload(types_of(arguments), types_of(result)[0], compute, is_method=True)


def _matcher(kind: Type, *, is_deep: bool) -> Callable[[Any], bool]:
    """What tells whether a value is of a type; of lists, where it is to look at items, by the first alone."""
    if kind.is_dynamic or kind.is_parameter:
        return lambda value: True
    if kind.name == "type":
        return lambda value: isinstance(value, type)
    if kind.name == "map":
        return lambda value: isinstance(value, CelMapping)
    found = _CLASSES[kind.name]
    if found is Fraction:
        return lambda value: isinstance(value, Fraction)
    if kind.name != "list" or not is_deep or kind.parameters[0].is_parameter or kind.parameters[0].is_dynamic:
        return lambda value: type(value) is found
    item = _matcher(kind.parameters[0], is_deep=True)
    return lambda value: type(value) is list and (not value or item(value[0]))
