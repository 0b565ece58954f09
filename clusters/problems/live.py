"""Why a live cluster cannot be followed, and why its usage cannot be read."""

from __future__ import annotations

from clusters.engine.problems import Chosen, Number, Problem, message

# Why a live cluster cannot be followed: its credentials, and what its API server says or does not say.


class UnusableCredentials(Problem, kind="UnusableCredentials"):
    """Credentials that no client can be made of; ``kubeconfig`` is empty for a pod's service account."""

    sentence = (
        message("The credentials of context %(context)s of %(kubeconfig)s cannot be used: %(reason)s."),
        message("The credentials cannot be used."),
    )
    remedy = message("Check its certificates, keys and addresses.")

    kubeconfig: str
    context: str
    reason: str


class NoUsableContext(Problem, kind="NoUsableContext"):
    sentence = message("%(kubeconfig)s has no usable context “%(context)s”.")
    remedy = message("See kubectl config get-contexts.")

    kubeconfig: str
    context: str


class NotOneContext(Problem, kind="NotOneContext"):
    sentence = (message("%(kubeconfig)s has the contexts %(contexts)s."), message("%(kubeconfig)s has no contexts."))
    remedy = Chosen("contexts", {(): message("Add one with kubectl config set-context.")}, message("Name one of them."))

    kubeconfig: str
    contexts: tuple[str, ...]


class NoServiceAccount(Problem, kind="NoServiceAccount"):
    sentence = message("This process has no service account.")
    remedy = message("Set automountServiceAccountToken, or use a kubeconfig.")


class NotAKubeconfig(Problem, kind="NotAKubeconfig"):
    sentence = message("%(path)s is not a kubeconfig.")
    remedy = message("Try KUBECONFIG=%(path)s kubectl config view.")

    path: str


class PluginFailed(Problem, kind="PluginFailed"):
    """A credential plugin without a token; ``reason`` is its exit status, its time, or what its answer lacks."""

    sentence = message("The credential plugin %(command)s gave no token: %(reason)s.")
    remedy = message("See the watcher's log, or sign in with kubectl.")

    command: str
    reason: str


class KindNotServed(Problem, kind="KindNotServed"):
    sentence = message("The API server does not serve %(object_kind)s.")
    remedy = Chosen(
        "object_kind",
        dict.fromkeys(("Node", "Pod"), message("Look for a proxy: every answer needs it.")),
        message("Nothing to do, unless the cluster uses it."),
    )

    object_kind: str


class PathNotFound(Problem, kind="PathNotFound"):
    """The API server answers 404; ``object_kind`` is empty where it was asked for its version."""

    sentence = (
        message("The API server does not serve %(object_kind)s (404)."),
        message("The API server's version is not served (404)."),
    )

    object_kind: str


class CoreKindNotServed(Problem, kind="CoreKindNotServed"):
    sentence = message("The API server does not serve %(object_kind)s.")
    remedy = message("Look for a proxy in between.")

    object_kind: str


class NoAnswer(Problem, kind="NoAnswer"):
    """No answer for the reason that the operating system gives; ``kubeconfig`` is empty for a service account."""

    sentence = message("The API server does not respond: %(reason)s.")
    remedy = (
        message("Check that it runs, and context %(context)s of %(kubeconfig)s."),
        message("Check that it runs."),
    )

    reason: str
    kubeconfig: str
    context: str


class UnknownCredentials(Problem, kind="UnknownCredentials"):
    """The API server answers 401; ``kubeconfig`` is empty for a pod's service account."""

    sentence = (
        message("The API server rejects the credentials of context %(context)s of %(kubeconfig)s (401)."),
        message("The API server rejects the credentials (401)."),
    )
    remedy = message("Renew the token or sign in again.")

    kubeconfig: str
    context: str


class MayNotList(Problem, kind="MayNotList"):
    """The API server answers 403, and says why; ``object_kind`` is empty where it was asked for its version."""

    sentence = (
        message("Berth may not list and watch %(object_kind)s (403): %(said)s"),
        message("Berth may not list and watch %(object_kind)s (403)."),
        message("Berth may not read the API server's version (403)."),
    )
    remedy = message("Bind deploy/clusterrole.yaml to Berth's account.")

    object_kind: str
    said: str


class VersionGone(Problem, kind="VersionGone"):
    """The API server answers 410 to a watch that resumes from an old resource version."""

    sentence = message("The resource version of %(object_kind)s is gone (410): %(said)s")

    object_kind: str
    said: str


class RefusedWithStatus(Problem, kind="RefusedWithStatus"):
    """The API server answers with another status than 200, and may say why."""

    sentence = (
        message("The API server responds with status %(status)s: %(said)s"),
        message("The API server responds with status %(status)s."),
    )
    remedy = message("Look at its log.")

    status: Number
    said: str


class WatchFailed(Problem, kind="WatchFailed"):
    sentence = message("The watch of %(object_kind)s failed: %(said)s")
    remedy = message("Look at the API server's log.")

    object_kind: str
    said: str


class WatchesEnd(Problem, kind="WatchesEnd"):
    sentence = message("Watches end as soon as they begin.")
    remedy = message("Look for a proxy in between.")


class StrangeAnswer(Problem, kind="StrangeAnswer"):
    """An answer that no API server gives; ``object_kind`` is empty where it was asked for its version."""

    sentence = (
        message("The response about %(object_kind)s is not the API server's."),
        message("The response is not the API server's."),
    )
    remedy = message("Look for a proxy in between.")

    object_kind: str


class LiveObjectUnreadable(Problem, kind="LiveObjectUnreadable"):
    """An object of the API server that the mirror cannot hold: what is wrong, and the field that it is about.

    ``name`` has the namespace before it, where the object has one; it is empty where the object says none.
    """

    sentence = (
        message("%(object_kind)s %(name)s: %(field)s: %(why)s"),
        message("%(object_kind)s without a name: %(field)s: %(why)s"),
    )
    remedy = message("Please report it.")

    object_kind: str
    name: str
    field: str
    why: Problem


# What can be wrong with usage that somebody sends, and why a cluster's own is not read.


class NoUsageFound(Problem, kind="NoUsageFound"):
    sentence = message("It holds no PodMetrics, NodeMetrics or kubelet summary.")
    remedy = message("Send what kubectl top pods --containers -A prints.")


class UsageOfTheFuture(Problem, kind="UsageOfTheFuture"):
    sentence = message("%(found)s is more than a day ahead.")
    remedy = message("Set that machine's clock.")

    found: str


class TopUnreadable(Problem, kind="TopUnreadable"):
    """A line that kubectl top does not print: ``found`` is a heading that is unknown or missing, or the line."""

    sentence = message("Line %(line)s is not kubectl top's: %(found)s.")
    remedy = message("Send what kubectl top pods --containers -A prints.")

    line: Number
    found: str


class TopAmount(Problem, kind="TopAmount"):
    """A cell that is no amount; ``why`` says what is wrong with it."""

    sentence = message("Line %(line)s, column %(column)s: %(why)s")

    line: Number
    column: str
    why: Problem


class MetricsNotServed(Problem, kind="MetricsNotServed"):
    """The API server does not serve metrics.k8s.io."""

    sentence = message("The API server does not serve metrics.k8s.io (404).")
    remedy = message("Install metrics-server, or set BERTH_PROMETHEUS.")


class MetricsForbidden(Problem, kind="MetricsForbidden"):
    """Berth may not read metrics.k8s.io; ``message`` is the API server's."""

    sentence = message("Berth may not read metrics.k8s.io (403): %(message)s")
    remedy = message("Apply the optional rule of deploy/clusterrole.yaml.")

    message: str


class NoMetricsYet(Problem, kind="NoMetricsYet"):
    """A source that answers, and holds no pods yet; ``source`` is its name."""

    sentence = message("%(source)s knows of no pod yet.")
    remedy = message("Wait some minutes, then see its log.")

    source: str


class PrometheusFailed(Problem, kind="PrometheusFailed"):
    """No answer from Prometheus, or another status than 200; ``reason`` is that, or the word of the network."""

    sentence = message("Prometheus at %(address)s failed: %(reason)s.")
    remedy = message("Check BERTH_PROMETHEUS.")

    address: str
    reason: str


class PrometheusUnreadable(Problem, kind="PrometheusUnreadable"):
    sentence = message("What answers at %(address)s is not Prometheus.")
    remedy = message("Set BERTH_PROMETHEUS to its address without /api/v1.")

    address: str
