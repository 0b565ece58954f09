"""What the PostFilter plugins add to the FailedScheduling text.

Upstream: ``RunPostFilterPlugins`` in ``framework/runtime/framework.go`` and ``PostFilter`` of the plugins, v1.34.1;
``Preempt`` in ``framework/preemption/preemption.go``, v1.37.2. The plugins are asked in turn: one that makes room
silences all others, an error ends the round with its own words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.messages import room_made
from clusters.engine.registry import PLUGINS
from clusters.engine.status import Code

if TYPE_CHECKING:
    from clusters.engine.candidates import Candidate
    from clusters.engine.cycle import Cycle
    from clusters.engine.preemption import Preemption
    from clusters.engine.status import Mask, Status


def post_filter_message(cycle: Cycle, preemption: Preemption | None) -> str:
    """The reasons of all PostFilter plugins, in the profile's order; of one that made room at most where.

    ``preemption`` is what the plugin that preempts found, None when the profile asks none.
    """
    reasons: list[str] = []
    for name in cycle.profile.post_filter:
        if not PLUGINS[name].preempts:
            status = answer_of(cycle, name)
            if status is not None and status.code is Code.ERROR:
                return ", ".join(status.reasons)
            reasons += () if status is None else status.reasons
        elif preemption is not None:
            if preemption.selected is not None:
                names = cycle.snapshot.release.rules.names_preemptions
                return room_made_by(preemption.selected) if names else ""
            if preemption.failed:
                return preemption.message
            reasons.append(preemption.message)
    return ", ".join(reasons)


def room_made_by(candidate: Candidate) -> str:
    """What is said of preemption that makes room with a candidate, from 1.37 on."""
    return room_made(candidate.node, len(candidate.victims))


def fails(cycle: Cycle) -> bool:
    """Whether a plugin that does not preempt answers with an error, so that nothing is said of preemption."""
    answers = (answer_of(cycle, name) for name in cycle.profile.post_filter if not PLUGINS[name].preempts)
    return any(answer is not None and answer.code is Code.ERROR for answer in answers)


def answer_of(cycle: Cycle, name: str) -> Status | None:
    """What the PostFilter of a plugin that does not preempt answers; None where that is not computed."""
    rejected: dict[Status, Mask] = {}
    for number, rejection in enumerate(cycle.rejections):
        if rejection.plugin == name:
            rows = cycle.rejected_by == number
            rejected[rejection.status] = rows | rejected.get(rejection.status, rows)
    return PLUGINS[name](cycle.context).post_filter(has_run=has_run(cycle, name), rejected=rejected)


def has_run(cycle: Cycle, name: str) -> bool:
    """Whether a plugin's PreFilter ran, be it that it ended the cycle itself."""
    rejects = cycle.stopped_by is not None and cycle.stopped_by.plugin == name
    return rejects or is_prepared(cycle, name)


def is_prepared(cycle: Cycle, name: str) -> bool:
    """Whether a plugin's PreFilter ran before a rejection ended the cycle."""
    order = cycle.profile.pre_filter
    if name not in order:
        return False
    if cycle.stopped_by is None or cycle.stopped_by.status.code is Code.UNSCHEDULABLE:
        return True
    # Where several restrict the search to nothing, it is the last of them that leaves none.
    ended_by = (cycle.stopped_by.plugin,) if cycle.stopped_by.plugin else cycle.restricting
    return order.index(name) < max(map(order.index, ended_by))
