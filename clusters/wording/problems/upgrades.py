"""Words for what can be wrong with asking what an upgrade changes."""

from __future__ import annotations

from django.utils.translation import gettext as _

from clusters.problems.orders import NoLaterMinor, UnknownMinor
from clusters.wording.lists import alternatives
from clusters.wording.problems.registry import Words, words


@words.register(UnknownMinor)
def unknown_minor(problem: UnknownMinor) -> Words:
    """Name the minors that are known."""
    said = _("Kubernetes %(found)s is not known.") % {"found": problem.found}
    return Words(said, _("Choose %(known)s.") % {"known": alternatives(problem.known)})


@words.register(NoLaterMinor)
def no_later_minor(problem: NoLaterMinor) -> Words:
    """Name the minor that runs, and those that are later."""
    said = _("Kubernetes %(found)s is not later than %(runs)s, as which this cluster is answered.") % {
        "found": problem.found,
        "runs": problem.runs,
    }
    if not problem.later:
        return Words(said, _("No later minor is known; there is nothing to preview."))
    return Words(said, _("Choose %(later)s.") % {"later": alternatives(problem.later)})
