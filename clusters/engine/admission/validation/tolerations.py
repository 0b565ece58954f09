"""Tolerations: which of their fields go together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.admission import problems as refused
from clusters.engine.admission.validation.wrong import Wrong
from clusters.engine.matching.selectors import key_fault, value_fault
from clusters.engine.problems import NotALabelKey, NotALabelValue
from clusters.engine.showing import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from clusters.engine.objects import Document


def check(spec: Document) -> Iterator[Wrong]:
    """Yield what is refused of a pod's tolerations."""
    yield from check_tolerations(spec.get("tolerations") or (), "spec.tolerations")


def check_tolerations(tolerations: Sequence[Document], path: str) -> Iterator[Wrong]:
    """Yield what ``ValidateTolerations`` refuses."""
    for number, toleration in enumerate(tolerations):
        yield from _check(toleration, f"{path}[{number}]")


def _check(toleration: Document, path: str) -> Iterator[Wrong]:
    key, value = toleration.get("key") or "", toleration.get("value") or ""
    effect, tolerates_any = toleration.get("effect") or "", toleration.get("operator") == "Exists"
    if key and key_fault(key):
        yield Wrong(f"{path}.key", NotALabelKey(shown(key)))
    if not key and not tolerates_any:
        yield Wrong(
            f"{path}.operator",
            refused.EqualWithoutKey(),
        )
    if toleration.get("tolerationSeconds") is not None and effect != "NoExecute":
        yield Wrong(
            f"{path}.effect",
            refused.SecondsWithoutNoExecute(effect),
        )
    if tolerates_any and value:
        yield Wrong(f"{path}.value", refused.ValueBesideExists(value))
    elif not tolerates_any and value_fault(value):
        yield Wrong(f"{path}.value", NotALabelValue(shown(value)))
