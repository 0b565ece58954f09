"""Why a live cluster cannot be followed, and why its usage cannot be read."""

from __future__ import annotations

from typing import Final

from clusters.engine.problems import Bytes, Chosen, Number, OneOf, Problem, message, plural

# Why a live cluster cannot be followed: its credentials, and what its API server says or does not say.


class UnusableCredentials(Problem, kind="UnusableCredentials"):
    """Credentials that no client can be made of; ``kubeconfig`` is empty for a pod's service account."""

    sentence = (
        message("The credentials of context %(context)s of %(kubeconfig)s cannot be used: %(reason)s."),
        message("The credentials of context %(context)s of %(kubeconfig)s cannot be used."),
        message("The credentials of the pod's service account cannot be used."),
    )
    remedy = message("Check the certificates, keys and addresses that the kubeconfig names.")

    kubeconfig: str
    context: str
    reason: str


class NoUsableContext(Problem, kind="NoUsableContext"):
    """A kubeconfig without the context, or without the cluster or the user that the context names."""

    sentence = message("%(kubeconfig)s has no usable context “%(context)s”.")
    remedy = message(
        "kubectl config get-contexts lists them; the cluster and the user that it names must be there too."
    )

    kubeconfig: str
    context: str


class NotOneContext(Problem, kind="NotOneContext"):
    """A kubeconfig of several contexts, or of none, where the only one is meant."""

    sentence = (
        message("%(kubeconfig)s has more than one context: %(contexts)s."),
        message("%(kubeconfig)s has no contexts."),
    )
    remedy = Chosen("contexts", {(): message("Add one with kubectl config set-context.")}, message("Name one of them."))

    kubeconfig: str
    contexts: tuple[str, ...]


class NoServiceAccount(Problem, kind="NoServiceAccount"):
    """Berth does not run in a pod that has a service account."""

    sentence = message("This process does not run in a pod with a service account.")
    remedy = message("Give the pod one (automountServiceAccountToken), or follow the cluster by a kubeconfig.")


class KubeconfigUnreadable(Problem, kind="KubeconfigUnreadable"):
    """A kubeconfig that the operating system does not give out, and its reason."""

    sentence = message("%(kubeconfig)s cannot be read: %(reason)s.")
    remedy = message("Check the path, and that Berth's user may read it.")

    kubeconfig: str
    reason: str


class NotAKubeconfig(Problem, kind="NotAKubeconfig"):
    """A file that is something else; nothing of it is quoted, as it may hold a token."""

    sentence = message("%(path)s is not a kubeconfig.")
    remedy = message("KUBECONFIG=%(path)s kubectl config view must be able to read it.")

    path: str


class UnknownPluginVersion(Problem, kind="UnknownPluginVersion"):
    """A credential plugin of an API version that is not spoken."""

    sentence = message("The credential plugin speaks %(found)s, which is unknown.")
    remedy = message("Use one that speaks %(known)s.")

    found: str
    known: OneOf


class PluginNotStarted(Problem, kind="PluginNotStarted"):
    """A credential plugin that the operating system does not start, and its reason, empty where it gives none."""

    sentence = (
        message("The credential plugin %(command)s cannot be started: %(reason)s."),
        message("The credential plugin %(command)s cannot be started."),
    )
    remedy = message("Run kubectl with the same kubeconfig and as the same user on Berth's machine, and sign in there.")

    command: str
    reason: str


class PluginSilent(Problem, kind="PluginSilent"):
    """A credential plugin that gave no answer in time."""

    sentence = message("The credential plugin %(command)s gave no answer in %(seconds)s seconds.")
    remedy = message("Run kubectl with the same kubeconfig and as the same user on Berth's machine, and sign in there.")

    command: str
    seconds: int


class PluginFailed(Problem, kind="PluginFailed"):
    """A credential plugin that ended with an exit status other than 0."""

    sentence = message(
        "The credential plugin %(command)s failed with exit status %(status)s; the watcher's log holds what it wrote."
    )
    remedy = message("Run kubectl with the same kubeconfig and as the same user on Berth's machine, and sign in there.")

    command: str
    status: Number


class NoTokenGiven(Problem, kind="NoTokenGiven"):
    """A credential plugin whose answer holds no token."""

    sentence = message(
        "The answer of the credential plugin %(command)s holds no token; client certificates from plugins are not read."
    )
    remedy = message("Run kubectl with the same kubeconfig and as the same user on Berth's machine, and sign in there.")

    command: str


# When it matters that an API server does not serve a kind; every answer needs the others.
_SPREADING: Final = message("Nothing to do, unless pods are spread by default constraints here.")
_OWNERS: Final = message("Nothing to do, unless pods are to be grouped by such owners here.")
_VOLUMES: Final = message("Nothing to do, unless pods use volumes here.")
_DEVICES: Final = message("Nothing to do, unless pods use devices here.")
_GROUPS: Final = message("Nothing to do, unless pods are scheduled as groups here.")
_NEEDED: Final = {
    "Namespace": message("Nothing to do, unless affinity terms select namespaces by label here."),
    "Event": message("Nothing to do, unless what the scheduler and others reported matters here."),
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
    """A kind that the API server has in no version that Berth reads."""

    sentence = message("The API server does not serve %(object_kind)s.")
    remedy = Chosen("object_kind", _NEEDED, message("Every answer needs it: look for a proxy in between."))

    object_kind: str


class PathNotFound(Problem, kind="PathNotFound"):
    """The API server answers 404; ``object_kind`` is empty where it was asked for its version."""

    sentence = (
        message("The API server does not serve %(object_kind)s (404)."),
        message("The API server does not serve its version (404)."),
    )
    remedy = message("Nothing to do if it is not needed.")

    object_kind: str


class CoreKindNotServed(Problem, kind="CoreKindNotServed"):
    """A kind that every API server has, and this one not, so that it may be none."""

    sentence = message("The API server does not serve %(object_kind)s, which every API server does.")
    remedy = message("Look for a proxy in between; Berth asks again.")

    object_kind: str


class NotConnected(Problem, kind="NotConnected"):
    """No connection in time; ``kubeconfig`` is empty for a pod's service account."""

    sentence = message("The API server does not respond: no connection within %(seconds)s seconds.")
    remedy = (
        message(
            "Check that it runs and that Berth's machine reaches the address in context %(context)s of %(kubeconfig)s."
        ),
        message("Check that it runs and that Berth's machine reaches the address of the pod's service account."),
    )

    seconds: int
    kubeconfig: str
    context: str


class NothingHeard(Problem, kind="NothingHeard"):
    """A connection on which nothing came; ``kubeconfig`` is empty for a pod's service account."""

    sentence = message("The API server does not respond: nothing came over an open connection.")
    remedy = (
        message(
            "Check that it runs and that Berth's machine reaches the address in context %(context)s of %(kubeconfig)s."
        ),
        message("Check that it runs and that Berth's machine reaches the address of the pod's service account."),
    )

    kubeconfig: str
    context: str


class ConnectionLost(Problem, kind="ConnectionLost"):
    """A connection that ended within an answer; ``kubeconfig`` is empty for a pod's service account."""

    sentence = message("The API server does not respond: the connection was lost.")
    remedy = (
        message(
            "Check that it runs and that Berth's machine reaches the address in context %(context)s of %(kubeconfig)s."
        ),
        message("Check that it runs and that Berth's machine reaches the address of the pod's service account."),
    )

    kubeconfig: str
    context: str


class NoAnswer(Problem, kind="NoAnswer"):
    """No answer for the reason that the operating system gives; ``kubeconfig`` is empty for a service account."""

    sentence = message("The API server does not respond: %(reason)s.")
    remedy = (
        message(
            "Check that it runs and that Berth's machine reaches the address in context %(context)s of %(kubeconfig)s."
        ),
        message("Check that it runs and that Berth's machine reaches the address of the pod's service account."),
    )

    reason: str
    kubeconfig: str
    context: str


class UnknownCredentials(Problem, kind="UnknownCredentials"):
    """The API server answers 401; ``kubeconfig`` is empty for a pod's service account."""

    sentence = (
        message(
            "The API server does not accept the credentials of context %(context)s of %(kubeconfig)s (401): most "
            "likely the token has expired."
        ),
        message(
            "The API server does not accept the credentials of the pod's service account (401): most likely the "
            "token has expired."
        ),
    )
    remedy = message("Renew the token or sign in again there; Berth reads the file again by itself.")

    kubeconfig: str
    context: str


class MayNotList(Problem, kind="MayNotList"):
    """The API server answers 403, and says why; ``object_kind`` is empty where it was asked for its version."""

    sentence = (
        message("Berth may not list and watch %(object_kind)s (403): %(said)s"),
        message("Berth may not list and watch %(object_kind)s (403)."),
        message("Berth may not read the API server's version (403)."),
    )
    remedy = message("Bind the ClusterRole in deploy/clusterrole.yaml to the account that Berth uses.")

    object_kind: str
    said: str


class VersionGone(Problem, kind="VersionGone"):
    """The API server answers 410 to a watch that resumes from an old resource version."""

    sentence = message("The API server no longer has that resource version of %(object_kind)s (410): %(said)s")
    remedy = message("Berth lists it anew.")

    object_kind: str
    said: str


class RefusedWithStatus(Problem, kind="RefusedWithStatus"):
    """The API server answers with another status than 200, and may say why."""

    sentence = (
        message("The API server responds with status %(status)s: %(said)s"),
        message("The API server responds with status %(status)s."),
    )
    remedy = message("Look at its log; Berth asks again.")

    status: Number
    said: str


class WatchFailed(Problem, kind="WatchFailed"):
    """A watch that the API server ended with an error, and what it says."""

    sentence = message("The watch of %(object_kind)s ended with an error: %(said)s")
    remedy = message("Look at the API server's log.")

    object_kind: str
    said: str


class WatchesEnd(Problem, kind="WatchesEnd"):
    """Watches that end as soon as they begin."""

    sentence = message("Watches end as soon as they begin.")
    remedy = message("Look for a proxy in between.")


class EndlessMessage(Problem, kind="EndlessMessage"):
    """A message of a watch that grows beyond what is read."""

    sentence = message("A message of the watch does not end.")
    remedy = message("Look for a proxy in between.")


class UnknownEvent(Problem, kind="UnknownEvent"):
    """An event of a watch whose type no API server sends."""

    sentence = message("The watch of %(object_kind)s sends an event of an unknown type.")
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
    remedy = message("It is left out. Please report it: Berth and the API server disagree about what is valid.")

    object_kind: str
    name: str
    field: str
    why: Problem


# What can be wrong with usage that somebody sends, and why a cluster's own is not read.


class UsageBeforeState(Problem, kind="UsageBeforeState"):
    """Usage of a cluster of which nothing was read."""

    sentence = message("It holds usage of pods, and nothing of this cluster has been read yet.")
    remedy = message("Send a dump of the cluster first.")


class NoUsageFound(Problem, kind="NoUsageFound"):
    """A source without any PodMetrics or NodeMetrics."""

    sentence = message("It holds no PodMetrics, no NodeMetrics and no summary of a kubelet.")
    remedy = message(
        "Send what kubectl get --raw /apis/metrics.k8s.io/v1beta1/pods prints, or kubectl top pods --containers -A."
    )


class UsageOfTheFuture(Problem, kind="UsageOfTheFuture"):
    """Usage with a time that is more than a day ahead."""

    sentence = message("%(found)s is more than a day ahead.")
    remedy = message("Set the clock of the machine that wrote it, and send usage with its real time.")

    found: str


class UsageTooLarge(Problem, kind="UsageTooLarge"):
    """An amount of usage that no machine has."""

    sentence = message("%(found)s is more than any machine has.")
    remedy = message("Send usage as it was measured.")

    found: str


class TopWithoutNames(Problem, kind="TopWithoutNames"):
    """A heading of kubectl top without the column that names pods, containers or nodes."""

    sentence = message("Line %(line)s is a heading without the column NAME.")
    remedy = message("Send the output of kubectl top as it is.")

    line: Number


class TopWithoutNamespaces(Problem, kind="TopWithoutNamespaces"):
    """Output of kubectl top pods that does not name namespaces."""

    sentence = message(
        "Line %(line)s is a heading without the column NAMESPACE, so it is not known which pods these are."
    )
    remedy = message("Send what kubectl top pods --containers -A prints.")

    line: Number


class TopColumnUnknown(Problem, kind="TopColumnUnknown"):
    """A column of kubectl top that is not known."""

    sentence = message("Line %(line)s is a heading with the column %(found)s, which kubectl top does not have.")
    remedy = message("Send the output of kubectl top as it is.")

    line: Number
    found: str


class TopRowLength(Problem, kind="TopRowLength"):
    """A line of another number of columns than its heading."""

    sentence = plural(
        "Line %(line)s has %(cells)s column and its heading %(columns)s: %(found)s.",
        "Line %(line)s has %(cells)s columns and its heading %(columns)s: %(found)s.",
        by="cells",
    )
    remedy = message("Send the output of kubectl top as it is, without its messages (2>/dev/null).")

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

    sentence = message("The API server does not serve metrics.k8s.io (404): the cluster has no metrics-server.")
    remedy = message("Install metrics-server, or name a Prometheus of the cluster in BERTH_PROMETHEUS.")


class MetricsForbidden(Problem, kind="MetricsForbidden"):
    """Berth may not read metrics.k8s.io; ``message`` is the API server's."""

    sentence = message("Berth may not read metrics.k8s.io (403): %(message)s")
    remedy = message("Allow it with the optional rule in deploy/clusterrole.yaml, and apply that.")

    message: str


class NoMetricsYet(Problem, kind="NoMetricsYet"):
    """A source that answers, and holds no pods yet; ``source`` is its name."""

    sentence = message("%(source)s answers, and knows of no pod yet.")
    remedy = message("It takes some minutes after its start; then look at its own log.")

    source: str


class LargeMetrics(Problem, kind="LargeMetrics"):
    """An answer with usage of more bytes than are read."""

    sentence = message("The answer has more than %(most_bytes)s.")
    remedy = message("Upload what kubectl top prints for the namespaces in question.")

    most_bytes: Bytes


class PrometheusRefused(Problem, kind="PrometheusRefused"):
    """Prometheus answered with another status than 200, or with an error of its own; ``message`` is what it said."""

    sentence = message("Prometheus at %(address)s answered %(status)s: %(message)s")
    remedy = message("Open its address in BERTH_PROMETHEUS from the machine of the worker, and see what it says.")

    address: str
    status: Number
    message: str


class PrometheusRedirects(Problem, kind="PrometheusRedirects"):
    """Prometheus answered with a redirect, which is not followed."""

    sentence = message("Prometheus at %(address)s answered with a redirect, which is not followed.")
    remedy = message("Write the address that it leads to into BERTH_PROMETHEUS.")

    address: str


class PrometheusSilent(Problem, kind="PrometheusSilent"):
    """No answer from Prometheus; ``reason`` is the word of the network."""

    sentence = message("No answer from Prometheus at %(address)s: %(reason)s.")
    remedy = message("Check the address in BERTH_PROMETHEUS, and that the worker may connect to it.")

    address: str
    reason: str


class PrometheusUnreadable(Problem, kind="PrometheusUnreadable"):
    """An answer that is not one of Prometheus to an instant query."""

    sentence = message("What answers at %(address)s is no Prometheus.")
    remedy = message("Write the address of its API, without /api/v1, into BERTH_PROMETHEUS.")

    address: str
