"""What several pages say alike: connection, filters, failures, quotes, earlier evaluations and the glossary."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.template.defaultfilters import date
from django.utils.timezone import localtime

from clusters.engine.problems import Problem
from clusters.engine.scheduling import Failure, measure_of
from clusters.services.decisions.takers import TakerCounts
from clusters.services.pending.pods import PendingCounts
from clusters.services.pending.preemptors import PreemptionCounts
from clusters.services.workloads.growth import GrowthCounts
from clusters.wording import (
    evaluation as evaluation_words,
    failures as failures_words,
    filters as filters_words,
    live as live_words,
)
from clusters.wording.costs import limit_remedy, limit_sentence
from dashboard.pictures.patterns import STROKES
from dashboard.pictures.tokens import PLUGIN_PATTERNS, plugin_colour

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clusters.services.evaluation import Evaluation

# The script puts a time here.
_SINCE = "{since}"


@dataclass(frozen=True, slots=True)
class ConnectionView:
    """A sentence for each state; ``asking`` and ``away`` hold `{since}` where the time belongs."""

    connected: str
    connecting: str
    failed: str
    asking: str
    away: str


def connection(dumped_at: datetime | None) -> ConnectionView:
    """Return what is said on pages of a live cluster, or of one whose dump was read at that time."""
    dump = live_words.DUMP_OF(moment=date(localtime(dumped_at), "j M Y, H:i")) if dumped_at else ""
    return ConnectionView(
        connected=dump or str(live_words.CONNECTED),
        connecting=str(live_words.CONNECTING),
        failed=str(live_words.FAILED),
        asking=live_words.ASKING(since=_SINCE),
        away=live_words.AWAY(since=_SINCE),
    )


def earlier_sentence(earlier: Evaluation | None, *, node: str = "") -> str:
    """Say what it came to, and when; nothing without one. ``node``: the one that pods were tried on."""
    if earlier is None:
        return ""
    at = localtime(earlier.at)
    match earlier.told:
        case PendingCounts(total, unschedulable):
            return evaluation_words.pending_before(at, pods=total, unschedulable=unschedulable)
        case PreemptionCounts(preemptors, victims):
            return evaluation_words.preemption_before(at, pods=preemptors, victims=victims)
        case TakerCounts(total, fits):
            return evaluation_words.fitting_before(at, pods=total, fitting=fits, node=node)
        case GrowthCounts(pods, is_whole):
            return evaluation_words.more_before(at, pods=pods, is_whole=is_whole)
    return ""


def not_computed_sentence(reference: str) -> str:
    """Say that an explanation failed, and where its traceback is; or that it was refused, and by which limit."""
    measure = measure_of(reference)
    if measure is not None:
        return limit_sentence(measure)
    return failures_words.NOT_COMPUTED(reference=reference)


def not_computed_remedy(reference: str) -> str:
    """Say what to do about it."""
    measure = measure_of(reference)
    return str(failures_words.DEFECT) if measure is None else limit_remedy(measure)


def unanswered(error: Exception) -> str:
    """Say why there is no answer: what an error that carries a problem tells, and what to do about it."""
    # The words of problems reach all of Berth, and every page may fail.
    from clusters.wording.problems import placed_sentence

    problem = getattr(error, "problem", None)
    return placed_sentence(problem, getattr(error, "path", "")) if isinstance(problem, Problem) else str(error)


def failure_sentence(failure: Failure) -> str:
    """Say in the place of a whole explanation what to do without it."""
    if failure.excess is not None:
        return f"{failures_words.error_of(failure)} {limit_remedy(failure.excess.measure)}"
    return f"{not_computed_sentence(failure.reference)} {failures_words.TRY_WHAT_IF}"


@dataclass(frozen=True, slots=True)
class Counted:
    """The line above a list's rows; `hidden` is empty when no filter is set."""

    sentence: str
    hidden: str


def count_line(*, shown: int, total: int, noun: Callable[[int], str], conditions: Sequence[str]) -> Counted:
    """Say how many rows match, how many the filters hide and which filters those are.

    ``noun`` writes a number of rows with what they are, as those of `clusters.wording.counts` do.
    """
    if not conditions:
        return Counted(f"{noun(total)}.", "")
    return Counted(filters_words.SHOWN(rows=shown, every=noun(total)), filters_words.hidden(total - shown, conditions))


# The keys of sections, pressed after `g`, by the name of the section's first page.
SECTION_KEYS = {
    "cluster": "o",
    "pending": "q",
    "pods": "p",
    "workloads": "w",
    "pod-groups": "a",
    "nodes": "n",
    "devices": "v",
    "drain": "d",
    "cluster-runs": "m",
    "upgrade": "l",
    "spread": "s",
    "budgets": "b",
    "quotas": "u",
    "usage": "e",
    "journal": "j",
    "reports": "r",
    "cluster-configuration": "c",
}


@dataclass(frozen=True, slots=True)
class PluginMark:
    """A plugin as figures show it: a fill, and the strokes of its pattern as an SVG path."""

    name: str
    fill: str
    strokes: str


def plugin_marks() -> list[PluginMark]:
    """Return every plugin with a colour, those that score first."""
    return [PluginMark(name, plugin_colour(name), STROKES[pattern]) for name, pattern in PLUGIN_PATTERNS.items()]


# Where the first clause of a message ends: `0/60 nodes are available: 2 Too many pods, …`.
_CLAUSE_ENDS = re.compile(r"[:;,.]\s")


@dataclass(frozen=True, slots=True)
class Quote:
    """A message as the scheduler writes it; ``opening`` is its first clause, empty where that is the whole message."""

    whole: str

    @property
    def opening(self) -> str:
        """The first clause."""
        end = _CLAUSE_ENDS.search(self.whole)
        return self.whole[: end.start()] if end is not None else ""


def later(at: str, seconds: int) -> datetime | None:
    """Return the moment so many seconds after an RFC 3339 time, in the time zone of pages; None beyond the year 9999.

    Added before it is converted: clocks that are put forward or back meanwhile change nothing about seconds.
    """
    try:
        return localtime(datetime.fromisoformat(at) + timedelta(seconds=seconds))
    except OverflowError:
        return None
