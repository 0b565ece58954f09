"""Words for why a stretch of the journal cannot be scheduled again."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clusters.problems.orders import BackwardStretch, ManyDecisions, ManyNodeChanges, NoDecisionsThen
from clusters.wording.amounts import grouped
from clusters.wording.problems.registry import Words, words


@words.register(BackwardStretch)
def backward_stretch(problem: BackwardStretch) -> Words:
    """Say that a stretch of time ends before it begins."""
    return Words(_("The stretch of time ends before it begins."), _("Choose an end that is later."))


@words.register(NoDecisionsThen)
def no_decisions_then(problem: NoDecisionsThen) -> Words:
    """Say that the journal has no attempts in a stretch of time."""
    return Words(
        _("The journal has no decision of the scheduler in this period."),
        _("Choose one in which pods were bound or unschedulable."),
    )


@words.register(ManyDecisions)
def many_decisions(problem: ManyDecisions) -> Words:
    """Say how many decisions a stretch of time has, and how many are replayed."""
    said = ngettext(
        "This stretch of time has %(decisions)s decision; at most %(most)s are replayed.",
        "This stretch of time has %(decisions)s decisions; at most %(most)s are replayed.",
        problem.decisions,
    ) % {"decisions": grouped(problem.decisions), "most": grouped(problem.most)}
    return Words(said, _("Choose a shorter one."))


@words.register(ManyNodeChanges)
def many_node_changes(problem: ManyNodeChanges) -> Words:
    """Say at how many moments nodes change in a stretch of time, and how many are replayed."""
    said = ngettext(
        "Nodes change at %(moments)s moment of this period; at most %(most)s are replayed.",
        "Nodes change at %(moments)s moments of this period; at most %(most)s are replayed.",
        problem.moments,
    ) % {"moments": grouped(problem.moments), "most": grouped(problem.most)}
    return Words(said, _("Choose a shorter one."))
