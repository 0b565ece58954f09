"""Whether pods on nodes that the snapshot lacks could change an explanation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.matching.pod_affinity import meant_by
from clusters.engine.matching.selectors import SelectorError
from clusters.engine.spreading.constraints import SpreadConstraint
from clusters.engine.spreading.defaults import default_selector

if TYPE_CHECKING:
    from clusters.engine import Explanation
    from clusters.engine.matching.selectors import LabelSelector
    from clusters.engine.objects import AffinityTerm


def absent_neighbours(explanation: Explanation) -> list[str]:
    """Return the pods on missing nodes that a pod's spreading or affinity would count, or whose affinity means it."""
    snapshot, pods = explanation.snapshot, explanation.snapshot.pods
    absent = [slot for slot in pods.slot_of.values() if pods.node[slot] < 0 and slot not in pods.nominees]
    if not absent:
        return []
    counted: set[int] = set()
    for term in _terms(explanation):
        counted.update(meant_by(snapshot, term))
    for selector in _selectors(explanation):
        counted.update(pods.select(selector, frozenset({explanation.pod.namespace})))
    return sorted(
        pods.keys[slot] for slot in absent if int(pods.label_set[slot]) in counted or _means_it(explanation, slot)
    )


def _terms(explanation: Explanation) -> tuple[AffinityTerm, ...]:
    affinity = explanation.pod.affinity
    return (*affinity.required, *affinity.required_anti, *affinity.preferred, *affinity.preferred_anti)


def _selectors(explanation: Explanation) -> list[LabelSelector]:
    """Return what the pod's spread constraints select, or what it is spread by where it has none."""
    pod = explanation.pod
    try:
        own = [
            SpreadConstraint.from_dict(each, pod.labels).selector
            for each in pod.spec.get("topologySpreadConstraints") or ()
        ]
        selectors = own or [default_selector(explanation.snapshot, pod)]
    except SelectorError:
        return []
    return [selector for selector in selectors if not selector.matches_everything]


def _means_it(explanation: Explanation, slot: int) -> bool:
    """Tell whether a placed pod's own terms mean the pod in question."""
    snapshot, pod = explanation.snapshot, explanation.pod
    theirs = snapshot.pods.affinities[int(snapshot.pods.affinity[slot])]
    labels = dict(snapshot.namespace_labels(pod.namespace))
    terms = (*theirs.required, *theirs.required_anti, *theirs.preferred, *theirs.preferred_anti)
    return any(term.matches(pod.namespace, pod.labels, labels) for term in terms)
