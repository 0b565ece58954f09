"""One decision in sentences: what the cluster decided, whether Berth agrees, and on which state it was judged."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext_lazy

from clusters.wording.amounts import grouped
from clusters.wording.messages import message, plural

# By the values of Decision.Verdict, beside the head of a decision's page.
HEADLINES: Final = {
    "waiting": pgettext_lazy("verdict on a decision", "Not judged yet"),
    "agrees": pgettext_lazy("verdict on a decision", "Berth agrees"),
    "sampled": pgettext_lazy("verdict on a decision", "Berth agrees within sampling"),
    "disagrees": pgettext_lazy("verdict on a decision", "Berth disagrees"),
    "unjudged": pgettext_lazy("verdict on a decision", "Not judged"),
}
# By the values of Decision.Reason: why a decision is not judged.
UNJUDGED: Final = {
    "snapshot-lag": gettext_lazy("Not judged: simultaneous changes leave open which state the scheduler saw."),
    "extender": gettext_lazy("Not judged: an extender takes part in it, and its answer cannot be known."),
    "other-scheduler": gettext_lazy("Not judged: another scheduler decides."),
    "unknown-plugin": gettext_lazy("Not judged: a plugin decides that is not computed."),
    "other-release": gettext_lazy("Not judged: the cluster runs another Kubernetes minor."),
    "configuration": gettext_lazy("Not judged: the scheduler's configuration cannot be read."),
    "gap": gettext_lazy(
        "Not judged: Berth did not see the state just before, because it did not follow the cluster at that moment."
    ),
    "error": gettext_lazy(
        "Not judged: judging it failed, which is a defect of Berth. Please report what the watcher's log says of it."
    ),
    "no-decision": gettext_lazy("Not judged: the scheduler's rules do not decide it."),
    "simulated": gettext_lazy("Not judged: recorded from a simulation, in which Berth decided."),
}
# The same of what may excuse a disagreement.
QUALIFIED: Final = {
    "snapshot-lag": gettext_lazy(
        "So much changed at that time that not every state which the scheduler may have seen was tried."
    ),
    "extender": gettext_lazy("An extender takes part in it, and its answer cannot be known."),
    "unknown-plugin": gettext_lazy("A plugin decides about it that Berth does not compute."),
    "other-release": gettext_lazy("The cluster runs another Kubernetes minor."),
}
NOT_COMPARED: Final = gettext_lazy("Not judged: it could not be compared.")
WAITING: Final = gettext_lazy("Berth has not compared it with its own answer yet; that takes a moment.")
DISAGREES: Final = gettext_lazy("Berth disagrees.")
JUST_BEFORE: Final = gettext_lazy("Judged on the cluster's state just before the decision.")


# -- what the cluster decided ------------------------------------------------------------------------------------------


BOUND = message("The scheduler bound %(pod)s to %(node)s.")


def unschedulable(pod: str, attempts: int) -> str:
    """Say that the scheduler found no node for a pod, and how often."""
    if attempts == 1:
        return _("The scheduler found no node for %(pod)s.") % {"pod": pod}
    return ngettext(
        "The scheduler found no node for %(pod)s, %(attempts)s time in a row.",
        "The scheduler found no node for %(pod)s, %(attempts)s times in a row.",
        attempts,
    ) % {"pod": pod, "attempts": grouped(attempts)}


NOMINATED = message(
    "The scheduler nominated %(pod)s to %(node)s, where it waits for pods of lower priority to terminate or, from "
    "Kubernetes 1.35 on, for its volumes or devices to be bound."
)
GATED = message("SchedulingGated: scheduling gates keep %(pod)s out of the queue.")


def preempted(pod: str, node: str, *, by: str, uid: str) -> str:
    """Say for which pod one was removed: by namespace and name, else by UID, else for another."""
    if by:
        return _("%(pod)s was preempted on %(node)s to make room for %(preemptor)s.") % {
            "pod": pod,
            "node": node,
            "preemptor": by,
        }
    if uid:
        return _("%(pod)s was preempted on %(node)s to make room for the pod with UID %(uid)s.") % {
            "pod": pod,
            "node": node,
            "uid": uid,
        }
    return _("%(pod)s was preempted on %(node)s to make room for another pod.") % {"pod": pod, "node": node}


EVICTED = message("%(pod)s was evicted from %(node)s.")


# -- where the pod fits ------------------------------------------------------------------------------------------------


def fits_on(feasible: int, nodes: int) -> str:
    """Say on how many nodes the pod fits."""
    return ngettext(
        "The pod fits on %(feasible)s of %(nodes)s node.", "The pod fits on %(feasible)s of %(nodes)s nodes.", nodes
    ) % {"feasible": grouped(feasible), "nodes": grouped(nodes)}


def passes_on(feasible: int, nodes: int) -> str:
    """Say on how many nodes the pod passes what is computed, where something is not."""
    return ngettext(
        "The pod passes all computed filters on %(feasible)s of %(nodes)s node.",
        "The pod passes all computed filters on %(feasible)s of %(nodes)s nodes.",
        nodes,
    ) % {"feasible": grouped(feasible), "nodes": grouped(nodes)}


def best(node: str, *, total: int, tied: int) -> str:
    """Name the node with the highest total; ``tied`` nodes have that total too."""
    values = {"node": node, "total": grouped(total), "others": grouped(tied)}
    if not tied:
        return _("The highest total is %(total)s, of %(node)s.") % {"node": node, "total": grouped(total)}
    return (
        ngettext(
            "The highest total is %(total)s, of %(node)s and %(others)s other node.",
            "The highest total is %(total)s, of %(node)s and %(others)s other nodes.",
            tied,
        )
        % values
    )


# -- a pod that was bound ----------------------------------------------------------------------------------------------


AGREES_ON_THE_ONLY_NODE = plural(
    "Berth agrees: the pod fits on 1 of %(nodes)s node, %(node)s.",
    "Berth agrees: the pod fits on 1 of %(nodes)s nodes, %(node)s.",
    by="nodes",
)


def agrees_on_the_best(node: str, *, feasible: int, total: int, tied: int) -> str:
    """Agree on a node with the highest total; ``tied`` other nodes have that total too."""
    values = {"feasible": grouped(feasible), "node": node, "total": grouped(total)}
    if not tied:
        return (
            _("Berth agrees: of the %(feasible)s feasible nodes, %(node)s has the highest total, %(total)s.") % values
        )
    return ngettext(
        "Berth agrees: of the %(feasible)s feasible nodes, %(node)s and %(others)s other have the highest total, "
        "%(total)s.",
        "Berth agrees: of the %(feasible)s feasible nodes, %(node)s and %(others)s others have the highest total, "
        "%(total)s.",
        tied,
    ) % {"feasible": grouped(feasible), "node": node, "others": grouped(tied), "total": grouped(total)}


AGREES_ON_THE_NOMINATED = message("Berth agrees: the pod was nominated to %(node)s, which has room.")
DISAGREES_FOR_THE_NOMINATED: Final = gettext_lazy(
    "Berth disagrees: the pod was nominated to another node, which has room."
)
AGREES_WITHIN_SAMPLING = plural(
    "%(best)s has a higher total than %(node)s (%(best_total)s, not %(total)s). The scheduler stops looking after "
    "%(wanted)s feasible node, and %(node)s can be the best that such a search finds.",
    "%(best)s has a higher total than %(node)s (%(best_total)s, not %(total)s). The scheduler stops looking after "
    "%(wanted)s feasible nodes, and %(node)s can be the best that such a search finds.",
    by="wanted",
)
DISAGREES_BY_SCORE = message(
    "Berth disagrees: %(best)s has a higher total than %(node)s (%(best_total)s, not %(total)s)."
)
DIFFERENCE = message("%(best)s is ahead by %(points)s.")
OTHER_PLUGINS = message("%(points)s from other plugins")


def node_rejects(node: str, reasons: str) -> str:
    """Disagree, as the chosen node rejects the pod; ``reasons`` may be empty."""
    if not reasons:
        return _("Berth disagrees: %(node)s rejects the pod.") % {"node": node}
    return _("Berth disagrees: %(node)s rejects the pod (%(reasons)s).") % {"node": node, "reasons": reasons}


NODE_UNKNOWN = message("Berth does not know %(node)s: the state that the decision was judged on has no such node.")
SCORING_FAILS: Final = gettext_lazy("Berth disagrees: scoring the nodes ends in an error, so the scheduler takes none.")


# -- a pod without a node ----------------------------------------------------------------------------------------------


AGREES_ON_NONE = plural(
    "Berth agrees: the pod fits on 0 of %(nodes)s node, for the same reasons, letter for letter.",
    "Berth agrees: the pod fits on 0 of %(nodes)s nodes, for the same reasons, letter for letter.",
    by="nodes",
)
OTHER_REASONS: Final = gettext_lazy("Berth finds no node either, for other reasons, marked below.")
NO_PREEMPTION_NEEDED: Final = gettext_lazy("Berth disagrees: the pod needs no preemption.")


def preemption_not_helpful(message: str) -> str:
    """Disagree with a nomination, as preemption helps nowhere; ``message`` is what the scheduler would report."""
    if not message:
        return _("Berth disagrees: preemption is not helpful on any node.")
    return _("Berth disagrees: preemption is not helpful on any node. The scheduler would report: %(message)s") % {
        "message": message
    }


AGREES_ON_NOMINATION = plural(
    "Berth agrees: removing %(victims)s pod from %(node)s makes room, and no other node is preferred.",
    "Berth agrees: removing %(victims)s pods from %(node)s makes room, and no other node is preferred.",
    by="victims",
)
REFUSAL_WITHIN_SAMPLING = plural(
    "Berth finds no feasible node among %(nodes)s either, for the same reasons. Preemption tries only some of the "
    "nodes, from a random one on, and the scheduler names another one where it makes room.",
    "Berth finds no feasible node among %(nodes)s either, for the same reasons. Preemption tries only some of the "
    "nodes, from a random one on, and the scheduler names another one where it makes room.",
    by="nodes",
)
NOMINATION_WITHIN_SAMPLING = plural(
    "Berth prefers %(best)s, where removing %(victims)s pod makes room. The scheduler tries only some of the "
    "nodes, from a random one on, and %(node)s is among the %(nodes)s where preemption helps.",
    "Berth prefers %(best)s, where removing %(victims)s pods makes room. The scheduler tries only some of the "
    "nodes, from a random one on, and %(node)s is among the %(nodes)s where preemption helps.",
    by="victims",
)
NOMINATION_INFEASIBLE = plural(
    "Berth disagrees: preemption is not helpful on %(node)s, while removing %(victims)s pod from %(best)s makes room.",
    "Berth disagrees: preemption is not helpful on %(node)s, while removing %(victims)s pods from %(best)s makes room.",
    by="victims",
)
NOMINATION_NOT_PREFERRED = plural(
    "Berth disagrees: removing %(victims)s pod from %(best)s makes room, which is preferred to %(node)s.",
    "Berth disagrees: removing %(victims)s pods from %(best)s makes room, which is preferred to %(node)s.",
    by="victims",
)


# -- on which state ----------------------------------------------------------------------------------------------------


def on_nearby_state(*, behind: int, ahead: int, milliseconds: int) -> str:
    """Say how far the state that agrees is from the one just before the decision."""
    said = [
        _("Judged on a nearby state, %(milliseconds)s ms from the one just before the decision.")
        % {"milliseconds": grouped(milliseconds)}
    ]
    if behind:
        said.append(
            ngettext(
                "It lacks the last %(changes)s change before the decision.",
                "It lacks the last %(changes)s changes before the decision.",
                behind,
            )
            % {"changes": grouped(behind)}
        )
    if ahead:
        said.append(
            ngettext(
                "It holds %(changes)s change from after the decision.",
                "It holds %(changes)s changes from after the decision.",
                ahead,
            )
            % {"changes": grouped(ahead)}
        )
    said.append(_("The scheduler's view may lag or lead by that much; on the state just before, the answer differs."))
    return " ".join(said)
