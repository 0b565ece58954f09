"""What can be wrong with a selector, in the words of Kubernetes.

Upstream: ``NewRequirement`` of k8s.io/apimachinery, package ``labels``, and package ``nodeaffinity`` of
k8s.io/component-helpers, both v0.34.1.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, Final, NamedTuple

from clusters.engine.matching.selector_errors import (
    invalid,
    key_fault,
    not_supported,
    value_fault,
)
from clusters.engine.messages import as_one

if TYPE_CHECKING:
    from collections.abc import Iterable

_INTEGER: Final = re.compile(r"[+-]?[0-9]+")
_INT64: Final = range(-(2**63), 2**63)
# More digits than any int64 has; what is longer is only one by leading zeros, and no label is that long.
_MAX_DIGITS: Final = 64


class SelectorFault(NamedTuple):
    """What is wrong with one field of a selector.

    ``kubernetes`` is how Kubernetes words it to the letter, the field included: its validation, or, of a value of
    another type than the field, what Go says where it decodes the selector. ``in_bytes`` are the words from 1.35 on,
    where they are others.
    """

    path: str
    kubernetes: str
    in_bytes: str = ""

    def said(self, *, in_bytes: bool) -> str:
        """The words of Kubernetes; ``in_bytes``: those from 1.35 on."""
        return (in_bytes and self.in_bytes) or self.kubernetes

    def within(self, path: str) -> SelectorFault:
        """The same of a selector that a field holds."""
        return self._replace(path=joined(path, self.path))


class SelectorError(ValueError):
    """A selector that Kubernetes would not accept; ``faults`` has at least one."""

    def __init__(self, *faults: SelectorFault) -> None:
        super().__init__(*faults)
        self.faults = faults

    @property
    def kubernetes(self) -> str:
        """The error as Kubernetes words it until 1.34."""
        return self.said(in_bytes=False)

    def said(self, *, in_bytes: bool) -> str:
        """The error as the scheduler has it in its texts; ``in_bytes``: from 1.35 on."""
        return as_one(fault.said(in_bytes=in_bytes) for fault in self.faults)


class Operator(StrEnum):
    """How a requirement relates a key to values."""

    IN = "In"
    NOT_IN = "NotIn"
    EXISTS = "Exists"
    DOES_NOT_EXIST = "DoesNotExist"
    GREATER_THAN = "Gt"
    LESS_THAN = "Lt"


LABEL_OPERATORS: Final = (Operator.IN, Operator.NOT_IN, Operator.EXISTS, Operator.DOES_NOT_EXIST)
NODE_OPERATORS: Final = tuple(Operator)
_FIELD_OPERATORS: Final = (Operator.IN, Operator.NOT_IN)


def label_problems(
    key: str, operator: str, values: tuple[str, ...], supported: tuple[Operator, ...], path: str = ""
) -> Iterable[SelectorFault]:
    """Yield what is wrong with a requirement on labels; an unknown operator hides the rest, as upstream."""
    if operator not in supported:
        words = not_supported(f"{path}.operator", operator, supported)
        if supported is LABEL_OPERATORS:
            words = f'"{operator}" is not a valid label selector operator'
        yield SelectorFault(joined(path, "operator"), words)
        return
    if fault := key_fault(key):
        where = joined(path, "key")
        later = key_fault(key, in_bytes=True)
        yield SelectorFault(where, invalid(where, key, fault), invalid(where, key, later))
    at = joined(path, "values")
    yield from _number_problems(operator, values, at)
    for position, value in enumerate(values):
        if fault := value_fault(value):
            where, later = f"{at}[{position}][{key}]", value_fault(value, in_bytes=True)
            yield SelectorFault(f"{at}[{position}]", invalid(where, value, fault), invalid(where, value, later))


def _number_problems(operator: str, values: tuple[str, ...], path: str) -> Iterable[SelectorFault]:
    """Yield what is wrong with how many values there are for an operator, and with those that it compares."""
    # A list that was left empty is not stored, so that upstream prints that there is none.
    given = values or None
    match operator:
        case Operator.IN | Operator.NOT_IN if not values:
            words = invalid(path, given, "for 'in', 'notin' operators, values set can't be empty")
            yield SelectorFault(path, words)
        case Operator.EXISTS | Operator.DOES_NOT_EXIST if values:
            words = invalid(path, given, "values set must be empty for exists and does not exist")
            yield SelectorFault(path, words)
        case Operator.GREATER_THAN | Operator.LESS_THAN:
            if len(values) != 1:
                words = invalid(path, given, "for 'Gt', 'Lt' operators, exactly one value is required")
                yield SelectorFault(path, words)
            for position, value in enumerate(values):
                if int64(value) is None:
                    where = f"{path}[{position}]"
                    words = invalid(where, value, "for 'Gt', 'Lt' operators, the value must be an integer")
                    yield SelectorFault(where, words)


def field_problems(operator: str, values: tuple[str, ...], path: str) -> Iterable[SelectorFault]:
    """Yield what is wrong with a requirement on the fields of a node: one value, equal or not."""
    if operator not in _FIELD_OPERATORS:
        words = not_supported(f"{path}.operator", operator, _FIELD_OPERATORS)
        yield SelectorFault(f"{path}.operator", words)
    elif len(values) != 1:
        words = invalid(f"{path}.values", values or None, "must have one element")
        yield SelectorFault(f"{path}.values", words)


def int64(text: str) -> int | None:
    """Return a decimal text as an int64, None if it is none."""
    if len(text) > _MAX_DIGITS or not _INTEGER.fullmatch(text):
        return None
    return number if (number := int(text)) in _INT64 else None


def joined(path: str, child: str) -> str:
    """A field of a field, either of which may be empty."""
    return f"{path}.{child}" if path and child else path or child
