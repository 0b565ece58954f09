"""What functions take and give: one row for each overload, by which types are checked and values chosen.

Upstream: ``common/decls`` of ``cel-go`` v0.29.2.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cached_property
from typing import Any, Final, NamedTuple

from clusters.adapters.cel.network import Address, Prefix
from clusters.adapters.cel.semver import Version
from clusters.adapters.cel.types import Type, types_of
from clusters.adapters.cel.values import CelError, CelMapping, OptionalValue, Uint, type_name

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
