"""What can be wrong with a selector, in words for people and in those of Kubernetes.

Upstream: ``NewRequirement`` of k8s.io/apimachinery, package ``labels``, and package ``nodeaffinity`` of
k8s.io/component-helpers, both v0.34.1.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, Final, NamedTuple

from clusters.engine.matching.selector_errors import (
    MAX_NAME,
    MAX_PREFIX,
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


class Problem(NamedTuple):
    """What is wrong with one field of a selector, and what would be right.

    ``kubernetes`` is how Kubernetes words it, the field included; empty for what its API cannot even hold.
    """

    path: str
    text: str
    kubernetes: str = ""

    def __str__(self) -> str:
        return f"{self.path}: {self.text}" if self.path else self.text


class SelectorError(ValueError):
    """A selector that Kubernetes would not accept; ``problems`` has at least one."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__(as_one(map(str, problems)))
        self.problems = problems

    @property
    def kubernetes(self) -> str:
        """The error as the scheduler has it in its texts."""
        return as_one(problem.kubernetes or str(problem) for problem in self.problems)


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


def label_key_problem(key: str) -> str | None:
    """Say what is wrong with a label key (an optional DNS prefix and a name), if anything is."""
    if not key_fault(key):
        return None
    prefix, slash, _ = key.rpartition("/")
    if slash and key_fault(f"{prefix}/x"):
        return f"{key!r} needs a lower-case DNS name of at most {MAX_PREFIX} characters before the slash"
    return (
        f"{key!r} needs a name of 1 to {MAX_NAME} letters, digits, '-', '_' or '.', with a letter or digit at both ends"
    )


def label_value_problem(value: str) -> str | None:
    """Say what is wrong with a label value, if anything is."""
    if value_fault(value):
        return (
            f"{value!r} must be empty or 1 to {MAX_NAME} letters, digits, '-', '_' or '.', "
            "with a letter or digit at both ends"
        )
    return None


def label_problems(
    key: str, operator: str, values: tuple[str, ...], supported: tuple[Operator, ...], path: str = ""
) -> Iterable[Problem]:
    """Yield what is wrong with a requirement on labels; an unknown operator hides the rest, as upstream."""
    if operator not in supported:
        words = not_supported(f"{path}.operator", operator, supported)
        if supported is LABEL_OPERATORS:
            words = f'"{operator}" is not a valid label selector operator'
        yield Problem(joined(path, "operator"), f"{operator!r} is not one of {', '.join(supported)}", words)
        return
    if text := label_key_problem(key):
        where = joined(path, "key")
        yield Problem(where, text, invalid(where, key, key_fault(key)))
    at = joined(path, "values")
    yield from _number_problems(operator, values, at)
    for position, value in enumerate(values):
        if text := label_value_problem(value):
            words = invalid(f"{at}[{position}][{key}]", value, value_fault(value))
            yield Problem(f"{at}[{position}]", text, words)


def _number_problems(operator: str, values: tuple[str, ...], path: str) -> Iterable[Problem]:
    """Yield what is wrong with how many values there are for an operator, and with those that it compares."""
    # A list that was left empty is not stored, so that upstream prints that there is none.
    given = values or None
    match operator:
        case Operator.IN | Operator.NOT_IN if not values:
            words = invalid(path, given, "for 'in', 'notin' operators, values set can't be empty")
            yield Problem(path, f"{operator} needs at least one value", words)
        case Operator.EXISTS | Operator.DOES_NOT_EXIST if values:
            words = invalid(path, given, "values set must be empty for exists and does not exist")
            yield Problem(path, f"{operator} takes no values", words)
        case Operator.GREATER_THAN | Operator.LESS_THAN:
            if len(values) != 1:
                words = invalid(path, given, "for 'Gt', 'Lt' operators, exactly one value is required")
                yield Problem(path, f"{operator} needs exactly one value", words)
            for position, value in enumerate(values):
                if int64(value) is None:
                    where = f"{path}[{position}]"
                    words = invalid(where, value, "for 'Gt', 'Lt' operators, the value must be an integer")
                    yield Problem(where, f"{value!r} must be an integer, as {operator} compares numbers", words)


def field_problems(operator: str, values: tuple[str, ...], path: str) -> Iterable[Problem]:
    """Yield what is wrong with a requirement on the fields of a node: one value, equal or not."""
    if operator not in _FIELD_OPERATORS:
        words = not_supported(f"{path}.operator", operator, _FIELD_OPERATORS)
        yield Problem(f"{path}.operator", f"{operator!r} is not one of {', '.join(_FIELD_OPERATORS)}", words)
    elif len(values) != 1:
        words = invalid(f"{path}.values", values or None, "must have one element")
        yield Problem(f"{path}.values", "must hold exactly one value", words)


def int64(text: str) -> int | None:
    """Return a decimal text as an int64, None if it is none."""
    if len(text) > _MAX_DIGITS or not _INTEGER.fullmatch(text):
        return None
    return number if (number := int(text)) in _INT64 else None


def joined(path: str, child: str) -> str:
    """A field of a field, either of which may be empty."""
    return f"{path}.{child}" if path and child else path or child
