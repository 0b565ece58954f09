"""Words for extenders that were asked about a pod: what each answered, or why nothing is known of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext

from clusters.engine.scheduling import ExtenderCall, Silence, Verb
from clusters.wording.amounts import grouped

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from clusters.engine import Explanation

_SILENCES: Final[Mapping[Silence, object]] = {
    Silence.NOT_LISTED: gettext_lazy(
        "Not asked: add its host to BERTH_EXTENDER_HOSTS, and upload the configuration again."
    ),
    Silence.TIMED_OUT: gettext_lazy("Berth asked it, and it did not answer in time."),
    Silence.UNREACHABLE: gettext_lazy("Berth asked it, and could not reach it."),
    Silence.REFUSED: gettext_lazy("Berth asked it, and it answered with another HTTP status than 200."),
    Silence.UNREADABLE: gettext_lazy("Berth asked it, and its answer is not what an extender answers."),
    Silence.TOO_LARGE: gettext_lazy("Berth asked it, and its answer is too large."),
    Silence.TOO_MANY_VICTIMS: gettext_lazy(
        "Berth did not ask it about preemption, which would send more pods than Berth sends."
    ),
    Silence.UNIDENTIFIED: gettext_lazy(
        "Berth did not ask it about preemption: it answers with UIDs, and a victim has none in the source."
    ),
}


def silence_sentence(silence: Silence) -> str:
    """Say why nothing is known of what an extender would answer."""
    return str(_SILENCES[silence])


def answer_sentences(explanation: Explanation) -> Iterable[str]:
    """Say what each extender that was asked about a pod answered."""
    return (_answer(call) for call in explanation.calls if call.is_answered)


def _answer(call: ExtenderCall) -> str:
    if call.verb is Verb.PREEMPT:
        return _answer_about_preemption(call)
    values = {"extender": call.extender.address, "kept": grouped(call.kept), "asked": grouped(call.asked)}
    if call.error:
        quoted = {"extender": call.extender.address, "error": call.error}
        if call.extender.ignorable:
            return _("The extender %(extender)s gave up, which the scheduler ignores: %(error)s") % quoted
        return _("The extender %(extender)s gave up, so the attempt fails: %(error)s") % quoted
    if call.verb is Verb.FILTER:
        return (
            ngettext(
                "The extender %(extender)s keeps %(kept)s of the %(asked)s node that it was asked about.",
                "The extender %(extender)s keeps %(kept)s of the %(asked)s nodes that it was asked about.",
                call.asked,
            )
            % values
        )
    return (
        ngettext(
            "The extender %(extender)s scores %(kept)s of the %(asked)s node that it was asked about.",
            "The extender %(extender)s scores %(kept)s of the %(asked)s nodes that it was asked about.",
            call.asked,
        )
        % values
    )


def _answer_about_preemption(call: ExtenderCall) -> str:
    if call.error:
        quoted = {"extender": call.extender.address, "error": call.error}
        if call.extender.ignorable:
            return (
                _("The scheduler ignores what the extender %(extender)s answers about preemption: %(error)s") % quoted
            )
        return _("The scheduler cannot use what the extender %(extender)s answers about preemption: %(error)s") % quoted
    removed = sum(change.after is None for change in call.changes)
    added = sum(change.before is None for change in call.changes)
    return " ".join(filter(None, (_kept(call, removed), _altered(len(call.changes) - removed - added), _added(added))))


def _kept(call: ExtenderCall, removed: int) -> str:
    values = {
        "extender": call.extender.address,
        "kept": grouped(call.asked - removed),
        "asked": grouped(call.asked),
    }
    return (
        ngettext(
            "The extender %(extender)s keeps %(kept)s of the %(asked)s candidate for preemption.",
            "The extender %(extender)s keeps %(kept)s of the %(asked)s candidates for preemption.",
            call.asked,
        )
        % values
    )


def _altered(nodes: int) -> str:
    if not nodes:
        return ""
    return ngettext(
        "On %(nodes)s node it changes victims or violated budgets.",
        "On %(nodes)s nodes it changes victims or violated budgets.",
        nodes,
    ) % {"nodes": grouped(nodes)}


def _added(nodes: int) -> str:
    if not nodes:
        return ""
    return ngettext("It adds %(nodes)s node.", "It adds %(nodes)s nodes.", nodes) % {"nodes": grouped(nodes)}
