"""Which request follows from what is used, and whether the present one is too high or too low."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from clusters.engine.resources.requests import CPU, MEMORY

if TYPE_CHECKING:
    from clusters.engine.usage.history import UsageStatistics

_MIB: Final = 1024 * 1024
# A day of hourly samples: fewer cannot know of every hour of a day.
FEW_HOURS: Final = 24


class Sizing(enum.StrEnum):
    """How a request compares with what is used."""

    OVER = "over-requested"
    UNDER = "under-requested"
    NOT_REQUESTED = "not-requested"
    FITTING = "fitting"


@dataclass(frozen=True, slots=True)
class SizingRule:
    """The request that is recommended for one resource, and when the present one counts as wrong.

    Recommended are so many percent (``margin``) of what is used, rounded up to a multiple of ``step`` and never below
    ``least``, in milli-CPU or bytes. Over-requested is a request of more than ``over`` percent of that, if it is
    higher by at least ``slack``; under-requested one below what is used.
    """

    margin: int
    step: int
    least: int
    over: int
    slack: int

    def recommended(self, used: int) -> int:
        """The request for an amount that is used."""
        wanted = -(-used * self.margin // 100)
        return max(self.least, -(-wanted // self.step) * self.step)

    def sizing(self, requested: int | None, used: int, recommended: int) -> Sizing:
        """How a request compares; 0 counts as none."""
        if not requested:
            return Sizing.NOT_REQUESTED
        if requested < used:
            return Sizing.UNDER
        too_much = requested * 100 > recommended * self.over and requested - recommended >= self.slack
        return Sizing.OVER if too_much else Sizing.FITTING


# Of CPU a pod that needs more for a moment is throttled: p95 counts. Of memory it is killed: the maximum counts.
RULES: Final = {
    CPU: SizingRule(margin=115, step=5, least=10, over=150, slack=50),
    MEMORY: SizingRule(margin=115, step=_MIB, least=16 * _MIB, over=150, slack=64 * _MIB),
}


@dataclass(frozen=True, slots=True)
class ResourceSizing:
    """One resource of a container, in milli-CPU or bytes.

    ``used``: p95 of CPU, the maximum of memory. ``is_capped``: the limit is below what the rule recommends, so that the
    recommendation is the limit.
    """

    resource: str
    requested: int | None
    limit: int | None
    used: int
    recommended: int
    sizing: Sizing
    is_capped: bool


def resource_sizing(
    resource: str, requested: int | None, limit: int | None, statistics: UsageStatistics
) -> ResourceSizing:
    """Compare the request for CPU or memory with what is used."""
    rule = RULES[resource]
    used = statistics.cpu.high if resource == CPU else statistics.memory.maximum
    wanted = rule.recommended(used)
    recommended = min(wanted, limit) if limit else wanted
    sizing = rule.sizing(requested, used, recommended)
    return ResourceSizing(resource, requested, limit, used, recommended, sizing, recommended < wanted)
