"""What a change of a pod makes of its decision, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext

from clusters.engine.conclusion import Conclusion
from clusters.wording.amounts import grouped
from clusters.wording.conclusions import error_sentence, uncertain_sentence
from clusters.wording.decisions.verdict import gated_sentence
from clusters.wording.messages import message, plural
from clusters.wording.pod_groups import attempt_sentence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine import Explanation

TAKE_CHANGE_BACK: Final = gettext_lazy("Undo the change, or start over.")

# Whether the pod that exists may be changed so.
UPDATE_TAKEN: Final = gettext_lazy("The API server accepts this update of the pod.")
UPDATE_OF_A_PLACED_POD: Final = gettext_lazy("The API server accepts this update, but the pod keeps its node.")
UPDATE_REFUSED: Final = gettext_lazy("The API server refuses this update: recreate the pod.")

# What is wrong with an address that holds a what-if.
INCOMPLETE_TEXT: Final = gettext_lazy("The text in the address is incomplete or damaged.")
START_OVER: Final = gettext_lazy("Start over, or ask for the whole address.")


UPDATE_REFUSED_OF_WORKLOAD = message("The API server refuses this update: change the template of %(workload)s.")
MANY_CHANGES = plural(
    "%(changes)s change is too many: at most %(most)s.",
    "%(changes)s changes are too many: at most %(most)s.",
    by="changes",
)
UNKNOWN_CHANGE = message("There is no change “%(change)s”.")
UNKNOWN_VERSION = message("Kubernetes “%(version)s” is not known.")


VERSIONS = message("Left: Kubernetes %(left)s; right: %(right)s.")
CHANGE_MADE_ALREADY = message("“%(change)s” is listed twice.")
CHANGE_WITHOUT_EFFECT = message("“%(change)s” changes nothing about the pod as it is now.")
FITS_ON = message("fits on %(node)s")


def headline(left: Explanation, right: Explanation) -> str:
    """Say first what a change makes of a pod: on how many nodes it fits instead, and where it would be scheduled."""
    return " ".join(_headline(left, right))


def _headline(left: Explanation, right: Explanation) -> Iterator[str]:
    if not right.node_count:
        yield _("Without nodes no change makes a difference.")
        return
    if right.error is not None:
        yield _("The attempt ends in an error.")
        yield error_sentence(right.error)
    elif not right.fits:
        yield _fits_nowhere(left, right)
    else:
        if right.conclusion is Conclusion.UNCERTAIN:
            yield uncertain_sentence(right.uncertainties)
        yield _fits(left, right)
        yield _destination(left, right)
    if not right.gates.ok:
        yield gated_sentence(right)


def _fits(left: Explanation, right: Explanation) -> str:
    now, before = len(right.cycle.feasible), len(left.cycle.feasible)
    if now == before and set(left.feasible) != set(right.feasible):
        return ngettext(
            "It fits on %(nodes)s node, as many as before but not the same ones.",
            "It fits on %(nodes)s nodes, as many as before but not the same ones.",
            now,
        ) % {"nodes": grouped(now)}
    if now == before:
        return ngettext(
            "It fits on %(nodes)s node, as before.",
            "It fits on %(nodes)s nodes, as before.",
            now,
        ) % {"nodes": grouped(now)}
    return ngettext(
        "It fits on %(nodes)s node instead of %(before)s.",
        "It fits on %(nodes)s nodes instead of %(before)s.",
        now,
    ) % {"nodes": grouped(now), "before": grouped(before)}


def _fits_nowhere(left: Explanation, right: Explanation) -> str:
    before = len(left.cycle.feasible)
    selected = right.preemption.selected if right.preemption is not None else None
    if selected is not None:
        victims = len(selected.victims)
        return ngettext(
            "It fits by preemption only, on 0 nodes instead of %(before)s without it: removing "
            "%(victims)s pod from %(node)s makes room.",
            "It fits by preemption only, on 0 nodes instead of %(before)s without it: removing "
            "%(victims)s pods from %(node)s makes room.",
            victims,
        ) % {"before": grouped(before), "victims": grouped(victims), "node": selected.node}
    if right.group is not None and right.group.victims:
        return attempt_sentence(right.group)
    if left.fits:
        return ngettext(
            "It becomes unschedulable: 0 nodes instead of %(before)s.",
            "It becomes unschedulable: 0 nodes instead of %(before)s.",
            before,
        ) % {"before": grouped(before)}
    preempted = left.group is not None and left.group.victims
    if preempted or (left.preemption is not None and left.preemption.selected is not None):
        return _("It is still unschedulable, and preemption is no longer helpful.")
    return _("It is still unschedulable.")


def _destination(left: Explanation, right: Explanation) -> str:
    was, now = left.choices, right.choices
    if len(now) == 1:
        if was == now:
            return _("It would get %(node)s all the same.") % {"node": now[0]}
        return _("It would get %(node)s.") % {"node": now[0]}
    return _("It would get one of %(nodes)s equal nodes, such as %(node)s.") % {
        "nodes": grouped(len(now)),
        "node": now[0],
    }


FEASIBLE_OF = plural("%(feasible)s of %(nodes)s node", "%(feasible)s of %(nodes)s nodes", by="nodes")


def best_nodes(explanation: Explanation) -> str:
    """Name the node that would be taken, and count those tied with it; empty where there is none."""
    best = explanation.choices
    if len(best) < 2:
        return "".join(best)
    return ngettext("%(node)s, tied with %(others)s other", "%(node)s, tied with %(others)s others", len(best) - 1) % {
        "node": best[0],
        "others": grouped(len(best) - 1),
    }
