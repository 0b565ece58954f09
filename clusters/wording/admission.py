"""What admission does to a pod: where the values that it adds come from, and why it refuses the pod."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy, pgettext_lazy

from clusters.engine.admission import Refusal, SourceKind, ValueSource
from clusters.engine.problems import QUOTED
from clusters.wording.problems import problem_sentence, remedy_sentence

LEFT_OUT: Final = pgettext_lazy("value of a field", "left out")
_SOURCES: Final = {
    SourceKind.LIMIT: gettext_lazy("the limit"),
    SourceKind.LIMITS_OF_CONTAINERS: gettext_lazy("the containers' limits"),
    SourceKind.REQUESTS_OF_CONTAINERS: gettext_lazy("the containers' requests"),
    SourceKind.DEFAULT_PRIORITY_CLASS: gettext_lazy("the default PriorityClass"),
    SourceKind.NO_PRIORITY_CLASS: gettext_lazy("no PriorityClass"),
    SourceKind.OTHER_TOLERATION: gettext_lazy("another toleration that covers it"),
}


def source(source: ValueSource) -> str:
    """Say where a value comes from; objects and fields are named."""
    if source.kind is SourceKind.LABEL_OF_POD:
        return _("the pod's label %(key)s") % {"key": source.name}
    return str(_SOURCES.get(source.kind, source.name))


def refusal(refusal: Refusal) -> str:
    """Say which field the API server would refuse, why, what would be right, and who says so."""
    problem = problem_sentence(refusal.problem)
    return _("%(field)s: %(problem)s %(remedy)s (%(by)s)") % {
        "field": refusal.field,
        "problem": _("%(quoted)s.") % {"quoted": problem} if refusal.problem.sentence == QUOTED else problem,
        "remedy": remedy_sentence(refusal.problem),
        "by": refusal.by,
    }
