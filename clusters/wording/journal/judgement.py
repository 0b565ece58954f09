"""One decision in sentences: what the cluster decided, whether Berth agrees, and on which state it was judged."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from clusters.wording.amounts import grouped

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
    "snapshot-lag": gettext_lazy(
        "Not judged: changes that came at the same time leave it open which state the scheduler saw."
    ),
    "extender": gettext_lazy("Not judged: an extender takes part in it, and its answer cannot be known."),
    "other-scheduler": gettext_lazy(
        "Not judged: another scheduler decides about this pod, and its rules are not known."
    ),
    "unknown-plugin": gettext_lazy("Not judged: a plugin decides about it that Berth does not compute."),
    "other-release": gettext_lazy(
        "Not judged: the cluster runs another Kubernetes minor than the one whose scheduler Berth computes."
    ),
    "configuration": gettext_lazy("Not judged: the scheduler's configuration cannot be read."),
    "gap": gettext_lazy(
        "Not judged: Berth did not see the state just before, because it did not follow the cluster at that moment."
    ),
    "error": gettext_lazy(
        "Not judged: judging it failed, which is a defect of Berth. Please report what the watcher's log says of it."
    ),
    "no-decision": gettext_lazy(
        "Not judged: there is nothing to compare it with, as the scheduler's rules do not decide it."
    ),
    "simulated": gettext_lazy(
        "Not judged: it was recorded from a simulation, in which Berth itself decided, so no scheduler is compared."
    ),
}
# The same of what may excuse a disagreement.
QUALIFIED: Final = {
    "snapshot-lag": gettext_lazy(
        "So much changed at that time that not every state which the scheduler may have seen was tried."
    ),
    "extender": gettext_lazy("An extender takes part in it, and its answer cannot be known."),
    "unknown-plugin": gettext_lazy("A plugin decides about it that Berth does not compute."),
    "other-release": gettext_lazy(
        "The cluster runs another Kubernetes minor than the one whose scheduler Berth computes."
    ),
}
NOT_COMPARED: Final = gettext_lazy("Not judged: it could not be compared.")
WAITING: Final = gettext_lazy("Berth has not compared it with its own answer yet; that takes a moment.")
DISAGREES: Final = gettext_lazy("Berth disagrees.")
JUST_BEFORE: Final = gettext_lazy("Judged on the cluster's state just before the decision.")


# -- what the cluster decided ------------------------------------------------------------------------------------------


def bound(pod: str, node: str) -> str:
    """Say where the scheduler bound a pod."""
    return _("The scheduler bound %(pod)s to %(node)s.") % {"pod": pod, "node": node}


def unschedulable(pod: str, attempts: int) -> str:
    """Say that the scheduler found no node for a pod, and how often."""
    if attempts == 1:
        return _("The scheduler found no node for %(pod)s.") % {"pod": pod}
    return ngettext(
        "The scheduler found no node for %(pod)s, %(attempts)s time in a row.",
        "The scheduler found no node for %(pod)s, %(attempts)s times in a row.",
        attempts,
    ) % {"pod": pod, "attempts": grouped(attempts)}


def nominated(pod: str, node: str) -> str:
    """Say which node a pod is nominated to."""
    return _(
        "The scheduler nominated %(pod)s to %(node)s, where it waits for pods of lower priority to terminate or, from "
        "Kubernetes 1.35 on, for its volumes or devices to be bound."
    ) % {"pod": pod, "node": node}


def gated(pod: str) -> str:
    """Say that scheduling gates keep a pod out of the queue."""
    return _("SchedulingGated: scheduling gates keep %(pod)s out of the queue.") % {"pod": pod}


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


def evicted(pod: str, node: str) -> str:
    """Say from which node a pod was evicted."""
    return _("%(pod)s was evicted from %(node)s.") % {"pod": pod, "node": node}


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


def agrees_on_the_only_node(node: str, nodes: int) -> str:
    """Agree on the one node that is feasible."""
    return ngettext(
        "Berth agrees: the pod fits on 1 of %(nodes)s node, %(node)s.",
        "Berth agrees: the pod fits on 1 of %(nodes)s nodes, %(node)s.",
        nodes,
    ) % {"nodes": grouped(nodes), "node": node}


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


def agrees_on_the_nominated(node: str) -> str:
    """Agree on the node that the pod was nominated to."""
    return _(
        "Berth agrees: the pod was nominated to %(node)s, which has room now, so the other nodes are not scored."
    ) % {"node": node}


def disagrees_for_the_nominated() -> str:
    """Disagree, as the node that the pod was nominated to has room."""
    return _(
        "Berth disagrees: the pod was nominated to another node, which has room now, so the other nodes are not scored."
    )


def agrees_within_sampling(node: str, *, total: int, best: str, best_total: int, wanted: int) -> str:
    """Say that a better node may not have been looked at; ``wanted``: how many feasible nodes end the search."""
    return ngettext(
        "%(best)s has a higher total than %(node)s (%(best_total)s, not %(total)s). The scheduler stops looking after "
        "%(wanted)s feasible node, and %(node)s can be the best that such a search finds.",
        "%(best)s has a higher total than %(node)s (%(best_total)s, not %(total)s). The scheduler stops looking after "
        "%(wanted)s feasible nodes, and %(node)s can be the best that such a search finds.",
        wanted,
    ) % {
        "best": best,
        "node": node,
        "best_total": grouped(best_total),
        "total": grouped(total),
        "wanted": grouped(wanted),
    }


def disagrees_by_score(node: str, *, total: int, best: str, best_total: int) -> str:
    """Say that another node has a higher total than the chosen one."""
    return _("Berth disagrees: %(best)s has a higher total than %(node)s (%(best_total)s, not %(total)s).") % {
        "best": best,
        "node": node,
        "best_total": grouped(best_total),
        "total": grouped(total),
    }


def difference(best: str, points: str) -> str:
    """Say which plugins make the difference, as a list of points by plugin."""
    return _("%(best)s is ahead by %(points)s.") % {"best": best, "points": points}


def other_plugins(points: str) -> str:
    """Write what plugins that are not named make of a difference."""
    return _("%(points)s from other plugins") % {"points": points}


def node_rejects(node: str, reasons: str) -> str:
    """Disagree, as the chosen node rejects the pod; ``reasons`` may be empty."""
    if not reasons:
        return _("Berth disagrees: %(node)s rejects the pod.") % {"node": node}
    return _("Berth disagrees: %(node)s rejects the pod (%(reasons)s).") % {"node": node, "reasons": reasons}


def node_unknown(node: str) -> str:
    """Say that the chosen node is not in the state that the decision was judged on."""
    return _("Berth does not know %(node)s: the state that the decision was judged on has no such node.") % {
        "node": node
    }


def scoring_fails() -> str:
    """Disagree, as scoring ends in an error."""
    return _("Berth disagrees: scoring the nodes ends in an error, so the scheduler takes none.")


# -- a pod without a node ----------------------------------------------------------------------------------------------


def agrees_on_none(nodes: int) -> str:
    """Agree that no node fits, with the same message."""
    return ngettext(
        "Berth agrees: the pod fits on 0 of %(nodes)s node, for the same reasons, letter for letter.",
        "Berth agrees: the pod fits on 0 of %(nodes)s nodes, for the same reasons, letter for letter.",
        nodes,
    ) % {"nodes": grouped(nodes)}


def other_reasons() -> str:
    """Say that Berth finds no node either, and gives another message."""
    return _("Berth finds no node either, but for other reasons; the differences are marked below.")


def no_preemption_needed() -> str:
    """Disagree with a nomination, as the pod fits without one."""
    return _("Berth disagrees: the pod needs no preemption.")


def preemption_not_helpful(message: str) -> str:
    """Disagree with a nomination, as preemption helps nowhere; ``message`` is what the scheduler would report."""
    if not message:
        return _("Berth disagrees: preemption is not helpful on any node.")
    return _("Berth disagrees: preemption is not helpful on any node. The scheduler would report: %(message)s") % {
        "message": message
    }


def agrees_on_nomination(node: str, victims: int) -> str:
    """Agree that preemption on this node is preferred."""
    return ngettext(
        "Berth agrees: removing %(victims)s pod from %(node)s makes room, and no other node is preferred.",
        "Berth agrees: removing %(victims)s pods from %(node)s makes room, and no other node is preferred.",
        victims,
    ) % {"victims": grouped(victims), "node": node}


def refusal_within_sampling(nodes: int) -> str:
    """Say that a refusal names another node where preemption makes room, as it may."""
    return ngettext(
        "Berth finds no feasible node among %(nodes)s either, for the same reasons. Preemption tries only some of the "
        "nodes, from a random one on, and the scheduler names another one where it makes room.",
        "Berth finds no feasible node among %(nodes)s either, for the same reasons. Preemption tries only some of the "
        "nodes, from a random one on, and the scheduler names another one where it makes room.",
        nodes,
    ) % {"nodes": grouped(nodes)}


def nomination_within_sampling(node: str, *, best: str, victims: int, nodes: int) -> str:
    """Say that the preferred node may not have been tried; ``nodes``: on how many preemption helps."""
    return ngettext(
        "Berth prefers %(best)s, where removing %(victims)s pod makes room. The scheduler tries only some of the "
        "nodes, from a random one on, and %(node)s is among the %(nodes)s where preemption helps.",
        "Berth prefers %(best)s, where removing %(victims)s pods makes room. The scheduler tries only some of the "
        "nodes, from a random one on, and %(node)s is among the %(nodes)s where preemption helps.",
        victims,
    ) % {"best": best, "victims": grouped(victims), "node": node, "nodes": grouped(nodes)}


def nomination_infeasible(node: str, *, best: str, victims: int) -> str:
    """Disagree, as preemption does not help on the nominated node, but on another."""
    return ngettext(
        "Berth disagrees: preemption is not helpful on %(node)s, while removing %(victims)s pod from %(best)s makes "
        "room.",
        "Berth disagrees: preemption is not helpful on %(node)s, while removing %(victims)s pods from %(best)s makes "
        "room.",
        victims,
    ) % {"node": node, "victims": grouped(victims), "best": best}


def nomination_not_preferred(node: str, *, best: str, victims: int) -> str:
    """Disagree, as the scheduler prefers preemption on another node."""
    return ngettext(
        "Berth disagrees: removing %(victims)s pod from %(best)s makes room, which is preferred to %(node)s.",
        "Berth disagrees: removing %(victims)s pods from %(best)s makes room, which is preferred to %(node)s.",
        victims,
    ) % {"victims": grouped(victims), "best": best, "node": node}


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
    said.append(
        _(
            "The scheduler's own view can lag behind the cluster or run ahead of it that much; on the state just "
            "before, Berth's answer differs."
        )
    )
    return " ".join(said)
