"""What becomes of one pod in a drain: the answer to its eviction, its replacement, and why it blocks its node."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.engine.disruption import EvictionAnswer, Flag, Ground, Handling, Landing, Treatment
from clusters.wording.conclusions import uncertain_sentence
from clusters.wording.messages import message, plural

EMPTY_DIR_LOST: Final = pgettext_lazy("note on an eviction", "emptyDir lost")
NOT_RECREATED: Final = pgettext_lazy("note on an eviction", "Not recreated")
MOVES_AGAIN: Final = pgettext_lazy("note on an eviction", "Evicted again")
IS_NOT_RECREATED: Final = gettext_lazy("Not recreated: it has no controller.")
ALREADY_REPLACED: Final = gettext_lazy("Its replacement exists already.")
NO_REPLACEMENT: Final = gettext_lazy("Needs no replacement.")
NOT_BEGUN: Final = gettext_lazy("kubectl drain does not begin: other pods need a flag.")
STAYS: Final = {
    Treatment.DAEMON_SET: gettext_lazy("Stays: a DaemonSet's pod."),
    Treatment.STATIC: gettext_lazy("Stays: a static pod."),
}


_ANSWERS: Final = {
    200: pgettext_lazy("answer to an eviction", "Allowed (200)"),
    429: pgettext_lazy("answer to an eviction", "Refused by a budget (429)"),
    500: pgettext_lazy("answer to an eviction", "Misconfigured (500)"),
}
_OTHER_ANSWER = message("Refused (%(code)s)", context="answer to an eviction")
GATED = message("Its replacement is %(state)s.")
_GROUNDS: Final = {
    Ground.FINISHED: message("The pod has finished."),
    Ground.STARTING: message("The pod has not started."),
    Ground.TERMINATING: message("The pod is terminating already."),
    Ground.NO_BUDGET: message("No budget selects the pod."),
    Ground.UNHEALTHY_ALLOWED: message("The pod is not ready; %(budget)s always allows the eviction of such pods."),
    Ground.UNHEALTHY_SPARED: message("The pod is not ready; %(budget)s has enough healthy pods."),
    Ground.WITHIN_BUDGET: message("Charged to %(budget)s."),
    Ground.NOT_OBSERVED: message("The spec of %(budget)s has not been observed yet."),
    Ground.EXHAUSTED: message("%(budget)s allows 0 disruptions."),
    Ground.OVERFULL: message("%(budget)s has too many unconfirmed evictions."),
    Ground.NEGATIVE: message("The status of %(budget)s is negative."),
    Ground.SEVERAL_BUDGETS: message("Several budgets select the pod."),
}
AT_REQUEST = message("Allowed at request %(number)s.")
_ONLY_NODE: Final = gettext_lazy("The only feasible node.")
_BEST_NODE = message("The best of %(nodes)s feasible nodes.")
_ONE_OF_THE_BEST = message("One of the %(best)s best of %(nodes)s feasible nodes.")


def eviction_answer(code: int) -> str:
    """Name an answer of the Eviction API."""
    return str(_ANSWERS[code]) if code in _ANSWERS else _OTHER_ANSWER(code=str(code))


def ground(answer: EvictionAnswer, namespace: str) -> str:
    """Say what an answer of the Eviction API rests on."""
    budget = "/".join((namespace, answer.budgets[0])) if answer.budgets else ""
    return _GROUNDS[answer.ground](budget=budget)


def refused(answer: EvictionAnswer) -> str:
    """Return the API server's own words."""
    return " ".join(filter(None, (answer.message, answer.detail)))


def landing(replacement: Landing) -> str:
    """Say how a replacement's node is chosen."""
    if replacement.feasible == 1:
        said = str(_ONLY_NODE)
    elif replacement.best == 1:
        said = _BEST_NODE(nodes=replacement.feasible)
    else:
        said = _ONE_OF_THE_BEST(best=replacement.best, nodes=replacement.feasible)
    if not replacement.uncertain:
        return said
    return " ".join((said, uncertain_sentence(replacement.uncertain)))


OTHER_SCHEDULER = message("Scheduler %(scheduler)s places its replacement; where is not known.")
PREEMPTIBLE = plural(
    "It would fit on %(nodes)s node by preemption.", "It would fit on %(nodes)s nodes by preemption.", by="nodes"
)
_FLAGS: Final = {
    Flag.EMPTY_DIR: message("Needs %(flag)s: its emptyDir data would be lost."),
    Flag.FORCE: message("Needs %(flag)s: it has no controller, and is not recreated."),
}
_EVICTING = message("Evicting one of its ready pods now: %(answer)s.")
_QUOTED = message("The API server says: %(message)s")


def needed_flags(handling: Handling) -> str:
    """Say which flags of kubectl drain a pod needs, and why."""
    return " ".join(_FLAGS[flag](flag=str(flag)) for flag in handling.wants)


def evicting(answer: EvictionAnswer, namespace: str) -> str:
    """Say what evicting one of a workload's ready pods is answered now, and quote the API server where it refuses."""
    said = [_EVICTING(answer=eviction_answer(answer.code)), ground(answer, namespace)]
    if answer.message:
        said.append(_QUOTED(message=answer.detail or answer.message))
    return " ".join(said)
