"""Why a live cluster cannot be followed, and why its usage cannot be read."""

from __future__ import annotations

from typing import Final

from clusters.engine.problems import Bytes, Chosen, Number, OneOf, Problem, message

# Why a live cluster cannot be followed: its credentials, and what its API server says or does not say.


class UnusableCredentials(Problem, kind="UnusableCredentials"):
    """Credentials that no client can be made of; ``kubeconfig`` is empty for a pod's service account."""

    sentence = (
        message("The credentials of context %(context)s of %(kubeconfig)s cannot be used: %(reason)s."),
        message("The credentials of context %(context)s of %(kubeconfig)s cannot be used."),
        message("The credentials of the pod's service account cannot be used."),
    )
    remedy = message("Check its certificates, keys and addresses.")

    kubeconfig: str
    context: str
    reason: str


class NoUsableContext(Problem, kind="NoUsableContext"):
    sentence = message("%(kubeconfig)s has no usable context “%(context)s”.")
    remedy = message("See kubectl config get-contexts; it needs a cluster and a user.")

    kubeconfig: str
    context: str


class NotOneContext(Problem, kind="NotOneContext"):
    sentence = (message("%(kubeconfig)s has the contexts %(contexts)s."), message("%(kubeconfig)s has no contexts."))
    remedy = Chosen("contexts", {(): message("Add one with kubectl config set-context.")}, message("Name one of them."))

    kubeconfig: str
    contexts: tuple[str, ...]


class NoServiceAccount(Problem, kind="NoServiceAccount"):
    sentence = message("This process runs in no pod with a service account.")
    remedy = message("Set automountServiceAccountToken, or use a kubeconfig.")


class KubeconfigUnreadable(Problem, kind="KubeconfigUnreadable"):
    sentence = message("%(kubeconfig)s cannot be read: %(reason)s.")
    remedy = message("Check the path and its permissions.")

    kubeconfig: str
    reason: str


class NotAKubeconfig(Problem, kind="NotAKubeconfig"):
    sentence = message("%(path)s is not a kubeconfig.")
    remedy = message("Try KUBECONFIG=%(path)s kubectl config view.")

    path: str


class UnknownPluginVersion(Problem, kind="UnknownPluginVersion"):
    sentence = message("The credential plugin speaks %(found)s, which is unknown.")
    remedy = message("Use one that speaks %(known)s.")

    found: str
    known: OneOf


class PluginNotStarted(Problem, kind="PluginNotStarted"):
    sentence = (
        message("The credential plugin %(command)s cannot be started: %(reason)s."),
        message("The credential plugin %(command)s cannot be started."),
    )
    remedy = message("Sign in with kubectl as Berth's user.")

    command: str
    reason: str


class PluginSilent(Problem, kind="PluginSilent"):
    sentence = message("The credential plugin %(command)s gave no answer in %(seconds)s seconds.")
    remedy = message("Sign in with kubectl as Berth's user.")

    command: str
    seconds: int


class PluginFailed(Problem, kind="PluginFailed"):
    """A credential plugin that ended with an exit status other than 0."""

    sentence = message("The credential plugin %(command)s failed with exit status %(status)s; see the watcher's log.")
    remedy = message("Sign in with kubectl as Berth's user.")

    command: str
    status: Number


class NoTokenGiven(Problem, kind="NoTokenGiven"):
    sentence = message("The credential plugin %(command)s gave no token.")
    remedy = message("Sign in with kubectl as Berth's user.")

    command: str


# When it matters that an API server does not serve a kind; every answer needs the others.
_SPREADING: Final = message("Nothing to do, unless pods are spread by default constraints here.")
_OWNERS: Final = message("Nothing to do, unless pods are to be grouped by such owners.")
_VOLUMES: Final = message("Nothing to do, unless pods use volumes here.")
_DEVICES: Final = message("Nothing to do, unless pods use devices here.")
_GROUPS: Final = message("Nothing to do, unless pods are scheduled as groups here.")
_NEEDED: Final = {
    "Namespace": message("Nothing to do, unless affinity terms select namespaces by label here."),
    "Event": message("Nothing to do, unless what was reported matters here."),
    "PodDisruptionBudget": message("Nothing to do, unless preemption, evictions or drains matter here."),
    "PriorityClass": message("Nothing to do, unless preemption matters here."),
    "RuntimeClass": message("Nothing to do, unless pods have a RuntimeClass here."),
    **dict.fromkeys(("Service", "ReplicationController", "ReplicaSet", "StatefulSet"), _SPREADING),
    **dict.fromkeys(("Deployment", "DaemonSet", "Job", "CronJob"), _OWNERS),
    "LimitRange": message("Nothing to do, unless a LimitRange gives pods their requests here."),
    "ResourceQuota": message("Nothing to do, unless quotas matter here."),
    **dict.fromkeys(
        (
            *("PersistentVolume", "PersistentVolumeClaim", "StorageClass", "CSINode", "CSIDriver"),
            *("CSIStorageCapacity", "VolumeAttachment"),
        ),
        _VOLUMES,
    ),
    **dict.fromkeys(
        ("ResourceSlice", "ResourceClaim", "ResourceClaimTemplate", "DeviceClass", "DeviceTaintRule"), _DEVICES
    ),
    **dict.fromkeys(("Workload", "PodGroup", "CompositePodGroup"), _GROUPS),
}


class KindNotServed(Problem, kind="KindNotServed"):
    sentence = message("The API server does not serve %(object_kind)s.")
    remedy = Chosen("object_kind", _NEEDED, message("Look for a proxy: every answer needs it."))

    object_kind: str


class PathNotFound(Problem, kind="PathNotFound"):
    """The API server answers 404; ``object_kind`` is empty where it was asked for its version."""

    sentence = (
        message("The API server does not serve %(object_kind)s (404)."),
        message("The API server does not serve its version (404)."),
    )

    object_kind: str


class CoreKindNotServed(Problem, kind="CoreKindNotServed"):
    sentence = message("The API server does not serve %(object_kind)s, as every API server does.")
    remedy = message("Look for a proxy in between.")

    object_kind: str


class NotConnected(Problem, kind="NotConnected"):
    """No connection in time; ``kubeconfig`` is empty for a pod's service account."""

    sentence = message("No connection to the API server within %(seconds)s seconds.")
    remedy = (
        message("Check that it runs, and the address in context %(context)s of %(kubeconfig)s."),
        message("Check that it runs."),
    )

    seconds: int
    kubeconfig: str
    context: str


class NothingHeard(Problem, kind="NothingHeard"):
    """A connection on which nothing came; ``kubeconfig`` is empty for a pod's service account."""

    sentence = message("The API server does not respond on an open connection.")
    remedy = (
        message("Check that it runs, and the address in context %(context)s of %(kubeconfig)s."),
        message("Check that it runs."),
    )

    kubeconfig: str
    context: str


class ConnectionLost(Problem, kind="ConnectionLost"):
    """A connection that ended within an answer; ``kubeconfig`` is empty for a pod's service account."""

    sentence = message("The connection to the API server was lost.")
    remedy = (
        message("Check that it runs, and the address in context %(context)s of %(kubeconfig)s."),
        message("Check that it runs."),
    )

    kubeconfig: str
    context: str


class NoAnswer(Problem, kind="NoAnswer"):
    """No answer for the reason that the operating system gives; ``kubeconfig`` is empty for a service account."""

    sentence = message("The API server does not respond: %(reason)s.")
    remedy = (
        message("Check that it runs, and the address in context %(context)s of %(kubeconfig)s."),
        message("Check that it runs."),
    )

    reason: str
    kubeconfig: str
    context: str


class UnknownCredentials(Problem, kind="UnknownCredentials"):
    """The API server answers 401; ``kubeconfig`` is empty for a pod's service account."""

    sentence = (
        message("The API server rejects the credentials of context %(context)s of %(kubeconfig)s (401)."),
        message("The API server rejects the credentials of the pod's service account (401)."),
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
    remedy = message("Bind the ClusterRole of deploy/clusterrole.yaml to Berth's account.")

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


class EndlessMessage(Problem, kind="EndlessMessage"):
    sentence = message("A message of the watch does not end.")
    remedy = message("Look for a proxy in between.")


class UnknownEvent(Problem, kind="UnknownEvent"):
    sentence = message("The watch of %(object_kind)s sends unknown events.")
    remedy = message("Look for a proxy in between.")

    object_kind: str


class StrangeAnswer(Problem, kind="StrangeAnswer"):
    """An answer that no API server gives; ``object_kind`` is empty where it was asked for its version."""

    sentence = (
        message("The response about %(object_kind)s is not the API server's."),
        message("The response about its version is not the API server's."),
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
    remedy = message("It is left out. Please report it.")

    object_kind: str
    name: str
    field: str
    why: Problem


# What can be wrong with usage that somebody sends, and why a cluster's own is not read.


class UsageBeforeState(Problem, kind="UsageBeforeState"):
    sentence = message("Nothing of this cluster has been read yet.")
    remedy = message("Send a dump first.")


class NoUsageFound(Problem, kind="NoUsageFound"):
    sentence = message("It holds no PodMetrics, no NodeMetrics and no kubelet summary.")
    remedy = message("Send what kubectl top pods --containers -A prints.")


class UsageOfTheFuture(Problem, kind="UsageOfTheFuture"):
    sentence = message("%(found)s is more than a day ahead.")
    remedy = message("Set that machine's clock.")

    found: str


class UsageTooLarge(Problem, kind="UsageTooLarge"):
    sentence = message("%(found)s is more than any machine has.")
    remedy = message("Send usage as it was measured.")

    found: str


class TopWithoutNames(Problem, kind="TopWithoutNames"):
    """A heading of kubectl top without the column that names pods, containers or nodes."""

    sentence = message("Line %(line)s is a heading without NAME.")
    remedy = message("Send the output of kubectl top as it is.")

    line: Number


class TopWithoutNamespaces(Problem, kind="TopWithoutNamespaces"):
    """Output of kubectl top pods that does not name namespaces."""

    sentence = message("Line %(line)s is a heading without NAMESPACE.")
    remedy = message("Send what kubectl top pods --containers -A prints.")

    line: Number


class TopColumnUnknown(Problem, kind="TopColumnUnknown"):
    """A column of kubectl top that is not known."""

    sentence = message("Line %(line)s is a heading with %(found)s, which kubectl top does not have.")
    remedy = message("Send the output of kubectl top as it is.")

    line: Number
    found: str


class TopRowLength(Problem, kind="TopRowLength"):
    sentence = message("Line %(line)s has %(cells)s columns, its heading %(columns)s: %(found)s.")
    remedy = message("Send the output of kubectl top as it is.")

    line: Number
    found: str
    cells: Number
    columns: Number


class TopAmount(Problem, kind="TopAmount"):
    """A cell that is no amount; ``why`` says what is wrong with it."""

    sentence = message("Line %(line)s, column %(column)s: %(why)s")

    line: Number
    column: str
    why: Problem


class TopLineTooLong(Problem, kind="TopLineTooLong"):
    """A line of more characters than any of kubectl top has."""

    sentence = message("Line %(line)s has more than %(most)s characters.")
    remedy = message("Send the output of kubectl top as it is.")

    line: Number
    most: int


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
    remedy = message("Wait some minutes; then look at its log.")

    source: str


class LargeMetrics(Problem, kind="LargeMetrics"):
    sentence = message("The answer has more than %(most_bytes)s.")
    remedy = message("Upload what kubectl top prints.")

    most_bytes: Bytes


class PrometheusRefused(Problem, kind="PrometheusRefused"):
    """Prometheus answered with another status than 200, or with an error of its own; ``message`` is what it said."""

    sentence = message("Prometheus at %(address)s answered %(status)s: %(message)s")
    remedy = message("Check BERTH_PROMETHEUS.")

    address: str
    status: Number
    message: str


class PrometheusRedirects(Problem, kind="PrometheusRedirects"):
    sentence = message("Prometheus at %(address)s redirects.")
    remedy = message("Write where it leads into BERTH_PROMETHEUS.")

    address: str


class PrometheusSilent(Problem, kind="PrometheusSilent"):
    """No answer from Prometheus; ``reason`` is the word of the network."""

    sentence = message("No answer from Prometheus at %(address)s: %(reason)s.")
    remedy = message("Check BERTH_PROMETHEUS.")

    address: str
    reason: str


class PrometheusUnreadable(Problem, kind="PrometheusUnreadable"):
    sentence = message("What answers at %(address)s is not Prometheus.")
    remedy = message("Write its API's address, without /api/v1, into BERTH_PROMETHEUS.")

    address: str
