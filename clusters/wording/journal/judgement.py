"""One decision in sentences: what the cluster decided, why Berth agrees or not, and on which state it was judged."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.wording.messages import message, plural

# By the values of Decision.Verdict, beside the head of a decision's page.
HEADLINES: Final = {
    "waiting": pgettext_lazy("verdict", "Not judged yet"),
    "agrees": pgettext_lazy("verdict", "Berth agrees"),
    "sampled": pgettext_lazy("verdict", "Berth agrees within sampling"),
    "disagrees": pgettext_lazy("verdict", "Berth disagrees"),
    "unjudged": pgettext_lazy("verdict", "Not judged"),
}
_EXTENDER: Final = gettext_lazy("An extender takes part; its answer cannot be known.")
_UNKNOWN_PLUGIN: Final = gettext_lazy("A plugin that Berth does not compute takes part.")
_OTHER_RELEASE: Final = gettext_lazy("The cluster runs another Kubernetes minor.")
# By the values of Decision.Reason: why a decision is not judged.
UNJUDGED: Final = {
    "snapshot-lag": gettext_lazy("Simultaneous changes leave open which state the scheduler saw."),
    "extender": _EXTENDER,
    "other-scheduler": gettext_lazy("Another scheduler decides."),
    "unknown-plugin": _UNKNOWN_PLUGIN,
    "other-release": _OTHER_RELEASE,
    "configuration": gettext_lazy("The scheduler's configuration cannot be read."),
    "gap": gettext_lazy("Berth did not follow the cluster at that moment."),
    "error": gettext_lazy("Judging failed, a defect of Berth: please report the watcher's log."),
    "no-decision": gettext_lazy("The scheduler's rules do not decide it."),
    "simulated": gettext_lazy("This day is simulated."),
}
# The same of what may excuse a disagreement.
QUALIFIED: Final = {
    "snapshot-lag": gettext_lazy("Not every state that the scheduler may have seen was tried."),
    "extender": _EXTENDER,
    "unknown-plugin": _UNKNOWN_PLUGIN,
    "other-release": _OTHER_RELEASE,
}
NOT_COMPARED: Final = gettext_lazy("It could not be compared.")
WAITING: Final = gettext_lazy("Berth compares it in a moment.")

# -- on which state ----------------------------------------------------------------------------------------------------
JUST_BEFORE: Final = gettext_lazy("Judged on the state just before.")
NEARBY = message(
    "Judged on a state %(milliseconds)s ms from the one just before, where the answer differs: %(behind)s changes "
    "fewer, %(ahead)s more."
)

# -- what the cluster decided ------------------------------------------------------------------------------------------
BOUND = message("The scheduler bound %(pod)s to %(node)s.")
UNSCHEDULABLE = message("The scheduler found no node for %(pod)s.")
UNSCHEDULABLE_AGAIN = message("The scheduler found no node for %(pod)s, %(attempts)s times in a row.")
NOMINATED = message(
    "The scheduler nominated %(pod)s to %(node)s, where it waits for victims or, from Kubernetes 1.35 on, for volumes "
    "or devices."
)
GATED = message("Scheduling gates keep %(pod)s out of the queue.")
PREEMPTED = message("%(pod)s was preempted on %(node)s.")
PREEMPTED_FOR = message("%(pod)s was preempted on %(node)s for %(preemptor)s.")
EVICTED = message("%(pod)s was evicted from %(node)s.")

# -- where the pod fits ------------------------------------------------------------------------------------------------
FITS_ON = plural(
    "The pod fits on %(feasible)s of %(nodes)s node.", "The pod fits on %(feasible)s of %(nodes)s nodes.", by="nodes"
)
# Where something is not computed.
PASSES_ON = plural(
    "The pod passes all computed filters on %(feasible)s of %(nodes)s node.",
    "The pod passes all computed filters on %(feasible)s of %(nodes)s nodes.",
    by="nodes",
)
BEST = message("The highest total is %(total)s, of %(node)s.")
BEST_OF_SEVERAL = message("The highest total is %(total)s, of %(node)s and %(others)s others.")

# -- a pod that was bound ----------------------------------------------------------------------------------------------
ONLY_NODE = plural(
    "The pod fits on no other of %(nodes)s node.", "The pod fits on no other of %(nodes)s nodes.", by="nodes"
)
NOMINATED_HAS_ROOM = message("The pod was nominated to %(node)s, which has room.")
ANOTHER_NOMINATED: Final = gettext_lazy("The pod was nominated to another node, which has room.")
WITHIN_SAMPLING = message("The search ends after %(wanted)s feasible nodes, of which %(node)s can be the best.")
BY_SEARCH = message("By where earlier searches ended, %(node)s is the best of the %(wanted)s found.")
SCORES_LOWER = message("%(best)s has a higher total than %(node)s (%(best_total)s, not %(total)s).")
DIFFERENCE = message("%(best)s is ahead by %(points)s.")
OTHER_PLUGINS = message("%(points)s from other plugins")
NODE_REJECTS = message("%(node)s rejects the pod.")
NODE_UNKNOWN = message("The state it was judged on has no node %(node)s.")
SCORING_FAILS: Final = gettext_lazy("Scoring ends in an error, so no node is chosen.")

# -- a pod without a node ----------------------------------------------------------------------------------------------
SAME_MESSAGE = plural(
    "The pod fits on 0 of %(nodes)s node, with the same message.",
    "The pod fits on 0 of %(nodes)s nodes, with the same message.",
    by="nodes",
)
OTHER_REASONS: Final = gettext_lazy("Berth finds no node either, for other reasons, marked below.")
NO_PREEMPTION_NEEDED: Final = gettext_lazy("The pod needs no preemption.")
PREEMPTION_NOT_HELPFUL = message("Preemption is not helpful on any node. %(message)s")
NOMINATION_AGREES = message("Removing pods from %(node)s makes room (%(victims)s); no other node is preferred.")
REFUSAL_WITHIN_SAMPLING = message(
    "The pod fits on 0 of %(nodes)s nodes, for the same reasons. Preemption tries some nodes, from a random one on; "
    "the scheduler names another."
)
NOMINATION_WITHIN_SAMPLING = message(
    "%(best)s is preferred (victims: %(victims)s). Preemption tries some nodes, from a random one on; %(node)s is "
    "among the %(nodes)s where it helps."
)
NOMINATION_INFEASIBLE = message(
    "Preemption is not helpful on %(node)s; removing pods from %(best)s makes room (%(victims)s)."
)
NOMINATION_NOT_PREFERRED = message("%(best)s is preferred to %(node)s (victims: %(victims)s).")

# -- which nodes the search looked at, as far as the decisions before it tell ------------------------------------------
FROM_ANYWHERE: Final = gettext_lazy("Where its search began is not known: too few earlier decisions were observed.")
IN_NO_PROVED_ORDER: Final = gettext_lazy(
    "Where its search began is not known: earlier decisions do not prove the order of nodes."
)
FROM_ELSEWHERE = message(
    "By earlier decisions its search began in %(places)s of %(nodes)s places, from which this choice was not to be "
    "expected. Decisions may have been missed or reordered."
)
BEGAN_AT = message("Its search began at %(node)s.")
BEGAN_BETWEEN = message(
    "By earlier decisions its search began in one of %(places)s of %(nodes)s places, %(first)s to %(last)s."
)
LOOKED_AT = message("It looked at %(likely)s of %(nodes)s nodes.")
LOOKED_AT_LIKELY = message("It most likely looked at %(likely)s of %(nodes)s nodes, at most %(possibly)s.")


WHOLE_JOURNAL = message("whole journal")
HOURS = message("%(hours)s h")
AGREES = message("Agrees (%(window)s)")
JUDGED = message("Judged (%(window)s)")
RATE = plural(
    "Agrees with the scheduler: %(rate)s of %(decisions)s decision (%(window)s).",
    "Agrees with the scheduler: %(rate)s of %(decisions)s decisions (%(window)s).",
    by="decisions",
)
NONE_JUDGED = message("No rate: no decision judged (%(window)s); observed: %(decisions)s.")
PLACES = message(
    "Of the latest %(decisions)s decisions that agree by where their search began, half left at most %(share)s of all "
    "places for its begin."
)
