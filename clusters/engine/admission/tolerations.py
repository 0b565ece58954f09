"""Tolerations that every pod gets, and how two lists of tolerations become one.

Upstream: ``plugin/pkg/admission/defaulttolerationseconds/admission.go`` and ``pkg/util/tolerations/tolerations.go``
(v1.34.1). The seconds are those of an API server that is not told others by its flags.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clusters.engine.admission.draft import Draft

DEFAULT_TOLERATIONS: Final = "DefaultTolerationSeconds"
_SECONDS: Final = 300
_TAINTS: Final = ("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable")


def mutate(draft: Draft) -> None:
    """Let the pod stay for five minutes on a node that is not ready or cannot be reached, unless it says itself."""
    given = list(draft.spec.get("tolerations") or ())
    for taint in _TAINTS:
        if not any(_speaks_of(toleration, taint) for toleration in given):
            added = {"key": taint, "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": _SECONDS}
            draft.spec["tolerations"] = [*(draft.spec.get("tolerations") or ()), added]
            draft.note(DEFAULT_TOLERATIONS, "spec.tolerations", added)


def _speaks_of(toleration: Mapping[str, Any], taint: str) -> bool:
    return (toleration.get("key") or "") in (taint, "") and (toleration.get("effect") or "") in ("NoExecute", "")


def merged(first: Sequence[Mapping[str, Any]], second: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return both lists without the tolerations that another one covers."""
    everything = [*first, *second]
    kept: list[Mapping[str, Any]] = []
    for number, each in enumerate(everything):
        if any(_covers(other, each) for other in kept):
            continue
        if any(not _same(other, each) and _covers(other, each) for other in everything[number + 1 :]):
            continue
        kept.append(each)
    return kept


def _same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    keys = ("key", "operator", "value", "effect")
    return all((one.get(key) or "") == (other.get(key) or "") for key in keys) and (
        one.get("tolerationSeconds") == other.get("tolerationSeconds")
    )


def _covers(wide: Mapping[str, Any], narrow: Mapping[str, Any]) -> bool:
    """Whether everything that ``narrow`` tolerates is tolerated by ``wide``, as upstream sees it."""
    if _same(wide, narrow):
        return True
    operator, key = wide.get("operator") or "", wide.get("key") or ""
    if (narrow.get("key") or "") != key and (key or operator != "Exists"):
        return False
    effect = wide.get("effect") or ""
    if effect and (narrow.get("effect") or "") != effect:
        return False
    seconds, of_narrow = wide.get("tolerationSeconds"), narrow.get("tolerationSeconds")
    if effect == "NoExecute" and seconds is not None and (of_narrow is None or of_narrow > seconds):
        return False
    if operator in ("Equal", ""):
        return narrow.get("operator") == "Equal" and (narrow.get("value") or "") == (wide.get("value") or "")
    return operator == "Exists"
