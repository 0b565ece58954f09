"""Metrics in Prometheus' text format, read from the database and from Redis when they are asked for.

Nothing is counted in this process: any number of web processes give the same answer, and a restart changes none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils import timezone
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from clusters.models import Cluster, WatchedKind
from clusters.services.decisions.explain import counted_failures
from clusters.services.journal.timeline import WINDOWS, rate_of, tallies
from clusters.services.watching.connections import WatchState, watch_states
from dashboard import __version__
from dashboard.operations import heartbeat
from dashboard.presenters.clusters import live_status

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from prometheus_client.metrics_core import Metric


# The scheduler whose rules are computed.
_SCHEDULER = "v1.34.1"


def metrics() -> bytes:
    """Return all metrics, with four queries however many clusters there are."""
    registry = CollectorRegistry()
    registry.register(_Berth())
    return generate_latest(registry)


class _Berth(Collector):
    """What is known of every cluster at one moment."""

    def describe(self) -> Iterable[Metric]:
        # Registering would collect otherwise, to learn the names.
        return ()

    def collect(self) -> Iterable[Metric]:
        now = timezone.now()
        clusters = {cluster.pk: cluster for cluster in Cluster.objects.only("name", "source", "revision")}
        build = GaugeMetricFamily(
            "berth_build_info", documentation="Always 1: which Berth this is.", labels=("version", "scheduler")
        )
        build.add_metric((__version__, _SCHEDULER), 1)
        yield build
        revision = GaugeMetricFamily(
            "berth_cluster_revision", documentation="Committed changes of a cluster's mirror.", labels=("cluster",)
        )
        for cluster in clusters.values():
            revision.add_metric((cluster.name,), cluster.revision)
        yield revision
        yield _failures()
        yield _beat()
        states = watch_states(clusters.values())
        yield from _watching({clusters[pk].name: state for pk, state in states.items()}, now)
        yield from _decisions({pk: cluster.name for pk, cluster in clusters.items()}, now)


def _failures() -> Metric:
    """Return how many explanations failed, of each sort; none while Redis is away."""
    found = CounterMetricFamily(
        "berth_not_computed",
        documentation="Explanations that could not be computed, by the reference under which the log has the error.",
        labels=("reference",),
    )
    for reference, number in sorted(counted_failures().items()):
        found.add_metric((reference,), number)
    return found


def _beat() -> Metric:
    """Return whether beat runs; nothing while Redis is away."""
    found = GaugeMetricFamily("berth_beat_up", documentation="Whether beat has started something in the last minute.")
    is_running = heartbeat.is_running()
    if is_running is not None:
        found.add_metric((), is_running)
    return found


def _watching(states: Mapping[str, WatchState], now: datetime) -> Iterable[Metric]:
    """Yield how the live clusters, by name, are followed."""
    up = GaugeMetricFamily(
        "berth_watch_up", documentation="Whether a live cluster is followed now, 1 or 0.", labels=("cluster",)
    )
    lag = GaugeMetricFamily(
        "berth_watch_lag_seconds",
        documentation="From a change's arrival to its commit, in the latest batch.",
        labels=("cluster",),
    )
    by_kind = ("cluster", "kind")
    kind_up = GaugeMetricFamily(
        "berth_watch_kind_up", documentation="Whether a kind is followed now, 1 or 0.", labels=by_kind
    )
    event = GaugeMetricFamily(
        "berth_watch_last_event_age_seconds",
        documentation="Since an object of a kind was last seen to change.",
        labels=by_kind,
    )
    contact = GaugeMetricFamily(
        "berth_watch_last_contact_age_seconds",
        documentation="Since the API server last said anything about a kind.",
        labels=by_kind,
    )
    for name, state in states.items():
        up.add_metric((name,), not live_status(state.lease, state.kinds, now=now).is_old)
        if state.lease is not None:
            lag.add_metric((name,), state.lease.lag_ms / 1000)
        for kind in state.kinds:
            if kind.state != WatchedKind.State.UNSERVED:
                kind_up.add_metric((name, kind.kind), kind.state == WatchedKind.State.OK)
            for family, moment in ((event, kind.last_event_at), (contact, kind.last_contact_at)):
                if moment is not None:
                    family.add_metric((name, kind.kind), max(0.0, (now - moment).total_seconds()))
    yield from (up, lag, kind_up, event, contact)


def _decisions(names: Mapping[int, str], now: datetime) -> Iterable[Metric]:
    """Yield how many decisions there are of each sort, and how often they are agreed with; names are by primary key."""
    sort = ("cluster", "kind", "verdict", "reason", "window")
    decisions = GaugeMetricFamily(
        "berth_decisions", documentation="Decisions in the journal that were heard of within the window.", labels=sort
    )
    by_window = ("cluster", "window")
    ratio = GaugeMetricFamily(
        "berth_agreement_ratio",
        documentation="Decisions agreed with by decisions judged, absent without any.",
        labels=by_window,
    )
    nearby = GaugeMetricFamily(
        "berth_agreement_nearby_ratio",
        documentation="Decisions judged on a state near the one just before by decisions judged, absent without any.",
        labels=by_window,
    )
    # A cluster that was added meanwhile is told of next time.
    found = [tally for tally in tallies(None, now=now) if tally.cluster_id in names]
    numbers: dict[tuple[str, ...], int] = {}
    for tally in found:
        for window, number in tally.numbers.items():
            key = (names[tally.cluster_id], tally.kind, tally.verdict, tally.reason, window)
            numbers[key] = numbers.get(key, 0) + number
    for labels, number in sorted(numbers.items()):
        decisions.add_metric(labels, number)
    for pk in sorted({tally.cluster_id for tally in found}):
        for window in WINDOWS:
            rate = rate_of(found, window, cluster_id=pk)
            if rate.value is not None:
                ratio.add_metric((names[pk], window), rate.value)
                nearby.add_metric((names[pk], window), rate.nearby / rate.judged)
    yield from (decisions, ratio, nearby)
