"""matchLabelKeys and mismatchLabelKeys: the pod's own labels written into its selectors when it is created.

Upstream: ``mutatePodAffinity`` and ``mutateTopologySpreadConstraints`` in ``pkg/registry/core/pod/strategy.go``
(v1.34.1). MatchLabelKeysInPodAffinity is always on there, MatchLabelKeysInPodTopologySpreadSelectorMerge by default.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from clusters.engine.admission.draft import SourceKind, ValueSource

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clusters.engine.admission.draft import Draft

_REQUIRED: Final = "requiredDuringSchedulingIgnoredDuringExecution"
_PREFERRED: Final = "preferredDuringSchedulingIgnoredDuringExecution"


def merge_label_keys(draft: Draft) -> None:
    """Add a requirement to the selector of each term and constraint for every key that the pod has a label for."""
    for path, term in _terms(draft.spec.get("affinity") or {}):
        _merge(draft, path, term, "matchLabelKeys", "In")
        _merge(draft, path, term, "mismatchLabelKeys", "NotIn")
    for number, constraint in enumerate(draft.spec.get("topologySpreadConstraints") or ()):
        _merge(draft, f"spec.topologySpreadConstraints[{number}]", constraint, "matchLabelKeys", "In")


def _terms(affinity: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for kind in ("podAffinity", "podAntiAffinity"):
        rules = affinity.get(kind) or {}
        for number, weighted in enumerate(rules.get(_PREFERRED) or ()):
            path = f"spec.affinity.{kind}.{_PREFERRED}[{number}].podAffinityTerm"
            yield path, weighted.get("podAffinityTerm") or {}
        for number, term in enumerate(rules.get(_REQUIRED) or ()):
            yield f"spec.affinity.{kind}.{_REQUIRED}[{number}]", term


def _merge(draft: Draft, path: str, owner: dict[str, Any], field: str, operator: str) -> None:
    """Add the requirements of one list of keys; without a selector nothing is matched, and nothing is added."""
    selector = owner.get("labelSelector")
    if selector is None:
        return
    keys: Iterable[str] = owner.get(field) or ()
    for key in keys:
        value = draft.labels.get(key)
        if value is None:
            continue
        requirement = {"key": key, "operator": operator, "values": [value]}
        expressions = selector.get("matchExpressions") or []
        # A pod that was created once has it already.
        if requirement not in expressions:
            selector["matchExpressions"] = [*expressions, requirement]
            draft.note(
                field, f"{path}.labelSelector.matchExpressions", requirement, ValueSource(SourceKind.LABEL_OF_POD, key)
            )
