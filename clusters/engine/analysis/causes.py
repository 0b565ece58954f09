"""Why a pod is pending, as a kind and numbers: what a list of many pods keeps of an explanation.

An explanation holds arrays over all nodes; of hundreds of them a list keeps the verdict only.
"""

from __future__ import annotations

import enum
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from clusters.engine.analysis.advice import is_enough, remedies_of
from clusters.engine.analysis.blame import UNWANTED, blamed, effort_of, single_lifts
from clusters.engine.analysis.circumstances import larger_than_nodes
from clusters.engine.analysis.nominations import awaited
from clusters.engine.analysis.realism import Realism, realism_of, realism_of_remedy
from clusters.engine.analysis.remedies import ClaimRemedy
from clusters.engine.preemption import Ineligibility
from clusters.engine.registry import PLUGINS, reads_amounts, reads_volumes
from clusters.engine.status import SUCCESS
from clusters.engine.volumes.claims import claim_uses, is_bound, selected_node

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Mapping

    from clusters.engine import Explanation
    from clusters.engine.analysis.remedies import Remedy
    from clusters.engine.conclusion import Uncertainty
    from clusters.engine.devices.claim_refusals import ResourceClaimProblem
    from clusters.engine.failure import Failure
    from clusters.engine.plugin import Constraint
    from clusters.engine.relaxing.relaxations import Reduction
    from clusters.engine.simulation.one_more import OneMoreNode
    from clusters.engine.status import Status
    from clusters.engine.volumes.claim_problems import ClaimProblem

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


@dataclass(frozen=True, slots=True)
class Cause:
    """What pods of one group have in common.

    Of unschedulable pods ``plugins`` is the one that, lifted alone, frees each; where none does, several that free it
    together. ``reasons`` are the scheduler's own words where it rejects the pod or ends in an error, names of claims
    left out; taints have none, as they differ from node to node, and several plugins only those for want of
    ``resources``. ``is_too_large``: each pod requests more of one of these than any node has, of those that some has.
    ``claim_problem``: what is wrong with a claim of pods that are rejected for it before any node is looked at. Beside
    those: the ``gates`` of gated pods, or the plugin that keeps them out of the queue with its reasons, the
    ``scheduler_name`` of others' pods, what is not computed of uncertain ones, and the ``reference`` in the log to an
    explanation that failed.
    """

    kind: Kind
    plugins: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    resources: tuple[str, ...] = ()
    gates: tuple[str, ...] = ()
    uncertainties: tuple[Uncertainty, ...] = ()
    scheduler_name: str = ""
    reference: str = ""
    claim_problem: ClaimProblem | ResourceClaimProblem | None = None
    is_too_large: bool = False

    @property
    def quoted(self) -> str:
        """What others say, in one line: the gates, the scheduler's words or name, or the reference; empty for none."""
        return ", ".join(self.gates or self.reasons) or self.scheduler_name or self.reference

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


@dataclass(frozen=True, slots=True)
class PendingFinding:
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
    reasons: tuple[tuple[str, int], ...] = ()
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
        return replace(found, cause=Cause(Kind.ERROR, (explanation.error.plugin,), (explanation.error.message,)))
    if explanation.group is not None and explanation.group.victims:
        return replace(found, cause=Cause(Kind.PREEMPTS), victims=len(explanation.group.victims))
    group = explanation.blocking_group
    if group is not None:
        asking = tuple(name for name in explanation.profile.permit if name in PLUGINS and PLUGINS[name].asks_for_group)
        return replace(found, cause=Cause(Kind.UNSCHEDULABLE, asking, (group.pod_message,)))
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
        problem = explanation.cycle.pre_filters[stopped.plugin].claim_problem if stopped.plugin else None
        # Of the scheduler's words the names of claims differ from pod to pod.
        reason = problem.said if problem is not None else ", ".join(stopped.status.reasons)
        cause = Cause(Kind.UNSCHEDULABLE, (stopped.plugin or _PRE_FILTER,), (reason,), claim_problem=problem)
        return replace(found, cause=cause, nodes=explanation.node_count)
    blame = blamed(explanation)
    larger = {each.resource for each in larger_than_nodes(explanation) if each.node}
    is_too_large = not larger.isdisjoint(blame.resources)
    cause = Cause(Kind.UNSCHEDULABLE, blame.plugins, blame.reasons, blame.resources, is_too_large=is_too_large)
    return replace(found, cause=cause, nodes=blame.nodes)


def _reasons(explanation: Explanation) -> Counter[str]:
    """Return each reason that the scheduler records and on how many nodes."""
    cycle = explanation.cycle
    counts: Counter[str] = Counter()
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
    changes = tuple(replace(each, is_unused=is_enough(each.reduced, needed)) for each in found.changes)
    return replace(found, changes=changes) if changes != found.changes else found
