"""Words for why LimitRanges keep pods from being created; the API server's own message is quoted beside them."""

from __future__ import annotations

from django.utils.translation import gettext as _

from clusters.engine.admission import InvalidDefaults, LimitRangeRefusal
from clusters.wording.lists import listed
from clusters.wording.problems.registry import Words, words


@words.register(LimitRangeRefusal)
def limit_range_refusal(problem: LimitRangeRefusal) -> Words:
    """Quote the refusal, and say what would let the object in."""
    return Words(
        problem.message,
        _("Change %(resources)s in its template, or the bounds of LimitRange %(namespace)s/%(limit_range)s.")
        % {
            "resources": listed(problem.resources),
            "namespace": problem.namespace,
            "limit_range": problem.limit_range,
        },
    )


@words.register(InvalidDefaults)
def invalid_defaults(problem: InvalidDefaults) -> Words:
    """Quote the refusal, and say what would make the pod valid."""
    return Words(
        problem.message,
        _(
            "Write limits for %(resources)s in its template, or raise the default limits of the LimitRanges of "
            "namespace %(namespace)s."
        )
        % {"resources": listed(problem.resources), "namespace": problem.namespace},
    )
