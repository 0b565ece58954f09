"""Rollouts: how controllers update pods, and how a simulated update ends."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext_lazy

from clusters.wording.amounts import grouped
from clusters.wording.messages import message, plural

# By the kind of workload: why there is no rollout.
WITHOUT_ROLLOUT: Final = {
    "Job": gettext_lazy("The pods of a Job are never updated: another template means another Job."),
    "CronJob": gettext_lazy("The template of a CronJob is for later Jobs."),
    "ReplicaSet": gettext_lazy("A ReplicaSet updates no pods: a new template counts for pods that are created later."),
    "ReplicationController": gettext_lazy(
        "A ReplicationController updates no pods: a new template counts for pods that are created later."
    ),
    "Pod": gettext_lazy("This pod would not be recreated: it has no controller."),
    "Node": gettext_lazy("The kubelet creates these pods from files on its node."),
}
ON_DELETE: Final = gettext_lazy("OnDelete: each pod is replaced only after somebody deletes it.")
DEFAULTS_ASSUMED: Final = gettext_lazy("Its update strategy is not in the mirror; Kubernetes' defaults are assumed.")
BUDGETS_DO_NOT_BIND: Final = gettext_lazy("Disruption budgets do not limit a rollout.")
PAUSED: Final = gettext_lazy("The Deployment is paused: nothing happens until it is resumed.")

COMPLETES: Final = pgettext_lazy("outcome of a rollout", "Completes")
STALLS: Final = pgettext_lazy("outcome of a rollout", "Stalls")
NOT_COMPUTED: Final = pgettext_lazy("outcome of a rollout", "Not computed to its end")
ROUND_DONE: Final = pgettext_lazy("outcome of a round", "Done")
ROUND_STALLED: Final = pgettext_lazy("outcome of a round", "Stalled")

BY_WORKER: Final = gettext_lazy("A worker simulates the rollout; the page shows the result once it is there.")
NOTHING_TO_UPDATE: Final = gettext_lazy("There is nothing to update.")
ASSUMES: Final = gettext_lazy("Assumed: new pods pass all that is not computed.")
PENDING_AT_FIRST: Final = gettext_lazy("Some new pods are unschedulable until old ones are gone.")
REFUSED_AT_FIRST: Final = gettext_lazy("Some new pods are refused by the API server until old ones are gone.")
WOULD_PREEMPT: Final = gettext_lazy("It would preempt pods, which is not simulated here.")


UNKNOWN_KIND = message("How a %(kind)s updates its pods is known to its controller only.")
RECREATE = plural(
    "Recreate: the %(pods)s pod is deleted before the new one is created. None is available until that is ready.",
    "Recreate: all %(pods)s pods are deleted before new ones are created. None is available until these are ready.",
    by="pods",
)


def surge(*, max_surge: int | str, max_unavailable: int | str, pods: int, most: int, fewest: int) -> str:
    """Describe the strategy RollingUpdate of a Deployment."""
    return ngettext(
        "RollingUpdate with maxSurge %(max_surge)s and maxUnavailable %(max_unavailable)s: of %(pods)s pod never more "
        "than %(most)s at once, and never fewer than %(fewest)s available.",
        "RollingUpdate with maxSurge %(max_surge)s and maxUnavailable %(max_unavailable)s: of %(pods)s pods never more "
        "than %(most)s at once, and never fewer than %(fewest)s available.",
        pods,
    ) % {
        "max_surge": max_surge,
        "max_unavailable": max_unavailable,
        "pods": grouped(pods),
        "most": grouped(most),
        "fewest": grouped(fewest),
    }


def nodes_surge(*, max_surge: int | str, nodes: int) -> str:
    """Describe the strategy RollingUpdate of a DaemonSet whose new pods start beside the old ones."""
    return ngettext(
        "RollingUpdate with maxSurge %(max_surge)s: on at most %(nodes)s node at a time a new pod starts beside the "
        "old one, which is deleted once the new one is ready.",
        "RollingUpdate with maxSurge %(max_surge)s: on at most %(nodes)s nodes at a time a new pod starts beside the "
        "old one, which is deleted once the new one is ready.",
        nodes,
    ) % {"max_surge": max_surge, "nodes": grouped(nodes)}


def nodes_unavailable(*, max_unavailable: int | str, nodes: int, desired: int) -> str:
    """Describe the strategy RollingUpdate of a DaemonSet whose old pods are deleted first."""
    return ngettext(
        "RollingUpdate (maxUnavailable %(max_unavailable)s): on at most %(nodes)s node of %(desired)s at "
        "a time the old pod is deleted, then the new one created.",
        "RollingUpdate (maxUnavailable %(max_unavailable)s): on at most %(nodes)s nodes of %(desired)s "
        "at a time the old pod is deleted, then the new one created.",
        nodes,
    ) % {"max_unavailable": max_unavailable, "nodes": grouped(nodes), "desired": grouped(desired)}


def ordinals(*, at_once: int, partition: int, is_ordered: bool) -> str:
    """Describe the strategy RollingUpdate of a StatefulSet."""
    said = [
        ngettext(
            "RollingUpdate, %(pods)s pod at a time from the highest ordinal down: deleted, then created.",
            "RollingUpdate, %(pods)s pods at a time from the highest ordinal down: deleted, then created.",
            at_once,
        )
        % {"pods": grouped(at_once)}
    ]
    if partition:
        said.append(
            _("Pods below ordinal %(partition)s, the partition, are not updated.") % {"partition": grouped(partition)}
        )
    if is_ordered:
        said.append(_("OrderedReady: nothing goes on while any pod is not ready."))
    return " ".join(said)


ROUNDS = plural("%(number)s round", "%(number)s rounds", by="number")


def completes(rounds: str) -> str:
    """Say that a rollout completes."""
    return _("The rollout completes in %(rounds)s.") % {"rounds": rounds}


MEANWHILE = message("Meanwhile at most %(most)s at once, at worst %(fewest)s available.")
NOT_FOLLOWED = plural(
    "The first %(placed)s of %(wanted)s new pods is placed in %(rounds)s; the rest was not computed.",
    "The first %(placed)s of %(wanted)s new pods are placed in %(rounds)s; the rest was not computed.",
    by="placed",
)


def stalls(round_number: int) -> str:
    """Say in which round a rollout stalls."""
    return _("The rollout stalls in round %(round)s.") % {"round": grouped(round_number)}


DEADLINE_EXCEEDED = plural(
    "After %(seconds)s second without progress the Deployment's condition Progressing becomes False, "
    "ProgressDeadlineExceeded; nothing is rolled back.",
    "After %(seconds)s seconds without progress the Deployment's condition Progressing becomes False, "
    "ProgressDeadlineExceeded; nothing is rolled back.",
    by="seconds",
)
HELD_UP = message("%(pod)s is not ready, and an OrderedReady StatefulSet does nothing until it is.")
UNSCHEDULABLE = plural("%(pods)s new pod is unschedulable.", "%(pods)s new pods are unschedulable.", by="pods")
NOT_CREATED = plural(
    "%(pods)s new pod is not created: the API server refuses it.",
    "%(pods)s new pods are not created: the API server refuses them.",
    by="pods",
)
PENDING_AND_REFUSED = plural(
    "%(waiting)s, and %(uncreated)s not created", "%(waiting)s, and %(uncreated)s not created", by="uncreated"
)
UNSCHEDULABLE_ON = plural(
    "%(pods)s new pod is unschedulable on %(node)s.", "%(pods)s new pods are unschedulable on %(node)s.", by="pods"
)
OLD_REMAIN = plural("%(pods)s old pod remains.", "%(pods)s old pods remain.", by="pods")
NONE_REMAINS: Final = gettext_lazy("No old pod remains.")
REPLACED = message("%(pods)s of %(wanted)s are replaced by then.")
HIDDEN_ROUNDS = plural(
    "%(number)s round before the last not shown.", "%(number)s rounds before the last not shown.", by="number"
)
OLD_AND_NEW = message("%(old)s old, %(new)s new", context="pods of a rollout")
SKEW = message("%(skew)s, maxSkew %(max_skew)s")
