"""The step that an attempt leads to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.simulation.choice import choose
from clusters.engine.simulation.steps import Outcome, Step

if TYPE_CHECKING:
    from clusters.engine.failure import Failure
    from clusters.engine.simulation.course import Course
    from clusters.engine.simulation.finding import AttemptResult


def decided(
    course: Course, key: str, finding: AttemptResult, number: int, *, at: int, seed: int, preferred: str = ""
) -> Step:
    """The step of an attempt to place a pod: on one of the best nodes, or on none.

    It is the preferred one where that is among the best, then the one that the release takes; else the seed chooses.
    """
    ties = len(finding.best)
    if not ties:
        return Step(
            number,
            at,
            Outcome.UNSCHEDULABLE,
            key,
            node=finding.nominated,
            feasible=finding.feasible,
            looked_at=finding.looked_at,
            plugins=finding.plugins,
            message=finding.message,
            waits=course.wait_for(finding.victims),
        )
    row = course.snapshot.nodes.index.get(preferred)
    if row is None or row not in finding.best:
        row = finding.best[choose(seed, number, ties)] if finding.taken is None else finding.taken
    return Step(
        number,
        at,
        Outcome.PLACED,
        key,
        course.snapshot.nodes.names[row],
        finding.total,
        ties,
        finding.feasible,
        finding.looked_at,
        uncertain=course.uncertainties_of(key, course.kind_of(key)),
    )


def not_computed(number: int, at: int, key: str, failure: Failure) -> Step:
    """The step of an attempt that could not be computed."""
    return Step(number, at, Outcome.NOT_COMPUTED, key, message=failure.error, by=failure.reference)
