"""Words for extenders that were asked about a pod: what each answered, or why nothing is known of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy

from clusters.engine.scheduling import ExtenderCall, Silence, Verb
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from clusters.engine import Explanation

_SILENCES: Final[Mapping[Silence, object]] = {
    Silence.NOT_LISTED: gettext_lazy(
        "Not asked: add its host to BERTH_EXTENDER_HOSTS and upload the configuration again."
    ),
    Silence.TIMED_OUT: gettext_lazy("It did not answer in time."),
    Silence.UNREACHABLE: gettext_lazy("It could not be reached."),
    Silence.REFUSED: gettext_lazy("Its HTTP status was not 200."),
    Silence.UNREADABLE: gettext_lazy("Its answer is no extender's."),
    Silence.TOO_LARGE: gettext_lazy("Its answer is too large."),
    Silence.TOO_MANY_VICTIMS: gettext_lazy("Not asked about preemption: too many victims."),
    Silence.UNIDENTIFIED: gettext_lazy("Not asked about preemption: a victim has no UID."),
}


def silence_sentence(silence: Silence) -> str:
    """Say why nothing is known of what an extender would answer."""
    return str(_SILENCES[silence])


def answer_sentences(explanation: Explanation) -> Iterable[str]:
    """Say what each extender that was asked about a pod answered."""
    return (_answer(call) for call in explanation.calls if call.is_answered)


_GAVE_UP = message("The extender %(extender)s gave up, so the attempt fails: %(error)s")
_GAVE_UP_IGNORED = message("The extender %(extender)s gave up (ignored): %(error)s")
_PREEMPTION_UNUSABLE = message("The extender %(extender)s on preemption, unusable: %(error)s")
_PREEMPTION_IGNORED = message("The extender %(extender)s on preemption (ignored): %(error)s")
_KEEPS = plural(
    "The extender %(extender)s keeps %(kept)s of %(asked)s node.",
    "The extender %(extender)s keeps %(kept)s of %(asked)s nodes.",
    by="asked",
)
_SCORES = plural(
    "The extender %(extender)s scores %(kept)s of %(asked)s node.",
    "The extender %(extender)s scores %(kept)s of %(asked)s nodes.",
    by="asked",
)
_KEEPS_CANDIDATES = plural(
    "The extender %(extender)s keeps %(kept)s of %(asked)s candidate for preemption.",
    "The extender %(extender)s keeps %(kept)s of %(asked)s candidates for preemption.",
    by="asked",
)
_ALTERS = plural(
    "On %(nodes)s node it changes victims or violated budgets.",
    "On %(nodes)s nodes it changes victims or violated budgets.",
    by="nodes",
)
_ADDS = plural("It adds %(nodes)s node.", "It adds %(nodes)s nodes.", by="nodes")


def _answer(call: ExtenderCall) -> str:
    extender, preempts = call.extender.address, call.verb is Verb.PREEMPT
    if call.error:
        if call.extender.ignorable:
            return (_PREEMPTION_IGNORED if preempts else _GAVE_UP_IGNORED)(extender=extender, error=call.error)
        return (_PREEMPTION_UNUSABLE if preempts else _GAVE_UP)(extender=extender, error=call.error)
    if not preempts:
        return (_KEEPS if call.verb is Verb.FILTER else _SCORES)(extender=extender, kept=call.kept, asked=call.asked)
    removed = sum(change.after is None for change in call.changes)
    added = sum(change.before is None for change in call.changes)
    altered = len(call.changes) - removed - added
    said = [_KEEPS_CANDIDATES(extender=extender, kept=call.asked - removed, asked=call.asked)]
    if altered:
        said.append(_ALTERS(nodes=altered))
    if added:
        said.append(_ADDS(nodes=added))
    return " ".join(said)
