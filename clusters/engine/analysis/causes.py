"""Why a pod is pending, as a kind and numbers: what a list of many pods keeps of an explanation.

An explanation holds arrays over all nodes; of hundreds of them a list keeps the verdict only."""

from __future__ import annotations

import dataclasses
import enum
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from clusters.engine.analysis.remedies import (
    ClaimRemedy,
    Realism,
    Remedy,
    is_enough,
    larger_than_nodes,
    lifts_pin,
    realism_of,
    realism_of_remedy,
    remedies_of,
)
from clusters.engine.configuration import PodTopologySpreadArgs, Profile
from clusters.engine.devices import ResourceClaimRefused
from clusters.engine.group_states import GroupWaits
from clusters.engine.matching import meant_by
from clusters.engine.objects import AffinityTerm, labels_of, namespace_of, placement_volumes
from clusters.engine.owners import TEMPLATE_HASH, Controller, Workload
from clusters.engine.plugin import Constraint, Effort

# NodeResourcesFit by name: requests are the one requirement that can be lowered instead of lifted.
from clusters.engine.plugins.node_resources_fit import Insufficient, NodeResourcesFit, ResourceSubject
from clusters.engine.registry import PLUGINS, group_plugins, has_reasons_by_node, reads_amounts, reads_volumes
from clusters.engine.scheduling.groups import GroupVerdict
from clusters.engine.scheduling.preemption import Ineligibility
from clusters.engine.selectors import LabelSelector, SelectorError
from clusters.engine.spreading.constraints import PLUGIN as SPREADING, SpreadConstraint, default_selector
from clusters.engine.status import SUCCESS, Code, QuotedReason, Reason, Status
from clusters.engine.volumes import ClaimProblem, ClaimRefused, claim_uses, is_bound, selected_node

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Mapping

    from clusters.engine import Explanation
    from clusters.engine.conclusion import Uncertainty
    from clusters.engine.devices.inventory import ResourceClaimProblem
    from clusters.engine.scheduling.cost import Failure
    from clusters.engine.scheduling.relaxations import Lift, Reduction
    from clusters.engine.simulation.node_counts import OneMoreNode
    from clusters.engine.snapshot import Snapshot

# Whether pods on nodes that the snapshot lacks could change an explanation.


def absent_neighbours(explanation: Explanation) -> list[str]:
    """Return the pods on missing nodes that a pod's spreading or affinity would count, or whose affinity means it."""
    snapshot, pods = explanation.snapshot, explanation.snapshot.pods
    absent = [slot for slot in pods.homes if slot not in pods.nominees]
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


# What keeps a pod from every node: the one thing that, lifted alone, frees it, or the things that only do so
# together.
#
# Of several the most realistic: what stands on nodes that are meant for the pod, then what is the least to change.


# What nobody wants comes after all that somebody might.
UNWANTED: Final = max(Effort) + 1


class Rejected(NamedTuple):
    """Who rejects nodes, usually one plugin, and the reason; None of taints: they differ from node to node."""

    plugins: tuple[str, ...]
    reason: Reason | None = None

    @classmethod
    def insufficient(cls, resource: str) -> Rejected:
        """Return the rejection for want of a resource."""
        return cls((NodeResourcesFit.name,), Insufficient(resource))


class Blame(NamedTuple):
    """What is to blame, and on how many nodes it is what the scheduler records.

    Where nothing frees the pod alone, ``plugins`` are those of a pair that does, or all that reject it where none is
    known; ``reasons`` are then those for want of resources, if any.
    """

    plugins: tuple[str, ...]
    reasons: tuple[Reason, ...]
    nodes: int

    @classmethod
    def of(cls, rejected: Iterable[Rejected], nodes: int, plugins: tuple[str, ...] = ()) -> Blame:
        """Blame rejections; ``plugins`` where there are others beside those."""
        found = tuple(dict.fromkeys(rejected))
        return cls(
            plugins or tuple(dict.fromkeys(plugin for each in found for plugin in each.plugins)),
            tuple(each.reason for each in found if each.reason),
            nodes,
        )


def blamed(explanation: Explanation) -> Blame:
    """Find what is to blame for a pod that fits nowhere and for which no PreFilter ended the cycle."""
    movable, every = _recorded(explanation)
    freeing = _freeing(explanation, every)
    for rejected, nodes in movable.most_common():
        if rejected in freeing:
            return Blame.of((rejected,), nodes)
    alone = [rejected for rejected in every if rejected in freeing]
    if alone:
        chosen = min(alone, key=lambda rejected: (*freeing[rejected], -every[rejected]))
        return Blame.of((chosen,), every[chosen])
    if explanation.relaxations.together:
        short = [Rejected.insufficient(each.resource) for each in explanation.relaxations.together]
        return Blame.of(short, max(every[each] for each in short))
    return _together(explanation, every)


def single_lifts(explanation: Explanation) -> list[Lift]:
    """Return what is one change: a requirement, or a whole filter of which no single requirement is enough.

    Resources are told one by one, or as a reduction of several.
    """
    found = explanation.relaxations
    told = {*(lift.lifted[0].plugin for lift in found.singles), NodeResourcesFit.name}
    return [*found.singles, *(lift for lift in found.filters if lift.lifted[0].plugin not in told)]


def effort_of(explanation: Explanation, lift: Lift) -> int:
    """How hard a lift is; letting a DaemonSet's pod go to another node is what nobody wants."""
    return UNWANTED if lifts_pin(explanation, lift) else int(lift.effort)


def _recorded(explanation: Explanation) -> tuple[Counter[Rejected], Counter[Rejected]]:
    """Count the nodes by what the scheduler records: those that a removal of pods could open, and all.

    Nodes that no removal of pods could open (by the scheduler's own distinction, of any filter, also one that it would
    not have come to) are not meant for the pod.
    """
    movable: Counter[Rejected] = Counter()
    every: Counter[Rejected] = Counter()
    cycle = explanation.cycle
    # Of a pod that names a node that is gone none is looked at; what left them out is all that there is to say.
    asked = cycle.considered if cycle.considered.any() else cycle.rejected_by >= 0
    hopeless = np.zeros(explanation.node_count, np.bool_)
    for outcome in explanation.cycle.filters.values():
        if outcome.index is not None:
            unresolvable = [status.code is Code.UNRESOLVABLE for status in outcome.statuses]
            hopeless |= np.array(unresolvable, np.bool_)[outcome.index]
    openable = asked & ~hopeless
    times = np.bincount(cycle.rejected_by[asked], minlength=len(cycle.rejections))
    opened = np.bincount(cycle.rejected_by[openable], minlength=len(cycle.rejections))
    for rejection, number, movables in zip(cycle.rejections, times.tolist(), opened.tolist(), strict=True):
        keys = [
            Rejected(rejection.plugins, None if any(map(has_reasons_by_node, rejection.plugins)) else reason)
            for reason in rejection.status.stated
        ]
        if number:
            every.update(dict.fromkeys(keys, number))
        if movables and rejection.status.code is Code.UNSCHEDULABLE:
            movable.update(dict.fromkeys(keys, movables))
    return movable, every


def _freeing(explanation: Explanation, every: Iterable[Rejected]) -> dict[Rejected, tuple[int, int]]:
    """What frees the pod alone: how hard that is, and how many nodes it gains, negated."""
    found = explanation.relaxations
    ranks: dict[Rejected, tuple[int, int]] = {}

    def note(rejected: Rejected, effort: int, gained: int) -> None:
        rank = effort, -gained
        ranks[rejected] = min(ranks.get(rejected, rank), rank)

    for lift in single_lifts(explanation):
        for rejected in _of(lift.lifted[0], every):
            note(rejected, effort_of(explanation, lift), lift.gained)
    for reduction in found.reductions:
        # Less is asked for sooner than the control plane's nodes are used, whatever these would gain.
        note(Rejected.insufficient(reduction.resource), int(Effort.SYSTEM), explanation.node_count + 1)
    return ranks


def _of(constraint: Constraint, every: Iterable[Rejected]) -> list[Rejected]:
    if isinstance(constraint.subject, ResourceSubject):
        return [Rejected.insufficient(constraint.subject.resource)]
    return [rejected for rejected in every if rejected.plugins == (constraint.plugin,)]


def _together(explanation: Explanation, every: Counter[Rejected]) -> Blame:
    """Blame what frees the pod only together: the easiest pair, or else everything that rejects it."""
    pairs = sorted(explanation.relaxations.pairs, key=lambda lift: (effort_of(explanation, lift), -lift.gained))
    if pairs:
        lifted = pairs[0].lifted
        plugins = [each.plugin for each in lifted]
        subjects = [each.subject for each in lifted]
        short = [Rejected.insufficient(each.resource) for each in subjects if isinstance(each, ResourceSubject)]
    else:
        plugins = [plugin for rejected, _ in every.most_common() for plugin in rejected.plugins]
        short = [rejected for rejected in every if isinstance(rejected.reason, Insufficient)]
    named = tuple(dict.fromkeys(plugins))
    recorded = Counter({rejected: nodes for rejected, nodes in every.items() if set(rejected.plugins) <= set(named)})
    if len(named) == 1 and recorded:
        ((rejected, nodes),) = recorded.most_common(1)
        return Blame.of((rejected,), nodes)
    return Blame.of(short, recorded.total(), named)


# What a nominated pod waits for: the node that the scheduler cleared for it, and the pods that still end there.


class Awaited(Struct, frozen=True):
    """The ``node`` that a pod is nominated for, and the terminating pods of lower priority there, by name.

    None of those: its victims have not begun to terminate, or are gone and something else has taken the room.
    """

    node: str
    leaving: tuple[str, ...]


def awaited(explanation: Explanation) -> Awaited | None:
    """Say what a nominated pod waits for; None of a pod that fits now, is not nominated, or would preempt once more."""
    pod, pods = explanation.pod, explanation.snapshot.pods
    row = explanation.snapshot.nodes.index.get(pod.nominated_node_name)
    if explanation.fits or row is None:
        return None
    preemption = explanation.preemption
    slots = [slot for slot in pods.on_node(row) if pods.terminating[slot] and pods.priority[slot] < pod.priority]
    if not slots and preemption is not None and preemption.selected is not None:
        return None
    return Awaited(pod.nominated_node_name, tuple(sorted(pods.keys[slot] for slot in slots)))


_PRE_FILTER = "PreFilter"
_PAIR = UNWANTED + 1
# Of what is done elsewhere the pod's author has nothing to do.
_NOTHING_OF_THE_POD = -4
# A list keeps the names of so many of the nodes that a change would gain.
_NODES_NAMED = 20


class Kind(enum.StrEnum):
    """Why a pod is pending; VOLUME: a node is chosen, and a volume is being provisioned there."""

    FITS = "fits"
    PREEMPTS = "preempts"
    NOMINATED = "nominated"
    UNSCHEDULABLE = "unschedulable"
    VOLUME = "volume"
    GATED = "gated"
    OTHER_SCHEDULER = "other-scheduler"
    ERROR = "error"
    UNCERTAIN = "uncertain"
    NOT_EVALUATED = "not-evaluated"
    EVALUATING = "evaluating"
    NOT_COMPUTED = "not-computed"


class Cause(Struct, frozen=True):
    """What pods of one group have in common.

    Of unschedulable pods ``plugins`` is the one that, lifted alone, frees each; where none does, several that free it
    together. ``reasons`` are those for which it rejects the pod or ends in an error, names of claims left out; taints
    have none, as they differ from node to node, and several plugins only those for want of ``resources``.
    ``is_too_large``: each pod requests more of one of these than any node has, of those that some has. Beside those:
    the ``gates`` of gated pods, or the plugin that keeps them out of the queue with its reasons, the
    ``scheduler_name`` of others' pods, what is not computed of uncertain ones, and the ``reference`` in the log to an
    explanation that failed.
    """

    kind: Kind
    plugins: tuple[str, ...] = ()
    reasons: tuple[Reason, ...] = ()
    gates: tuple[str, ...] = ()
    uncertainties: tuple[Uncertainty, ...] = ()
    scheduler_name: str = ""
    reference: str = ""
    is_too_large: bool = False

    @property
    def resources(self) -> tuple[str, ...]:
        """The resources for want of which pods are rejected."""
        return tuple(each.resource for each in self.reasons if isinstance(each, Insufficient))

    @property
    def claim_problem(self) -> ClaimProblem | ResourceClaimProblem | None:
        """What is wrong with a claim of pods that are rejected for it before any node is looked at."""
        first = next(iter(self.reasons), None)
        return first.problem if isinstance(first, ClaimRefused | ResourceClaimRefused) else None

    @property
    def quoted(self) -> str:
        """What others say, in one line: the gates, the scheduler's words or name, or the reference; empty for none."""
        return ", ".join(self.gates or map(str, self.reasons)) or self.scheduler_name or self.reference

    @property
    def has_no_nodes(self) -> bool:
        """Whether nothing can be judged because the cluster has no nodes here."""
        return self.kind is Kind.UNCERTAIN and not self.uncertainties


@dataclass(frozen=True, slots=True)
class SuggestedChange:
    """One thing, or two together, that somebody could do for a pod; for two pods it is the same where ``key`` is.

    Either ``lifted`` (requirements, with the number of nodes ``gained`` and the names of the first few, ``nodes``), or
    ``reduced`` (requests that would fit on ``node``; their rows are 0), or a ``remedy`` for a claim, or one ``more``
    node. ``is_unused``: usage shows that what is no longer requested is not used.
    """

    effort: int
    lifted: tuple[Constraint, ...] = ()
    gained: int = 0
    # Which they are does not make changes unlike.
    nodes: tuple[str, ...] = field(default=(), compare=False)
    reduced: tuple[Reduction, ...] = ()
    node: str = ""
    remedy: Remedy | None = None
    more: OneMoreNode | None = None
    is_unused: bool = False

    @property
    def key(self) -> Hashable:
        """What is changed, whatever comes of it: resources that are requested, the remedy, or what is lifted."""
        if self.remedy is not None or self.more is not None:
            return self.remedy or self.more
        resources = tuple(each.resource for each in self.reduced)
        return resources or tuple((each.plugin, each.subject) for each in self.lifted)

    @property
    def realism(self) -> Realism:
        """How likely somebody is to do it."""
        if self.more is not None:
            return Realism.ADD_NODE
        if self.remedy is not None:
            return realism_of_remedy(self.remedy)
        if self.reduced:
            return Realism.LOWER_UNUSED if self.is_unused else Realism.LOWER
        return Realism.UNWANTED if self.effort % _PAIR == UNWANTED else realism_of(self.lifted)

    def removes(self, cause: Cause) -> bool:
        """Whether the change is to what a cause names."""
        if self.remedy is not None:
            return not isinstance(self.remedy, ClaimRemedy) or any(map(reads_volumes, cause.plugins))
        if self.reduced:
            return any(map(reads_amounts, cause.plugins))
        if self.more is not None:
            return True
        return not {constraint.plugin for constraint in self.lifted}.isdisjoint(cause.plugins)


class PendingFinding(Struct, frozen=True):
    """What holds for every pod of one making.

    ``nodes``: on how many nodes the cause stands, of ``node_count``; ``feasible``: how many would take the pod.
    ``reasons``: each reason that the scheduler records and on how many nodes, most first; ``rejected_by``: the plugins
    that it would note as having rejected the pod, those of most nodes first. ``message`` and ``refusal`` as of an
    Explanation, ``gates`` its PreEnqueue. ``node``: nominated, to be cleared by preemption (of ``victims`` pods), or
    the one for which a volume is made. ``is_leaving``: a pod is on its way out of the nominated node; ``leaving`` names
    those of lower priority.
    """

    cause: Cause
    node_count: int = 0
    nodes: int = 0
    feasible: int = 0
    reasons: tuple[tuple[Reason, int], ...] = ()
    message: str | None = None
    refusal: str | None = None
    gates: Status = SUCCESS
    node: str = ""
    victims: int = 0
    is_leaving: bool = False
    leaving: tuple[str, ...] = ()
    changes: tuple[SuggestedChange, ...] = ()
    rejected_by: tuple[str, ...] = ()


def failed(failure: Failure) -> PendingFinding:
    """Return what a list keeps of a pod whose explanation could not be computed."""
    return PendingFinding(Cause(Kind.NOT_COMPUTED, reference=failure.reference), message=failure.error)


def finding_of(explanation: Explanation) -> PendingFinding:
    """Return what a list keeps of an explanation of a pending pod."""
    pod = explanation.pod
    found = PendingFinding(
        cause=Cause(Kind.FITS),
        node_count=explanation.node_count,
        feasible=len(explanation.cycle.feasible),
        reasons=tuple(_reasons(explanation).most_common()),
        message=explanation.message,
        refusal=explanation.refusal,
        gates=explanation.gates,
        rejected_by=() if explanation.fits or explanation.error else tuple(_rejecting(explanation)),
    )
    if pod.scheduling_gates:
        return replace(found, cause=Cause(Kind.GATED, gates=tuple(pod.scheduling_gates)))
    if explanation.held_back is not None:
        kept = explanation.held_back
        return replace(found, cause=Cause(Kind.GATED, (kept.plugin,), kept.status.reasons))
    if not explanation.node_count:
        return replace(found, cause=Cause(Kind.UNCERTAIN))
    if explanation.error is not None:
        return replace(
            found, cause=Cause(Kind.ERROR, (explanation.error.plugin,), (QuotedReason(explanation.error.message),))
        )
    if explanation.group is not None and explanation.group.victims:
        return replace(found, cause=Cause(Kind.PREEMPTS), victims=len(explanation.group.victims))
    group = explanation.blocking_group
    if group is not None:
        asking = group_plugins(explanation.profile, explanation.cycle.context.snapshot.release)
        kind = Kind.ERROR if group.verdict is GroupVerdict.ERROR else Kind.UNSCHEDULABLE
        return replace(found, cause=Cause(kind, asking, (GroupWaits(group.pod_message),)))
    return _fitting(found, explanation) if explanation.fits else _fitting_nowhere(found, explanation)


def _fitting(found: PendingFinding, explanation: Explanation) -> PendingFinding:
    if explanation.uncertainties:
        return replace(found, cause=Cause(Kind.UNCERTAIN, uncertainties=explanation.uncertainties))
    node = next(_provisioned_for(explanation), "")
    if node:
        return replace(found, cause=Cause(Kind.VOLUME), node=node)
    return found


def _provisioned_for(explanation: Explanation) -> Iterator[str]:
    """Yield nodes that suit the pod and for which a volume of it is being made: the scheduler has chosen already."""
    pod, snapshot = explanation.pod, explanation.snapshot
    for use in claim_uses(pod.volumes, pod.name):
        claim = snapshot.object("PersistentVolumeClaim", use.claim, pod.namespace)
        if claim is not None and not is_bound(claim) and (node := selected_node(claim)):
            row = snapshot.nodes.index.get(node)
            if row is not None and explanation.verdict_of(row) is None:
                yield node


def _fitting_nowhere(found: PendingFinding, explanation: Explanation) -> PendingFinding:
    preemption, nominated = explanation.preemption, explanation.pod.nominated_node_name
    if nominated:
        # It waits for its victims: whatever would be changed of it comes after that.
        is_leaving = preemption is not None and preemption.ineligible is Ineligibility.TERMINATING
        waits = awaited(explanation)
        leaving = () if waits is None else waits.leaving
        return replace(found, cause=Cause(Kind.NOMINATED), node=nominated, is_leaving=is_leaving, leaving=leaving)
    found = replace(found, changes=tuple(_changes(explanation)))
    if preemption is not None and preemption.selected is not None and not explanation.uncertainties:
        chosen = preemption.selected
        return replace(found, cause=Cause(Kind.PREEMPTS), node=chosen.node, victims=len(chosen.victims))
    stopped = explanation.cycle.stopped_by
    if stopped is not None:
        cause = Cause(
            Kind.UNSCHEDULABLE, (stopped.plugin or _PRE_FILTER,), tuple(map(_nameless, stopped.status.reasons))
        )
        return replace(found, cause=cause, nodes=explanation.node_count)
    blame = blamed(explanation)
    larger = {each.resource for each in larger_than_nodes(explanation) if each.node}
    cause = Cause(Kind.UNSCHEDULABLE, blame.plugins, blame.reasons)
    is_too_large = not larger.isdisjoint(cause.resources)
    return replace(found, cause=replace(cause, is_too_large=is_too_large), nodes=blame.nodes)


def _nameless(reason: Reason) -> Reason:
    """Leave out the names of claims, which differ from pod to pod."""
    return replace(reason, names=()) if isinstance(reason, ClaimRefused | ResourceClaimRefused) else reason


def _reasons(explanation: Explanation) -> Counter[Reason]:
    """Return each reason that the scheduler records and on how many nodes."""
    cycle = explanation.cycle
    counts: Counter[Reason] = Counter()
    times = np.bincount(cycle.rejected_by[cycle.rejected_by >= 0], minlength=len(cycle.rejections))
    for rejection, number in zip(cycle.rejections, times.tolist(), strict=True):
        if number:
            counts.update(dict.fromkeys(rejection.status.reasons, number))
    return counts


def _rejecting(explanation: Explanation) -> list[str]:
    """Return the plugins that reject the pod, by the number of nodes on which the scheduler would name them."""
    cycle = explanation.cycle
    if cycle.stopped_by is not None:
        return [cycle.stopped_by.plugin] if cycle.stopped_by.plugin else []
    counts: Counter[str] = Counter()
    times = np.bincount(cycle.rejected_by[cycle.rejected_by >= 0], minlength=len(cycle.rejections))
    for rejection, number in zip(cycle.rejections, times.tolist(), strict=True):
        if number:
            # Nodes that PreFilter leaves out are laid at several plugins' door.
            counts.update(dict.fromkeys(rejection.plugins, number))
    return [plugin for plugin, _ in counts.most_common() if plugin]


def _changes(explanation: Explanation) -> Iterator[SuggestedChange]:
    """Yield what would each be enough for the pod; ``effort`` puts asking for less before all else."""
    found, names = explanation.relaxations, explanation.snapshot.nodes.names
    for reduced in (*((each,) for each in found.reductions), found.together):
        if reduced:
            first_row = tuple(replace(each, row=0) for each in reduced)
            # Less of one resource is less to do than less of several.
            effort = -3 if len(reduced) == 1 else -2
            yield SuggestedChange(effort, reduced=first_row, node=names[reduced[0].row])
    remedies = remedies_of(explanation)
    for remedy in remedies:
        yield SuggestedChange(-1, remedy=remedy)
    if remedies and explanation.cycle.stopped_by is not None:
        return
    for lift in (*found.adjustments, *single_lifts(explanation), *found.pairs):
        yield SuggestedChange(
            # Any one change is less to do than two.
            effort_of(explanation, lift) + _PAIR * (len(lift.lifted) - 1),
            lifted=lift.lifted,
            gained=lift.gained,
            nodes=tuple(names[row] for row in lift.rows[:_NODES_NAMED]),
        )


def with_more_nodes(found: PendingFinding, nodes: Iterable[OneMoreNode]) -> PendingFinding:
    """Add to what would each be enough for a pod one more node, of each that would take it."""
    added = tuple(SuggestedChange(_NOTHING_OF_THE_POD, gained=1, more=node) for node in nodes)
    return replace(found, changes=(*found.changes, *added)) if added else found


def with_usage(found: PendingFinding, needed: Mapping[str, int]) -> PendingFinding:
    """Note which lower requests are still enough for what the pod ``needed`` of each resource, by what was used."""
    changes = tuple(dataclasses.replace(each, is_unused=is_enough(each.reduced, needed)) for each in found.changes)
    return replace(found, changes=changes) if changes != found.changes else found


# Causes that lie in the group of a pod: it lacks pods, or is scheduled as a whole or not at all.


def is_of_group(cause: Cause) -> bool:
    """Whether a pod is pending because of the group that it names."""
    return any(name in PLUGINS and PLUGINS[name].asks_for_group for name in cause.plugins)


# Which pending pods are alike for filtering, so that one explanation answers for all of them.

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
        arguments = profile.args.get(SPREADING)
        by_default = isinstance(arguments, PodTopologySpreadArgs) and any(
            constraint.get("whenUnsatisfiable") == "DoNotSchedule" for constraint in arguments.default_constraints
        )
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


# Who says each rejection that a cycle records.

BEFORE_FILTERS: Final = ""


def rejecting_sources(explanation: Explanation) -> list[str]:
    """Return the plugin, or the extender's address, of each of the cycle's rejections.

    ``BEFORE_FILTERS`` stands for PreFilter, of nodes that no filter came to.
    """
    cycle = explanation.cycle
    # Nodes outside of the group's placement have a reason of their own.
    left_out = ~cycle.considered if cycle.placement is None else cycle.placement & ~cycle.considered
    if cycle.nominated_row is not None:
        # It is tried before, whether it is left out or not.
        left_out[cycle.nominated_row] = False
    before = set(cycle.rejected_by[left_out].tolist()) if cycle.stopped_by is None else set()
    return [
        BEFORE_FILTERS if number in before else rejection.plugin for number, rejection in enumerate(cycle.rejections)
    ]
