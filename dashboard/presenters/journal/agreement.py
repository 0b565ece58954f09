"""Presents how often Berth agrees with the scheduler, by window, cluster and kind of decision."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from clusters.services.journal.timeline import COUNTED_KINDS, WINDOWS, rate_of
from clusters.wording.amounts import grouped, rate
from clusters.wording.journal import agreement as words
from clusters.wording.journal.decisions import KINDS, NO_REASON, REASONS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clusters.models import Cluster
    from clusters.services.journal.timeline import Rate, SearchPlaces, Tally


@dataclass(frozen=True, slots=True)
class RateView:
    """A rate with what it stands on; `percent` is a dash where nothing was judged.

    ``agrees_heading`` and ``judged_heading`` head `percent` and `judged` with the window they are counted over.
    """

    agrees_heading: str
    judged_heading: str
    percent: str
    sentence: str
    judged: str
    judged_sentence: str
    by_search: str
    tied: str
    sampled: str
    disagrees: str
    nearby: str
    unjudged: str
    waiting: str
    is_judged: bool


@dataclass(frozen=True, slots=True)
class RateRow:
    """The rates of one cluster or kind by window; `slug` is the cluster's name, empty for a kind."""

    name: str
    slug: str
    rates: tuple[RateView, ...]


@dataclass(frozen=True, slots=True)
class ReasonRow:
    """Why decisions were not agreed with or not judged: the heading of each window, and how many it holds."""

    reason: str
    numbers: tuple[tuple[str, str], ...]


def rate_view(found: Rate, window: str) -> RateView:
    """Present a rate over a window."""
    hours = _hours(window)
    return RateView(
        agrees_heading=words.agrees_heading(hours),
        judged_heading=words.judged_heading(hours),
        percent=rate(found.agreeing, found.judged),
        sentence=words.rate_sentence(
            hours, agreeing=found.agreeing, judged=found.judged, others=found.waiting + found.unjudged
        ),
        judged=grouped(found.judged),
        judged_sentence=words.judged_sentence(hours, judged=found.judged),
        by_search=words.with_share(found.by_search, found.by_search + found.sampled) if found.by_search else grouped(0),
        tied=words.with_share(found.tied, found.judged) if found.tied else grouped(0),
        sampled=grouped(found.sampled),
        disagrees=grouped(found.disagrees),
        nearby=words.with_share(found.nearby, found.judged) if found.nearby else grouped(0),
        unjudged=grouped(found.unjudged),
        waiting=grouped(found.waiting),
        is_judged=bool(found.judged),
    )


def _hours(window: str) -> int | None:
    """Return how many hours a window has; None for the whole journal."""
    stretch = WINDOWS[window]
    return None if stretch is None else stretch // timedelta(hours=1)


def windows(tallies: Sequence[Tally]) -> list[RateView]:
    """Present the rate of each window."""
    return [rate_view(rate_of(tallies, window), window) for window in WINDOWS]


def places_sentence(found: SearchPlaces | None) -> str:
    """Say how narrow searches were; empty where none decided anything."""
    return "" if found is None else words.places_sentence(decisions=found.decisions, middle=found.middle)


def by_cluster(tallies: Sequence[Tally], clusters: Iterable[Cluster]) -> list[RateRow]:
    """Present the rates of each cluster."""
    return [
        RateRow(
            cluster.name,
            cluster.name,
            tuple(rate_view(rate_of(tallies, window, cluster_id=cluster.pk), window) for window in WINDOWS),
        )
        for cluster in clusters
    ]


def by_kind(tallies: Sequence[Tally]) -> list[RateRow]:
    """Present the rates of each kind of decision."""
    return [
        RateRow(
            str(KINDS[kind]), "", tuple(rate_view(rate_of(tallies, window, kind=kind), window) for window in WINDOWS)
        )
        for kind in COUNTED_KINDS
    ]


def disagreements(tallies: Sequence[Tally]) -> list[ReasonRow]:
    """Present how often each reason for a disagreement was found, most first."""
    return _reasons([rate_of(tallies, window).disagreements for window in WINDOWS])


def unjudged(tallies: Sequence[Tally]) -> list[ReasonRow]:
    """Present how often each reason not to judge was found, most first."""
    return _reasons([rate_of(tallies, window).unjudged_reasons for window in WINDOWS])


def _reasons(found: Sequence[dict[str, int]]) -> list[ReasonRow]:
    # The last window holds all that the others do.
    return [
        ReasonRow(
            str(REASONS[reason] if reason else NO_REASON),
            tuple(
                (words.window_heading(_hours(window)), grouped(numbers.get(reason, 0)))
                for window, numbers in zip(WINDOWS, found, strict=True)
            ),
        )
        for reason, _ in sorted(found[-1].items(), key=lambda item: (-item[1], item[0]))
    ]
