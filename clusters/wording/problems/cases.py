"""Words for what can be wrong with a recorded case."""

from __future__ import annotations

from django.utils.translation import gettext as _

from clusters.problems.inputs import CaseNotJson, NotACase, UnreadableObjects
from clusters.wording.problems.registry import Words, words


@words.register(CaseNotJson)
def case_not_json(problem: CaseNotJson) -> Words:
    """Say why a line cannot be read."""
    said = _("The line is not JSON: %(reason)s.") % {"reason": problem.reason}
    return Words(said, _("Write one case a line."))


@words.register(NotACase)
def not_a_case(problem: NotACase) -> Words:
    """Say what is no case."""
    said = _("%(found)s is not a case.") % {"found": problem.found}
    return Words(said, _("Write a map with name, objects and pods."))


@words.register(UnreadableObjects)
def unreadable_objects(problem: UnreadableObjects) -> Words:
    """Say which value is wrong."""
    said = _("%(reason)s.") % {"reason": problem.reason}
    return Words(said, _("Write the objects as the API server returns them."))
