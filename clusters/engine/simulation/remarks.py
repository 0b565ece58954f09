"""What a simulation simplifies or leaves out of what it was asked, as typed values."""

from __future__ import annotations

import enum
from typing import ClassVar

import msgspec

from clusters.engine.problems import Declared


class Remark(msgspec.Struct, metaclass=Declared):
    """Something that whoever reads the result has to know, in texts, numbers and tuples of texts.

    ``kind`` is written out, since rows hold it: it never changes, whatever the class is called.
    """

    kind: ClassVar[str]


# -- the cluster and its scheduler -------------------------------------------------------------------------------------


class ReleaseDiffers(Remark, kind="ReleaseDiffers"):
    """The cluster runs another Kubernetes minor than the release whose answers were computed."""

    minor: str
    answered_as: str


class UnknownPlugins(Remark, kind="UnknownPlugins"):
    """Plugins of the configuration that are not Kubernetes' own, and are not asked."""

    plugins: tuple[str, ...]


class ExtendersNotAsked(Remark, kind="ExtendersNotAsked"):
    """So many extenders of the configuration are not asked, at these ``addresses``."""

    extenders: int
    addresses: tuple[str, ...]


class PendingElsewhere(Remark, kind="PendingElsewhere"):
    """Pending pods of schedulers that have no profile are left out."""

    pods: int


# -- nodes -------------------------------------------------------------------------------------------------------------


class DaemonPodsAdded(Remark, kind="DaemonPodsAdded"):
    """DaemonSets get pods on nodes that are added, or that they begin to run on."""

    pods: int
    daemon_sets: int


class DaemonPodsGone(Remark, kind="DaemonPodsGone"):
    """DaemonSets delete pods on nodes that they stop to run on."""

    pods: int
    daemon_sets: int


class DaemonSetRefused(Remark, kind="DaemonSetRefused"):
    """A DaemonSet, ``namespace/name``, that creates no pods, as the API server refuses them."""

    daemon_set: str


class DrainedAsKubectl(Remark, kind="DrainedAsKubectl"):
    """Nodes are drained as kubectl does with --ignore-daemonsets and --delete-emptydir-data, without --force."""


class PodsLost(Remark, kind="PodsLost"):
    """Pods that no controller recreates are deleted with their node or by a taint: the first few, and how many."""

    pods: tuple[str, ...]
    total: int


class NotRecreatedElsewhere(Remark, kind="NotRecreatedElsewhere"):
    """Pods of a scheduler without a profile lose their node and are left out."""

    scheduler: str
    pods: int


class TaintToleratedForAWhile(Remark, kind="TaintToleratedForAWhile"):
    """Pods tolerate a NoExecute taint for some seconds; in a simulation they stay."""

    pods: int


# -- workloads ---------------------------------------------------------------------------------------------------------


class KindLeftOut(Remark, kind="KindLeftOut"):
    """An object of a kind that simulations do not read."""

    kind_of_object: str
    name: str


class PodsReplaced(Remark, kind="PodsReplaced"):
    """A workload is there already, and its pods are replaced by those of the manifest."""

    workload: str
    pods: int


class ScaledInProportion(Remark, kind="ScaledInProportion"):
    """A Deployment is scaled in a rollout; ``sizes``: its ReplicaSets with their replicas before and after."""

    workload: str
    sizes: tuple[tuple[str, int, int], ...]


class PodsAdopted(Remark, kind="PodsAdopted"):
    """A ReplicaSet takes control of pods that nothing controlled, of which some are too many and ``deleted``."""

    replica_set: str
    pods: int
    deleted: int


class OrdinalsWaitForNodes(Remark, kind="OrdinalsWaitForNodes"):
    """Pods of StatefulSets on nodes that become unreachable; they are replaced only once their objects are gone."""

    pods: int


class VolumesStayAttached(Remark, kind="VolumesStayAttached"):
    """Pods on nodes that become unreachable, with volumes that no other node can attach as long as they exist."""

    pods: int


class OrdinalsHeldBack(Remark, kind="OrdinalsHeldBack"):
    """A StatefulSet with the policy OrderedReady waits for a pod of it that is not ready before it is scaled."""

    stateful_set: str
    pod: str


class RequestsSet(Remark, kind="RequestsSet"):
    """Pods of so many workloads have other requests on the nodes that they are on; quotas count what they had."""

    pods: int
    workloads: int


class JobFails(Remark, kind="JobFails"):
    """A ``job`` fails, as it lost pods that count as failed: the ``reason`` of its condition, and the ``limit``.

    Its other ``pods``, so many, are deleted.
    """

    job: str
    reason: str
    limit: int
    pods: int


class JobIndexesFail(Remark, kind="JobIndexesFail"):
    """Some ``indexes`` of a ``job`` fail, as they lost pods that count as failed: they get no further pods."""

    job: str
    indexes: str


class OrdinalsNotCreated(Remark, kind="OrdinalsNotCreated"):
    """So many ``pods`` of a StatefulSet with the policy OrderedReady are not created, as it waits for a ``pod``."""

    stateful_set: str
    pod: str
    pods: int


class StayWhereTheyAre(Remark, kind="StayWhereTheyAre"):
    """Pods of schedulers without a profile are not placed again."""

    pods: int


class NoEligibleNode(Remark, kind="NoEligibleNode"):
    """No node is eligible for the pods of a DaemonSet."""

    workload: str


class JobSuspended(Remark, kind="JobSuspended"):
    """A Job is suspended and has no pods."""

    job: str


class JobInParts(Remark, kind="JobInParts"):
    """Of the pods of a Job only so many run at a time."""

    job: str
    pods: int
    completions: int


class NodeNameIgnored(Remark, kind="NodeNameIgnored"):
    """A manifest names a node, and its pods are placed by the scheduler all the same."""

    workload: str


class ClaimsIgnored(Remark, kind="ClaimsIgnored"):
    """Claims would be bound at once, wherever their provisioner decides; pods are placed as if they had none."""

    volumes: tuple[str, ...]


class ImmediateVolumes(Remark, kind="ImmediateVolumes"):
    """New pods would get volumes at once, wherever a provisioner decides; what those allow is not computed."""

    pods: int


class TemplatedResourceClaims(Remark, kind="TemplatedResourceClaims"):
    """New pods would get resource claims made from templates; what those allow is not computed."""

    pods: int


class PrioritiesKept(Remark, kind="PrioritiesKept"):
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


class KindNotRead(Remark, kind="KindNotRead"):
    """Objects of one of Kubernetes' kinds are left out of manifests; ``because`` is a WhyNotRead."""

    kind_of_object: str
    because: str


class CustomKindNotRead(Remark, kind="CustomKindNotRead"):
    """Objects of a custom resource, whose controllers may make pods, are left out of manifests."""

    kind_of_object: str
    api_version: str


# -- the flow ----------------------------------------------------------------------------------------------------------


class TakenBack(Remark, kind="TakenBack"):
    """Pods for which the flow had chosen nodes that a plugin then rejected, and which were placed anew."""

    plugin: str
    pods: int


class WaitForVictims(Remark, kind="WaitForVictims"):
    """Pods that preempt others and are placed at once: how many ``preemptors``, and the ``pod`` that waits longest.

    It would wait up to so many ``seconds`` for its ``victims`` on a ``node``.
    """

    preemptors: int
    pod: str
    node: str
    seconds: int
    victims: int


# -- traces ------------------------------------------------------------------------------------------------------------


class ColumnMissing(Remark, kind="ColumnMissing"):
    """A trace has not got a column that matters."""

    column: str


class FractionalGpus(Remark, kind="FractionalGpus"):
    """Pods of a trace request a part of a GPU, which counts as a whole one."""

    pods: int
