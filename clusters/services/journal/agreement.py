"""How often the explanation agrees with the scheduler: counted from the journal, never estimated."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import timedelta
from statistics import median_low
from typing import TYPE_CHECKING, NamedTuple

from django.db.models import Count, Q

from clusters.models import Decision

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from datetime import datetime

Kind, Verdict, Reason = Decision.Kind, Decision.Verdict, Decision.Reason

# What the scheduler decides. The others are another's doing, or nothing that could be computed beforehand.
COUNTED_KINDS = (Kind.BOUND, Kind.UNSCHEDULABLE, Kind.NOMINATED)
# So many tell how narrow searches are.
_MOST_SEARCHES = 1_000
# None is all that the journal still holds.
WINDOWS: Mapping[str, timedelta | None] = {"1h": timedelta(hours=1), "24h": timedelta(hours=24), "all": None}


class Tally(NamedTuple):
    """How many decisions of one sort were heard in each window; the sort is the fields before."""

    cluster_id: int
    kind: str
    verdict: str
    reason: str
    is_nearby: bool
    numbers: Mapping[str, int]


@dataclass(slots=True)
class Rate:
    """How many decisions of the scheduler were judged, and how; reasons as in `Decision.Reason`.

    `nearby` counts those among the judged that agree with a state near the one just before, not with that state itself;
    `by_search` those among the agreeing that would be sampled, had the searches before not been followed; `tied` those
    among the agreeing whose node is one of several with the highest total.
    """

    agrees: int = 0
    sampled: int = 0
    disagrees: int = 0
    waiting: int = 0
    unjudged: int = 0
    nearby: int = 0
    by_search: int = 0
    tied: int = 0
    disagreements: Counter[str] = field(default_factory=Counter)
    unjudged_reasons: Counter[str] = field(default_factory=Counter)

    @property
    def judged(self) -> int:
        return self.agrees + self.sampled + self.disagrees

    @property
    def agreeing(self) -> int:
        return self.agrees + self.sampled

    @property
    def value(self) -> float | None:
        """Agreements by what was judged, 0 to 1; None when nothing was."""
        return self.agreeing / self.judged if self.judged else None

    def add(self, tally: Tally, number: int) -> None:
        """Count decisions of one sort; those that are not the scheduler's leave it as it is."""
        if tally.kind not in COUNTED_KINDS:
            return
        if tally.verdict == Verdict.AGREES:
            self.agrees += number
            self.by_search += number if tally.reason == Reason.SEARCH else 0
            self.tied += number if tally.reason == Reason.TIE else 0
        elif tally.verdict == Verdict.SAMPLED:
            self.sampled += number
        elif tally.verdict == Verdict.DISAGREES:
            self.disagrees += number
            self.disagreements[tally.reason] += number
        elif tally.verdict == Verdict.UNJUDGED:
            self.unjudged += number
            self.unjudged_reasons[tally.reason] += number
        else:
            self.waiting += number
        if tally.is_nearby and tally.verdict in {Verdict.AGREES, Verdict.SAMPLED, Verdict.DISAGREES}:
            self.nearby += number


def tallies(
    cluster_ids: Collection[int] | None, *, now: datetime, windows: Mapping[str, timedelta | None] = WINDOWS
) -> list[Tally]:
    """Count the decisions of some clusters, or of all, by sort and window, with one query."""
    decisions = Decision.objects.order_by()
    if cluster_ids is not None:
        decisions = decisions.filter(cluster__in=cluster_ids)
    spans = [span for span in windows.values() if span is not None]
    if len(spans) == len(windows):
        decisions = decisions.filter(heard_at__gt=now - max(spans))
    # Of a column that the index holds, so that no row has to be looked up.
    counts = {
        f"in_{name}": Count("heard_at", filter=None if span is None else Q(heard_at__gt=now - span))
        for name, span in windows.items()
    }
    rows = decisions.values_list("cluster_id", "kind", "verdict", "reason", "basis_state")
    return [
        Tally(cluster, kind, verdict, reason, state == "nearby", dict(zip(windows, numbers, strict=True)))
        for cluster, kind, verdict, reason, state, *numbers in rows.annotate(**counts)
    ]


def rate_of(
    found: Iterable[Tally], window: str, *, cluster_id: int | None = None, kind: Decision.Kind | None = None
) -> Rate:
    """Add up the tallies of a window, of one cluster and of one kind where these are given."""
    rate = Rate()
    for tally in found:
        if cluster_id in (None, tally.cluster_id) and kind in (None, tally.kind):
            rate.add(tally, tally.numbers[window])
    return rate


class SearchPlaces(NamedTuple):
    """Of some decisions that agree by where their search began, in which part of the places it can have begun.

    ``middle``: half of them have no more, as a share of all places, 0 to 1.
    """

    decisions: int
    middle: float


def search_places(*, now: datetime, since: timedelta = timedelta(hours=24)) -> SearchPlaces | None:
    """Return how narrow the searches of the latest decisions were that agree by them; None where there are none."""
    latest = Decision.objects.filter(verdict=Verdict.AGREES, reason=Reason.SEARCH, heard_at__gt=now - since)
    bases = latest.order_by("-heard_at").values_list("basis", flat=True)[:_MOST_SEARCHES]
    searches = [basis["search"] for basis in bases if basis and "search" in basis]
    shares = [search["places"] / search["nodes"] for search in searches]
    return SearchPlaces(len(shares), median_low(shares)) if shares else None


def agreement(cluster_ids: Collection[int] | None, *, now: datetime, since: timedelta | None) -> Rate:
    """Return the rate of some clusters together, or of all, over the last stretch of time or all of it."""
    return rate_of(tallies(cluster_ids, now=now, windows={"asked": since}), "asked")
