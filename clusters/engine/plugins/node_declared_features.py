"""NodeDeclaredFeatures: a pod that needs a feature of kubelets fits only nodes whose kubelet declares it.

Upstream: ``pkg/scheduler/framework/plugins/nodedeclaredfeatures`` and ``component-helpers/nodedeclaredfeatures``, from
v1.35.4 on. Which features are looked at differs by minor.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from clusters.engine.evidence import Comparison
from clusters.engine.plugin import (
    NOTHING_LIFTED,
    PROCEED,
    SKIP_FILTER,
    ClusterEvent,
    Constraint,
    Plugin,
    PreFilter,
    Reads,
)
from clusters.engine.status import PASS, FilterAnswer, Reason, unresolvable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from clusters.engine.objects import Document
    from clusters.engine.world import World


class LacksFeature(Reason, frozen=True):
    """The kubelet lacks a feature that the pod needs."""

    kind = "lacks-feature"
    plugin = "NodeDeclaredFeatures"
    text = "node(s) didn't match Pod's required features"


class FeatureComparison(Comparison, frozen=True):
    """A feature that the pod needs of a kubelet, and whether the node declares it."""

    kind = "declared-feature"

    feature: str
    declared: bool

    @property
    def holds(self) -> bool:
        return self.declared


class NodeDeclaredFeatures(Plugin):
    """Filters by ``status.declaredFeatures`` of nodes."""

    name = "NodeDeclaredFeatures"
    reads = Reads.NODES
    requeue_on = (ClusterEvent.NODE_ADD, ClusterEvent.NODE_DECLARED_FEATURE, ClusterEvent.POD_UPDATE)
    colour = "wine"
    skips_for_good = True
    is_lifted_on_nodes = True
    unprepared = 'error reading "PreFilterNodeDeclaredFeatures" from cycle-state: not found'

    @cached_property
    def _needed(self) -> tuple[str, ...]:
        return tuple(
            name
            for name, is_needed in _NEEDED.items()
            if name in self.release.rules.features and is_needed(self.pod.spec)
        )

    def pre_filter(self) -> PreFilter:
        return PROCEED if self._needed else SKIP_FILTER

    def filter(self, world: World | None = None, lifted: frozenset[int] = NOTHING_LIFTED) -> FilterAnswer:
        if not self._needed or 0 in lifted:
            return PASS
        needed = frozenset(self._needed)
        lacking = np.array([not needed <= node.features for node in self.snapshot.nodes.nodes], np.bool_)
        return FilterAnswer.first_of((lacking, unresolvable(LacksFeature())))

    def constraints(self) -> tuple[Constraint, ...]:
        return (Constraint(self.name),) if self._needed else ()

    def evidence(self, row: int, world: World | None = None) -> tuple[Comparison, ...]:
        declared = self.snapshot.nodes.nodes[row].features
        return tuple(FeatureComparison(name, name in declared) for name in self._needed)


def _containers(spec: Document, *fields: str) -> Iterator[Document]:
    for field in fields:
        yield from spec.get(field) or ()


def _restarts_all(spec: Document) -> bool:
    return any(
        rule.get("action") == "RestartAllContainers"
        for container in _containers(spec, "containers", "initContainers")
        for rule in container.get("restartPolicyRules") or ()
    )


def _isolates_users_on_host_network(spec: Document) -> bool:
    return bool(spec.get("hostNetwork")) and spec.get("hostUsers") is False


def _mounts_with_options(spec: Document) -> bool:
    return any(
        mount.get("bindMountOptions")
        for container in _containers(spec, "containers", "initContainers", "ephemeralContainers")
        for mount in container.get("volumeMounts") or ()
    )


# Of pod certificates, and the type of seccomp profiles that come from a registry.
MLDSA_KEYS: Final = frozenset({"MLDSA44", "MLDSA65", "MLDSA87"})
PULLED_PROFILE: Final = "OCI"


def _has_certificates_of_lattices(spec: Document) -> bool:
    return any(
        (source.get("podCertificate") or {}).get("keyType") in MLDSA_KEYS
        for volume in spec.get("volumes") or ()
        for source in (volume.get("projected") or {}).get("sources") or ()
    )


def _pulls_profiles(spec: Document) -> bool:
    whole = (spec, *_containers(spec, "initContainers", "containers", "ephemeralContainers"))
    stated = [each["securityContext"] for each in whole if each.get("securityContext")]
    return any((each.get("seccompProfile") or {}).get("type") == PULLED_PROFILE for each in stated)


# The features that concern scheduling, and what of a pod needs them.
_NEEDED: Final[Mapping[str, Callable[[Document], bool]]] = {
    "RestartAllContainersOnContainerExits": _restarts_all,
    "UserNamespacesHostNetworkSupport": _isolates_users_on_host_network,
    "VolumeBindMountOptions": _mounts_with_options,
    "PodCertificateMLDSA": _has_certificates_of_lattices,
    "SecurityProfileOCI": _pulls_profiles,
}
