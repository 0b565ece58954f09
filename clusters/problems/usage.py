"""What can be wrong with usage that somebody sends, and why a cluster's own is not read."""

from __future__ import annotations

from dataclasses import dataclass

from clusters.engine.problems import Problem


@dataclass(frozen=True, slots=True)
class UsageBeforeState(Problem):
    """Usage of a cluster of which nothing was read."""


@dataclass(frozen=True, slots=True)
class NoUsageFound(Problem):
    """A source without any PodMetrics or NodeMetrics."""


@dataclass(frozen=True, slots=True)
class UsageOfTheFuture(Problem):
    """Usage with a time that is more than a day ahead."""

    found: str


@dataclass(frozen=True, slots=True)
class UsageTooLarge(Problem):
    """An amount of usage that no machine has."""

    found: str


@dataclass(frozen=True, slots=True)
class TopWithoutNames(Problem):
    """A heading of kubectl top without the column that names pods, containers or nodes."""

    line: int


@dataclass(frozen=True, slots=True)
class TopWithoutNamespaces(Problem):
    """Output of kubectl top pods that does not name namespaces."""

    line: int


@dataclass(frozen=True, slots=True)
class TopColumnUnknown(Problem):
    """A column of kubectl top that is not known."""

    line: int
    found: str


@dataclass(frozen=True, slots=True)
class TopRowLength(Problem):
    """A line of another number of columns than its heading."""

    line: int
    found: str
    cells: int
    columns: int


@dataclass(frozen=True, slots=True)
class TopAmount(Problem):
    """A cell that is no amount; ``why`` says what is wrong with it."""

    line: int
    column: str
    why: Problem


@dataclass(frozen=True, slots=True)
class TopLineTooLong(Problem):
    """A line of more characters than any of kubectl top has."""

    line: int
    most: int


@dataclass(frozen=True, slots=True)
class MetricsNotServed(Problem):
    """The API server does not serve metrics.k8s.io."""


@dataclass(frozen=True, slots=True)
class MetricsForbidden(Problem):
    """Berth may not read metrics.k8s.io; ``message`` is the API server's."""

    message: str


@dataclass(frozen=True, slots=True)
class NoMetricsYet(Problem):
    """A source that answers, and holds no pods yet; ``source`` is its name."""

    source: str


@dataclass(frozen=True, slots=True)
class LargeMetrics(Problem):
    """An answer with usage of more bytes than are read."""

    most_bytes: int


@dataclass(frozen=True, slots=True)
class PrometheusRefused(Problem):
    """Prometheus answered with another status than 200, or with an error of its own; ``message`` is what it said."""

    address: str
    status: int
    message: str


@dataclass(frozen=True, slots=True)
class PrometheusRedirects(Problem):
    """Prometheus answered with a redirect, which is not followed."""

    address: str


@dataclass(frozen=True, slots=True)
class PrometheusSilent(Problem):
    """No answer from Prometheus; ``reason`` is the word of the network."""

    address: str
    reason: str


@dataclass(frozen=True, slots=True)
class PrometheusUnreadable(Problem):
    """An answer that is not one of Prometheus to an instant query."""

    address: str
