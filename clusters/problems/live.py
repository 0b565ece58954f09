"""Why a live cluster cannot be followed, and why its usage cannot be read."""

from __future__ import annotations

from dataclasses import dataclass

from clusters.engine.problems import Problem

# Why a live cluster cannot be followed: its credentials, and what its API server says or does not say.


@dataclass(frozen=True, slots=True)
class UnusableCredentials(Problem):
    """Credentials that no client can be made of; ``kubeconfig`` is empty for a pod's service account."""

    kubeconfig: str
    context: str
    reason: str


@dataclass(frozen=True, slots=True)
class NoUsableContext(Problem):
    """A kubeconfig without the context, or without the cluster or the user that the context names."""

    kubeconfig: str
    context: str


@dataclass(frozen=True, slots=True)
class NotOneContext(Problem):
    """A kubeconfig of several contexts, or of none, where the only one is meant."""

    kubeconfig: str
    contexts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NoServiceAccount(Problem):
    """Berth does not run in a pod that has a service account."""


@dataclass(frozen=True, slots=True)
class KubeconfigUnreadable(Problem):
    """A kubeconfig that the operating system does not give out, and its reason."""

    kubeconfig: str
    reason: str


@dataclass(frozen=True, slots=True)
class NotAKubeconfig(Problem):
    """A file that is something else; nothing of it is quoted, as it may hold a token."""

    path: str


@dataclass(frozen=True, slots=True)
class UnknownPluginVersion(Problem):
    """A credential plugin of an API version that is not spoken."""

    found: str
    known: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PluginNotStarted(Problem):
    """A credential plugin that the operating system does not start, and its reason, empty where it gives none."""

    command: str
    reason: str


@dataclass(frozen=True, slots=True)
class PluginSilent(Problem):
    """A credential plugin that gave no answer in time."""

    command: str
    seconds: int


@dataclass(frozen=True, slots=True)
class PluginFailed(Problem):
    """A credential plugin that ended with an exit status other than 0."""

    command: str
    status: int


@dataclass(frozen=True, slots=True)
class NoTokenGiven(Problem):
    """A credential plugin whose answer holds no token."""

    command: str


@dataclass(frozen=True, slots=True)
class KindNotServed(Problem):
    """A kind that the API server has in no version that Berth reads."""

    object_kind: str


@dataclass(frozen=True, slots=True)
class PathNotFound(Problem):
    """The API server answers 404; ``object_kind`` is empty where it was asked for its version."""

    object_kind: str


@dataclass(frozen=True, slots=True)
class CoreKindNotServed(Problem):
    """A kind that every API server has, and this one not, so that it may be none."""

    object_kind: str


@dataclass(frozen=True, slots=True)
class NotConnected(Problem):
    """No connection in time; ``kubeconfig`` is empty for a pod's service account."""

    seconds: int
    kubeconfig: str
    context: str


@dataclass(frozen=True, slots=True)
class NothingHeard(Problem):
    """A connection on which nothing came; ``kubeconfig`` is empty for a pod's service account."""

    kubeconfig: str
    context: str


@dataclass(frozen=True, slots=True)
class ConnectionLost(Problem):
    """A connection that ended within an answer; ``kubeconfig`` is empty for a pod's service account."""

    kubeconfig: str
    context: str


@dataclass(frozen=True, slots=True)
class NoAnswer(Problem):
    """No answer for the reason that the operating system gives; ``kubeconfig`` is empty for a service account."""

    reason: str
    kubeconfig: str
    context: str


@dataclass(frozen=True, slots=True)
class UnknownCredentials(Problem):
    """The API server answers 401; ``kubeconfig`` is empty for a pod's service account."""

    kubeconfig: str
    context: str


@dataclass(frozen=True, slots=True)
class MayNotList(Problem):
    """The API server answers 403, and says why; ``object_kind`` is empty where it was asked for its version."""

    object_kind: str
    said: str


@dataclass(frozen=True, slots=True)
class VersionGone(Problem):
    """The API server answers 410 to a watch that resumes from an old resource version."""

    object_kind: str
    said: str


@dataclass(frozen=True, slots=True)
class RefusedWithStatus(Problem):
    """The API server answers with another status than 200, and may say why."""

    status: int
    said: str


@dataclass(frozen=True, slots=True)
class WatchFailed(Problem):
    """A watch that the API server ended with an error, and what it says."""

    object_kind: str
    said: str


@dataclass(frozen=True, slots=True)
class WatchesEnd(Problem):
    """Watches that end as soon as they begin."""


@dataclass(frozen=True, slots=True)
class EndlessMessage(Problem):
    """A message of a watch that grows beyond what is read."""


@dataclass(frozen=True, slots=True)
class UnknownEvent(Problem):
    """An event of a watch whose type no API server sends."""

    object_kind: str


@dataclass(frozen=True, slots=True)
class StrangeAnswer(Problem):
    """An answer that no API server gives; ``object_kind`` is empty where it was asked for its version."""

    object_kind: str


@dataclass(frozen=True, slots=True)
class LiveObjectUnreadable(Problem):
    """An object of the API server that the mirror cannot hold: what is wrong, and the field that it is about.

    ``name`` has the namespace before it, where the object has one; it is empty where the object says none.
    """

    object_kind: str
    name: str
    field: str
    why: Problem


# What can be wrong with usage that somebody sends, and why a cluster's own is not read.


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
