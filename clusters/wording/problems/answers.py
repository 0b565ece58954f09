"""Words for why there is no answer to a question about a cluster now."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clusters.problems.orders import ChangingTooFast, LargeResult, ManyEvictions, OverTime, WorkersAway
from clusters.wording.amounts import grouped
from clusters.wording.problems.registry import Words, words


@words.register(ChangingTooFast)
def changing_too_fast(problem: ChangingTooFast) -> Words:
    """Say how often a cluster changed while it was read."""
    said = ngettext(
        "%(cluster)s changed %(times)s time while it was read.",
        "%(cluster)s changed %(times)s times while it was read.",
        problem.times,
    ) % {"cluster": problem.cluster, "times": grouped(problem.times)}
    return Words(said, _("Ask again in a moment."))


@words.register(OverTime)
def over_time(problem: OverTime) -> Words:
    """Name the limit of one request."""
    seconds = f"{problem.seconds:g}"
    said = ngettext(
        "It takes more than %(seconds)s second to compute, which is the limit for one request.",
        "It takes more than %(seconds)s seconds to compute, which is the limit for one request.",
        round(problem.seconds),
    ) % {"seconds": seconds}
    return Words(said, _("Ask for less at once, or ask a simulation, which has no such limit."))


@words.register(ManyEvictions)
def many_evictions(problem: ManyEvictions) -> Words:
    """Say how many pods would have to be evicted, and how many evictions are planned at most."""
    said = ngettext(
        "%(pods)s pod would have to be evicted.", "%(pods)s pods would have to be evicted.", problem.evictions
    ) % {"pods": grouped(problem.evictions)}
    remedy = _("At most %(most)s are planned at a time: choose fewer nodes, a zone or a pool.") % {
        "most": grouped(problem.most)
    }
    return Words(said, remedy)


@words.register(LargeResult)
def large_result(problem: LargeResult) -> Words:
    """Say that what a worker found out cannot be shown."""
    return Words(_("The result is too large to be kept."), _("Ask for less."))


@words.register(WorkersAway)
def workers_away(problem: WorkersAway) -> Words:
    """Say that Redis is away."""
    remedy = _(
        "A worker evaluates so much, but Redis, which passes it on, is unavailable. Try again when it responds, or ask "
        "for less."
    )
    return Words(_("It cannot be evaluated now."), remedy)
