"""The verdict on a pod in one or two sentences: page, terminal and API show the same."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, ngettext

from clusters.engine.analysis import awaited
from clusters.engine.conclusion import Conclusion
from clusters.engine.scheduling import Candidate, GroupVerdict, is_preemption_uncertain, leaving_victims
from clusters.wording import counts, states
from clusters.wording.amounts import grouped
from clusters.wording.attempts import error_sentence, nomination_sentence, passing_sentence
from clusters.wording.conclusions import uncertain_sentence
from clusters.wording.decisions.pod_groups import blocked_by_group, preempting_group, with_group
from clusters.wording.decisions.ties import tie_sentence
from clusters.wording.lists import begun, first_of, listed
from clusters.wording.messages import message, plural
from clusters.wording.pending.ways import await_nomination
from clusters.wording.pending.where import in_the_queue, without_gates
from clusters.wording.plugins.reasons import nodes_by_reason

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from clusters.engine import Explanation
    from clusters.engine.status import Reason

# So many victims are named in a sentence, and so many nodes of one score.
_NAMED_VICTIMS: Final = 2
_NAMED_NODES: Final = 3


def verdict_sentence(explanation: Explanation) -> str:
    """Say on how many nodes a pod fits and which is the best, or why it fits on none."""
    if not explanation.node_count:
        return _("The cluster has no nodes here. Take the dump again with its nodes.")
    if explanation.error is not None:
        return " ".join((error_sentence(explanation.error), passing_sentence(explanation)))
    if explanation.group is not None and explanation.group.verdict is GroupVerdict.PREEMPTS:
        return preempting_group(explanation.group)
    if explanation.blocking_group is not None:
        return blocked_by_group(explanation.blocking_group)
    if explanation.fits:
        return " ".join((_fits(explanation), *with_group(explanation.group)))
    selected = None if explanation.preemption is None else explanation.preemption.selected
    if selected is None:
        return _unschedulable(explanation)
    leaving = leaving_victims(explanation.snapshot, selected)
    said = (_preemption(explanation, selected), _leaving(leaving) if leaving else "")
    return " ".join(filter(None, (*said, _without_preemption(explanation))))


def gated_sentence(explanation: Explanation) -> str:
    """Say which scheduling gates keep a pod out of the queue, or which plugin does."""
    gates, rejection = explanation.pod.scheduling_gates, explanation.held_back
    if not gates and rejection is not None:
        return _("%(plugin)s keeps the pod out of the queue: %(message)s.") % {
            "plugin": rejection.plugin,
            "message": rejection.status.reported,
        }
    return ngettext(
        "The scheduling gate %(gates)s keeps the pod out of the queue.",
        "The scheduling gates %(gates)s keep the pod out of the queue.",
        len(gates),
    ) % {"gates": listed(gates)}


def pending_sentence(explanation: Explanation) -> str:
    """Return the verdict on a pod that has no node; of one with scheduling gates also what comes without them."""
    if explanation.gates.ok:
        return verdict_sentence(explanation)
    return " ".join((gated_sentence(explanation), *_in_the_queue(explanation)))


def state_of(explanation: Explanation) -> str:
    """Return the state of a pod that is to be scheduled."""
    state = _state_in_queue(explanation)
    return state if explanation.gates.ok or state == str(states.NO_NODES) else str(states.GATED)


def _state_in_queue(explanation: Explanation) -> str:
    """Return the state of a pod that nothing keeps out of the queue."""
    if not explanation.node_count:
        return str(states.NO_NODES)
    if explanation.error is not None:
        return str(states.SCHEDULER_ERROR)
    if explanation.conclusion is Conclusion.UNCERTAIN:
        return str(states.UNCERTAIN)
    if explanation.fits:
        return str(states.FITS)
    if explanation.group is not None and explanation.group.verdict is GroupVerdict.PREEMPTS:
        return str(states.FITS_BY_PREEMPTION)
    preemption = explanation.preemption
    if preemption is not None and preemption.candidates:
        is_uncertain = is_preemption_uncertain(explanation)
        return str(states.MAY_FIT_BY_PREEMPTION if is_uncertain else states.FITS_BY_PREEMPTION)
    return str(states.UNSCHEDULABLE)


def pending_headline(explanation: Explanation) -> tuple[str, str]:
    """Return the state of a pending pod and what is said of it first: of a nominated one what it waits for."""
    # Scheduling gates hold a pod back from its nomination too.
    waits = awaited(explanation) if explanation.gates.ok else None
    if waits is None:
        return state_of(explanation), pending_sentence(explanation)
    return str(states.NOMINATED), await_nomination(waits.node, waits.leaving)


def _in_the_queue(explanation: Explanation) -> Iterator[str]:
    """Say what would be decided of a pod that is kept out of the queue."""
    feasible, gates = len(explanation.cycle.feasible), explanation.pod.scheduling_gates
    state, say = _state_in_queue(explanation), without_gates if gates else in_the_queue
    if state == str(states.FITS):
        yield say(feasible)
        yield best_sentence(explanation)
        yield from with_group(explanation.group)
    elif state == str(states.NO_NODES):
        yield verdict_sentence(explanation)
    else:
        yield say(0) if state == str(states.UNSCHEDULABLE) else _("Evaluated as if it were in the queue.")
        yield verdict_sentence(explanation)


def best_sentence(explanation: Explanation) -> str:
    """Name the node that the scheduler takes, or those that share the highest total."""
    if explanation.takes_nominated:
        return nomination_sentence(explanation)
    best, points = explanation.best, int(explanation.cycle.totals.max())
    if len(best) == 1:
        return ngettext(
            "The best is %(node)s with %(points)s point.", "The best is %(node)s with %(points)s points.", points
        ) % {"node": best[0], "points": grouped(points)}
    several = ngettext(
        "The best are %(nodes)s with %(points)s point each.",
        "The best are %(nodes)s with %(points)s points each.",
        points,
    ) % {"nodes": first_of(best, most=_NAMED_NODES), "points": grouped(points)}
    return " ".join((several, tie_sentence(explanation)))


def reported_reasons(explanation: Explanation) -> list[tuple[Reason, int]]:
    """Return each reason that the scheduler records and on how many nodes, most first."""
    counts: Counter[Reason] = Counter()
    for group in explanation.groups:
        if group.verdict is not None:
            for reason in group.verdict.status.reasons:
                counts[reason] += len(group)
    return counts.most_common()


def _fits(explanation: Explanation) -> str:
    feasible, best = len(explanation.cycle.feasible), explanation.best
    numbers = (feasible, explanation.node_count)
    if explanation.conclusion is Conclusion.UNCERTAIN:
        uncertain = uncertain_sentence(explanation.uncertainties)
        if feasible == 1 and not explanation.takes_nominated:
            return " ".join((uncertain, PASSES_ON_ONE(nodes=explanation.node_count, node=best[0])))
        return " ".join((uncertain, passes_on(*numbers), best_sentence(explanation)))
    if feasible == 1 and not explanation.takes_nominated:
        return ngettext(
            "Fits on 1 of %(nodes)s node: %(node)s.", "Fits on 1 of %(nodes)s nodes: %(node)s.", explanation.node_count
        ) % {"nodes": grouped(explanation.node_count), "node": best[0]}
    return " ".join((fits_on(*numbers), best_sentence(explanation)))


def fits_on(feasible: int, nodes: int) -> str:
    """Say on how many nodes a pod fits."""
    return ngettext("Fits on %(feasible)s of %(nodes)s node.", "Fits on %(feasible)s of %(nodes)s nodes.", nodes) % {
        "feasible": grouped(feasible),
        "nodes": grouped(nodes),
    }


def passes_on(feasible: int, nodes: int) -> str:
    """Say on how many nodes a pod passes what is computed, where something is not."""
    return ngettext(
        "It passes the computed filters on %(feasible)s of %(nodes)s node.",
        "It passes the computed filters on %(feasible)s of %(nodes)s nodes.",
        nodes,
    ) % {"feasible": grouped(feasible), "nodes": grouped(nodes)}


PASSES_ON_ONE = plural(
    "It passes the computed filters on 1 of %(nodes)s node: %(node)s.",
    "It passes the computed filters on 1 of %(nodes)s nodes: %(node)s.",
    by="nodes",
)


def _unschedulable(explanation: Explanation) -> str:
    stopped, nodes = explanation.cycle.stopped_by, explanation.node_count
    if stopped is not None:
        return _("%(plugin)s rejects the pod before Filter: %(reasons)s.") % {
            "plugin": stopped.plugin or "PreFilter",
            "reasons": stopped.status.reported,
        }
    return ngettext(
        "0 of %(nodes)s node fits. %(reasons)s.",
        "0 of %(nodes)s nodes fit. %(reasons)s.",
        nodes,
    ) % {"nodes": grouped(nodes), "reasons": begun(nodes_by_reason(reported_reasons(explanation)))}


def _preemption(explanation: Explanation, selected: Candidate) -> str:
    number, is_uncertain = len(selected.victims), is_preemption_uncertain(explanation)
    extender = "" if explanation.preemption is None else explanation.preemption.changed_by(selected.node)
    if extender:
        return ngettext(
            "May fit by preemption: the extender %(extender)s has %(victims)s pod removed from %(node)s.",
            "May fit by preemption: the extender %(extender)s has %(victims)s pods removed from %(node)s.",
            number,
        ) % {"extender": extender, "victims": grouped(number), "node": selected.node}
    victims = counts.pods(number) if number > _NAMED_VICTIMS else listed(selected.victims)
    return (_MAY_FIT if is_uncertain else _FITS)(victims=victims, node=selected.node)


_FITS = message("Fits by preemption: removing %(victims)s makes room on %(node)s.")
_MAY_FIT = message("May fit by preemption: removing %(victims)s makes room on %(node)s.")


def _leaving(pods: Sequence[str]) -> str:
    """Say which victims of preemption are terminating already."""
    return ngettext("%(pods)s is already terminating.", "%(pods)s are already terminating.", len(pods)) % {
        "pods": first_of(pods, most=_NAMED_VICTIMS)
    }


def _without_preemption(explanation: Explanation) -> str:
    nodes = explanation.node_count
    return ngettext(
        "Without preemption 0 of %(nodes)s node fits. %(reasons)s.",
        "Without preemption 0 of %(nodes)s nodes fit. %(reasons)s.",
        nodes,
    ) % {"nodes": grouped(nodes), "reasons": begun(nodes_by_reason(reported_reasons(explanation)))}
