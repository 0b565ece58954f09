"""What the journal says: of decisions, of the past, and of a decision evaluated again."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.wording import states
from clusters.wording.messages import message, plural

# By the values of Decision.Kind, Decision.Verdict and Decision.Reason.
KINDS: Final = {
    "bound": pgettext_lazy("decision", "Bound"),
    "unschedulable": states.UNSCHEDULABLE,
    "gated": states.GATED,
    "nominated": states.NOMINATED,
    "preempted": pgettext_lazy("decision", "Preempted"),
    "evicted": pgettext_lazy("decision", "Evicted"),
}
KINDS_ON_NODES: Final = {
    "bound": message("Bound to %(node)s"),
    "nominated": message("Nominated to %(node)s"),
    "preempted": message("Preempted on %(node)s"),
    "evicted": message("Evicted from %(node)s"),
}
VERDICTS: Final = {
    "waiting": pgettext_lazy("verdict", "Not judged yet"),
    "agrees": pgettext_lazy("verdict", "Agrees"),
    "sampled": pgettext_lazy("verdict", "Agrees within sampling"),
    "disagrees": pgettext_lazy("verdict", "Disagrees"),
    "unjudged": pgettext_lazy("verdict", "Not judged"),
}
REASONS: Final = {
    "infeasible": gettext_lazy("Chosen node rejects the pod"),
    "lower-score": gettext_lazy("Another node scores higher"),
    "fits": gettext_lazy("The pod fits"),
    "other-message": gettext_lazy("The message differs"),
    "snapshot-lag": gettext_lazy("State just before uncertain"),
    "extender": gettext_lazy("An extender takes part"),
    "other-scheduler": gettext_lazy("Another scheduler decided"),
    "unknown-plugin": gettext_lazy("Plugin not computed"),
    "other-release": gettext_lazy("Another Kubernetes minor"),
    "configuration": gettext_lazy("Scheduler configuration unreadable"),
    "gap": gettext_lazy("State just before not seen"),
    "error": gettext_lazy("Judging it failed"),
    "no-decision": gettext_lazy("Nothing to compare with"),
    "simulated": gettext_lazy("Recorded from a simulation"),
    "search": gettext_lazy("By where its search began"),
    "tie": gettext_lazy("One of several best nodes"),
}
NO_REASON: Final = gettext_lazy("No reason given")


DECISION: Final = pgettext_lazy("filter", "Decision")
VERDICT: Final = pgettext_lazy("filter", "Verdict of Berth")
REASON: Final = pgettext_lazy("filter", "Reason")
OBSERVED_FROM: Final = pgettext_lazy("filter", "Observed from")
OBSERVED_BEFORE: Final = pgettext_lazy("filter", "Observed before")
SEARCH_HINT: Final = gettext_lazy("Part of a name or message")
WORKLOAD_HINT: Final = gettext_lazy("Part of its name")


def kind(value: str, *, node: str) -> str:
    """Name a decision, with its node where it has one: `Bound to compute-a-01`."""
    if node and value in KINDS_ON_NODES:
        return KINDS_ON_NODES[value](node=node)
    return str(KINDS[value])


ATTEMPTS = plural("%(attempts)s attempt", "%(attempts)s attempts", by="attempts")


NODES: Final = gettext_lazy("Nodes")
TITLE: Final = gettext_lazy("Timeline")
# By the values of NodeChange.Kind.
CHANGES: Final = {
    "added": message("%(node)s was added"),
    "removed": message("%(node)s was removed"),
    "cordoned": message("%(node)s was cordoned"),
    "uncordoned": message("%(node)s was uncordoned"),
    "not-ready": message("%(node)s became NotReady"),
    "ready": message("%(node)s became Ready"),
    "pressure": message("%(node)s reports %(condition)s"),
    "relieved": message("%(node)s no longer reports %(condition)s"),
}
MARK = plural(
    "%(kind)s, %(start)s–%(end)s: %(count)s decision", "%(kind)s, %(start)s–%(end)s: %(count)s decisions", by="count"
)
SUMMARY = message("%(start)s to %(end)s: decisions %(count)s, changes of nodes %(changes)s.")


NODE: Final = pgettext_lazy("past", "Node")
GONE: Final = pgettext_lazy("past", "Gone")


POD_GONE = message("%(pod)s is gone from %(node)s.")
PENDING_POD_GONE = message("%(pod)s is gone; it was pending.")
NODE_GONE = message("%(node)s is gone.")
UNKNOWN_BEFORE = message("Removed pods are recorded since %(since)s.")
NEVER_RECORDED: Final = gettext_lazy("Changes are recorded only while Berth follows a live cluster.")


RECORDED: Final = pgettext_lazy("stretch", "as recorded")
PENDING: Final = pgettext_lazy("ending", "pending")
PREEMPTED: Final = pgettext_lazy("ending", "preempted")
ALIKE: Final = pgettext_lazy("decisions", "alike")
DIFFERS: Final = pgettext_lazy("decisions", "differs")
UNCERTAIN: Final = pgettext_lazy("decision", "uncertain")
SINCE: Final = gettext_lazy("From")
UNTIL: Final = gettext_lazy("Until")
ASSUMED: Final = gettext_lazy(
    "Pods that were deleted or finished go at that time, wherever they run. Victims go at once; those of the replay "
    "alone are not replaced. Ties go to the recorded node."
)
NONE_ELSEWHERE: Final = gettext_lazy("No pod is placed differently.")


REPLAY_SUMMARY = message(
    "Of %(pods)s pods, as recorded: %(same)s, on another node: %(elsewhere)s, pending only in the replay: %(there)s, "
    "only as recorded: %(here)s, preempted in one of both: %(others)s."
)
SHARE = message("Alike under the cluster's own configuration: %(alike)s of %(decisions)s decisions (%(percent)s %%).")
PREEMPTED_PODS = message("Preempted pods: %(here)s as recorded, %(there)s in the replay.")
# Pods that are left out, or of which less is known.
NOT_KEPT = message("Pods deleted while pending, left out, requests not kept: %(pods)s.")
OTHER_SCHEDULERS = message("Pods of other schedulers, left out, requests counted free: %(pods)s.")
WITHOUT_DECISION = message("Pods without recorded decision, left out, requests counted free: %(pods)s.")
NOT_COMPUTED = message("Pods left out, attempt not computed: %(pods)s.")
UNCERTAIN_PODS = message("Pods uncertain on their nodes: %(pods)s.")
CLAIMS = message("Pods with present claims, which may bind them to their nodes: %(pods)s.")
REPLAY_LATE = message("Pods that may have gone earlier than in the replay: %(pods)s.")
LOST = message("Pods on a removed node in the replay alone, gone with it: %(pods)s.")


# By the names that a document gives to what it dropped.
DROPPED: Final = {
    "examples": gettext_lazy("names of nodes and victims"),
    "groups": gettext_lazy("groups of nodes"),
    "reasons": gettext_lazy("reasons"),
    "message": gettext_lazy("messages"),
}


GROUPS_NOT_LISTED = message("Smaller groups that the journal does not list: %(groups)s (%(nodes)s).")
AND_MORE = message("and %(number)s more")
RESTRICTED: Final = gettext_lazy("PreFilter names the only nodes to filter.")
KEPT_STEPS: Final = gettext_lazy("The journal keeps these steps in short.")
WEIGHT = message("Weight %(weight)s.")
NO_NODE = plural("The %(nodes)s node did not fit.", "None of %(nodes)s nodes fitted.", by="nodes")
NODE_OF_ITS_TIME = message("%(node)s at that time")
ENDS_IN_ERROR = message("The attempt ends in an error.")
NOTHING_TO_COMPARE = message("With one feasible node the scheduler does not score.")
HIGHEST_TOTAL = plural(
    "%(tied)s node has the highest total, %(total)s.",
    "%(tied)s nodes have the highest total, %(total)s.",
    by="tied",
)
ERROR_OF = message("The attempt ends in an error of %(plugin)s.")
TAKES_NOMINATED: Final = gettext_lazy("The node of status.nominatedNodeName is tried first; others are not scored.")
PREEMPTION_NOT_TRIED: Final = gettext_lazy("Preemption is not tried.")
PREEMPTION_NOT_HELPFUL: Final = gettext_lazy("Preemption is not helpful on any node.")


MAKES_ROOM = plural(
    "Removing %(victims)s pod of lower priority from %(node)s makes room.",
    "Removing %(victims)s pods of lower priority from %(node)s makes room.",
    by="victims",
)
VIOLATIONS = message("Victims whose disruption budget it violates: %(victims)s.")
HELPS_ELSEWHERE = plural(
    "Preemption would also help on %(nodes)s other node.",
    "Preemption would also help on %(nodes)s other nodes.",
    by="nodes",
)
DROPPED_PARTS = message("Kept less than usual: fewer or shorter %(parts)s.")
