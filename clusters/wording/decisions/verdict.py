"""The verdict on a pod in words: alone, in a group, where it stands, as it was reported, and what is said beside it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext

from clusters.engine.analysis import awaited
from clusters.engine.conclusion import Conclusion
from clusters.engine.scheduling import (
    Candidate,
    GroupAttempt,
    GroupVerdict,
    TieBreak,
    is_preemption_uncertain,
    leaving_victims,
    likely_row,
    tie_of,
)
from clusters.wording import counts, states
from clusters.wording.amounts import grouped, signed
from clusters.wording.conclusions import error_sentence, nomination_sentence, passing_sentence, uncertain_sentence
from clusters.wording.decisions.nodes import rank, rejection_sentence
from clusters.wording.evaluation import SAMPLED
from clusters.wording.lists import begun, first_of, listed
from clusters.wording.messages import message, plural
from clusters.wording.pending import FITS_IN_QUEUE, FITS_WITHOUT_GATES, await_nomination
from clusters.wording.plugins.reasons import nodes_by_reason

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from clusters.engine import Explanation
    from clusters.engine.status import CycleError, Reason


# -- What becomes of the group of a pod, in sentences -----------------------------------------------------------------


_NAMED: Final = 3


def with_group(group: GroupAttempt | None) -> tuple[str, ...]:
    """Say of a pod that fits how its group does; nothing of one without a group, or where that is uncertain."""
    if group is None or group.verdict is not GroupVerdict.SCHEDULED:
        return ()
    if group.least is None:
        said = _("Its group %(group)s has the basic policy: its pods are scheduled one by one.") % {
            "group": str(group.key)
        }
    else:
        said = ngettext(
            "Its group %(group)s is scheduled: %(found)s pod of at least %(least)s.",
            "Its group %(group)s is scheduled: %(found)s pods of at least %(least)s.",
            group.found,
        ) % {"group": str(group.key), "found": grouped(group.found), "least": grouped(group.least)}
    if not group.domain:
        return (said,)
    where = _("All its pods go to %(domain)s.") % {"domain": group.domain}
    return (said, where)


def blocked_by_group(group: GroupAttempt) -> str:
    """Say why a pod that finds a node does not get it."""
    match group.verdict:
        case GroupVerdict.ERROR:
            return _("The group %(group)s is not scheduled: %(message)s.") % {
                "group": str(group.key),
                "message": group.message,
            }
        case GroupVerdict.GATED:
            return _("%(pod)s keeps its whole group %(group)s out of the queue.") % {
                "pod": group.held_back,
                "group": str(group.key),
            }
        case GroupVerdict.WAITS_ON_PERMIT:
            said = _("Unschedulable for now: waits at Permit for its group %(group)s.") % {"group": str(group.key)}
        case _ if group.own is not None and not group.own.is_reached:
            said = _("The attempt for its group %(group)s ends before its turn.") % {"group": str(group.key)}
        case _:
            said = _("It finds a node, but its group %(group)s is not schedulable.") % {"group": str(group.key)}
    return " ".join((said, *_lacking(group)))


ATTEMPT_OF_GROUP = message("A node passes Filter, but the group %(group)s is not scheduled.")


def _lacking(group: GroupAttempt) -> tuple[str, ...]:
    """How many pods of the group have or find a node, and the first that finds none."""
    least = group.least or 1
    counted = ngettext(
        "%(found)s of %(least)s required pod has or finds a node.",
        "%(found)s of %(least)s required pods have or find a node.",
        least,
    ) % {"found": grouped(group.found), "least": grouped(least)}
    first = next(iter(group.refused), None)
    if first is None:
        return (counted,)
    blocking = _("%(pod)s finds none: %(message)s") % {"pod": first.pod, "message": first.refusal}
    return (counted, blocking)


# -- What is said beside a verdict ------------------------------------------------------------------------------------


NAMES_ITS_NODE: Final = gettext_lazy("spec.nodeName bypasses the scheduler; shown is what it would decide.")
HAS_ENDED: Final = gettext_lazy("The pod has ended; it is evaluated as if it were new.")
AS_OF_NOW: Final = gettext_lazy("Evaluated without the pod itself.")
BEING_DELETED: Final = gettext_lazy("The pod is being deleted.")


HAS_ROOM = message("Nominated to %(node)s, which has room now.")
OTHER_SCHEDULER = message("Scheduled by %(scheduler)s, which is not computed.")


ABSENT_NEIGHBOURS = plural(
    "%(pods)s counts for spreading or affinity, but its node is unknown.",
    "%(pods)s count for spreading or affinity, but their nodes are unknown.",
    by="number",
)


def sampled_best(explanation: Explanation) -> str:
    """Say that the scheduler may not have looked at the best of the feasible nodes; empty where it looks at all."""
    sampling, feasible = explanation.sampling, len(explanation.cycle.feasible)
    if sampling.complete or feasible <= sampling.wanted:
        return ""
    return SAMPLED(wanted=sampling.wanted, nodes=explanation.node_count)


# -- Whether the message that the cluster's own scheduler recorded agrees with the computed one -----------------------


CONDITION: Final = gettext_lazy("PodScheduled condition")
FITS_NOW: Final = gettext_lazy("Differs: the pod fits now. The cluster has changed since.")
OF_GATES: Final = gettext_lazy("Written for the scheduling gates.")
SAME: Final = gettext_lazy("The same.")
SAME_AS_FAR: Final = gettext_lazy("Agrees, as far as the event was kept.")
SAME_FOR_NODES: Final = gettext_lazy("Agrees about the nodes; preemption is worded otherwise.")
SAME_REASONS: Final = gettext_lazy("Agrees about the reasons, worded by an earlier scheduler.")
DIFFERS: Final = gettext_lazy("Differs: the cluster has changed since, or its data here is incomplete.")


def recorded(*, component: str, reason: str, message: str) -> str:
    """Quote what a component recorded about a pod; ``reason`` may be empty."""
    return f"{component} ({reason}): {message}" if reason else f"{component}: {message}"


def event(reason: str, component: str) -> str:
    """Name an event by its reason and by what reported it, either of which may be empty."""
    if not component:
        return reason or "Event"
    return _("%(reason)s by %(component)s") % {"reason": reason or "Event", "component": component}


# -- Which of several nodes with the highest total kube-scheduler takes -----------------------------------------------


def tie_sentence(explanation: Explanation) -> str:
    """Say how one of the best nodes is taken, and which where that is known; empty where there is one alone."""
    tie, minor = tie_of(explanation), explanation.snapshot.release.minor
    if tie is None:
        return ""
    if tie.by is TieBreak.RANDOM:
        return _("The scheduler picks one of them at random.")
    if tie.likely is None:
        return _("Kubernetes %(release)s takes the first of its search, whose start is unknown.") % {"release": minor}
    node = explanation.snapshot.nodes.names[tie.likely]
    if tie.is_start_known:
        return _("Kubernetes %(release)s nearly always takes %(node)s, the first of its search.") % {
            "release": minor,
            "node": node,
        }
    return _(
        "Kubernetes %(release)s takes the first of its search: %(node)s, if that goes by name from the first node on."
    ) % {"release": minor, "node": node}


# -- The verdict on a pod in one or two sentences ---------------------------------------------------------------------


# So many victims are named in a sentence, and so many nodes of one score.
_NAMED_VICTIMS: Final = 2
_NAMED_NODES: Final = 3


def verdict_sentence(explanation: Explanation) -> str:
    """Say on how many nodes a pod fits and which is the best, or why it fits on none."""
    if not explanation.node_count:
        return _("The cluster has no nodes here. Take the dump again with its nodes.")
    if explanation.error is not None:
        return " ".join((error_sentence(explanation.error), passing_sentence(explanation)))
    if explanation.group is not None and explanation.group.victims:
        return ngettext(
            "Fits by preemption with its group %(group)s, removing %(number)s pod: %(victims)s.",
            "Fits by preemption with its group %(group)s, removing %(number)s pods: %(victims)s.",
            len(explanation.group.victims),
        ) % {
            "group": str(explanation.group.key),
            "number": grouped(len(explanation.group.victims)),
            "victims": first_of(explanation.group.victims, most=_NAMED),
        }
    if explanation.blocking_group is not None:
        return blocked_by_group(explanation.blocking_group)
    if explanation.fits:
        return " ".join((_fits(explanation), *with_group(explanation.group)))
    selected = None if explanation.preemption is None else explanation.preemption.selected
    if selected is None:
        return _unschedulable(explanation)
    leaving = leaving_victims(explanation.snapshot, selected)
    said = (
        _preemption(explanation, selected),
        ngettext("%(pods)s is already terminating.", "%(pods)s are already terminating.", len(leaving))
        % {"pods": first_of(leaving, most=_NAMED_VICTIMS)}
        if leaving
        else "",
    )
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
    group = explanation.group
    if explanation.error is not None or (group is not None and group.verdict is GroupVerdict.ERROR):
        return str(states.SCHEDULER_ERROR)
    if explanation.conclusion is Conclusion.UNCERTAIN:
        return str(states.UNCERTAIN)
    if explanation.fits:
        return str(states.FITS)
    if group is not None and group.verdict is GroupVerdict.PREEMPTS:
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
    state, say = _state_in_queue(explanation), FITS_WITHOUT_GATES if gates else FITS_IN_QUEUE
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
    feasible, nodes = len(explanation.cycle.feasible), explanation.node_count
    is_only = feasible == 1 and not explanation.takes_nominated
    choice = WOULD_CHOOSE(node=explanation.best[0]) if is_only else best_sentence(explanation)
    if explanation.conclusion is Conclusion.UNCERTAIN:
        uncertain = uncertain_sentence(explanation.uncertainties)
        return " ".join((uncertain, _PASSES_ON(feasible=feasible, nodes=nodes), choice))
    return " ".join((_FITS_ON(feasible=feasible, nodes=nodes), choice))


_FITS_ON = plural("Fits on %(feasible)s of %(nodes)s node.", "Fits on %(feasible)s of %(nodes)s nodes.", by="nodes")


_PASSES_ON = plural(
    "It passes the computed filters on %(feasible)s of %(nodes)s node.",
    "It passes the computed filters on %(feasible)s of %(nodes)s nodes.",
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
    victims = counts.PODS(number=number) if number > _NAMED_VICTIMS else listed(selected.victims)
    return (_MAY_FIT if is_uncertain else _FITS)(victims=victims, node=selected.node)


_FITS = message("Fits by preemption: removing %(victims)s makes room on %(node)s.")
_MAY_FIT = message("May fit by preemption: removing %(victims)s makes room on %(node)s.")


def _without_preemption(explanation: Explanation) -> str:
    nodes = explanation.node_count
    return ngettext(
        "Without preemption 0 of %(nodes)s node fits. %(reasons)s.",
        "Without preemption 0 of %(nodes)s nodes fit. %(reasons)s.",
        nodes,
    ) % {"nodes": grouped(nodes), "reasons": begun(nodes_by_reason(reported_reasons(explanation)))}


# -- Scores in words --------------------------------------------------------------------------------------------------


def table_sentence(explanation: Explanation) -> str:
    """Say which of the scored nodes the scheduler takes."""
    if explanation.error is not None:
        return ended_in_error(explanation.error)
    if explanation.takes_nominated:
        return " ".join((nomination_sentence(explanation), _("These would be the totals.")))
    if len(explanation.cycle.feasible) == 1:
        return _("The only feasible node is taken without scoring; these would be its scores.")
    return best_sentence(explanation)


WOULD_CHOOSE = message("The scheduler would choose %(node)s.")
WOULD_CHOOSE_ONE = message("The scheduler would choose one of %(nodes)s.")


def ranked_first(explanation: Explanation) -> str:
    """Name the node that is taken, or nearly always is; the first of equals where any of them may be."""
    likely = likely_row(explanation)
    rows = explanation.cycle.choices if len(explanation.cycle.choices) else explanation.ranking()
    return explanation.snapshot.nodes.names[int(rows[0]) if likely is None else likely]


def rescored_sentence(explanation: Explanation) -> str:
    """Say which node the scheduler would take with other weights than those that are configured."""
    if not explanation.finds_node or explanation.takes_nominated or len(explanation.cycle.feasible) == 1:
        return table_sentence(explanation)
    uncertain = uncertain_sentence(explanation.uncertainties) if explanation.uncertainties else ""
    if len(explanation.best) == 1:
        said = WOULD_CHOOSE(node=explanation.best[0])
    else:
        nodes = first_of(explanation.best, most=_NAMED_NODES)
        said = " ".join((WOULD_CHOOSE_ONE(nodes=nodes), tie_sentence(explanation)))
    return f"{uncertain} {said}".strip()


def ended_in_error(error: CycleError) -> str:
    """Say what ends the attempt in an error, with the scheduler's own message."""
    return " ".join((error_sentence(error), _("It reports: %(message)s.") % {"message": error.message}))


NOT_SCORED = message("%(node)s is not scored: %(reasons)s.")
FITS_WITH = plural(
    "%(node)s is feasible, with %(points)s point.", "%(node)s is feasible, with %(points)s points.", by="points"
)
WITH_ITSELF = message("Choose another node than %(node)s.")
EQUAL_EVERYWHERE = plural(
    "Every plugin gives %(first)s and %(second)s the same: %(points)s point in all.",
    "Every plugin gives %(first)s and %(second)s the same: %(points)s points in all.",
    by="points",
)


def compared(first: str, second: str, points: int, parts: Sequence[tuple[str, int]]) -> str:
    """Say by how much one node is ahead of another, and by which plugins: pairs of plugin and points."""
    which = listed(PLUGIN_POINTS(points=signed(number), plugin=plugin) for plugin, number in parts)
    if not points:
        return _("%(first)s and %(second)s have the same total: %(plugins)s.") % {
            "first": first,
            "second": second,
            "plugins": which,
        }
    if points > 0:
        return ngettext(
            "%(first)s is %(points)s point ahead of %(second)s: %(plugins)s.",
            "%(first)s is %(points)s points ahead of %(second)s: %(plugins)s.",
            points,
        ) % {"first": first, "points": grouped(points), "second": second, "plugins": which}
    return ngettext(
        "%(first)s is %(points)s point behind %(second)s: %(plugins)s.",
        "%(first)s is %(points)s points behind %(second)s: %(plugins)s.",
        -points,
    ) % {"first": first, "points": grouped(-points), "second": second, "plugins": which}


PLUGIN_POINTS = message("%(points)s from %(plugin)s")


# -- How good the node of a pod that has one is, evaluated as of now --------------------------------------------------


def placement_sentence(explanation: Explanation, node: str, phase: str) -> str:
    """Say where a pod runs, and what the scheduler would decide now; ``phase`` is the pod's."""
    row = explanation.snapshot.nodes.index.get(node)
    if row is None:
        unknown = _("Bound to %(node)s, which is not known here.") % {"node": node}
        return " ".join((unknown, verdict_sentence(explanation)))
    total = explanation.total_of(row)
    if total is None:
        now = _("Scheduled now, it would not fit there:")
        return " ".join(
            (where_sentence(node, phase), now, rejection_sentence(explanation, row), verdict_sentence(explanation))
        )
    return " ".join((where_sentence(node, phase), _how_good(explanation, node, total)))


def where_sentence(node: str, phase: str) -> str:
    """Say on which node a pod runs or ran."""
    match phase:
        case "Running":
            return _("Runs on %(node)s.") % {"node": node}
        case "Succeeded" | "Failed":
            return _("Ran on %(node)s.") % {"node": node}
        case _never:
            return _("Scheduled to %(node)s.") % {"node": node}


def _how_good(explanation: Explanation, node: str, total: int) -> str:
    feasible = len(explanation.cycle.feasible)
    if feasible == 1:
        return ngettext(
            "It is the only one of %(nodes)s node that fits.",
            "It is the only one of %(nodes)s nodes that fits.",
            explanation.node_count,
        ) % {"nodes": grouped(explanation.node_count)}
    if node not in explanation.best:
        place = ngettext(
            "With %(points)s point it ranks %(rank)s of %(nodes)s feasible nodes.",
            "With %(points)s points it ranks %(rank)s of %(nodes)s feasible nodes.",
            total,
        ) % {"points": grouped(total), "rank": grouped(rank(explanation, total)), "nodes": grouped(feasible)}
        return place if explanation.error is not None else " ".join((place, best_sentence(explanation)))
    others = len(explanation.best) - 1
    if others:
        return ngettext(
            "Of %(nodes)s feasible nodes it shares the highest total with %(others)s other: %(points)s points.",
            "Of %(nodes)s feasible nodes it shares the highest total with %(others)s others: %(points)s points.",
            others,
        ) % {"nodes": grouped(feasible), "others": grouped(others), "points": grouped(total)}
    return ngettext(
        "It is the best of %(nodes)s feasible nodes: %(points)s point.",
        "It is the best of %(nodes)s feasible nodes: %(points)s points.",
        total,
    ) % {"nodes": grouped(feasible), "points": grouped(total)}
