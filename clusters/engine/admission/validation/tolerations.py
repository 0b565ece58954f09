"""Tolerations: which of their fields go together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.admission.validation.wrong import Wrong
from clusters.engine.matching.selectors import label_key_problem, label_value_problem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine.objects import Document


def check(spec: Document) -> Iterator[Wrong]:
    """Yield what ``ValidateTolerations`` refuses."""
    for number, toleration in enumerate(spec.get("tolerations") or ()):
        yield from _check(toleration, f"spec.tolerations[{number}]")


def _check(toleration: Document, path: str) -> Iterator[Wrong]:
    key, value = toleration.get("key") or "", toleration.get("value") or ""
    effect, tolerates_any = toleration.get("effect") or "", toleration.get("operator") == "Exists"
    if key and (problem := label_key_problem(key)):
        yield Wrong(f"{path}.key", f"{problem}.", "Write the key of a taint, such as dedicated.")
    if not key and not tolerates_any:
        yield Wrong(
            f"{path}.operator",
            "A toleration without a key means every taint, and only Exists can say that.",
            "Write operator: Exists, or name a key.",
        )
    if toleration.get("tolerationSeconds") is not None and effect != "NoExecute":
        named = f"the effect is {effect}" if effect else "no effect is named"
        yield Wrong(
            f"{path}.effect",
            f"tolerationSeconds says how long a pod stays under NoExecute, and {named}.",
            "Write effect: NoExecute, or leave tolerationSeconds out.",
        )
    if tolerates_any and value:
        yield Wrong(
            f"{path}.value", "Exists means every value, so none may be named.", "Leave value out, or write Equal."
        )
    elif not tolerates_any and (problem := label_value_problem(value)):
        yield Wrong(f"{path}.value", f"{problem}.", "Write the value of a taint, such as gpu.")
