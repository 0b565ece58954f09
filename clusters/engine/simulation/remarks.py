"""What a simulation simplifies or leaves out of what it was asked, as typed values."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import ClassVar


class Remark:
    """Something that whoever reads the result has to know: a frozen dataclass of texts, numbers and tuples of texts."""

    __slots__ = ()
    kind: ClassVar[str] = ""

    def __init_subclass__(cls) -> None:
        cls.kind = cls.__name__


# -- the cluster and its scheduler -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ReleaseDiffers(Remark):
    """The cluster runs another Kubernetes minor than the release whose answers were computed."""

    minor: str
    answered_as: str


@dataclass(frozen=True, slots=True)
class UnknownPlugins(Remark):
    """Plugins of the configuration that are not Kubernetes' own, and are not asked."""

    plugins: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ExtendersNotAsked(Remark):
    """So many extenders of the configuration are not asked, at these ``addresses``."""

    extenders: int
    addresses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PendingElsewhere(Remark):
    """Pending pods of schedulers that have no profile are left out."""

    pods: int


# -- nodes -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DaemonPodsAdded(Remark):
    """DaemonSets get pods on nodes that are added, or that they begin to run on."""

    pods: int
    daemon_sets: int


@dataclass(frozen=True, slots=True)
class DaemonPodsGone(Remark):
    """DaemonSets delete pods on nodes that they stop to run on."""

    pods: int
    daemon_sets: int


@dataclass(frozen=True, slots=True)
class DaemonSetRefused(Remark):
    """A DaemonSet, ``namespace/name``, that creates no pods, as the API server refuses them."""

    daemon_set: str


@dataclass(frozen=True, slots=True)
class DrainedAsKubectl(Remark):
    """Nodes are drained as kubectl does with --ignore-daemonsets and --delete-emptydir-data, without --force."""


@dataclass(frozen=True, slots=True)
class PodsLost(Remark):
    """Pods that no controller recreates are deleted with their node or by a taint: the first few, and how many."""

    pods: tuple[str, ...]
    total: int


@dataclass(frozen=True, slots=True)
class NotRecreatedElsewhere(Remark):
    """Pods of a scheduler without a profile lose their node and are left out."""

    scheduler: str
    pods: int


@dataclass(frozen=True, slots=True)
class TaintToleratedForAWhile(Remark):
    """Pods tolerate a NoExecute taint for some seconds; in a simulation they stay."""

    pods: int


# -- workloads ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class KindLeftOut(Remark):
    """An object of a kind that simulations do not read."""

    kind_of_object: str
    name: str


@dataclass(frozen=True, slots=True)
class PodsReplaced(Remark):
    """A workload is there already, and its pods are replaced by those of the manifest."""

    workload: str
    pods: int


@dataclass(frozen=True, slots=True)
class ScaledInProportion(Remark):
    """A Deployment is scaled in a rollout; ``sizes``: its ReplicaSets with their replicas before and after."""

    workload: str
    sizes: tuple[tuple[str, int, int], ...]


@dataclass(frozen=True, slots=True)
class PodsAdopted(Remark):
    """A ReplicaSet takes control of pods that nothing controlled, of which some are too many and ``deleted``."""

    replica_set: str
    pods: int
    deleted: int


@dataclass(frozen=True, slots=True)
class OrdinalsWaitForNodes(Remark):
    """Pods of StatefulSets on nodes that become unreachable; they are replaced only once their objects are gone."""

    pods: int


@dataclass(frozen=True, slots=True)
class VolumesStayAttached(Remark):
    """Pods on nodes that become unreachable, with volumes that no other node can attach as long as they exist."""

    pods: int


@dataclass(frozen=True, slots=True)
class OrdinalsHeldBack(Remark):
    """A StatefulSet with the policy OrderedReady waits for a pod of it that is not ready before it is scaled."""

    stateful_set: str
    pod: str


@dataclass(frozen=True, slots=True)
class RequestsSet(Remark):
    """Pods of so many workloads have other requests on the nodes that they are on; quotas count what they had."""

    pods: int
    workloads: int


@dataclass(frozen=True, slots=True)
class JobFails(Remark):
    """A ``job`` fails, as it lost pods that count as failed: the ``reason`` of its condition, and the ``limit``.

    Its other ``pods``, so many, are deleted.
    """

    job: str
    reason: str
    limit: int
    pods: int


@dataclass(frozen=True, slots=True)
class JobIndexesFail(Remark):
    """Some ``indexes`` of a ``job`` fail, as they lost pods that count as failed: they get no further pods."""

    job: str
    indexes: str


@dataclass(frozen=True, slots=True)
class OrdinalsNotCreated(Remark):
    """So many ``pods`` of a StatefulSet with the policy OrderedReady are not created, as it waits for a ``pod``."""

    stateful_set: str
    pod: str
    pods: int


@dataclass(frozen=True, slots=True)
class StayWhereTheyAre(Remark):
    """Pods of schedulers without a profile are not placed again."""

    pods: int


@dataclass(frozen=True, slots=True)
class NoEligibleNode(Remark):
    """No node is eligible for the pods of a DaemonSet."""

    workload: str


@dataclass(frozen=True, slots=True)
class JobSuspended(Remark):
    """A Job is suspended and has no pods."""

    job: str


@dataclass(frozen=True, slots=True)
class JobInParts(Remark):
    """Of the pods of a Job only so many run at a time."""

    job: str
    pods: int
    completions: int


@dataclass(frozen=True, slots=True)
class NodeNameIgnored(Remark):
    """A manifest names a node, and its pods are placed by the scheduler all the same."""

    workload: str


@dataclass(frozen=True, slots=True)
class ClaimsIgnored(Remark):
    """Claims would be bound at once, wherever their provisioner decides; pods are placed as if they had none."""

    volumes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ImmediateVolumes(Remark):
    """New pods would get volumes at once, wherever a provisioner decides; what those allow is not computed."""

    pods: int


@dataclass(frozen=True, slots=True)
class TemplatedResourceClaims(Remark):
    """New pods would get resource claims made from templates; what those allow is not computed."""

    pods: int


@dataclass(frozen=True, slots=True)
class PrioritiesKept(Remark):
    """Pods keep the priority that they were admitted with, although their priority class changes."""


# -- manifests ---------------------------------------------------------------------------------------------------------


class WhyNotRead(enum.StrEnum):
    """Why a simulation leaves objects of a kind out."""

    MAKES_PODS = "makes-pods"
    IGNORED = "ignored"
    AUTOSCALER = "autoscaler"
    NODE = "node"
    NO_SHAPE = "no-shape"
    NO_SAY = "no-say"


@dataclass(frozen=True, slots=True)
class KindNotRead(Remark):
    """Objects of one of Kubernetes' kinds are left out of manifests; ``because`` is a WhyNotRead."""

    kind_of_object: str
    because: str


@dataclass(frozen=True, slots=True)
class CustomKindNotRead(Remark):
    """Objects of a custom resource, whose controllers may make pods, are left out of manifests."""

    kind_of_object: str
    api_version: str


# -- the flow ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TakenBack(Remark):
    """Pods for which the flow had chosen nodes that a plugin then rejected, and which were placed anew."""

    plugin: str
    pods: int


@dataclass(frozen=True, slots=True)
class WaitForVictims(Remark):
    """Pods that preempt others and are placed at once: how many ``preemptors``, and the ``pod`` that waits longest.

    It would wait up to so many ``seconds`` for its ``victims`` on a ``node``.
    """

    preemptors: int
    pod: str
    node: str
    seconds: int
    victims: int


# -- traces ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ColumnMissing(Remark):
    """A trace has not got a column that matters."""

    column: str


@dataclass(frozen=True, slots=True)
class FractionalGpus(Remark):
    """Pods of a trace request a part of a GPU, which counts as a whole one."""

    pods: int
