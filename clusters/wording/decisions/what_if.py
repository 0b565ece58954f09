"""What a change of a pod makes of its decision, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext

from clusters.engine.conclusion import Conclusion
from clusters.wording.amounts import grouped
from clusters.wording.attempts import error_sentence
from clusters.wording.conclusions import uncertain_sentence
from clusters.wording.decisions.verdict import gated_sentence
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine import Explanation

TAKE_CHANGE_BACK: Final = gettext_lazy("Take the change back, or begin with the pod as it is.")

# Whether the pod that exists may be changed so.
UPDATE_TAKEN: Final = gettext_lazy("The API server takes this change on the pod that exists.")
UPDATE_OF_A_PLACED_POD: Final = gettext_lazy(
    "The API server takes this change on the pod that exists, which has a node and is not scheduled anew."
)
UPDATE_REFUSED: Final = gettext_lazy(
    "The API server refuses this change on the pod that exists: it has to be deleted and created anew."
)

# What is wrong with an address that holds a what-if.
INCOMPLETE_TEXT: Final = gettext_lazy("The text in the address is incomplete or too long.")
DAMAGED_TEXT: Final = gettext_lazy("The text in the address is damaged.")
START_OVER: Final = gettext_lazy("Start from the pod as it is, or ask for the whole address.")


def update_refused(workload: str) -> str:
    """Say that a pod has to be recreated from its controller's template."""
    return _(
        "The API server refuses this change on the pod that exists: change the template of %(workload)s, so that the "
        "pod is recreated."
    ) % {"workload": workload}


REFUSED_FIELD = message("%(field)s: %(message)s")
MANY_CHANGES = plural(
    "The address names %(changes)s change; a what-if makes at most %(most)s.",
    "The address names %(changes)s changes; a what-if makes at most %(most)s.",
    by="changes",
)
UNKNOWN_CHANGE = message("The address names the change “%(change)s”, which does not exist.")
UNKNOWN_VERSION = message("The address names Kubernetes “%(version)s”, which is not known.")


def versions_alone(*, left: str, right: str) -> str:
    """Say that two sides differ in nothing but the version."""
    return _("The left side is Kubernetes %(left)s, the right one %(right)s; nothing else differs.") % {
        "left": left,
        "right": right,
    }


def versions(*, left: str, right: str) -> str:
    """Say that two sides differ in the version too."""
    return _("The left side is Kubernetes %(left)s, the right one %(right)s.") % {"left": left, "right": right}


def change_made_already(change: str) -> str:
    """Say that a change is listed more than once, and changes nothing the second time."""
    return _("The change “%(change)s” is listed more than once, and has no effect the second time.") % {
        "change": change
    }


WHAT_IFS_A_MINUTE = plural(
    "%(most)s what-if a minute is computed for each user.",
    "%(most)s what-ifs a minute are computed for each user.",
    by="most",
)
FITS_ON = message("fits on %(node)s")


def change_without_effect(change: str) -> str:
    """Say that a change of an address finds nothing to change."""
    return _("The change “%(change)s” changes nothing: the pod is no longer as it was, or never was.") % {
        "change": change
    }


def headline(left: Explanation, right: Explanation) -> str:
    """Say first what a change makes of a pod: on how many nodes it fits instead, and where it would be scheduled."""
    return " ".join(_headline(left, right))


def _headline(left: Explanation, right: Explanation) -> Iterator[str]:
    if not right.node_count:
        yield _("The cluster has no nodes here, so no change makes a difference.")
        return
    if right.error is not None:
        yield _("With this change the attempt ends in an error.")
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
            "With this change the pod fits on %(nodes)s node, as many as before but not the same.",
            "With this change the pod fits on %(nodes)s nodes, as many as before but not the same.",
            now,
        ) % {"nodes": grouped(now)}
    if now == before:
        return ngettext(
            "With this change the pod fits on %(nodes)s node, as before.",
            "With this change the pod fits on %(nodes)s nodes, as before.",
            now,
        ) % {"nodes": grouped(now)}
    return ngettext(
        "With this change the pod fits on %(nodes)s node instead of %(before)s.",
        "With this change the pod fits on %(nodes)s nodes instead of %(before)s.",
        now,
    ) % {"nodes": grouped(now), "before": grouped(before)}


def _fits_nowhere(left: Explanation, right: Explanation) -> str:
    before = len(left.cycle.feasible)
    selected = right.preemption.selected if right.preemption is not None else None
    if selected is not None:
        victims = len(selected.victims)
        return ngettext(
            "With this change the pod fits by preemption only, and on 0 nodes instead of %(before)s without it: "
            "removing %(victims)s pod from %(node)s makes room.",
            "With this change the pod fits by preemption only, and on 0 nodes instead of %(before)s without it: "
            "removing %(victims)s pods from %(node)s makes room.",
            victims,
        ) % {"before": grouped(before), "victims": grouped(victims), "node": selected.node}
    if left.fits:
        return ngettext(
            "With this change the pod is unschedulable: it fits on 0 nodes instead of %(before)s.",
            "With this change the pod is unschedulable: it fits on 0 nodes instead of %(before)s.",
            before,
        ) % {"before": grouped(before)}
    if left.preemption is not None and left.preemption.selected is not None:
        return _("With this change the pod is still unschedulable, and preemption is no longer helpful.")
    return _("With this change the pod is still unschedulable.")


def _destination(left: Explanation, right: Explanation) -> str:
    was, now = left.choices, right.choices
    if len(now) == 1:
        if was == now:
            return _("It would be scheduled to %(node)s all the same.") % {"node": now[0]}
        if len(was) == 1:
            return _("It would be scheduled to %(node)s instead of %(before)s.") % {"node": now[0], "before": was[0]}
        return _("It would be scheduled to %(node)s.") % {"node": now[0]}
    if len(was) == 1:
        return _(
            "It would be scheduled to one of %(nodes)s nodes with the same total, such as %(node)s, instead of "
            "%(before)s."
        ) % {"nodes": grouped(len(now)), "node": now[0], "before": was[0]}
    return _("It would be scheduled to one of %(nodes)s equal nodes, such as %(node)s.") % {
        "nodes": grouped(len(now)),
        "node": now[0],
    }


def feasible_of(explanation: Explanation) -> str:
    """Write how many of all nodes are feasible."""
    return ngettext("%(feasible)s of %(nodes)s node", "%(feasible)s of %(nodes)s nodes", explanation.node_count) % {
        "feasible": grouped(len(explanation.cycle.feasible)),
        "nodes": grouped(explanation.node_count),
    }


def best_nodes(explanation: Explanation) -> str:
    """Name the node that would be taken, and count those tied with it; empty where there is none."""
    best = explanation.choices
    if len(best) < 2:
        return "".join(best)
    return ngettext("%(node)s, tied with %(others)s other", "%(node)s, tied with %(others)s others", len(best) - 1) % {
        "node": best[0],
        "others": grouped(len(best) - 1),
    }
