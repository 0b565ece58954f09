"""Values that many kinds have: counts that are not negative, shares of pods, quantities, names that are there once."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from clusters.engine.admission.objects.problems import NeedsOneOf, NotAPodCount, Repeated
from clusters.engine.admission.problems import NegativeQuantity
from clusters.engine.admission.validation.wrong import Wrong
from clusters.engine.problems import BelowLeast
from clusters.engine.resources.quantity import nano_units
from clusters.engine.showing import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from clusters.engine.objects import Document

_PERCENT: Final = re.compile(r"[0-9]{1,9}%")


def check_counts(owner: Document, path: str, *fields: str, least: int = 0) -> Iterator[Wrong]:
    """Yield fields whose numbers are below the least."""
    for field in fields:
        value = owner.get(field)
        if value is not None and value < least:
            yield Wrong(f"{path}.{field}", BelowLeast(str(value), least))


def check_share(value: Any, path: str, *, is_bounded: bool = True) -> Iterator[Wrong]:
    """Yield what ``ValidatePositiveIntOrPercent`` and, if bounded, ``IsNotMoreThan100Percent`` refuse."""
    if value is None:
        return
    is_percent = type(value) is str and _PERCENT.fullmatch(value) is not None
    is_right = (not is_bounded or int(value[:-1]) <= 100) if is_percent else type(value) is int and value >= 0
    if not is_right:
        yield Wrong(path, NotAPodCount(shown(value)))


def is_zero(value: Any) -> bool:
    """Whether a share is none at all."""
    return value == 0 or (type(value) is str and value.rstrip("%").isdecimal() and int(value.rstrip("%")) == 0)


def check_quantities(amounts: Document | None, path: str) -> Iterator[Wrong]:
    """Yield amounts below 0."""
    for name, amount in (amounts or {}).items():
        if amount is not None and nano_units(amount) < 0:
            yield Wrong(f"{path}.{name}", NegativeQuantity(shown(amount)))


def check_repeated(values: Iterable[tuple[str, Any]]) -> Iterator[Wrong]:
    """Yield the places of values that an earlier place has; each comes with its place."""
    seen: set[Any] = set()
    for path, value in values:
        if value in seen:
            yield Wrong(path, Repeated(shown(value)))
        seen.add(value)


def check_one_of(owner: Document, path: str, fields: Sequence[str]) -> Iterator[Wrong]:
    """Yield an owner that has none of the fields, or more than one; an empty list is a field that is not there."""
    if sum(owner.get(field) not in (None, []) for field in fields) != 1:
        yield Wrong(path, NeedsOneOf(tuple(fields)))
