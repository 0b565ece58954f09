"""Which pending pods are alike for filtering, so that one explanation answers for all of them."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from clusters.engine.configuration import PodTopologySpreadArgs
from clusters.engine.objects import labels_of, namespace_of, placement_volumes
from clusters.engine.spreading.constraints import PLUGIN as SPREADING
from clusters.engine.workloads.pod_template import TEMPLATE_HASH, Controller, Workload

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.configuration import Profile
    from clusters.engine.snapshot import Snapshot

_IN_PODS_OWN = ("podAffinity", "podAntiAffinity")


class Likeness:
    """What of a pod decides where it may go, as plain values that are equal for pods alike on one snapshot.

    Names, owners and most labels differ from pod to pod and do not matter, unless something reads them: labels where
    the pod's own constraints or a placed pod's anti-affinity could select by them, the name where claims are named
    after the pod, owners where placed pods may be of an earlier revision of the same workload, and everything where a
    profile spreads pods by what their services and controllers select.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot

    @cached_property
    def _asked_for(self) -> frozenset[str]:
        """Label keys that the required anti-affinity of scheduled and nominated pods selects by."""
        return frozenset(
            requirement.key
            for affinity in self._snapshot.pods.affinities
            for term in affinity.required_anti
            for requirement in term.selector.requirements
        )

    @cached_property
    def _updated(self) -> frozenset[Workload]:
        """Workloads with placed pods whose update can create new ones beside those."""
        found = (template.workload for template in self._snapshot.pods.templates)
        return frozenset(each for each in found if each.kind in ("Deployment", "DaemonSet"))

    def of(self, pod: Mapping[str, Any], profile: Profile) -> tuple[Any, ...]:
        """Return what a pod has in common with those alike: what JSON has, in tuples, lists and dictionaries."""
        metadata, spec, status = pod.get("metadata") or {}, pod.get("spec") or {}, pod.get("status") or {}
        volumes = placement_volumes(spec)
        labels = metadata.get("labels") or {}
        affinity = spec.get("affinity") or {}
        selects = bool(spec.get("topologySpreadConstraints")) or any(affinity.get(kind) for kind in _IN_PODS_OWN)
        by_default = _spreads_by_default(profile)
        if not selects and not by_default:
            labels = {key: value for key, value in labels.items() if key in self._asked_for}
        nominated = status.get("nominatedNodeName") or ""
        is_named = bool(nominated) or any("ephemeral" in volume for volume in volumes)
        return (
            profile.scheduler_name,
            metadata.get("namespace"),
            labels,
            (metadata.get("name"), metadata.get("uid")) if is_named else None,
            metadata.get("ownerReferences") if by_default or self._is_updated(pod) else None,
            nominated,
            volumes,
            {name: part for name, part in spec.items() if name != "volumes"},
        )

    def _is_updated(self, pod: Mapping[str, Any]) -> bool:
        if not self._updated:
            return False
        made_by = Workload.of(namespace_of(pod), Controller.of(pod), labels_of(pod).get(TEMPLATE_HASH, ""))
        return made_by in self._updated


def _spreads_by_default(profile: Profile) -> bool:
    arguments = profile.args.get(SPREADING)
    return isinstance(arguments, PodTopologySpreadArgs) and any(
        constraint.get("whenUnsatisfiable") == "DoNotSchedule" for constraint in arguments.default_constraints
    )
