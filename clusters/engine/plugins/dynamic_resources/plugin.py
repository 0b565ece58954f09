"""The plugin's answers, from those of the allocator."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.devices.claim_refusals import RefusedClaim
from clusters.engine.devices.node_search import DeviceSearch, NodeSearch
from clusters.engine.devices.pod_claims import claims_of, refusal_of
from clusters.engine.devices.pools import slices_of
from clusters.engine.devices.requests import Claim
from clusters.engine.devices.suitability import Leniency, uses_of
from clusters.engine.devices.unknown import holds_devices
from clusters.engine.matching.nodes import selector_mask
from clusters.engine.matching.selectors import NodeSelector
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
from clusters.engine.plugins.dynamic_resources.evidence import (
    MOST_ALTERNATIVES,
    DeviceCountSubject,
    DeviceSelectorSubject,
    DeviceTaintSubject,
    MatchAttributeSubject,
    ResourceClaimSubject,
    TakenAlternative,
)
from clusters.engine.plugins.dynamic_resources.showing import claim_evidence, device_evidence
from clusters.engine.plugins.dynamic_resources.uncomputed import CLAIMS, uncomputed_field
from clusters.engine.relaxing.effort import Effort
from clusters.engine.status import SUCCESS, Code, FilterAnswer, Status, unresolvable, unschedulable
from clusters.engine.traits import ClusterEvent, Reads
from clusters.engine.versions import Gate

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from clusters.engine.devices.allocation import Allocated
    from clusters.engine.devices.pod_claims import PodClaim
    from clusters.engine.evidence import ByMaximum, Comparison, ScorePart
    from clusters.engine.matching.taints import Taint
    from clusters.engine.objects import Pod
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.status import Index, Ints, Mask
    from clusters.engine.subjects import Subject
    from clusters.engine.world import World

CANNOT_ALLOCATE = "cannot allocate all claims"
NOT_AVAILABLE = "resourceclaim not available on the node"

# PostFilter looks for what PreFilter prepared, also when the cycle ended before that ran.
_NOT_PREPARED = Status(Code.ERROR, ("not found",))
_NO_CLAIMS = unschedulable("no new claims to deallocate")
_SAYS_NOTHING = unschedulable()
_STILL = unschedulable("still not schedulable")
_DEALLOCATED = unschedulable("deallocation of ResourceClaim completed")


class DynamicResources(Plugin):
    """Its requirements are, of claims to allocate, selectors, taints, constraints and counts, and then whole claims.

    A claim that is lifted is left out; so is a selector, a taint or a constraint; a count becomes one.
    """

    name = "DynamicResources"
    reads = Reads.NODES | Reads.DEVICES
    requeue_on = (
        ClusterEvent.RESOURCE_CLAIM_ADD,
        ClusterEvent.RESOURCE_CLAIM_UPDATE,
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
    skips_for_good = True
    unprepared = "not found"

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
        return PROCEED if self.claims else SKIP_FILTER

    @property
    def uncomputed(self) -> str:
        if self.refused is not None:
            return ""
        gave_up = any(search.gave_up for search in self._searches(NOTHING_LIFTED))
        return self._unknown or (CLAIMS if gave_up else "")

    @cached_property
    def _unknown(self) -> str:
        """The field by which something not computed decides; no node is then rejected for lack of devices."""
        return uncomputed_field(self.snapshot, self.pod, [each.document for each in self.claims])

    def filter(self, world: World | None = None, lifted: frozenset[int] = NOTHING_LIFTED) -> FilterAnswer:
        if self.refused is not None:
            # Only in a profile without this PreFilter, which would have ended the cycle.
            return FilterAnswer.everywhere(self.refused.status, len(self.snapshot.nodes))
        searches = self._searches(lifted)
        statuses = [SUCCESS, unresolvable(NOT_AVAILABLE), unresolvable(CANNOT_ALLOCATE)]
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
        return FilterAnswer.by_table(statuses, index)

    def constraints(self) -> tuple[Constraint, ...]:
        if self.refused is not None:
            return super().constraints()
        return tuple(Constraint(self.name, subject) for subject in self._subjects)

    def blocking(self, world: World | None = None) -> Iterator[Mask]:
        """For each requirement the nodes that it opens alone, the first one where several do; then whole claims.

        What devices a search finds depends on all requirements at once: none of them rejects a node by itself.
        """
        failed = self._failed(NOTHING_LIFTED)
        left = failed.copy()
        masks = []
        for number in range(len(self._subjects)):
            opened = left & ~self._failed(frozenset({number}))
            left &= ~opened
            masks.append(opened)
        numbers = [number for number, each in enumerate(self._subjects) if isinstance(each, ResourceClaimSubject)]
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
        return Effort.RESOURCE if isinstance(subject, ResourceClaimSubject) else Effort.REQUIREMENT

    def post_filter(self, *, has_run: bool) -> Status | None:
        if not has_run:
            return _NOT_PREPARED
        has_words = self.release.rules.says_what_devices_lack
        if self.refused is not None or not self.claims:
            return _NO_CLAIMS if has_words else _SAYS_NOTHING
        unavailable = [claim for claim, mask in self._allocated if mask is not None and not mask.all()]
        return (
            _DEALLOCATED
            if any(self._is_free(claim) for claim in unavailable)
            else _STILL
            if has_words
            else _SAYS_NOTHING
        )

    def _is_free(self, claim: PodClaim) -> bool:
        """Whether nobody but the pod has reserved a claim."""
        reserved = (claim.document.get("status") or {}).get("reservedFor") or ()
        return not reserved or [each.get("uid") for each in reserved] == [self.pod.owner_uid]

    def evidence(self, row: int, world: World | None = None) -> tuple[Comparison, ...]:
        if self.refused is not None:
            return ()
        found: list[Comparison] = [claim_evidence(self.snapshot, row, claim) for claim, _ in self._allocated]
        if self._to_allocate:
            found += device_evidence(self.snapshot, row, self._to_allocate, self._nodes.pools(row), self._search(row))
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
    def _to_allocate(self) -> tuple[Claim, ...]:
        return tuple(Claim.from_dict(each.document) for each in self.claims if each.allocation is None)

    @cached_property
    def _allocated(self) -> tuple[tuple[PodClaim, Mask | None], ...]:
        """The claims that have devices, each with the nodes, shape (N,), that reach them; None: all nodes do."""
        found = []
        for each in self.claims:
            if each.allocation is not None:
                selector = each.allocation.get("nodeSelector")
                mask = (
                    None if selector is None else selector_mask(self.snapshot.nodes, NodeSelector.from_dict(selector))
                )
                found.append((each, mask))
        return tuple(found)

    def _unavailable(self, lifted: frozenset[int]) -> Mask:
        """Shape (N,): nodes that do not reach the devices that a claim has."""
        left_out = self._lifted_claims(lifted)
        unavailable = np.zeros(len(self.snapshot.nodes), np.bool_)
        for claim, mask in self._allocated:
            if mask is not None and key_of(claim.document) not in left_out:
                unavailable |= ~mask
        return unavailable

    # -- requirements ----------------------------------------------------------------------------------------

    @cached_property
    def _subjects(self) -> tuple[Subject, ...]:
        asked = [
            (claim, request)
            for claim in self._to_allocate
            for alternatives in claim.requests
            for request in alternatives
        ]
        found: list[Subject] = [
            DeviceSelectorSubject(use.claim, use.request, use.device_class, use.expression)
            for claim, request in asked
            for use in uses_of(self.snapshot, claim, request)
        ]
        if self._to_allocate:
            found += (DeviceTaintSubject(text) for text in self._taints)
        found += (
            MatchAttributeSubject(claim.key, rule.attribute)
            for claim in self._to_allocate
            for rule in claim.constraints
        )
        found += (
            DeviceCountSubject(claim.key, request.full_name, request.count)
            for claim, request in asked
            if request.count > 1
        )
        found += (ResourceClaimSubject(key_of(claim.document)) for claim in self.claims)
        return tuple(found)

    @cached_property
    def _taints(self) -> Mapping[str, Taint]:
        """The distinct taints of all devices."""
        devices = (device for each in slices_of(self.snapshot) for device in each.devices)
        return {str(taint): taint for device in devices for taint in device.taints}

    def _lifted_claims(self, lifted: frozenset[int]) -> frozenset[str]:
        subjects = (self._subjects[number] for number in lifted)
        return frozenset(each.claim for each in subjects if isinstance(each, ResourceClaimSubject))

    def _wanted(self, lifted: frozenset[int]) -> tuple[tuple[Claim, ...], Leniency]:
        """The claims to allocate, and what of them is left out of account, without some requirements."""
        if not lifted:
            return self._to_allocate, Leniency()
        subjects = frozenset(self._subjects[number] for number in lifted)
        left_out = self._lifted_claims(lifted)
        claims = tuple(_without(claim, subjects) for claim in self._to_allocate if claim.key not in left_out)
        selectors = frozenset(
            use
            for claim in claims
            for alternatives in claim.requests
            for request in alternatives
            for use in uses_of(self.snapshot, claim, request)
            if DeviceSelectorSubject(use.claim, use.request, use.device_class, use.expression) in subjects
        )
        taints = frozenset(self._taints[each.taint] for each in subjects if isinstance(each, DeviceTaintSubject))
        return claims, Leniency(selectors, taints)

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
            claims, leniency = self._wanted(lifted)
            self._kept[lifted] = self._nodes.everywhere(claims, leniency) if claims and not self._unknown else ()
        return self._kept[lifted]

    def _search(self, row: int) -> DeviceSearch:
        """What the search finds on one node."""
        return DeviceSearch(None, gave_up=True) if self._unknown else self._nodes.on(row, self._to_allocate)

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
        made = len(self._to_allocate)
        if self.release.rules.scores_claims_by_position and 0 < made < len(self.claims):
            return f"number of allocations {made} is smaller than number of claims"
        return None

    def score(self, feasible: Index) -> Ints:
        if not self._to_allocate:
            return np.zeros(len(feasible), np.int64)
        return np.array([sum(part.points for part in self._taken(int(row))) for row in feasible], np.int64)

    def normalise(self, scores: Ints) -> Ints:
        return normalise_by_maximum(scores)

    def normalisation(self, scores: Ints, number: int) -> ByMaximum:
        return by_maximum(scores, number)

    def score_evidence(self, row: int) -> tuple[ScorePart, ...]:
        return self._taken(row)

    def _taken(self, row: int) -> tuple[TakenAlternative, ...]:
        """The alternatives of ``firstAvailable`` that a node would give; none where nothing is to be allocated."""
        if not self._to_allocate or not self.release.enables(Gate.DRA_PRIORITIZED_LIST):
            return ()
        names = {(claim.key, allocated.request.full_name) for claim, allocated in self._given(row)}
        for claim, _ in self._allocated:
            results = ((claim.allocation or {}).get("devices") or {}).get("results") or ()
            names |= {(key_of(claim.document), str(result.get("request") or "")) for result in results}
        return tuple(
            TakenAlternative(claim.key, request.full_name, place, len(alternatives), MOST_ALTERNATIVES - place)
            for claim in (Claim.from_dict(each.document) for each in self.claims)
            for alternatives in claim.requests
            for place, request in enumerate(alternatives)
            if request.parent and (claim.key, request.full_name) in names
        )

    def _given(self, row: int) -> Iterator[tuple[Claim, Allocated]]:
        """The devices that the search finds on a node, each with its claim."""
        for each in self._search(row).allocated or ():
            yield self._to_allocate[each.claim], each


def _without(claim: Claim, subjects: frozenset[Subject]) -> Claim:
    """A claim without the counts and constraints among some requirements."""
    return replace(
        claim,
        requests=tuple(
            tuple(
                replace(request, count=1)
                if DeviceCountSubject(claim.key, request.full_name, request.count) in subjects
                else request
                for request in alternatives
            )
            for alternatives in claim.requests
        ),
        constraints=tuple(
            rule for rule in claim.constraints if MatchAttributeSubject(claim.key, rule.attribute) not in subjects
        ),
    )
