"""Pods of DaemonSets: on which nodes they run, and what ties each to its node.

Upstream: ``NodeShouldRunDaemonPod`` in ``pkg/controller/daemon/daemon_controller.go``,
``AddOrUpdateDaemonPodTolerations`` and ``ReplaceDaemonSetPodNodeNameNodeAffinity`` in
``pkg/controller/daemon/util``, v1.34.1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from clusters.engine.disruption.taint_eviction import NO_EXECUTE
from clusters.engine.matching.selectors import NodeSelector, SelectorError
from clusters.engine.matching.taints import Taint, Toleration
from clusters.engine.objects import labels_of, name_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine.objects import Document

_REQUIRED: Final = "requiredDuringSchedulingIgnoredDuringExecution"
_TOLERATED: Final = (
    ("node.kubernetes.io/not-ready", "NoExecute"),
    ("node.kubernetes.io/unreachable", "NoExecute"),
    ("node.kubernetes.io/disk-pressure", "NoSchedule"),
    ("node.kubernetes.io/memory-pressure", "NoSchedule"),
    ("node.kubernetes.io/pid-pressure", "NoSchedule"),
    ("node.kubernetes.io/unschedulable", "NoSchedule"),
)
_OF_HOST_NETWORK: Final = ("node.kubernetes.io/network-unavailable", "NoSchedule")


def tolerating(spec: Document) -> dict[str, Any]:
    """The spec of a DaemonSet's pod with what the controller lets it tolerate: for ever, whatever time is given."""
    given = [dict(each) for each in spec.get("tolerations") or ()]
    for key, effect in (*_TOLERATED, *((_OF_HOST_NETWORK,) if spec.get("hostNetwork") else ())):
        own = {"key": key, "operator": "Exists", "effect": effect}
        known = [number for number, each in enumerate(given) if _is_about(each, own)]
        for number in known:
            given[number] = own
        if not known:
            given.append(own)
    return {**spec, "tolerations": given}


def _is_about(given: Document, own: Document) -> bool:
    return not given.get("value") and all(given.get(field) == value for field, value in own.items())


class DaemonEligibility:
    """On which nodes a DaemonSet runs pods such as one.

    ``is_template``: the pod has the node affinity of the DaemonSet's template; that of one that runs was replaced by
    the name of its own node, and tells nothing.
    """

    def __init__(self, pod: Document, *, is_template: bool) -> None:
        spec = pod.get("spec") or {}
        self._selector: dict[str, str] = spec.get("nodeSelector") or {}
        required = ((spec.get("affinity") or {}).get("nodeAffinity") or {}).get(_REQUIRED) if is_template else None
        self._affinity: NodeSelector | None = None
        self._is_nowhere = False
        try:
            self._affinity = None if required is None else NodeSelector.from_dict(required)
        except SelectorError:
            self._is_nowhere = True
        self._tolerations = [Toleration.from_dict(each) for each in spec.get("tolerations") or ()]

    def runs_on(self, node: Document) -> bool:
        """Whether a pod is made on a node that has none."""
        return self._is_for(node) and all(self._tolerates(taint) for taint in _taints(node) if taint.forbids_scheduling)

    def stays_on(self, node: Document) -> bool:
        """Whether a pod that is on a node may stay there."""
        return self._is_for(node) and all(
            self._tolerates(taint) for taint in _taints(node) if taint.effect == NO_EXECUTE
        )

    def _is_for(self, node: Document) -> bool:
        labels = labels_of(node)
        if self._is_nowhere or any(labels.get(key) != value for key, value in self._selector.items()):
            return False
        return self._affinity is None or self._affinity.matches(labels, {"metadata.name": name_of(node)})

    def _tolerates(self, taint: Taint) -> bool:
        return any(toleration.tolerates(taint) for toleration in self._tolerations)


def _taints(node: Document) -> Iterator[Taint]:
    return (Taint.from_dict(each) for each in (node.get("spec") or {}).get("taints") or ())


def pinned(pod: Document, node: str) -> dict[str, Any]:
    """A DaemonSet's pod that may run on one node only."""
    spec = pod.get("spec") or {}
    affinity = spec.get("affinity") or {}
    fields = [{"key": "metadata.name", "operator": "In", "values": [node]}]
    own = {**(affinity.get("nodeAffinity") or {}), _REQUIRED: {"nodeSelectorTerms": [{"matchFields": fields}]}}
    return {**pod, "spec": {**spec, "affinity": {**affinity, "nodeAffinity": own}}}


def pinned_node(pod: Document) -> str:
    """The only node that a DaemonSet's pod may run on; empty for a pod that is not tied to one that way."""
    affinity = ((pod.get("spec") or {}).get("affinity") or {}).get("nodeAffinity") or {}
    terms = (affinity.get(_REQUIRED) or {}).get("nodeSelectorTerms") or ()
    fields = [field for term in terms for field in term.get("matchFields") or ()]
    named = {
        name
        for field in fields
        if (field.get("key"), field.get("operator")) == ("metadata.name", "In")
        for name in field.get("values") or ()
    }
    return str(named.pop()) if len(named) == 1 and len(fields) == len(terms) else ""
