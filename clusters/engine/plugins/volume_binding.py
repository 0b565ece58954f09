"""VolumeBinding: a node must reach the volumes of bound claims, and offer volumes to those that wait for the pod."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct

from clusters.engine.configuration import EMPTIEST_FIRST, VolumeBindingArgs
from clusters.engine.evidence import ClaimSubject, Comparison, NodeTerm, ScorePart, UnreadableVolumes
from clusters.engine.matching import compared_terms
from clusters.engine.objects import Document, key_of, name_of
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
from clusters.engine.scoring import FULL, on_shape, round_half_away
from clusters.engine.selectors import NodeSelector, SelectorError
from clusters.engine.status import (
    SKIP,
    SUCCESS,
    Code,
    FilterAnswer,
    Index,
    Ints,
    Mask,
    Reason,
    Status,
    failure,
    unresolvable,
)
from clusters.engine.versions import Gate
from clusters.engine.volumes import (
    WAIT_FOR_FIRST_CONSUMER,
    ClaimMatching,
    ClaimProblem,
    ClaimUse,
    InTreePlugin,
    Match,
    StorageCapacities,
    StorageError,
    StorageTopology,
    TranslationError,
    VolumeOffer,
    being_deleted,
    capacity_bytes,
    claim_uses,
    class_of,
    compared_topologies,
    controller_of,
    in_tree_plugin,
    is_bound,
    migrated_plugins,
    requested_bytes,
    requested_size,
    selected_node,
    spec_of,
    translated_affinity,
    volume_handle,
    volume_name_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from clusters.engine.world import World

# What VolumeBinding compared for each claim of the pod on a node.


class BoundClaimComparison(Comparison, frozen=True):
    """A bound claim: whether its volume exists, and the node affinity of the volume.

    One of ``terms`` must match the node; None is a volume that every node reaches.
    """

    kind = "bound-claim"

    claim: str
    volume: str
    exists: bool
    terms: tuple[NodeTerm, ...] | None

    @property
    def holds(self) -> bool:
        return self.exists and (self.terms is None or any(term.matches for term in self.terms))


class SelectedNodeComparison(Comparison, frozen=True):
    """A claim whose volume is being provisioned for another node than this one."""

    kind = "selected-node"

    claim: str
    requested_bytes: int
    selected_node: str
    node: str

    @property
    def holds(self) -> bool:
        return self.selected_node == self.node


class VolumeMatch(Comparison, frozen=True):
    """A claim that waits for the pod and would be bound to an existing volume, which the node reaches."""

    kind = "volume-match"

    claim: str
    requested_bytes: int
    volume: str
    capacity_bytes: int

    @property
    def holds(self) -> bool:
        return True


class ProvisioningComparison(Comparison, frozen=True):
    """A claim that waits for the pod and for which a volume would have to be provisioned.

    ``provisions`` says whether the storage class provisions volumes at all. One of ``topologies`` must match the node;
    there are none where the class allows all. ``largest_bytes`` is the largest volume that the node can have, None
    where the driver does not tell; ``has_capacity`` says whether that is enough.
    """

    kind = "provisioning"

    claim: str
    requested_bytes: int
    storage_class: str
    provisioner: str
    provisions: bool
    topologies: tuple[NodeTerm, ...]
    largest_bytes: int | None
    has_capacity: bool

    @property
    def is_allowed(self) -> bool:
        """Whether the class allows the node."""
        return not self.topologies or any(term.matches for term in self.topologies)

    @property
    def holds(self) -> bool:
        return self.provisions and self.is_allowed and self.has_capacity


# What filtering by claims and volumes found for each node.


class VolumeElsewhere(Reason, frozen=True):
    """The node does not match the node affinity of a volume."""

    kind = "volume-elsewhere"
    plugin = "VolumeBinding"
    text = "node(s) didn't match PersistentVolume's node affinity"


class NoVolume(Reason, frozen=True):
    """There is no volume for a claim on the node."""

    kind = "no-volume"
    plugin = "VolumeBinding"
    text = "node(s) didn't find available persistent volumes to bind"


class NoStorage(Reason, frozen=True):
    """The node does not reach enough storage for a claim."""

    kind = "no-storage"
    plugin = "VolumeBinding"
    text = "node(s) did not have enough free storage"


class VolumeMissing(Reason, frozen=True):
    """The volume of a claim does not exist."""

    kind = "volume-missing"
    plugin = "VolumeBinding"
    text = "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)"


# Reasons in the order in which upstream reports them together.
_REASONS: tuple[type[Reason], ...] = (VolumeElsewhere, NoVolume, NoStorage, VolumeMissing)


class UsableClaim(Struct, frozen=True):
    """A claim of the pod: bound, or waiting for its first consumer (then with its storage class)."""

    document: Document
    waits_for: Document | None = None

    @property
    def size(self) -> int:
        return requested_bytes(self.document) or 0

    @property
    def is_fixed(self) -> bool:
        """Whether it needs no other volume: what a bound one holds would be lost, or one is being provisioned."""
        return self.waits_for is None or selected_node(self.document) is not None


class VolumeJudgement:
    """What filtering found for each node; all masks have shape (N,).

    ``running`` are the nodes on which reading went without an error; ``chosen`` holds by claim number which volume the
    claim would take on each node.
    """

    def __init__(self, nodes: int) -> None:
        self.running = np.ones(nodes, np.bool_)
        self.chosen: dict[int, Match] = {}
        self._rejected = {reason: np.zeros(nodes, np.bool_) for reason in _REASONS}
        self._errors: list[tuple[Mask, str]] = []

    def reject(self, where: Mask, reason: type[Reason]) -> None:
        self._rejected[reason] |= where

    def fail(self, where: Mask, message: str) -> None:
        self._errors.append((where, message))
        self.running &= ~where

    def outcome(self) -> FilterAnswer:
        """Each node's reasons together; an error stands alone."""
        masks = tuple(self._rejected.values())
        index: Index = np.zeros(len(self.running), np.intp)
        for bit, mask in enumerate(masks):
            index |= mask.astype(np.intp) << bit
        statuses = [
            unresolvable(*(reason() for bit, reason in enumerate(_REASONS) if code >> bit & 1)) if code else SUCCESS
            for code in range(1 << len(masks))
        ]
        for where, message in self._errors:
            index[where] = len(statuses)
            statuses.append(failure(message))
        return FilterAnswer.by_table(statuses, index)


# Scores by how much of the storage that a node reaches the pod's claims would take.
#
# Upstream: ``Score`` and ``buildScorerFunction`` of ``pkg/scheduler/framework/plugins/volumebinding`` v1.37.2, with
# the feature gate StorageCapacityScoring.


class StorageUse(Struct, frozen=True):
    """What claims of one storage class request on a node, and the capacity that they request it of, in bytes."""

    requested: int = 0
    capacity: int = 0

    @property
    def utilisation(self) -> int:
        """Percent of the capacity, 100 where it is exceeded or there is none."""
        if self.capacity == 0 or self.requested > self.capacity:
            return FULL
        return self.requested * FULL // self.capacity


class StorageScore(ScorePart, frozen=True):
    """What claims of one storage class would take on the node, in bytes and percent, and the class's score."""

    kind = "storage-class"

    storage_class: str
    requested_bytes: int
    capacity_bytes: int
    utilisation: int
    score: int


def class_scores(uses: Mapping[str, StorageUse], points: Sequence[tuple[int, int]]) -> tuple[StorageScore, ...]:
    """The score of each storage class on a node: its utilisation on a broken line of (utilisation, score) points."""
    levels = np.array([[use.utilisation for use in uses.values()]], np.int64)
    scores = on_shape(levels, points)[0] if uses else ()
    return tuple(
        StorageScore(name, use.requested, use.capacity, use.utilisation, int(score))
        for (name, use), score in zip(uses.items(), scores, strict=True)
    )


def mean_score(parts: Sequence[StorageScore]) -> int:
    """The rounded mean of the classes' scores; 0 of none."""
    if not parts:
        return 0
    mean: Ints = round_half_away(np.array([sum(part.score for part in parts) / len(parts)]))
    return int(mean[0])


# The rules of VolumeBinding.
#
# Upstream: ``pkg/scheduler/framework/plugins/volumebinding`` v1.34.1; of v1.37.2 for scores, which depend on the
# feature gate StorageCapacityScoring.

_NO_PROVISIONER = frozenset({"", "kubernetes.io/no-provisioner"})


class VolumeBinding(Plugin):
    """Judges all nodes at once, claim by claim; what is imagined about pods changes nothing for it."""

    name = "VolumeBinding"
    reads = Reads.NODES | Reads.VOLUMES
    requeue_on = (
        ClusterEvent.CLAIM_ADD,
        ClusterEvent.CLAIM_UPDATE,
        ClusterEvent.VOLUME_ADD,
        ClusterEvent.VOLUME_UPDATE,
        ClusterEvent.STORAGE_CLASS_ADD,
        ClusterEvent.STORAGE_CLASS_UPDATE,
        ClusterEvent.NODE_ADD,
        ClusterEvent.NODE_LABEL,
        ClusterEvent.CSI_NODE_ADD,
        ClusterEvent.CSI_NODE_UPDATE,
        ClusterEvent.CSI_DRIVER_UPDATE,
        ClusterEvent.STORAGE_CAPACITY_ADD,
        ClusterEvent.STORAGE_CAPACITY_UPDATE,
    )
    colour = "violet"
    skips_for_good = scores_what_it_filters = True
    unprepared = "not found"

    @property
    def counts_together(self) -> bool:
        return True

    def pre_filter(self) -> PreFilter:
        try:
            return PROCEED if self._claims else SKIP_FILTER
        except StorageError as error:
            return PreFilter(error.status)

    def filter(self, world: World | None = None, lifted: frozenset[int] = NOTHING_LIFTED) -> FilterAnswer:
        if lifted not in self._judgements:
            self._judgements[lifted] = self._judge(lifted)
        return self._judgements[lifted].outcome()

    # -- scoring -----------------------------------------------------------------------------------------

    def pre_score(self, feasible: Index) -> Status:
        return SUCCESS if self.release.enables(Gate.STORAGE_CAPACITY_SCORING) else SKIP

    def score(self, feasible: Index) -> Ints:
        if not self.claims_at_hand:
            return np.zeros(len(feasible), np.int64)
        return np.array([mean_score(self.score_evidence(int(row))) for row in feasible], np.int64)

    def score_evidence(self, row: int) -> tuple[StorageScore, ...]:
        if not self.claims_at_hand or not self.release.enables(Gate.STORAGE_CAPACITY_SCORING):
            return ()
        shape = self.context.arguments_of(self.name, VolumeBindingArgs).shape or EMPTIEST_FIRST
        uses: dict[str, StorageUse] = {}
        for name, requested, capacity, adds_up in self._taken_static(row) or self._taken_dynamic(row):
            known = uses.get(name, StorageUse())
            uses[name] = StorageUse(known.requested + requested, capacity + (known.capacity if adds_up else 0))
        return class_scores(uses, [(point.utilization, point.score * 10) for point in shape])

    @property
    def claims_at_hand(self) -> bool:
        """Whether the pod has claims, and all of them can be used."""
        try:
            return bool(self._claims)
        except StorageError:
            return False

    def _taken_static(self, row: int) -> list[tuple[str, int, int, bool]]:
        """Class, requested bytes and capacity of each volume that a claim would take; capacities add up."""
        return [
            (
                str(spec_of(volume).get("storageClassName") or ""),
                requested_bytes(claim) or 0,
                capacity_bytes(volume),
                True,
            )
            for claim, volume in self.volumes_taken(row)
        ]

    def _taken_dynamic(self, row: int) -> list[tuple[str, int, int, bool]]:
        """The same of each volume that would be provisioned, where its driver tells what is free: once for a class."""
        chosen = self._judgements[NOTHING_LIFTED].chosen
        taken = []
        # Claims with a node first, then by size: the last of a class says what its capacity is.
        for number, claim in sorted(enumerate(self._claims), key=lambda each: (each[0] in chosen, each[1].size)):
            is_provisioned = claim.waits_for is not None and (number not in chosen or chosen[number].at(row) is None)
            size = requested_size(claim.document)
            if is_provisioned and size is not None and self._tells_capacity(claim.waits_for or {}):
                name = name_of(claim.waits_for or {})
                free = int(self._capacities.first_free(name, size)[row])
                taken.append((name, claim.size, free, False))
        return taken

    def constraints(self) -> tuple[Constraint, ...]:
        named = ((ClaimSubject(name_of(claim.document)), claim.is_fixed) for claim in self._claims)
        return tuple(Constraint(self.name, subject, is_fixed=is_fixed) for subject, is_fixed in named)

    def evidence(self, row: int, world: World | None = None) -> tuple[Comparison, ...]:
        status = self.filter().at(row)
        if status.code is Code.ERROR:
            return (UnreadableVolumes(self.pod.key, status.texts),)
        return tuple(
            self._bound(claim, row) if claim.waits_for is None else self._waiting(number, claim, claim.waits_for, row)
            for number, claim in enumerate(self._claims)
        )

    def volumes_taken(self, row: int) -> list[tuple[Document, Document]]:
        """The claims that wait for the pod, each with the volume that it would take on a node; others get a new one."""
        self.filter()
        chosen = self._judgements[NOTHING_LIFTED].chosen
        taken = [(self._claims[number].document, match.at(row)) for number, match in chosen.items()]
        return [(claim, volume) for claim, volume in taken if volume is not None]

    # -- the pod's claims --------------------------------------------------------------------------------

    @cached_property
    def _claims(self) -> tuple[UsableClaim, ...]:
        """Raises StorageError when a claim is not usable, or should have been bound without the scheduler."""
        documents = [self._usable(use) for use in claim_uses(self.pod.volumes, self.pod.name)]
        claims = [self._read(document) for document in documents]
        if None in claims:
            raise ClaimProblem.NOT_BOUND.error()
        return tuple(claim for claim in claims if claim is not None)

    def _usable(self, use: ClaimUse) -> Document:
        claim = self.snapshot.object("PersistentVolumeClaim", use.claim, self.pod.namespace)
        if claim is None:
            raise (ClaimProblem.NOT_CREATED if use.ephemeral else ClaimProblem.NOT_FOUND).error(use.claim)
        if (claim.get("status") or {}).get("phase") == "Lost":
            raise ClaimProblem.LOST.error(use.claim, volume_name_of(claim))
        if being_deleted(claim):
            raise ClaimProblem.BEING_DELETED.error(use.claim)
        if use.ephemeral and not self._owns(claim):
            raise ClaimProblem.NOT_OWNED.error(key_of(claim), self.pod.key)
        return claim

    def _owns(self, claim: Document) -> bool:
        controller = controller_of(claim)
        return bool(controller) and (controller.get("uid") or "") == self.pod.owner_uid

    def _read(self, document: Document) -> UsableClaim | None:
        """None for a claim that is not bound and does not wait for the scheduler. Raises StorageError."""
        if is_bound(document):
            return UsableClaim(document)
        class_name = class_of(document)
        storage_class = self.snapshot.object("StorageClass", class_name)
        if storage_class is None:
            return None
        mode = storage_class.get("volumeBindingMode")
        if mode is None:
            raise StorageError(failure(ClaimProblem.CLASS_WITHOUT_MODE.said_of(class_name)))
        if mode != WAIT_FOR_FIRST_CONSUMER or volume_name_of(document):
            return None
        return UsableClaim(document, storage_class)

    # -- filtering ---------------------------------------------------------------------------------------

    @cached_property
    def _judgements(self) -> dict[frozenset[int], VolumeJudgement]:
        return {}

    @cached_property
    def _topology(self) -> StorageTopology:
        return StorageTopology(self.snapshot.nodes)

    @cached_property
    def _offer(self) -> VolumeOffer:
        return VolumeOffer(self.snapshot, self._topology)

    def _judge(self, lifted: frozenset[int]) -> VolumeJudgement:
        judgement = VolumeJudgement(len(self.snapshot.nodes))
        claims = {number: claim for number, claim in enumerate(self._claims) if number not in lifted}
        self._check_bound(judgement, [claim for claim in claims.values() if claim.waits_for is None])
        self._check_waiting(judgement, {number: claim for number, claim in claims.items() if claim.waits_for})
        return judgement

    def _check_bound(self, judgement: VolumeJudgement, claims: Iterable[UsableClaim]) -> None:
        """Reject nodes that do not reach a bound volume; each node's first such claim decides the reason."""
        reaching = np.ones(len(self.snapshot.nodes), np.bool_)
        for claim in claims:
            volume = self._volume_of(claim)
            if volume is None:
                judgement.reject(reaching, VolumeMissing)
                return
            admitted = self._topology.admitted(_required(volume))
            plugin = in_tree_plugin(spec_of(volume))
            migrated = None if plugin is None or not plugin.scheduled else self._migrated(plugin)
            if plugin is not None and migrated is not None and migrated.any():
                try:
                    volume_handle(plugin, volume)
                except TranslationError as error:
                    judgement.fail(reaching & migrated, f"could not translate pv: {error}")
                    reaching &= ~migrated
                translated = self._topology.admitted(translated_affinity(plugin, volume))
                admitted = np.where(migrated, translated, admitted)
            judgement.reject(reaching & ~admitted, VolumeElsewhere)
            reaching &= admitted

    def _volume_of(self, claim: UsableClaim) -> Document | None:
        return self.snapshot.object("PersistentVolume", volume_name_of(claim.document))

    def _migrated(self, plugin: InTreePlugin) -> Mask:
        """Shape (N,): nodes whose kubelet has handed the plugin's volumes over to the CSI driver."""
        if plugin.name not in self._migrated_by_plugin:
            mask = np.zeros(len(self.snapshot.nodes), np.bool_)
            for csi_node in self.snapshot.objects("CSINode"):
                row = self.snapshot.nodes.index.get(name_of(csi_node))
                if row is not None:
                    mask[row] = plugin.name in migrated_plugins(csi_node)
            self._migrated_by_plugin[plugin.name] = mask
        return self._migrated_by_plugin[plugin.name]

    @cached_property
    def _migrated_by_plugin(self) -> dict[str, Mask]:
        return {}

    def _check_waiting(self, judgement: VolumeJudgement, claims: dict[int, UsableClaim]) -> None:
        """Find a volume for each waiting claim, or a driver that would provision one there."""
        looking = judgement.running.copy()
        to_provision: list[tuple[UsableClaim, Mask]] = []
        to_match: list[tuple[int, UsableClaim]] = []
        for number, claim in claims.items():
            node = selected_node(claim.document)
            if node is None:
                to_match.append((number, claim))
                continue
            selected = np.zeros_like(looking)
            if node in self.snapshot.nodes.index:
                selected[self.snapshot.nodes.index[node]] = True
            judgement.reject(looking & ~selected, NoVolume)
            looking &= selected
            to_provision.append((claim, selected))
        matching = ClaimMatching(self._offer)
        for number, claim in sorted(to_match, key=lambda entry: entry[1].size):
            try:
                match = matching.match(claim.document, looking)
            except SelectorError as error:
                where = f"for claim: {key_of(claim.document)}"
                judgement.fail(looking, f"error creating internal label selector {where}: {self.said(error)}")
                return
            judgement.chosen[number] = match
            to_provision.append((claim, match.missing))
        for claim, needed in to_provision:
            looking = looking & ~self._refuse_provisioning(judgement, claim, looking & needed)

    def _refuse_provisioning(self, judgement: VolumeJudgement, claim: UsableClaim, needed: Mask) -> Mask:
        """Reject nodes on which a volume is needed and would not be provisioned; returns these nodes."""
        storage_class = claim.waits_for or {}
        if str(storage_class.get("provisioner") or "") in _NO_PROVISIONER:
            judgement.reject(needed, NoVolume)
            return needed
        allowed = self._topology.allowed(storage_class.get("allowedTopologies") or ())
        judgement.reject(needed & ~allowed, NoVolume)
        short = needed & allowed & ~self._enough_space(claim.document, storage_class)
        judgement.reject(short, NoStorage)
        return (needed & ~allowed) | short

    # -- capacity ----------------------------------------------------------------------------------------

    @cached_property
    def _capacities(self) -> StorageCapacities:
        return StorageCapacities(self.snapshot, self._topology)

    def _enough_space(self, claim: Document, storage_class: Document) -> Mask:
        """Shape (N,): nodes that reach enough free capacity for a claim, or whose driver does not tell."""
        size = requested_size(claim)
        if size is None or not self._tells_capacity(storage_class):
            return np.ones(len(self.snapshot.nodes), np.bool_)
        return self._capacities.enough(name_of(storage_class), size)

    def _tells_capacity(self, storage_class: Document) -> bool:
        driver = self.snapshot.object("CSIDriver", str(storage_class.get("provisioner") or ""))
        return driver is not None and bool(spec_of(driver).get("storageCapacity"))

    # -- evidence ----------------------------------------------------------------------------------------

    def _bound(self, claim: UsableClaim, row: int) -> BoundClaimComparison:
        volume = self._volume_of(claim)
        required = None if volume is None else self._required_on(volume, row)
        labels = self.snapshot.nodes.nodes[row].labels
        return BoundClaimComparison(
            claim=name_of(claim.document),
            volume=volume_name_of(claim.document),
            exists=volume is not None,
            terms=None if required is None else compared_terms(NodeSelector.from_dict(required), labels, None),
        )

    def _required_on(self, volume: Document, row: int) -> Document | None:
        """The node affinity that a volume has for a node: translated where its kubelet has migrated the plugin."""
        plugin = in_tree_plugin(spec_of(volume))
        if plugin is not None and plugin.scheduled and self._migrated(plugin)[row]:
            return translated_affinity(plugin, volume)
        return _required(volume)

    def _waiting(self, number: int, claim: UsableClaim, storage_class: Document, row: int) -> Comparison:
        name, node, here = name_of(claim.document), selected_node(claim.document), self.snapshot.nodes.names[row]
        if node is not None and node != here:
            return SelectedNodeComparison(name, claim.size, node, here)
        match = self._judgements[NOTHING_LIFTED].chosen.get(number)
        volume = None if match is None else match.at(row)
        if volume is not None:
            return VolumeMatch(name, claim.size, name_of(volume), capacity_bytes(volume))
        provisioner = str(storage_class.get("provisioner") or "")
        largest = None
        if self._tells_capacity(storage_class):
            largest = max(0, int(self._capacities.largest(name_of(storage_class))[row]))
        labels = self.snapshot.nodes.nodes[row].labels
        return ProvisioningComparison(
            claim=name_of(claim.document),
            requested_bytes=claim.size,
            storage_class=name_of(storage_class),
            provisioner=provisioner,
            provisions=provisioner not in _NO_PROVISIONER,
            topologies=compared_topologies(storage_class.get("allowedTopologies") or (), labels),
            largest_bytes=largest,
            has_capacity=bool(self._enough_space(claim.document, storage_class)[row]),
        )


def _required(volume: Document) -> Document | None:
    required: Document | None = (spec_of(volume).get("nodeAffinity") or {}).get("required")
    return required
