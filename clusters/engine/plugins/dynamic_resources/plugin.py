"""The plugin's answers, from those of the allocator."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.devices.claim_refusals import RefusedClaim
from clusters.engine.devices.extended_resources import special_key
from clusters.engine.devices.node_search import DeviceSearch, NodeSearch
from clusters.engine.devices.pod_claims import PodClaim, claims_of, refusal_of
from clusters.engine.devices.requests import Claim
from clusters.engine.devices.unknown import holds_devices, is_open_for
from clusters.engine.objects import key_of
from clusters.engine.plugin import (
    NOTHING_LIFTED,
    PROCEED,
    SKIP_FILTER,
    Constraint,
    Plugin,
    PreFilter,
    by_maximum,
    normalise_by_maximum,
)
from clusters.engine.plugins.dynamic_resources.alternatives import taken_alternatives
from clusters.engine.plugins.dynamic_resources.evidence import (
    ExtendedResourceSubject,
    ResourceClaimSubject,
    TakenAlternative,
)
from clusters.engine.plugins.dynamic_resources.freeing import NO_CLAIMS, SAYS_NOTHING, freed
from clusters.engine.plugins.dynamic_resources.node_resources import NodeResources, counts_node_resources
from clusters.engine.plugins.dynamic_resources.reaching import reaching_nodes
from clusters.engine.plugins.dynamic_resources.requirements import DeviceRequirements
from clusters.engine.plugins.dynamic_resources.showing import claim_evidence, conditions_evidence, device_evidence
from clusters.engine.plugins.dynamic_resources.special_claim import SpecialClaim, special_claim_of
from clusters.engine.plugins.dynamic_resources.uncomputed import CLAIMS, given_up_field, uncomputed_field
from clusters.engine.relaxing.effort import Effort
from clusters.engine.relaxing.request_edits import LowerRequest
from clusters.engine.status import SUCCESS, Code, FilterAnswer, Status, unresolvable
from clusters.engine.traits import ClusterEvent, Reads
from clusters.engine.versions import Gate

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from clusters.engine.devices.suitability import Leniency
    from clusters.engine.devices.taking import Allocated
    from clusters.engine.evidence import ByMaximum, Comparison, ScorePart
    from clusters.engine.objects import Document, Pod
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.status import Index, Ints, Mask
    from clusters.engine.subjects import Subject
    from clusters.engine.versions import Release
    from clusters.engine.world import World

CANNOT_ALLOCATE = "cannot allocate all claims"
NOT_AVAILABLE = "resourceclaim not available on the node"
CANNOT_FIT = "cannot fit resource"
LEFT_BEHIND = "cannot schedule extended resource claim"

# PostFilter looks for what PreFilter prepared, also when the cycle ended before that ran.
_NOT_PREPARED = Status(Code.ERROR, ("not found",))
_UNAVAILABLE = unresolvable(NOT_AVAILABLE)
_NOTHING = DeviceSearch(())


class DynamicResources(Plugin):
    """Its requirements are, of claims to allocate, selectors, taints, constraints and counts, and then whole claims.

    A claim that is lifted is left out; so is a selector, a taint or a constraint; a count becomes one.
    """

    name = "DynamicResources"
    reads = Reads.NODES | Reads.DEVICES
    requeue_on = (
        ClusterEvent.RESOURCE_CLAIM_ADD,
        ClusterEvent.RESOURCE_CLAIM_UPDATE,
        ClusterEvent.RESOURCE_CLAIM_DELETE,
        ClusterEvent.POD_GENERATED_RESOURCE_CLAIM,
        ClusterEvent.DEVICE_CLASS_ADD,
        ClusterEvent.DEVICE_CLASS_UPDATE,
        ClusterEvent.RESOURCE_SLICE_ADD,
        ClusterEvent.RESOURCE_SLICE_UPDATE,
        ClusterEvent.NODE_ADD,
        ClusterEvent.NODE_LABEL,
        ClusterEvent.NODE_ALLOCATABLE,
    )
    colour = "teal"
    skips_for_good = scores_what_it_filters = True
    unprepared = "not found"

    @classmethod
    def registers(cls, event: ClusterEvent, release: Release) -> bool:
        return event is not ClusterEvent.RESOURCE_CLAIM_DELETE or release.rules.requeues_for_deleted_claims

    @classmethod
    def pre_enqueue(cls, pod: Pod, snapshot: Snapshot) -> Status | None:
        if not holds_devices(snapshot):
            return None if pod.spec.get("resourceClaims") else SUCCESS
        try:
            claims_of(snapshot, pod)
        except RefusedClaim as refused:
            return refused.status
        return SUCCESS

    def pre_filter(self) -> PreFilter:
        if self.refused is not None:
            return PreFilter(self.refused.status, claim_problem=self.refused.problem)
        return PROCEED if self.claims or self._special is not None else SKIP_FILTER

    @property
    def uncomputed(self) -> str:
        if self.refused is not None:
            return ""
        # Whether a claim is given up that waits for its devices matters where nothing else rejects the node.
        is_open = any(is_open_for(each.document, self.release) for each in self.claims)
        return (
            self._unknown
            or given_up_field(self._searches(NOTHING_LIFTED))
            or (CLAIMS if is_open and not self._failed(NOTHING_LIFTED).all() else "")
        )

    @cached_property
    def _unknown(self) -> str:
        """The field by which something not computed decides; no node is then rejected for lack of devices."""
        own = () if self._special is None else (self._special.whole,)
        return uncomputed_field(self.snapshot, self.pod, [each.document for each in self.claims], own)

    def filter(self, world: World | None = None, lifted: frozenset[int] = NOTHING_LIFTED) -> FilterAnswer:
        if self.refused is not None:
            # Only in a profile without this PreFilter, which would have ended the cycle.
            return FilterAnswer.everywhere(self.refused.status, len(self.snapshot.nodes))
        searches = self._searches(lifted)
        statuses: list[Status] = [SUCCESS, _UNAVAILABLE, unresolvable(CANNOT_ALLOCATE)]
        index = self._unavailable(lifted).astype(np.intp)
        for row, search in enumerate(searches):
            if search.fault:
                index[row] = len(statuses)
                statuses.append(Status(Code.ERROR, (search.fault,)))
            elif search.refusal:
                index[row] = len(statuses)
                statuses.append(unresolvable(search.refusal))
            elif search.allocated is None and not search.gave_up:
                index[row] = 2
        if self._node_resources is not None:
            given = [self._given(search, lifted) for search in searches]
            self._node_resources.judge(index, statuses, self._held(lifted), given, world)
        if self._special is not None:
            index[self._special.unserved] = len(statuses)
            statuses.append(unresolvable(CANNOT_FIT))
            if self._special.left_behind is not None:
                index[:] = len(statuses)
                statuses.append(unresolvable(LEFT_BEHIND))
        return FilterAnswer.by_table(statuses, index)

    def constraints(self) -> tuple[Constraint, ...]:
        if self.refused is not None:
            return super().constraints()
        return tuple(
            Constraint(
                self.name,
                subject,
                LowerRequest(subject.resource, 0) if isinstance(subject, ExtendedResourceSubject) else None,
            )
            for subject in self._requirements.subjects
        )

    def blocking(self, world: World | None = None) -> Iterator[Mask]:
        """For each requirement the nodes that it opens alone, the first one where several do; then whole claims.

        What devices a search finds depends on all requirements at once: none of them rejects a node by itself.
        """
        failed = self._failed(NOTHING_LIFTED)
        left = failed.copy()
        masks = []
        for number in range(len(self._requirements.subjects)):
            opened = left & ~self._failed(frozenset({number}))
            left &= ~opened
            masks.append(opened)
        numbers = self._requirements.whole
        if left.any():
            for number in numbers:
                masks[number] |= left & self._failed(frozenset(numbers) - {number})
        yield from masks

    def _failed(self, lifted: frozenset[int]) -> Mask:
        failed = self.filter(lifted=lifted).failed
        return np.zeros(len(self.snapshot.nodes), np.bool_) if failed is None else failed

    @classmethod
    def effort_of(cls, subject: Subject | None) -> Effort:
        """Whole claims are what a pod can do without least."""
        is_whole = isinstance(subject, ResourceClaimSubject | ExtendedResourceSubject)
        return Effort.RESOURCE if is_whole else Effort.REQUIREMENT

    def post_filter(self, *, has_run: bool, rejected: Mapping[Status, Mask]) -> Status | None:
        if not has_run:
            return _NOT_PREPARED
        has_words = self.release.rules.says_what_devices_lack
        if self.context.is_resize or self.refused is not None or not (self.claims or self._special):
            return NO_CLAIMS if has_words else SAYS_NOTHING
        # On nodes whose devices do not do for the other claims, nobody asks whether this one is available.
        asked = rejected.get(_UNAVAILABLE, np.zeros(len(self.snapshot.nodes), np.bool_))
        unavailable = (claim for claim, mask in self._allocated if mask is not None and (asked & ~mask).any())
        own = self._for_resources
        made = own.left_behind if isinstance(own, SpecialClaim) else own.document if own is not None else None
        return freed(self.pod, unavailable, made, has_words=has_words)

    def evidence(self, row: int, world: World | None = None) -> tuple[Comparison, ...]:
        if self.refused is not None:
            return ()
        found: list[Comparison] = [claim_evidence(self.snapshot, row, claim) for claim, _ in self._allocated]
        if self.release.devices.waits_for_conditions:
            found += (each for claim, _ in self._allocated for each in conditions_evidence(claim))
        if self._special is not None:
            found += self._special.evidence(row)
        wanted = self._wanted_on(row)
        if wanted:
            found += device_evidence(self.snapshot, row, wanted, self._nodes.pools(row), self._search(row))
        if self._node_resources is not None:
            found += self._node_resources.evidence(row, self._held(), self._given(self._search(row)), world)
        return tuple(found)

    # -- claims ----------------------------------------------------------------------------------------------

    @cached_property
    def _found(self) -> tuple[tuple[PodClaim, ...], RefusedClaim | None]:
        if not holds_devices(self.snapshot):
            return (), None
        try:
            claims = claims_of(self.snapshot, self.pod)
        except RefusedClaim as refused:
            return (), refused
        if isinstance(self._for_resources, PodClaim):
            claims = (*claims, self._for_resources)
        refusals = (refusal_of(self.snapshot, each.document) for each in claims if each.allocation is None)
        return claims, next(filter(None, refusals), None)

    @property
    def claims(self) -> tuple[PodClaim, ...]:
        """The pod's claims; none where one of them refuses the pod."""
        return self._found[0]

    @property
    def refused(self) -> RefusedClaim | None:
        """What PreFilter rejects the pod for, whatever the node."""
        return self._found[1]

    @cached_property
    def _for_resources(self) -> SpecialClaim | PodClaim | None:
        return special_claim_of(self.snapshot, self.pod)

    @property
    def _special(self) -> SpecialClaim | None:
        """What nodes have to give as devices for extended resources; None where the pod has that, or requests none."""
        return self._for_resources if isinstance(self._for_resources, SpecialClaim) else None

    @cached_property
    def _to_allocate(self) -> tuple[Claim, ...]:
        return tuple(Claim.from_dict(each.document) for each in self.claims if each.allocation is None)

    @cached_property
    def _allocated(self) -> tuple[tuple[PodClaim, Mask | None], ...]:
        """The claims that have devices, each with the nodes, shape (N,), that reach them; None: all nodes do."""
        held = (each for each in self.claims if each.allocation is not None)
        return tuple((each, reaching_nodes(self.snapshot, each)) for each in held)

    def _unavailable(self, lifted: frozenset[int]) -> Mask:
        """Shape (N,): nodes that do not reach the devices that a claim has."""
        unavailable = np.zeros(len(self.snapshot.nodes), np.bool_)
        for _, mask in self._held(lifted):
            if mask is not None:
                unavailable |= ~mask
        return unavailable

    def _held(self, lifted: frozenset[int] = NOTHING_LIFTED) -> list[tuple[PodClaim, Mask | None]]:
        """As ``_allocated``, without claims among some requirements."""
        left_out = self._requirements.lifted_claims(lifted)
        return [(claim, mask) for claim, mask in self._allocated if key_of(claim.document) not in left_out]

    @cached_property
    def _node_resources(self) -> NodeResources | None:
        """What the pod's devices take of nodes; None where the scheduler does not count that."""
        return NodeResources(self.snapshot, self.pod) if counts_node_resources(self.snapshot) else None

    @property
    def reads_pods(self) -> bool:
        return self._node_resources is not None

    def statuses_on(self, row: int) -> tuple[Document, ...]:
        """What the pod's status says on a node of what its devices take there, claim by claim."""
        resources = self._node_resources
        return () if resources is None else resources.statuses(row, self._held(), self._given(self._search(row)))

    # -- requirements ----------------------------------------------------------------------------------------

    @cached_property
    def _requirements(self) -> DeviceRequirements:
        keys = [key_of(claim.document) for claim in self.claims]
        return DeviceRequirements(self.snapshot, self._to_allocate, keys, self._special)

    # -- the search ------------------------------------------------------------------------------------------

    @cached_property
    def _nodes(self) -> NodeSearch:
        return NodeSearch(self.snapshot)

    @cached_property
    def _kept(self) -> dict[frozenset[int], tuple[DeviceSearch, ...]]:
        return {}

    def _searches(self, lifted: frozenset[int]) -> tuple[DeviceSearch, ...]:
        """What the search finds on each node, by row; none where nothing is to be allocated."""
        if lifted not in self._kept:
            self._kept[lifted] = () if self._unknown else self._searched(lifted)
        return self._kept[lifted]

    def _searched(self, lifted: frozenset[int]) -> tuple[DeviceSearch, ...]:
        claims, leniency = self._requirements.wanted(lifted)
        if self._special is None:
            return self._nodes.everywhere(claims, leniency) if claims else ()
        numbers, variants = self._special.variants(self._requirements.lifted_resources(lifted))
        found = [self._searched_for((*claims, each) if each else claims, leniency) for each in variants]
        return tuple(found[number][row] for row, number in enumerate(numbers.tolist()))

    def _searched_for(self, claims: tuple[Claim, ...], leniency: Leniency) -> Sequence[DeviceSearch]:
        return self._nodes.everywhere(claims, leniency) if claims else [_NOTHING] * len(self.snapshot.nodes)

    def _wanted_on(self, row: int) -> tuple[Claim, ...]:
        """The claims to allocate on a node, the one for extended resources last."""
        own = None if self._special is None else self._special.on(row)
        return self._to_allocate if own is None else (*self._to_allocate, own)

    def _search(self, row: int) -> DeviceSearch:
        """What the search finds on one node."""
        if self._unknown:
            return DeviceSearch(None, gave_up=True)
        wanted = self._wanted_on(row)
        return self._nodes.on(row, wanted) if wanted else _NOTHING

    def allocated_for_resources(self, row: int) -> tuple[Claim, tuple[Allocated, ...]] | None:
        """The claim that the scheduler makes for extended resources on a node, and its devices; None: it makes none."""
        own = None if self._special is None else self._special.on(row)
        if own is None:
            return None
        place = len(self._to_allocate)
        return own, tuple(each for each in self._search(row).allocated or () if each.claim == place)

    def allocations(self, row: int) -> tuple[tuple[PodClaim, tuple[Allocated, ...]], ...]:
        """The claims that are to be allocated and the devices that they get on a node, which takes them all."""
        waiting = [claim for claim in self.claims if claim.allocation is None]
        found = self._search(row).allocated if waiting else ()
        return tuple(
            (claim, tuple(each for each in found or () if each.claim == place)) for place, claim in enumerate(waiting)
        )

    # -- scoring ---------------------------------------------------------------------------------------------

    @property
    def score_fault(self) -> str | None:
        made, own = len(self._to_allocate), self._special is not None
        if self.release.rules.scores_claims_by_position and 0 < made + own < len(self.claims) + own:
            return f"number of allocations {made + own} is smaller than number of claims"
        return None

    def score(self, feasible: Index) -> Ints:
        if not self.claims:
            return np.zeros(len(feasible), np.int64)
        return np.array([sum(part.points for part in self._taken(int(row))) for row in feasible], np.int64)

    def normalise(self, scores: Ints) -> Ints:
        return normalise_by_maximum(scores)

    def normalisation(self, scores: Ints, number: int) -> ByMaximum:
        return by_maximum(scores, number)

    def score_evidence(self, row: int) -> tuple[ScorePart, ...]:
        return self._taken(row)

    def _taken(self, row: int) -> tuple[TakenAlternative, ...]:
        """The alternatives of ``firstAvailable`` that a node gives; none where the search and the node have no say."""
        is_idle = not self._to_allocate and self._special is None and not self.statuses_on(row)
        if is_idle or not self.release.enables(Gate.DRA_PRIORITIZED_LIST):
            return ()
        return tuple(taken_alternatives(self.claims, self._given(self._search(row))))

    def _given(self, search: DeviceSearch, lifted: frozenset[int] = NOTHING_LIFTED) -> dict[str, list[Allocated]]:
        """The devices that a search finds, by claim; the scheduler's own one is the last."""
        names = [claim.key for claim in self._requirements.wanted(lifted)[0]]
        found: dict[str, list[Allocated]] = {}
        for each in search.allocated or ():
            name = names[each.claim] if each.claim < len(names) else special_key(self.pod)
            found.setdefault(name, []).append(each)
        return found
