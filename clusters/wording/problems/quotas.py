"""Words for why a ResourceQuota refuses an object; the API server's own message is quoted beside them."""

from __future__ import annotations

from django.utils.translation import gettext as _

from clusters.engine.quotas import QuotaExceeded, QuotaUncovered, QuotaUnspecified
from clusters.wording.lists import listed
from clusters.wording.problems.registry import Words, words


@words.register(QuotaExceeded)
def quota_exceeded(problem: QuotaExceeded) -> Words:
    """Quote the refusal, and say what would let the object in."""
    return Words(
        problem.message,
        _("Raise %(resources)s of ResourceQuota %(namespace)s/%(quota)s, free what it counts, or request less.")
        % {"resources": listed(problem.resources), "namespace": problem.namespace, "quota": problem.quota},
    )


@words.register(QuotaUnspecified)
def quota_unspecified(problem: QuotaUnspecified) -> Words:
    """Quote the refusal, and say what the containers lack."""
    return Words(
        problem.message,
        _("Specify %(resources)s for %(containers)s, or let a LimitRange of namespace %(namespace)s do so.")
        % {
            "resources": listed(problem.resources),
            "containers": listed(problem.containers),
            "namespace": problem.namespace,
        },
    )


@words.register(QuotaUncovered)
def quota_uncovered(problem: QuotaUncovered) -> Words:
    """Quote the refusal, and say which quota is missing."""
    if problem.scopes:
        return Words(
            problem.message,
            _("Add a ResourceQuota with the scope %(scopes)s to namespace %(namespace)s.")
            % {"scopes": listed(problem.scopes), "namespace": problem.namespace},
        )
    return Words(
        problem.message,
        _("Add a ResourceQuota that bounds %(resources)s to namespace %(namespace)s.")
        % {"resources": listed(problem.resources), "namespace": problem.namespace},
    )
