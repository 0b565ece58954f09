"""What somebody could do about what keeps a pod from every node, where the reason is known."""

from __future__ import annotations

import enum
from collections import defaultdict
from itertools import groupby, islice
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal

import numpy as np
from msgspec import Struct

from clusters.engine.columns import NOWHERE, PodTable
from clusters.engine.disruption.budgets import PercentageError
from clusters.engine.edits import (
    DoubleRequests,
    Edit,
    HalveRequests,
    RemoveGates,
    RemoveHostPorts,
    RemoveNodeAffinity,
    RemoveNodeSelector,
    RemovePodAffinity,
    RemovePodAntiAffinity,
    RemoveSpread,
    SetPriorityClass,
    Tolerate,
    digest,
)
from clusters.engine.matching import required_terms, requirement_mask
from clusters.engine.nodes import deferred_slots
from clusters.engine.objects import Document, Pod, labels_of, metadata, name_of, sortable_time
from clusters.engine.owners import TEMPLATE_HASH, Controller, Workload
from clusters.engine.plugin import Constraint, Effort, Plugin
from clusters.engine.plugins import volume_restrictions

# NodeAffinity by name: the DaemonSet controller pins its pods by a node affinity.
from clusters.engine.plugins.node_affinity import NodeAffinity, RequirementSubject

# NodeResourcesFit by name: what it compares is looked at with what nodes could offer.
# NodeResourcesFit by name: what nodes have is compared with what it compares with what is free.
from clusters.engine.plugins.node_resources_fit import Insufficient, NodeResourcesFit

# NodeUnschedulable by name: a cordon is lifted on the node.
from clusters.engine.plugins.node_unschedulable import NodeUnschedulable

# PodTopologySpread by name: a constraint can be corrected or loosened instead of removed.
# PodTopologySpread by name: its limit follows from the domains that hold the fewest pods.
from clusters.engine.plugins.pod_topology_spread import AdjustedSpreadSubject, PodTopologySpread

# TaintToleration by name: a cordon is a taint, too.
# TaintToleration by name: to tolerate what a pool is reserved with is another thing to do than to require less.
from clusters.engine.plugins.taint_toleration import CORDON_TAINT, TaintSubject

# VolumeBinding by name: what to do about a claim follows from what it says of the claim.
from clusters.engine.plugins.volume_binding import (
    BoundClaimComparison,
    ProvisioningComparison,
    SelectedNodeComparison,
    VolumeBinding,
)

# VolumeZone by name: what to do about a claim follows from what it says of the claim.
from clusters.engine.plugins.volume_zone import VolumeZone, ZoneComparison
from clusters.engine.registry import effort_of, reads_volumes
from clusters.engine.resources import is_extended
from clusters.engine.rollout import RolloutPlan, RolloutWay, plan_of
from clusters.engine.scheduling.cycle import Cycle, run_cycle
from clusters.engine.scheduling.relaxations import Lift, Obstacles, Reduction
from clusters.engine.selectors import NodeSelector, Operator
from clusters.engine.simulation.controllers import with_claim_volumes
from clusters.engine.simulation.node_counts import OneMoreNode
from clusters.engine.spreading.constraints import HOSTNAME, Domains
from clusters.engine.status import SUCCESS, Code, Index, Ints, Mask, Status
from clusters.engine.taints import KnownTaint, Taint, TaintMeaning, is_starting, known_taint
from clusters.engine.volumes import (
    SELECTED_NODE,
    UNREACHED,
    WAIT_FOR_FIRST_CONSUMER,
    ClaimUse,
    StorageCapacities,
    StorageTopology,
    annotations_of,
    being_deleted,
    claim_uses,
    class_of,
    is_bound,
    reserved_for,
    reserving_claim,
    selected_node,
    spec_of,
    volume_name_of,
)
from clusters.engine.workloads.pods import POD_INDEX, POD_NAME, REVISION_HASH, Ordinals, copy_of
from clusters.engine.world import no_changes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from clusters.engine import Explanation
    from clusters.engine.evidence import NodeRequirement
    from clusters.engine.snapshot import Snapshot

# Requirements that nobody wrote into a manifest: the node that a DaemonSet made its pod for, and a cordon.


_BY_NAME = ("matchFields", "metadata.name")


def lifts_pin(explanation: Explanation, lift: Lift) -> bool:
    """Tell whether a way to gain nodes would let a DaemonSet's pod go to another node, which nobody wants."""
    controller = Controller.of(explanation.pod.document)
    if controller is None or controller.kind != "DaemonSet":
        return False
    affinity = (each.subject for each in lift.lifted if each.plugin == NodeAffinity.name)
    return any(
        subject is None
        or (isinstance(subject, RequirementSubject) and (subject.field, subject.requirement.key) == _BY_NAME)
        for subject in affinity
    )


def lifts_cordon(lift: Lift) -> bool:
    """Tell whether a way to gain nodes is to uncordon them, and nothing else."""
    return all(
        each.plugin == NodeUnschedulable.name
        or (isinstance(each.subject, TaintSubject) and each.subject.taint.key == CORDON_TAINT)
        for each in lift.lifted
    )


class Remedy(Struct, frozen=True):
    """One thing to do; ``kind`` names its type in documents."""

    kind: ClassVar[str]


class ClaimRemedy(Remedy, frozen=True):
    """One thing to do about a claim."""

    claim: str


class AwaitDeletion(ClaimRemedy, frozen=True):
    """The claim is being deleted: it can be created anew once it is gone."""

    kind = "await-deletion"


class RecreateLost(ClaimRemedy, frozen=True):
    """The claim has lost its volume."""

    kind = "recreate-lost-claim"

    volume: str


class RestoreVolume(ClaimRemedy, frozen=True):
    """The claim is bound to a volume that does not exist."""

    kind = "restore-volume"

    volume: str


class AwaitEphemeral(ClaimRemedy, frozen=True):
    """The ephemeral volume controller has not created the claim yet."""

    kind = "await-ephemeral-claim"


class CreateClaim(ClaimRemedy, frozen=True):
    """There is no such claim; with ``is_none_known`` there is none at all, as where claims were not uploaded."""

    kind = "create-claim"

    namespace: str
    is_none_known: bool


class BindOrSetClass(ClaimRemedy, frozen=True):
    """The claim is not bound and names no storage class."""

    kind = "bind-or-set-class"


class CreateClass(ClaimRemedy, frozen=True):
    """The storage class that the claim names does not exist."""

    kind = "create-storage-class"

    storage_class: str


class CompleteBinding(ClaimRemedy, frozen=True):
    """The claim names a volume and is not bound to it."""

    kind = "complete-binding"

    volume: str


class BindImmediate(ClaimRemedy, frozen=True):
    """The claim's class binds immediately, and no volume has come."""

    kind = "bind-immediate"

    storage_class: str


class AddStorage(ClaimRemedy, frozen=True):
    """No node reaches enough storage of the class."""

    kind = "add-storage"

    storage_class: str


class CreateVolume(ClaimRemedy, frozen=True):
    """No node that the pod could go to reaches a volume of the class that suits the claim."""

    kind = "create-volume"

    storage_class: str


class AwaitPods(ClaimRemedy, frozen=True):
    """The claim may be used by one pod only, and ``pods`` use it."""

    kind = "await-pods"

    pods: tuple[str, ...]


class FreeClaim(ClaimRemedy, frozen=True):
    """The claim may be used by one pod only, and ``pods`` use it that do not end by themselves."""

    kind = "free-claim"

    pods: tuple[str, ...]


class AddNodeAtVolume(ClaimRemedy, frozen=True):
    """The claim is bound to a volume that no node reaches: none has one of ``values`` of the label ``key``.

    ``like``: a node that would take the pod if it had; empty where that is not sure.
    """

    kind = "add-node-at-volume"

    volume: str
    key: str
    values: tuple[str, ...]
    like: str


class AddNodeForClass(ClaimRemedy, frozen=True):
    """The storage class provisions volumes only where the label ``key`` is one of ``values``, which no node has."""

    kind = "add-node-for-class"

    storage_class: str
    key: str
    values: tuple[str, ...]


class FreeVolume(ClaimRemedy, frozen=True):
    """The ``volume`` suits the claim, and is reserved for an earlier one that is gone."""

    kind = "free-volume"

    volume: str


class GatherVolumes(ClaimRemedy, frozen=True):
    """Each of ``volumes`` of several claims, of which the claim is the first, is on nodes; none reaches all."""

    kind = "gather-volumes"

    volumes: tuple[str, ...]


class RestoreHost(ClaimRemedy, frozen=True):
    """The only ``volumes`` for the claim are on ``hosts`` that do not exist; ``is_bound``: it is bound to the one."""

    kind = "restore-host"

    volumes: tuple[str, ...]
    hosts: tuple[str, ...]
    is_bound: bool


class MatchHostLabel(ClaimRemedy, frozen=True):
    """The volume asks for a ``host`` name that is not the label of the ``node`` that it means, ``label``."""

    kind = "match-host-label"

    volume: str
    host: str
    node: str
    label: str


class ForgetSelectedNode(ClaimRemedy, frozen=True):
    """A volume is to be provisioned for a ``node`` that does not take the pod, or does not even exist.

    Promised to none, the pod fits on ``gained`` nodes.
    """

    kind = "forget-selected-node"

    node: str
    exists: bool
    gained: int


class PublishCapacity(ClaimRemedy, frozen=True):
    """The ``driver`` of the class is to publish what it can provision, and has published nothing."""

    kind = "publish-capacity"

    storage_class: str
    driver: str


class AwaitNodes(Remedy, frozen=True):
    """The ``nodes`` take the pod once components have removed their ``taints``, which they do by themselves."""

    kind = "await-nodes"

    nodes: tuple[str, ...]
    taints: tuple[str, ...]


class AwaitTerminating(Remedy, frozen=True):
    """The ``node`` takes the pod once ``pods``, which are terminating there, are gone."""

    kind = "await-terminating"

    node: str
    pods: tuple[str, ...]


class ReleaseFinalizers(Remedy, frozen=True):
    """The ``node`` takes the pod once ``pods``, whose containers have ended there, are gone: finalizers hold them."""

    kind = "release-finalizers"

    node: str
    pods: tuple[str, ...]


class ChangeStrategy(Remedy, frozen=True):
    """``pods`` of an earlier revision of the pod's own workload hold what it needs, and stay until it is available.

    ``max_surge`` and ``max_unavailable`` are the workload's, as written or by default.
    """

    kind = "change-strategy"

    workload_kind: str
    namespace: str
    name: str
    pods: tuple[str, ...]
    max_surge: int | str
    max_unavailable: int | str


class ReplaceOutdated(Remedy, frozen=True):
    """The pod is of an earlier revision of its StatefulSet, which does not replace it by itself.

    It waits until the pod is Ready (OrderedReady), with ``is_on_delete`` until somebody deletes it, and replaces none
    below its partition: ``lower_to`` is then what the partition has to be. Made of the template as it is, the pod fits
    on ``gained`` nodes.
    """

    kind = "replace-outdated"

    namespace: str
    name: str
    pod: str
    is_on_delete: bool
    lower_to: int | None
    gained: int


class DeleteStaying(Remedy, frozen=True):
    """``pods`` of the pod's own StatefulSet hold what it needs, and stay until the pod is Ready.

    With ``are_surplus`` the StatefulSet is scaled below them; else they are of an earlier revision, and those that
    replace them fit beside the pod.
    """

    kind = "delete-staying"

    namespace: str
    name: str
    pods: tuple[str, ...]
    are_surplus: bool


class RepairDevicePlugin(Remedy, frozen=True):
    """The ``nodes``, the first of ``number``, have devices of ``resource`` that they do not offer.

    With the whole ``capacity`` of these nodes allocatable, and not ``allocatable`` alone, they would take the pod.
    """

    kind = "repair-device-plugin"

    resource: str
    nodes: tuple[str, ...]
    number: int
    capacity: int
    allocatable: int


class MovePods(Remedy, frozen=True):
    """The ``node`` takes the pod once ``pods`` are gone, which may be evicted now and fit on the nodes ``onto``."""

    kind = "move-pods"

    node: str
    pods: tuple[str, ...]
    onto: tuple[str, ...]


class RevertResize(Remedy, frozen=True):
    """The ``node`` takes the pod without the deferred resizes of ``pods``, the first of ``number``.

    ``held``: amounts by resource that are counted for them and that the pods do not run with.
    """

    kind = "revert-resize"

    node: str
    pods: tuple[str, ...]
    number: int
    held: tuple[tuple[str, int], ...]


# What somebody could do about the claims of a pod that no node takes.

# VolumeRestrictions by name: what to do about a claim follows from what it says of the claim.


_CLAIM, _CLASS, _VOLUME = "PersistentVolumeClaim", "StorageClass", "PersistentVolume"
_NAME: Final = "metadata.name"
# So many volumes without a host are named.
_MOST_VOLUMES: Final = 5
# So many volumes of earlier claims are tried.
_MOST_TRIED: Final = 20


def claim_remedies(explanation: Explanation) -> list[ClaimRemedy]:
    """Return a remedy for each claim of which it is known what is missing; none for a pod that fits."""
    if explanation.fits or not explanation.node_count or not _is_rejected(explanation):
        return []
    uses = dict.fromkeys(claim_uses(explanation.pod.volumes, explanation.pod.name))
    return [remedy for use in uses for remedy in _of_claim(explanation, use)] or list(_apart(explanation))


def _is_rejected(explanation: Explanation) -> bool:
    """Whether a volume plugin rejects the pod, or a node."""
    cycle = explanation.cycle
    return any(
        not result.status.ok and result.status.code is not Code.SKIP
        for name, result in cycle.pre_filters.items()
        if reads_volumes(name)
    ) or any(
        bool((outcome.index > 0).any())
        for name, outcome in cycle.filters.items()
        if reads_volumes(name) and outcome.index is not None
    )


def _of_claim(explanation: Explanation, use: ClaimUse) -> Iterator[ClaimRemedy]:
    snapshot, namespace = explanation.snapshot, explanation.pod.namespace
    claim = snapshot.object(_CLAIM, use.claim, namespace)
    if claim is None:
        yield _missing_claim(explanation, use)
    elif being_deleted(claim):
        yield AwaitDeletion(use.claim)
    elif (claim.get("status") or {}).get("phase") == "Lost":
        yield RecreateLost(use.claim, volume_name_of(claim))
    elif is_bound(claim):
        volume = volume_name_of(claim)
        if snapshot.object(_VOLUME, volume) is None:
            yield RestoreVolume(use.claim, volume)
        else:
            yield from _unreached(explanation, use.claim)
    else:
        yield from _unbound(explanation, claim)
    if claim is not None:
        # Name the pods that keep a ReadWriteOncePod claim for themselves, by whether they end without anybody's doing
        pods = explanation.snapshot.pods
        for compared in explanation.evidence(0).get(volume_restrictions.VolumeRestrictions.name, ()):
            if isinstance(compared, volume_restrictions.ExclusiveClaimComparison) and compared.claim == use.claim:
                holders = tuple(holder.key for holder in compared.holders)
                if holders and all(_ends(pods, pods.slot_of[each]) for each in holders):
                    yield AwaitPods(use.claim, holders)
                elif holders:
                    yield FreeClaim(use.claim, holders)


def _missing_claim(explanation: Explanation, use: ClaimUse) -> ClaimRemedy:
    if use.ephemeral:
        return AwaitEphemeral(use.claim)
    is_none_known = next(iter(explanation.snapshot.objects(_CLAIM)), None) is None
    return CreateClaim(use.claim, explanation.pod.namespace, is_none_known)


def _unbound(explanation: Explanation, claim: Document) -> Iterator[ClaimRemedy]:
    """Yield what an unbound claim waits for."""
    name, class_name = name_of(claim), class_of(claim)
    storage_class = explanation.snapshot.object(_CLASS, class_name)
    if storage_class is None and not class_name:
        yield BindOrSetClass(name)
    elif storage_class is None:
        yield CreateClass(name, class_name)
    elif volume_name_of(claim):
        yield CompleteBinding(name, volume_name_of(claim))
    elif storage_class.get("volumeBindingMode") != WAIT_FOR_FIRST_CONSUMER:
        yield BindImmediate(name, class_name)
    elif (node := selected_node(claim)) is not None:
        annotations = {key: text for key, text in annotations_of(claim).items() if key != SELECTED_NODE}
        free = {**claim, "kind": _CLAIM, "metadata": {**metadata(claim), "annotations": annotations}}
        then = run_cycle(explanation.snapshot.copy().upsert(free), explanation.pod, explanation.profile)
        exists, gained = node in explanation.snapshot.nodes.index, len(then.feasible)
        if gained or not exists:
            yield ForgetSelectedNode(name, node, exists, gained)
    elif refused := _refused(explanation, name):
        yield _providing(explanation, claim, storage_class, refused)


def _providing(
    explanation: Explanation,
    claim: Document,
    storage_class: Document,
    refused: Sequence[ProvisioningComparison | SelectedNodeComparison],
) -> ClaimRemedy:
    """What gives an unbound claim its volume."""
    name, class_name = name_of(claim), class_of(claim)
    short = [
        each
        for each in refused
        if isinstance(each, ProvisioningComparison) and (each.provisions and each.is_allowed and not each.has_capacity)
    ]
    if short:
        snapshot = explanation.snapshot
        largest = StorageCapacities(snapshot, StorageTopology(snapshot.nodes)).largest(class_name)
        if (largest != UNREACHED).any():
            return AddStorage(name, class_name)
        return PublishCapacity(name, class_name, str(storage_class.get("provisioner") or ""))
    place = _nowhere(explanation, refused)
    if place is not None:
        return AddNodeForClass(name, class_name, place.key, place.values)
    freed = next(_freed(explanation, claim), None)
    if freed is not None:
        return FreeVolume(name, freed)
    lost = _without_host(explanation, class_name)
    if lost:
        return RestoreHost(name, tuple(lost)[:_MOST_VOLUMES], tuple(dict.fromkeys(lost.values())), is_bound=False)
    return CreateVolume(name, class_name)


def _nowhere(
    explanation: Explanation, refused: Sequence[ProvisioningComparison | SelectedNodeComparison]
) -> NodeRequirement | None:
    """What a class that provisions volumes asks of nodes, where no node meets it."""
    asked = [each for each in refused if isinstance(each, ProvisioningComparison) and each.provisions]
    if not asked or any(each.is_allowed for each in asked):
        return None
    places = [each for term in asked[0].topologies for each in term.requirements if not _is_met(explanation, each)]
    return next(iter(places), None)


def _freed(explanation: Explanation, claim: Document) -> Iterator[str]:
    """Yield volumes that are reserved for a claim that is gone, and let the pod fit once they are not."""
    snapshot = explanation.snapshot
    stale = (
        volume
        for volume in snapshot.objects(_VOLUME)
        if class_of(volume) == class_of(claim) and reserving_claim(volume)[1] and _is_gone(explanation, volume)
    )
    for volume in islice(stale, _MOST_TRIED):
        spec = {field: value for field, value in spec_of(volume).items() if field != "claimRef"}
        free = {**volume, "kind": _VOLUME, "spec": spec, "status": {"phase": "Available"}}
        if len(run_cycle(snapshot.copy().upsert(free), explanation.pod, explanation.profile).feasible):
            yield name_of(volume)


def _is_gone(explanation: Explanation, volume: Document) -> bool:
    """Whether the claim that a volume is reserved for does not exist, or is another one of its name."""
    namespace, name = reserving_claim(volume)
    claim = explanation.snapshot.object(_CLAIM, name, namespace)
    return claim is None or not reserved_for(volume, claim)


# -- where volumes are -------------------------------------------------------------------------------------------------


def _unreached(explanation: Explanation, claim: str) -> Iterator[ClaimRemedy]:
    """Say where the volume of a bound claim is that no node reaches."""
    found = [each for each in map(explanation.cycle.plugins.get, (VolumeBinding.name, VolumeZone.name)) if each]
    for plugin in found:
        if plugin.name not in explanation.cycle.filters:
            continue
        for constraint, rejected in zip(plugin.constraints(), plugin.blocking(), strict=True):
            if claim == getattr(constraint.subject, "claim", None) and rejected.all():
                yield from _missing_place(explanation, plugin, claim)
                return


def _apart(explanation: Explanation) -> Iterator[ClaimRemedy]:
    """Name the volumes of several claims that no node reaches together, though each is reached by some."""
    snapshot, volumes = explanation.snapshot, dict[str, str]()
    reached: dict[str, Mask] = {}
    for name in (VolumeBinding.name, VolumeZone.name):
        plugin = explanation.cycle.plugins.get(name)
        if plugin is None or name not in explanation.cycle.filters:
            continue
        for constraint, rejected in zip(plugin.constraints(), plugin.blocking(), strict=True):
            claim = snapshot.object(_CLAIM, getattr(constraint.subject, "claim", ""), explanation.pod.namespace)
            if claim is not None and is_bound(claim) and rejected.any():
                volumes[name_of(claim)] = volume_name_of(claim)
                reached[name_of(claim)] = reached.get(name_of(claim), True) & ~rejected
    are_reached = all(nodes.any() for nodes in reached.values())
    if len(volumes) > 1 and are_reached and not np.logical_and.reduce(list(reached.values())).any():
        yield GatherVolumes(next(iter(volumes)), tuple(volumes.values()))


def _missing_place(explanation: Explanation, plugin: Plugin, claim: str) -> Iterator[ClaimRemedy]:
    nodes = explanation.snapshot.nodes
    for compared in plugin.evidence(0):
        if isinstance(compared, ZoneComparison) and compared.claim == claim:
            if not nodes.label(compared.key).equals_any(compared.values).any():
                yield _at(explanation, claim, compared.volume, compared.key, compared.values)
                return
        elif isinstance(compared, BoundClaimComparison) and compared.claim == claim and compared.terms:
            for each in compared.terms[0].requirements:
                if each.operator == Operator.IN and not _is_met(explanation, each):
                    yield _at(explanation, claim, compared.volume, each.key, each.values)
                    return


def _is_met(explanation: Explanation, required: NodeRequirement) -> bool:
    nodes = explanation.snapshot.nodes
    if required.key == _NAME:
        return any(name in nodes.index for name in required.values)
    return bool(nodes.label(required.key).equals_any(required.values).any())


def _at(explanation: Explanation, claim: str, volume: str, key: str, values: tuple[str, ...]) -> ClaimRemedy:
    """What is missing for a volume at the given values of a label, which no node has."""
    if key not in (HOSTNAME, _NAME):
        return AddNodeAtVolume(claim, volume, key, values, _like(explanation, key))
    nodes = explanation.snapshot.nodes
    for host in values:
        # A name may be written with its domain, or without.
        meant = next((name for name in nodes.names if name.partition(".")[0] == host.partition(".")[0]), None)
        if meant is not None:
            labels = nodes.nodes[nodes.index[meant]].labels
            return MatchHostLabel(claim, volume, host, meant, labels.get(HOSTNAME, "") if key == HOSTNAME else meant)
    return RestoreHost(claim, (volume,), values, is_bound=True)


def _like(explanation: Explanation, key: str) -> str:
    """Name a node that only volumes keep the pod from, if nothing else goes by the label that a new one would have."""
    cycle, pod = explanation.cycle, explanation.pod
    required = required_terms(pod)
    named = {each.key for term in (required.terms if required else ()) for each in term.expressions}
    goes_by_place = any(each.counts_together for name, each in cycle.plugins.items() if name in _places(cycle))
    if goes_by_place or key in named or key in (pod.spec.get("nodeSelector") or {}):
        return ""
    passing = Obstacles(cycle).others_pass(*filter(reads_volumes, cycle.filters))
    return explanation.snapshot.nodes.names[int(np.argmax(passing))] if passing.any() else ""


def _places(cycle: Cycle) -> list[str]:
    """The filters of a cycle that have nothing to do with volumes."""
    return [name for name in cycle.filters if not reads_volumes(name)]


def _without_host(explanation: Explanation, class_name: str) -> dict[str, str]:
    """The volumes of a class that nobody has claimed and that are on hosts which do not exist, each with its host."""
    snapshot = explanation.snapshot
    found: dict[str, str] = {}
    for volume in snapshot.objects(_VOLUME):
        required = (spec_of(volume).get("nodeAffinity") or {}).get("required")
        if class_of(volume) != class_name or reserving_claim(volume)[1] or required is None:
            continue
        terms = NodeSelector.from_dict(required).terms
        hosts = [
            each
            for term in terms
            for each in (*term.expressions, *term.fields)
            if each.key in (HOSTNAME, _NAME) and each.operator == Operator.IN
        ]
        if hosts and len(terms) == 1 and not any(requirement_mask(snapshot.nodes, each).any() for each in hosts):
            found[name_of(volume)] = hosts[0].values[0]
        else:
            return {}
    return found


def _refused(explanation: Explanation, claim: str) -> list[ProvisioningComparison | SelectedNodeComparison]:
    """Return what VolumeBinding compared for a waiting claim where it fails, on a node of each pattern."""
    outcome = explanation.cycle.filters.get(VolumeBinding.name)
    if outcome is None or outcome.index is None:
        return []
    plugin = explanation.cycle.plugins[VolumeBinding.name]
    rows: list[int] = np.unique(explanation.cycle.patterns, return_index=True)[1].tolist()
    return [
        compared
        for row in rows
        if outcome.index[row] > 0
        for compared in plugin.evidence(row)
        if isinstance(compared, ProvisioningComparison | SelectedNodeComparison)
        and compared.claim == claim
        and not compared.holds
    ]


def _ends(pods: PodTable, slot: int) -> bool:
    """Whether a pod is terminating, or one of a Job, which completes."""
    controller = pods.templates[pods.template[slot]].controller
    return bool(pods.terminating[slot]) or (controller is not None and controller.kind == "Job")


# What could be done on nodes for a pod that fits nowhere: devices that are not offered, and resizes that hold room.


# So many nodes or pods are named.


def _devices(explanation: Explanation) -> Iterator[Remedy]:
    nodes = explanation.snapshot.nodes
    for resource in filter(is_extended, explanation.pod.requests):
        gained = np.array([dict(node.unhealthy).get(resource, 0) for node in nodes.nodes], np.int64)
        if not gained.any():
            continue
        more = np.zeros_like(nodes.allocatable)
        more[:, nodes.resources.index(resource)] = gained
        rows = np.flatnonzero(_opened(explanation, more))
        if len(rows):
            offered = int(nodes.allocatable[rows, nodes.resources.index(resource)].sum())
            named = tuple(nodes.names[row] for row in rows[:_MOST_NAMED])
            yield RepairDevicePlugin(resource, named, len(rows), offered + int(gained[rows].sum()), offered)


def _resizes(explanation: Explanation) -> Iterator[Remedy]:
    """Resizes that are deferred, on the node of the fewest on which the pod fits without them."""
    snapshot = explanation.snapshot
    slots = deferred_slots(snapshot)
    if not len(slots):
        return
    nodes, pods = snapshot.nodes, snapshot.pods
    more = np.zeros_like(nodes.allocatable)
    for slot in slots.tolist():
        more[pods.node[slot]] += nodes.vector(pods.shapes[pods.shape[slot]].deferred)
    rows = np.flatnonzero(_opened(explanation, more))
    if len(rows):
        number = np.bincount(pods.node[slots], minlength=len(nodes))
        row = int(rows[np.argmin(number[rows])])
        on_it = sorted(pods.keys[slot] for slot in slots.tolist() if pods.node[slot] == row)
        held = tuple((nodes.resources[column], int(more[row, column])) for column in np.flatnonzero(more[row]).tolist())
        yield RevertResize(nodes.names[row], tuple(on_it[:_MOST_NAMED]), len(on_it), held)


def _opened(explanation: Explanation, more: Ints) -> Mask:
    """Shape (N,): nodes that take the pod with ``more`` free, shape (N, R), and that have more of something."""
    nodes = explanation.snapshot.nodes
    passing = more.any(axis=1) & (nodes.pod_count < nodes.allowed_pods)
    asked = nodes.vector(explanation.pod.requests.items())
    passing &= ((nodes.allocatable + more - nodes.requested >= asked) | (asked == 0)).all(axis=1)
    return passing & passing_but_for_room(explanation)


def passing_but_for_room(explanation: Explanation) -> Mask:
    """Shape (N,): nodes that every filter lets pass but the one for resources."""
    cycle = explanation.cycle
    passing = ~cycle.left_out
    for name in cycle.filters:
        failed = None if name == NodeResourcesFit.name else cycle.plugins[name].filter(no_changes()).failed
        if failed is not None:
            passing &= ~failed
    return passing


# What somebody could do where other pods, or nodes that are not ready yet, are why no node takes a pod.

_DAEMON_REVISION = "controller-revision-hash"
# So many nodes, or pods, are named.


def other_remedies(explanation: Explanation) -> Iterator[Remedy]:
    """Yield what a pod that fits nowhere could wait for, and the update that keeps it out; each has been tried."""
    if explanation.fits or explanation.cycle.stopped_by is not None or not explanation.node_count:
        return
    if NodeResourcesFit.name in explanation.cycle.filters:
        yield from _devices(explanation)
        yield from _resizes(explanation)
    yield from _starting(explanation)
    yield from _terminating(explanation)
    yield from _held_by_predecessor(explanation)


def _starting(explanation: Explanation) -> Iterator[Remedy]:
    """Nodes that are being prepared, and take the pod as soon as they are."""
    sets = {number: taints for number, taints in standing_taints(explanation).items() if is_starting(taints)}
    if not sets:
        return
    nodes, document = explanation.snapshot.nodes, explanation.pod.document
    for taint in dict.fromkeys(each for taints in sets.values() for each in taints):
        document = Tolerate(taint).apply(document)
    then = run_cycle(explanation.snapshot, Pod(document), explanation.profile)
    ready = {row: sets[number] for row in then.feasible.tolist() if (number := int(nodes.taint_set[row])) in sets}
    if ready:
        keys = dict.fromkeys(each.key for taints in ready.values() for each in taints)
        yield AwaitNodes(tuple(nodes.names[row] for row in list(ready)[:_MOST_NAMED]), tuple(keys))


def standing_taints(explanation: Explanation) -> dict[int, tuple[Taint, ...]]:
    """By number of each set of taints in the cluster those that reject the pod, where there are any."""
    tolerations = explanation.cycle.context.tolerations
    found = {
        number: tuple(t for t in taints if t.forbids_scheduling and not any(each.tolerates(t) for each in tolerations))
        for number, taints in enumerate(explanation.snapshot.nodes.taint_sets)
    }
    return {number: taints for number, taints in found.items() if taints}


# -- pods that hold what it needs --------------------------------------------------------------------------------------


def passing_without(explanation: Explanation, slots: Ints) -> Mask:
    """Shape (N,): nodes that every filter lets pass once those of some bound pods that are on it have left it.

    Nominated pods count, as they do in a cycle: with them and without.
    """
    cycle = explanation.cycle
    passing = ~cycle.left_out
    for before in (no_changes(), cycle.nominated_world):
        if before is None:
            continue
        world = before.removing(explanation.snapshot.pods, slots, np.empty(0, np.int64))
        for name in cycle.filters:
            failed = cycle.plugins[name].filter(world).failed
            if failed is not None:
                passing &= ~failed
    return passing


def bound_slots(explanation: Explanation, chosen: Mask) -> Ints:
    """Slots of the bound pods among some, shape (P,)."""
    pods = explanation.snapshot.pods
    count = len(pods.keys)
    return np.flatnonzero(chosen[:count] & (pods.node[:count] != NOWHERE))


def _terminating(explanation: Explanation) -> Iterator[Remedy]:
    """Pods that are terminating on a node that takes the pod when they are gone: on the one of the fewest.

    Those that finalizers hold are told where it is not enough that the others go.
    """
    pods = explanation.snapshot.pods
    if explanation.pod.nominated_node_name:
        return
    found = _leaving(explanation, pods.terminating & ~pods.held)
    if found is not None:
        yield AwaitTerminating(*found)
        return
    found = _leaving(explanation, pods.terminating) if pods.held.any() else None
    if found is not None:
        yield ReleaseFinalizers(found[0], tuple(key for key in found[1] if pods.held[pods.slot_of[key]]))


def _leaving(explanation: Explanation, chosen: Mask) -> tuple[str, tuple[str, ...]] | None:
    """The node that takes the pod without the fewest of some of its pods, and these."""
    snapshot = explanation.snapshot
    slots = bound_slots(explanation, chosen)
    if not len(slots):
        return None
    leaving = np.bincount(snapshot.pods.node[slots], minlength=len(snapshot.nodes))
    rows = np.flatnonzero(passing_without(explanation, slots) & (leaving > 0))
    if not len(rows):
        return None
    row = int(rows[np.argmin(leaving[rows])])
    keys = sorted(snapshot.pods.keys[slot] for slot in slots if snapshot.pods.node[slot] == row)
    return snapshot.nodes.names[row], tuple(keys)


def _held_by_predecessor(explanation: Explanation) -> Iterator[Remedy]:
    """An earlier revision of the pod's own workload that holds what it needs, and stays until it is available."""
    pod, pods = explanation.pod, explanation.snapshot.pods
    workload = Workload.of(pod.namespace, Controller.of(pod.document), pod.labels.get(TEMPLATE_HASH, ""))
    plan = _plan(explanation, workload)
    own = [number for number, template in enumerate(pods.templates) if template.workload == workload]
    if plan is None or not own:
        return
    staying = bound_slots(explanation, np.isin(pods.template, own) & ~pods.terminating)
    old = np.array([slot for slot in staying.tolist() if _is_earlier(explanation, slot)], np.int64)
    if not len(old) or not _stays(plan, old, staying, pods.ready):
        return
    opened = passing_without(explanation, old)
    holders = sorted(pods.keys[slot] for slot in old.tolist() if opened[pods.node[slot]])
    if holders:
        named = tuple(holders[:_MOST_NAMED])
        yield ChangeStrategy(
            workload.kind, workload.namespace, workload.name, named, plan.max_surge, plan.max_unavailable
        )


def _plan(explanation: Explanation, workload: Workload) -> RolloutPlan | None:
    """How the workload of the pod updates, if it creates new pods beside old ones."""
    document = explanation.snapshot.object(workload.kind, workload.name, workload.namespace)
    replicas = None if document is None else spec_of(document).get("replicas")
    try:
        plan = None if document is None else plan_of(document, workload.kind, 1 if replicas is None else int(replicas))
    except PercentageError:
        return None
    return plan if plan is not None and plan.way in (RolloutWay.SURGE, RolloutWay.NODES) else None


def _is_earlier(explanation: Explanation, slot: int) -> bool:
    """Whether a pod of the pod's own workload is of an earlier revision."""
    pod, pods = explanation.pod, explanation.snapshot.pods
    mine, its = Controller.of(pod.document), pods.templates[pods.template[slot]].controller
    if mine is None or its is None:
        return False
    if mine.kind == "DaemonSet":
        return pods.labels(slot).get(_DAEMON_REVISION) != pod.labels.get(_DAEMON_REVISION)
    created = [
        sortable_time(metadata(found).get("creationTimestamp"))
        for each in (its, mine)
        if (found := explanation.snapshot.object(each.kind, each.name, pod.namespace)) is not None
    ]
    return mine != its and created == sorted(created)


def _stays(plan: RolloutPlan, old: Ints, staying: Ints, ready: Mask) -> bool:
    """Whether the controller deletes no earlier pod before a new one is available.

    A DaemonSet that surges keeps the earlier pod of each node. A Deployment keeps so many that are available, and
    deletes first those that are not.
    """
    if plan.way is RolloutWay.NODES:
        return plan.surge > 0
    available = int(ready[staying].sum())
    removable = len(old) + available - int(ready[old].sum()) - plan.fewest
    return available <= plan.fewest and (removable <= 0 or bool(ready[old].all()))


# Which remedy is told first: the one that somebody is most likely to take, with the reason why.


class Realism(enum.IntEnum):
    """What somebody would do for a pending pod, the most realistic first; each says why it stands where it does."""

    AWAIT_PREEMPTION = 0
    """The scheduler makes room already: whatever is changed now comes after it."""
    AWAIT = 1
    """What the pod lacks is on its way: pods or objects that are about to end or to come."""
    CORRECT = 2
    """A spread constraint counts nodes that the pod cannot go to, or more domains than there are."""
    UNBLOCK = 3
    """The update of its own workload waits for the pod, and the pod for the update."""
    PROVIDE = 4
    """The pod names an object that is missing or not ready, and no node takes it before that is repaired."""
    ADD_NODE = 5
    """It changes no workload and takes nothing from anybody, and is what a cluster that is full lacks."""
    LOWER_UNUSED = 6
    """Usage shows that the pods do not use what they request."""
    TOLERATE = 7
    """One line of the manifest; but who reserved the nodes has a say."""
    LOOSEN = 8
    """The wish stays, and is enforced less strictly."""
    PREFER = 9
    """The wish stays, as a preference: the pod runs where it would rather not."""
    CHANGE_NODE = 10
    """The nodes are well, but somebody cordoned them or set their limit on purpose."""
    LOWER = 11
    """Nothing shows that the pod gets by with less."""
    REMOVE = 12
    """What the pod requires is mostly what it needs: a selector, a port, a volume's zone."""
    MOVE_PODS = 13
    """Other workloads' pods are restarted for it; it is tried for a pod by itself, so that lists never lead with it."""
    REPAIR_NODE = 14
    """A node that is ill has to be well first; to tolerate that helps no pod."""
    CONTROL_PLANE = 15
    """Other pods there can slow down the whole cluster."""
    TWO_CHANGES = 16
    """Two things at once, each of which does nothing alone."""
    REQUEST_NONE = 17
    """Few pods run without what they request."""
    UNWANTED = 18
    """A DaemonSet makes its pod for one node, and another one has its own."""


# From here on a change is hard enough that another one is told first, however many pods it would free.
UNREALISTIC: Final = Realism.REPAIR_NODE

_OF_EFFORT: Final = {
    Effort.NODE: Realism.CHANGE_NODE,
    Effort.HEALTH: Realism.REPAIR_NODE,
    Effort.SYSTEM: Realism.CONTROL_PLANE,
    Effort.RESOURCE: Realism.REQUEST_NONE,
}


def realism_of(lifted: Iterable[Constraint]) -> Realism:
    """How realistic it is to lift requirements, all of them together."""
    each = [_of_constraint(constraint) for constraint in lifted]
    hardest = max(each)
    return max(hardest, Realism.TWO_CHANGES) if len(each) > 1 else hardest


def realism_of_remedy(remedy: Remedy) -> Realism:
    """How realistic it is to do something about claims, nodes or other pods."""
    if isinstance(remedy, AwaitDeletion | AwaitEphemeral | AwaitNodes | AwaitPods | AwaitTerminating):
        return Realism.AWAIT
    if isinstance(remedy, MovePods):
        return Realism.MOVE_PODS
    is_update = isinstance(remedy, ChangeStrategy | DeleteStaying | ReplaceOutdated)
    return Realism.UNBLOCK if is_update else Realism.PROVIDE


def _of_constraint(constraint: Constraint) -> Realism:
    effort = effort_of(constraint)
    if effort is not Effort.REQUIREMENT:
        return _OF_EFFORT[effort]
    if isinstance(constraint.subject, AdjustedSpreadSubject):
        is_loosened = constraint.subject.adjusted.max_skew > constraint.subject.constraint.max_skew
        return Realism.LOOSEN if is_loosened else Realism.CORRECT
    if isinstance(constraint.subject, TaintSubject):
        return Realism.TOLERATE
    may_prefer = constraint.subject is not None and constraint.subject.may_prefer
    return Realism.PREFER if may_prefer else Realism.REMOVE


# What ends the deadlock of a StatefulSet that waits for a pod, while the pod waits for the StatefulSet.
#
# Upstream: ``processReplica``, ``processCondemned`` and the update after them in
# ``pkg/controller/statefulset/stateful_set_control.go``, v1.34.1 to v1.37.2. With the policy OrderedReady nothing is
# updated or scaled down before every pod is Ready, also not a pod of an earlier revision that never will be.


class OrdinalPlace(Struct, frozen=True):
    """The place of a pod among the replicas of a StatefulSet.

    ``newest``: the revision of the template as it is, empty where nothing tells it.
    """

    owner: Document
    ordinals: Ordinals
    plan: RolloutPlan
    ordinal: int
    newest: str
    is_outdated: bool

    @classmethod
    def of(cls, explanation: Explanation) -> OrdinalPlace | None:
        """The place of the explained pod; None where it has none, or its StatefulSet is being deleted."""
        pod, controller = explanation.pod, Controller.of(explanation.pod.document)
        if controller is None or controller.kind != "StatefulSet":
            return None
        owner, ordinal = (
            explanation.snapshot.object(controller.kind, controller.name, pod.namespace),
            _ordinal(pod.name),
        )
        if owner is None or metadata(owner).get("deletionTimestamp") is not None:
            return None
        ordinals = Ordinals.of(owner)
        try:
            plan = plan_of(owner, controller.kind, ordinals.replicas)
        except PercentageError:
            return None
        if plan is None or not ordinals.has(ordinal):
            return None
        newest = str((owner.get("status") or {}).get("updateRevision") or "")
        return cls(owner, ordinals, plan, ordinal, newest, bool(newest) and newest != pod.labels.get(REVISION_HASH))

    @property
    def is_held(self) -> bool:
        """Whether the pod is not replaced by another one before it is Ready, or before somebody deletes it."""
        return self.ordinals.is_ordered or self.plan.way is RolloutWay.ON_DELETE


def stateful_remedies(explanation: Explanation) -> Iterator[Remedy]:
    """Yield what ends the deadlock of a pod that fits nowhere with its StatefulSet; each has been tried."""
    place = None if explanation.fits or not explanation.node_count else OrdinalPlace.of(explanation)
    if place is None:
        return
    yield from _outdated(explanation, place)
    if explanation.cycle.stopped_by is None:
        yield from _staying(explanation, place)


def _outdated(explanation: Explanation, place: OrdinalPlace) -> Iterator[ReplaceOutdated]:
    """A pod of an earlier revision that is waited for, while one of the template as it is would fit."""
    is_kept = place.ordinal < place.plan.partition
    if not place.is_outdated or not (place.is_held or is_kept):
        return
    made = _made(explanation.snapshot, place, explanation.pod.document)
    gained = 0 if made is None else len(run_cycle(explanation.snapshot, made, explanation.profile).feasible)
    if gained:
        yield ReplaceOutdated(
            namespace=explanation.pod.namespace,
            name=name_of(place.owner),
            pod=explanation.pod.name,
            is_on_delete=place.plan.way is RolloutWay.ON_DELETE,
            lower_to=place.ordinal - place.ordinals.start if is_kept else None,
            gained=gained,
        )


def _staying(explanation: Explanation, place: OrdinalPlace) -> Iterator[DeleteStaying]:
    """Pods of the StatefulSet that hold what the pod needs, on the node where they are fewest."""
    for slots, are_surplus in ((_surplus(explanation, place), True), (_earlier(explanation, place), False)):
        if not len(slots):
            continue
        pods = explanation.snapshot.pods
        number = np.bincount(pods.node[slots], minlength=len(explanation.snapshot.nodes))
        rows = np.flatnonzero(passing_without(explanation, slots) & (number > 0))
        row = int(rows[np.argmin(number[rows])]) if len(rows) else -1
        held = [slot for slot in slots.tolist() if pods.node[slot] == row]
        if held and (are_surplus or _all_fit(explanation, place, held, row)):
            keys = sorted(pods.keys[slot] for slot in held)
            yield DeleteStaying(explanation.pod.namespace, name_of(place.owner), tuple(keys), are_surplus)
            return


def _own(explanation: Explanation, place: OrdinalPlace) -> list[int]:
    """Slots of the StatefulSet's bound pods that are not terminating."""
    pods = explanation.snapshot.pods
    mine = Workload(explanation.pod.namespace, "StatefulSet", name_of(place.owner))
    own = [number for number, template in enumerate(pods.templates) if template.workload == mine]
    found: list[int] = bound_slots(explanation, np.isin(pods.template, own) & ~pods.terminating).tolist()
    return found


def _surplus(explanation: Explanation, place: OrdinalPlace) -> Ints:
    """Those that the StatefulSet is scaled below, which it deletes once all others are Ready."""
    if not place.ordinals.is_ordered:
        return np.empty(0, np.int64)
    names = explanation.snapshot.pods.keys
    numbers = ((slot, _ordinal(names[slot])) for slot in _own(explanation, place))
    return np.array([slot for slot, number in numbers if number >= 0 and not place.ordinals.has(number)], np.int64)


def _earlier(explanation: Explanation, place: OrdinalPlace) -> Ints:
    """Those of an earlier revision that are replaced once this pod is Ready, or not by themselves.

    With the policy Parallel the update waits for the pods of higher ordinals and, where the minor counts
    maxUnavailable, for as many as that: what waits by both rules does.
    """
    pods, plan = explanation.snapshot.pods, place.plan
    if not place.newest or place.is_outdated:
        return np.empty(0, np.int64)
    own = _own(explanation, place)
    missing = place.ordinals.replicas - sum(
        bool(pods.ready[slot]) and place.ordinals.has(_ordinal(pods.keys[slot])) for slot in own
    )
    found = []
    for slot in own:
        number = _ordinal(pods.keys[slot])
        waits = place.is_held or (number < place.ordinal and missing >= plan.unavailable)
        is_replaced = place.ordinals.has(number) and number >= plan.partition
        if waits and is_replaced and pods.labels(slot).get(REVISION_HASH) != place.newest:
            found.append(slot)
    return np.array(found, np.int64)


def _all_fit(explanation: Explanation, place: OrdinalPlace, held: list[int], row: int) -> bool:
    """Whether those that replace pods of the StatefulSet fit beside the pod, once it is where they were."""
    snapshot, pods = explanation.snapshot.copy(), explanation.snapshot.pods
    fields = metadata(explanation.pod.document)
    names = [pods.name(slot) for slot in held]
    for name in names:
        snapshot.delete({"kind": "Pod", "metadata": {"name": name, "namespace": explanation.pod.namespace}})
    snapshot.assume(explanation.pod.document, snapshot.nodes.names[row])
    for name in names:
        one = {**explanation.pod.document, "metadata": {**fields, "name": name, "uid": ""}}
        made = _made(snapshot, place, one)
        found = None if made is None else run_cycle(snapshot, made, explanation.profile)
        if made is None or found is None or not len(found.feasible):
            return False
        snapshot.assume(made.document, snapshot.nodes.names[int(found.feasible[0])])
    return True


def _made(snapshot: Snapshot, place: OrdinalPlace, pod: Document) -> Pod | None:
    """A pod of the same name made of the template as it is; None where that, or what it would use, is not held."""
    template, name = spec_of(place.owner).get("template") or {}, name_of(pod)
    if not template.get("spec"):
        return None
    own = {key: value for key, value in labels_of(pod).items() if key in (POD_NAME, POD_INDEX)}
    labels = {**labels_of(template), **own, REVISION_HASH: place.newest}
    made = {
        **pod,
        "metadata": {**metadata(pod), "labels": labels},
        "spec": {"priority": spec_of(pod).get("priority"), **template["spec"]},
    }
    claims = spec_of(place.owner).get("volumeClaimTemplates") or ()
    copied = copy_of(snapshot, with_claim_volumes(made, claims), name, keeps_claims=True)
    return None if copied.claims or copied.unplaced or copied.devices else Pod(copied.pod)


def _ordinal(name: str) -> int:
    """The number at the end of a pod's name, with its namespace or without; -1 where there is none."""
    number = name.rpartition("-")[2]
    return int(number) if number.isdecimal() else -1


# What would make a pod schedulable, in the order in which it is told: the most realistic first.
#
# Whoever tells it (page, terminal, API, review) asks here.

LiftKind = Literal["adjustment", "single", "pair", "filter"]
KINDS: tuple[LiftKind, ...] = ("adjustment", "single", "pair", "filter")
# A pair of dozens of requirements is no longer advice.
MOST = 12
# What has a section of its own with lifts; to request none of a resource is a detail of lower requests.
_LIFTED = (
    Realism.CORRECT,
    Realism.TOLERATE,
    Realism.LOOSEN,
    Realism.PREFER,
    Realism.CHANGE_NODE,
    Realism.REMOVE,
    Realism.REPAIR_NODE,
    Realism.CONTROL_PLANE,
)
# So many sizes of nodes are named of which one more would take the pod.
_MOST_NODES = 3


class NumberedLift(Struct, frozen=True):
    """A lift, and where it stands among those of its kind."""

    kind: LiftKind
    number: int
    lift: Lift


class LowerRequests(Struct, frozen=True):
    """Requests that would do, of one resource or of several together."""

    reduced: tuple[Reduction, ...]


Tried = OneMoreNode | MovePods
Way = Remedy | OneMoreNode | LowerRequests | NumberedLift


class Advice(Struct, frozen=True):
    """Ways of one sort; ``details`` are lifts that nobody would be told of first."""

    realism: Realism
    ways: tuple[Way, ...] = ()
    details: tuple[NumberedLift, ...] = ()


def lifts(explanation: Explanation, kind: LiftKind) -> tuple[Lift, ...]:
    """Return the engine's answers of one kind."""
    found = explanation.relaxations
    match kind:
        case "adjustment":
            return found.adjustments
        case "single":
            return found.singles
        case "pair":
            return found.pairs
        case "filter":
            return found.filters


def remedies_of(explanation: Explanation) -> list[Remedy]:
    """Return what somebody could do about claims, nodes and other pods; each is told once."""
    found = [*claim_remedies(explanation), *other_remedies(explanation), *stateful_remedies(explanation)]
    held = {pod for each in found if isinstance(each, ChangeStrategy | DeleteStaying) for pod in each.pods}
    awaited = {pod for each in found if isinstance(each, AwaitPods) for pod in each.pods}
    return [
        each
        for each in found
        if not (isinstance(each, FreeClaim) and held.issuperset(each.pods))
        and not (isinstance(each, AwaitTerminating) and awaited.issuperset(each.pods))
    ]


def advice(
    explanation: Explanation, tried: Sequence[Tried] = (), needed: Mapping[str, int] | None = None
) -> list[Advice]:
    """Return every way, the most realistic first; none in a cluster without nodes, or where only its group lacks any.

    ``tried`` are nodes of which one more would take the pod, and pods that could go elsewhere; ``needed`` is what it
    would request by what is used.
    """
    if not explanation.node_count or explanation.blocking_group is not None:
        return []
    found = sorted(_advice(explanation, tried, needed or {}), key=lambda each: each.realism)
    return [each for each in found if each.ways or each.details]


def _advice(explanation: Explanation, tried: Sequence[Tried], needed: Mapping[str, int]) -> Iterable[Advice]:
    remedies = sorted(remedies_of(explanation), key=realism_of_remedy)
    moves = tuple(each for each in tried if isinstance(each, MovePods))
    more = [each for each in tried if isinstance(each, OneMoreNode)]
    for realism, alike in groupby(remedies, key=realism_of_remedy):
        yield Advice(realism, tuple(alike))
    # Of each pool the smallest: its other zones are no other advice.
    pools = {each.pool or each.like: each for each in reversed(more)}
    yield Advice(Realism.ADD_NODE, tuple(pools.values())[::-1][:_MOST_NODES])
    yield Advice(Realism.MOVE_PODS, moves)
    yield _lower_requests(explanation, needed)
    # Where claims end the cycle, nothing else has been looked at.
    if not remedies or explanation.cycle.stopped_by is None:
        for realism in _LIFTED:
            yield Advice(realism, tuple(_lifts(explanation, ("adjustment", "single"), realism)))
        yield Advice(Realism.TWO_CHANGES, tuple(_lifts(explanation, ("pair",))))
    yield Advice(Realism.UNWANTED, details=tuple(_lifts(explanation, ("single", "pair"), of_pin=True)))
    yield Advice(Realism.UNWANTED, details=tuple(_lifts(explanation, ("filter",))))


def _lower_requests(explanation: Explanation, needed: Mapping[str, int]) -> Advice:
    found = explanation.relaxations
    ways = tuple(LowerRequests(each) for each in (*((each,) for each in found.reductions), found.together) if each)
    is_unused = any(is_enough(each.reduced, needed) for each in ways)
    realism = Realism.LOWER_UNUSED if is_unused else Realism.LOWER if ways else Realism.REQUEST_NONE
    return Advice(realism, ways, tuple(_lifts(explanation, ("single",), Realism.REQUEST_NONE)))


def is_enough(reduced: Iterable[Reduction], needed: Mapping[str, int]) -> bool:
    """Whether usage shows of each of some lower requests that it is enough; not where there are none."""
    told = [each.resource in needed and needed[each.resource] <= each.fitting for each in reduced]
    return bool(told) and all(told)


def _lifts(
    explanation: Explanation, kinds: Iterable[LiftKind], realism: Realism | None = None, *, of_pin: bool = False
) -> Iterator[NumberedLift]:
    """Yield the lifts of some kinds, those of one sort or else the easiest first; those of a pin stand apart."""
    for kind in kinds:
        chosen = [
            NumberedLift(kind, number, lift)
            for number, lift in enumerate(lifts(explanation, kind)[:MOST])
            if (realism is None or realism_of(lift.lifted) is realism) and lifts_pin(explanation, lift) is of_pin
        ]
        yield from sorted(chosen, key=lambda each: each.lift.effort)


# What is worth knowing beside the verdict of a pod that fits nowhere: its size, nodes that come or go, a minimum.


# Taints that are told, in this order.
_TOLD: Final = (TaintMeaning.STARTING, TaintMeaning.LEAVING, TaintMeaning.VIRTUAL)
# So many nodes or domains are named.
_MOST_NAMED: Final = 5


class TaintedNodes(Struct, frozen=True):
    """Nodes, ``number`` in all, that a component has given a taint which nobody should tolerate."""

    meaning: TaintMeaning
    taint: str
    setter: str
    nodes: tuple[str, ...]
    number: int


class TooFewDomains(Struct, frozen=True):
    """A spread constraint that counts the minimum as 0, as there are fewer ``domains`` than ``min_domains``."""

    topology_key: str
    domains: int
    min_domains: int


class UnreachedMinimum(Struct, frozen=True):
    """The domains, ``number`` in all, with the fewest pods of a spread constraint, and what rejects the pod there."""

    topology_key: str
    minimum: int
    max_skew: int
    domains: tuple[str, ...]
    number: int
    plugin: str
    status: Status


class HeldTemplate(Struct, frozen=True):
    """A StatefulSet that replaces no pod before this one is Ready, also not after a change of its template.

    With ``is_on_delete`` it replaces none that nobody deletes.
    """

    namespace: str
    name: str
    is_on_delete: bool


class LargerThanNodes(Struct, frozen=True):
    """The pod requests more of a resource, ``asked``, than ``most``, which ``node`` has; empty where none has any."""

    resource: str
    asked: int
    most: int
    node: str


class ReservedForResource(Struct, frozen=True):
    """Nodes, ``number`` in all, whose taint is named after an extended resource that the pod requests."""

    resource: str
    nodes: tuple[str, ...]
    number: int


Circumstance = HeldTemplate | LargerThanNodes | ReservedForResource | TaintedNodes | TooFewDomains | UnreachedMinimum


def circumstances(explanation: Explanation) -> list[Circumstance]:
    """Return what is worth knowing of a pod that fits nowhere; nothing of one for which no node was looked at."""
    if explanation.fits or explanation.cycle.stopped_by is not None or not explanation.node_count:
        return []
    return [
        *larger_than_nodes(explanation),
        *_reserved(explanation),
        *_minimums(explanation),
        *_tainted(explanation),
        *_held(explanation),
    ]


def _reserved(explanation: Explanation) -> Iterator[ReservedForResource]:
    """Nodes that are kept for pods with a resource, which ExtendedResourceToleration would let the pod tolerate.

    Upstream: ``plugin/pkg/admission/extendedresourcetoleration`` v1.34.1, which is off by default.
    """
    nodes, taints = explanation.snapshot.nodes, standing_taints(explanation)
    for resource in filter(is_extended, explanation.pod.requests):
        numbers = [number for number, found in taints.items() if resource in {taint.key for taint in found}]
        rows = np.flatnonzero(np.isin(nodes.taint_set, numbers)).tolist()
        if rows:
            yield ReservedForResource(resource, tuple(nodes.names[row] for row in rows[:_MOST_NAMED]), len(rows))


def _held(explanation: Explanation) -> Iterator[HeldTemplate]:
    """Told where a change of the template would help at all."""
    place, found = OrdinalPlace.of(explanation), explanation.relaxations
    is_changed = found.adjustments or found.singles or found.pairs or found.reductions or found.together
    if place is not None and place.is_held and not place.is_outdated and is_changed:
        yield HeldTemplate(explanation.pod.namespace, name_of(place.owner), place.plan.way is RolloutWay.ON_DELETE)


def larger_than_nodes(explanation: Explanation) -> Iterator[LargerThanNodes]:
    """Yield the resources of which the pod requests more than any node has, whatever runs there.

    Devices that are there and not offered count: a node has them.
    """
    outcome = explanation.cycle.filters.get(NodeResourcesFit.name)
    nodes = explanation.snapshot.nodes
    rejecting = set() if outcome is None else {reason for status in outcome.statuses for reason in status.reasons}
    for resource, asked in explanation.pod.requests.items():
        if Insufficient(resource) not in rejecting:
            continue
        nodes.ensure_resources([resource])
        has = nodes.allocatable[:, nodes.resources.index(resource)].copy()
        if is_extended(resource):
            has += np.array([dict(node.unhealthy).get(resource, 0) for node in nodes.nodes], np.int64)
        row = int(np.argmax(has))
        if asked > has[row]:
            yield LargerThanNodes(resource, asked, int(has[row]), nodes.names[row] if has[row] else "")


def _tainted(explanation: Explanation) -> Iterator[TaintedNodes]:
    nodes = explanation.snapshot.nodes
    found: dict[tuple[KnownTaint, str], list[int]] = defaultdict(list)
    for number, taints in standing_taints(explanation).items():
        for taint in taints:
            known = known_taint(taint.key, taint.value)
            if known is not None and known.meaning in _TOLD:
                found[known, taint.key].append(number)
    for (known, key), numbers in sorted(found.items(), key=lambda each: _TOLD.index(each[0][0].meaning)):
        rows = np.flatnonzero(np.isin(nodes.taint_set, numbers)).tolist()
        if rows:
            names = tuple(nodes.names[row] for row in rows[:_MOST_NAMED])
            yield TaintedNodes(known.meaning, key, known.setter, names, len(rows))


def _minimums(explanation: Explanation) -> Iterator[Circumstance]:
    cycle = explanation.cycle
    plugin = cycle.plugins.get(PodTopologySpread.name)
    if not isinstance(plugin, PodTopologySpread) or plugin.name not in cycle.filters:
        return
    for domains in plugin.domains:
        key, max_skew = domains.constraint.topology_key, domains.constraint.max_skew
        rejected = domains.column.present & (domains.skew(cycle.context, None) > max_skew)
        if not rejected.any():
            continue
        if not domains.enough_domains:
            yield TooFewDomains(key, int(domains.exists.sum()), domains.constraint.min_domains)
            continue
        lowest = np.flatnonzero(domains.exists & (domains.counts == domains.minimum))
        name, status = _rejection(explanation, domains, lowest)
        if name:
            values = tuple(domains.column.values[value] for value in lowest[:_MOST_NAMED].tolist())
            yield UnreachedMinimum(key, domains.minimum, max_skew, values, len(lowest), name, status)


def _rejection(explanation: Explanation, domains: Domains, lowest: Index) -> tuple[str, Status]:
    """The first filter that rejects the pod on every node of some domains, and why on the first; empty for none."""
    rows = np.flatnonzero(np.isin(domains.column.codes, lowest))
    cycle = explanation.cycle
    for name in cycle.filters:
        answer = cycle.plugins[name].filter()
        if name != PodTopologySpread.name and len(rows) and answer.failed is not None and answer.failed[rows].all():
            return name, answer.at(int(rows[0]))
    return "", SUCCESS


# Changes to a pod that need no YAML: which edits of its manifest a page offers.

_MOST_CLASSES: Final = 3
_MOST_ADDITIONS: Final = 4


def offered(document: dict[str, Any], explanation: Explanation) -> Iterator[Edit]:
    """Yield the changes that would change something about a pod as the explanation found it, the gentlest first."""
    for change in _all(document.get("spec") or {}, explanation):
        if change.apply(document) != document:
            yield change


def _all(spec: dict[str, Any], explanation: Explanation) -> Iterator[Edit]:
    yield RemoveGates()
    yield RemoveNodeSelector()
    yield RemoveNodeAffinity()
    names = dict.fromkeys(digest(each) for each in spec.get("topologySpreadConstraints") or ())
    yield from (RemoveSpread(name) for name in names)
    yield RemovePodAffinity()
    yield RemovePodAntiAffinity()
    yield RemoveHostPorts()
    yield HalveRequests()
    yield DoubleRequests()
    classes = sorted(
        (int(each.get("value") or 0), str((each.get("metadata") or {}).get("name")))
        for each in explanation.snapshot.objects("PriorityClass")
    )
    higher = [name for value, name in classes if value > explanation.pod.priority and not name.startswith("system-")]
    yield from (SetPriorityClass(name) for name in higher[-_MOST_CLASSES:])
    # The first few entries that the manifest lacks and that each lift one requirement: tolerations.
    cycle = explanation.cycle
    for name in cycle.filters:
        plugin = cycle.plugins[name]
        if plugin.is_lifted_by_adding:
            edits = [each.edit for each in plugin.constraints() if not each.is_fixed][:_MOST_ADDITIONS]
            yield from (edit for edit in edits if edit is not None)
