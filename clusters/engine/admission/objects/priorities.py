"""PriorityClasses: the bound of their values, the names that are the system's, and the one that is the default.

Upstream: ``pkg/apis/scheduling/validation``, and ``plugin/pkg/admission/priority`` for the default, v1.37.2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from clusters.engine.admission.objects.problems import DefaultClassTwice, ReservedClass
from clusters.engine.admission.priority import BUILT_IN
from clusters.engine.admission.validation.wrong import Wrong
from clusters.engine.objects import name_of
from clusters.engine.problems import OutOfRange

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clusters.engine.objects import Document

_LEAST: Final = -(2**31)
_MOST: Final = 1_000_000_000
_SYSTEM: Final = "system-"


def priority_class(document: Document) -> Iterator[Wrong]:
    """Yield what is refused of a class by itself."""
    name, value = name_of(document), document.get("value") or 0
    if name.startswith(_SYSTEM):
        if BUILT_IN.get(name) != value or document.get("globalDefault"):
            known = tuple(f"{each} ({number})" for each, number in BUILT_IN.items())
            yield Wrong("metadata.name", ReservedClass(name, known))
    elif value > _MOST:
        yield Wrong("value", OutOfRange(str(value), _LEAST, _MOST))


def second_default(document: Document, others: Iterable[Document]) -> Wrong | None:
    """Return what is wrong with a class that is marked as default beside another one; None where none is."""
    if document.get("globalDefault"):
        for other in others:
            if other.get("globalDefault") and name_of(other) != name_of(document):
                return Wrong("globalDefault", DefaultClassTwice(name_of(other)))
    return None
