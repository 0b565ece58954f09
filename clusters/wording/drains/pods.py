"""What becomes of one pod in a drain: the answer to its eviction, its replacement, and why it blocks its node."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy, pgettext, pgettext_lazy

from clusters.engine.disruption import EvictionAnswer, Flag, Ground, Handling, Landing, Treatment
from clusters.wording import states
from clusters.wording.amounts import grouped
from clusters.wording.conclusions import uncertain_sentence
from clusters.wording.messages import message, plural

EMPTY_DIR_LOST: Final = pgettext_lazy("note on an eviction", "emptyDir lost")
NOT_RECREATED: Final = pgettext_lazy("note on an eviction", "Not recreated")
MOVES_AGAIN: Final = pgettext_lazy("note on an eviction", "Evicted again")
IS_NOT_RECREATED: Final = gettext_lazy("Not recreated: it has no controller.")
ALREADY_REPLACED: Final = gettext_lazy("Its replacement exists already.")
NO_REPLACEMENT: Final = gettext_lazy("Needs no replacement.")
NOT_BEGUN: Final = gettext_lazy("kubectl drain does not begin, because other pods of the node need a flag.")
STAYS: Final = {
    Treatment.DAEMON_SET: gettext_lazy("Stays: its DaemonSet would recreate it at once."),
    Treatment.STATIC: gettext_lazy("Stays: a static pod, which the kubelet runs from a file."),
}


def eviction_answer(code: int) -> str:
    """Name an answer of the Eviction API."""
    match code:
        case 200:
            return pgettext("answer to an eviction", "Allowed (200)")
        case 429:
            return pgettext("answer to an eviction", "Refused by a budget (429)")
        case 500:
            return pgettext("answer to an eviction", "Misconfigured (500)")
        case _:
            return pgettext("answer to an eviction", "Refused (%(code)s)") % {"code": code}


def replacement_gated() -> str:
    """Say that a scheduling gate keeps the replacement out of the queue."""
    return _("Its replacement is %(state)s.") % {"state": states.GATED}


def ground(answer: EvictionAnswer, namespace: str) -> str:
    """Say what an answer of the Eviction API rests on."""
    budget = "/".join((namespace, answer.budgets[0])) if answer.budgets else ""
    match answer.ground:
        case Ground.FINISHED:
            return _("The pod has finished.")
        case Ground.STARTING:
            return _("The pod has not started.")
        case Ground.TERMINATING:
            return _("The pod is terminating already.")
        case Ground.NO_BUDGET:
            return _("No budget selects the pod.")
        case Ground.UNHEALTHY_ALLOWED:
            return _("The pod is not ready, and %(budget)s always allows the eviction of such pods.") % {
                "budget": budget
            }
        case Ground.UNHEALTHY_SPARED:
            return _("The pod is not ready, and %(budget)s has enough healthy pods.") % {"budget": budget}
        case Ground.WITHIN_BUDGET:
            return _("Charged to %(budget)s.") % {"budget": budget}
        case Ground.NOT_OBSERVED:
            return _("The spec of %(budget)s has not been observed yet.") % {"budget": budget}
        case Ground.EXHAUSTED:
            return _("%(budget)s allows 0 disruptions.") % {"budget": budget}
        case Ground.OVERFULL:
            return _("%(budget)s has too many unconfirmed evictions.") % {"budget": budget}
        case Ground.NEGATIVE:
            return _("The status of %(budget)s is negative.") % {"budget": budget}
        case Ground.SEVERAL_BUDGETS:
            return _("Several budgets select the pod.")


def refused(answer: EvictionAnswer) -> str:
    """Return the API server's own words."""
    return " ".join(filter(None, (answer.message, answer.detail)))


def at_request(number: int) -> str:
    """Say at which request for its eviction a pod is evicted; empty where it is the first."""
    return "" if number == 1 else _("Allowed at request %(number)s.") % {"number": grouped(number)}


def landing(replacement: Landing) -> str:
    """Say how a replacement's node is chosen."""
    values = {"best": grouped(replacement.best), "nodes": grouped(replacement.feasible)}
    if replacement.feasible == 1:
        said = _("The only feasible node.")
    elif replacement.best == 1:
        said = _("The best of %(nodes)s feasible nodes.") % {"nodes": grouped(replacement.feasible)}
    else:
        said = _("One of the %(best)s best of %(nodes)s feasible nodes.") % values
    if not replacement.uncertain:
        return said
    return " ".join((said, uncertain_sentence(replacement.uncertain)))


OTHER_SCHEDULER = message("Scheduler %(scheduler)s schedules its replacement; to which node is not known.")
PREEMPTIBLE = plural(
    "It would fit on %(nodes)s node if pods of lower priority were preempted.",
    "It would fit on %(nodes)s nodes if pods of lower priority were preempted.",
    by="nodes",
)


def needed_flags(handling: Handling) -> str:
    """Say which flags of kubectl drain a pod needs, and why."""
    return " ".join(_flag(flag) for flag in handling.wants)


def _flag(flag: Flag) -> str:
    if flag is Flag.EMPTY_DIR:
        return _("Needs %(flag)s: the data of its emptyDir would be lost.") % {"flag": str(flag)}
    return _("Needs %(flag)s: it has no controller, and is not recreated.") % {"flag": str(flag)}


def evicting(answer: EvictionAnswer, namespace: str) -> str:
    """Say what evicting one of a workload's ready pods is answered now, and quote the API server where it refuses."""
    said = _("Evicting one of its ready pods now: %(answer)s.") % {"answer": eviction_answer(answer.code)}
    quoted = _("The API server says: %(message)s") % {"message": answer.detail or answer.message}
    return " ".join((said, ground(answer, namespace), *([quoted] if answer.message else [])))
