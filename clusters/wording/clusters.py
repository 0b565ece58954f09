"""Clusters as sources in words: how their objects come, and what is missing."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext_lazy

from clusters.problems.inputs import OtherGap, Use
from clusters.wording.amounts import grouped
from clusters.wording.messages import message, plural

# -- Which answers are uncertain because of what a source lacks -------------------------------------------------------


# Every plugin by name: which plugins miss a kind that a dump lacks.

_LABELS: Final = {
    OtherGap.MISSING_NODE: pgettext_lazy("what a source lacks", "Missing node"),
    OtherGap.POD_DEFAULTS: pgettext_lazy("what a source lacks", "Pod defaults"),
    OtherGap.UNREADABLE: pgettext_lazy("what a source lacks", "Unreadable objects"),
}
_SPREADING: Final = gettext_lazy("PodTopologySpread of pods without constraints.")
_AFFECTS: Final = {
    "Node": gettext_lazy("Every answer."),
    "Pod": gettext_lazy("Resources, ports, spreading and affinity: nodes count as empty."),
    "Namespace": gettext_lazy("InterPodAffinity: namespace selectors match none."),
    "PriorityClass": gettext_lazy("Preemption: the priority of a new pod is unknown."),
    "PodDisruptionBudget": gettext_lazy("Preemption and drains: nothing protects pods."),
    **dict.fromkeys(("Service", "ReplicationController", "ReplicaSet", "StatefulSet"), _SPREADING),
    "PersistentVolume": gettext_lazy("VolumeBinding, VolumeZone and NodeVolumeLimits: bound volumes are unknown."),
    "PersistentVolumeClaim": gettext_lazy("VolumeBinding, VolumeZone and NodeVolumeLimits: claims count as not found."),
    "StorageClass": gettext_lazy("VolumeBinding, VolumeZone and NodeVolumeLimits: the binding mode is unknown."),
    "CSINode": gettext_lazy("VolumeBinding, VolumeZone and NodeVolumeLimits: limits are unknown."),
    "RuntimeClass": gettext_lazy("Overhead and node selector of runtime classes are unknown."),
    "ResourceClaim": gettext_lazy("DynamicResources: resource claims count as not found."),
    "ResourceSlice": gettext_lazy("DynamicResources: no node has devices."),
    "DeviceClass": gettext_lazy("DynamicResources: device classes count as not found."),
    "PodGroup": gettext_lazy("GangScheduling: PodGroups count as not found."),
    "Workload": gettext_lazy("GangScheduling: Workloads count as not found."),
    OtherGap.MISSING_NODE: gettext_lazy("Those pods count in no answer."),
    OtherGap.UNREADABLE: gettext_lazy("They count as not existing."),
    OtherGap.POD_DEFAULTS: gettext_lazy("They count as written. Read the dump with --default-pods to complete them."),
}
# Who would have to be there for the gap to matter.
_USES: Final = {
    Use.CLAIMS: pgettext_lazy("what pods use", "claims"),
    Use.PRIORITY_CLASSES: pgettext_lazy("what pods use", "priority classes"),
    Use.NAMESPACE_SELECTORS: pgettext_lazy("what pods use", "namespace selectors"),
    Use.RUNTIME_CLASSES: pgettext_lazy("what pods use", "runtime classes"),
    Use.RESOURCE_CLAIMS: pgettext_lazy("what pods use", "resource claims"),
    Use.POD_GROUPS: pgettext_lazy("what pods use", "pod groups"),
    Use.WORKLOADS: pgettext_lazy("what pods use", "Workloads"),
}


def label(kind: str) -> str:
    """Name what a source lacks: a kind of Kubernetes as Kubernetes does, what is no kind in words."""
    return str(_LABELS[OtherGap(kind)]) if kind in _LABELS else kind


def affects(kind: str, *, unused: str | None) -> str:
    """Say which answers are uncertain, empty for a kind that is unknown; ``unused`` is what no pod uses so far."""
    if kind not in _AFFECTS:
        return ""
    said = str(_AFFECTS[kind])
    if not unused:
        return said
    return _("Nothing so far: no pod uses %(use)s. Else: %(affected)s") % {
        "use": str(_USES[Use(unused)]),
        "affected": said,
    }


# -- One run of reading a dump or a scheduler's log -------------------------------------------------------------------


# Steps of a run.
QUEUED: Final = pgettext_lazy("step of reading a dump", "Queued")
READING: Final = pgettext_lazy("step of reading a dump", "Reading")
WRITING: Final = pgettext_lazy("step of reading a dump", "Writing")
DONE: Final = pgettext_lazy("step of reading a dump", "Done")
# By the state that a row stores.
STATES: Final = {
    "queued": QUEUED,
    "reading": READING,
    "writing": WRITING,
    "done": DONE,
    "failed": pgettext_lazy("state of reading a dump", "Failed"),
    "cancelled": pgettext_lazy("state of reading a dump", "Cancelled"),
}

UNCHANGED: Final = gettext_lazy("The cluster is as it was before.")
NOTHING_READ_YET: Final = gettext_lazy("No dump of the cluster has been read yet.")
ON_POD_PAGES: Final = gettext_lazy("Attempts are on the pages of their pods.")
# What is counted: of a dump, and of a log.
OBJECTS_READ: Final = gettext_lazy("objects read")
KEPT: Final = pgettext_lazy("number of objects", "kept")
SKIPPED: Final = pgettext_lazy("number of objects", "skipped")
LINES_READ: Final = gettext_lazy("lines read")
ON_USAGE_PAGE: Final = gettext_lazy("They are on the page Usage.")
SAMPLES_KEPT: Final = gettext_lazy("samples of pods kept")
ATTEMPTS_KEPT: Final = gettext_lazy("attempts kept")
LINES_SKIPPED: Final = gettext_lazy("lines without an attempt")
# By the name under which it is counted: what is kept beside Kubernetes' kinds.
_KEPT: Final = {
    "recorded-attempts": gettext_lazy("recorded attempts"),
    "usage-samples": gettext_lazy("samples of pods' usage"),
    "disk-uses": gettext_lazy("nodes' use of disks"),
}


def kept_thing(kind: str) -> str:
    """Name what is kept: a kind of Kubernetes as it is."""
    return str(_KEPT.get(kind, kind))


OBJECTS = plural("%(number)s object", "%(number)s objects", by="number")
LINES = plural("%(number)s line", "%(number)s lines", by="number")
ATTEMPTS = plural("%(number)s recorded attempt", "%(number)s recorded attempts", by="number")
SAMPLES = plural("%(number)s sample of a pod", "%(number)s samples of pods", by="number")
USAGE_DONE = plural(
    "Usage taken: %(samples)s samples of pods, of %(hours)s hour.",
    "Usage taken: %(samples)s samples of pods, of %(hours)s hours.",
    by="hours",
)
DISKS_DONE = plural(
    "Disk usage of %(nodes)s node: on its page, Eviction under pressure.",
    "Disk usage of %(nodes)s nodes: on their pages, Eviction under pressure.",
    by="nodes",
)


QUEUED_FILE = message("%(file)s is queued for a worker.")


READING_FILE = message("Reading %(file)s: %(read)s of %(whole)s, %(counted)s so far.")


SPOKEN = message("Reading, %(percent)s percent.")


WRITING_OBJECTS = message("Writing %(counted)s.")


FAILED = message("%(file)s could not be read.")
READING_CANCELLED = message("Reading %(file)s was cancelled.")
NOT_ADDED = message("No cluster %(cluster)s was added.")


NOTHING_NEW = message("%(file)s holds nothing new: revision %(revision)s stays.")


DUMP_DONE = message("%(read)s read; %(added)s added, %(changed)s changed, %(removed)s removed. Revision %(revision)s.")


LOG_DONE = plural(
    "%(read)s read; %(added)s attempt added, %(completed)s completed, %(known)s known already.",
    "%(read)s read; %(added)s attempts added, %(completed)s completed, %(known)s known already.",
    by="added",
)


DOCUMENT = message("document %(number)s")


# -- How a live cluster is followed -----------------------------------------------------------------------------------


NO_WATCHER: Final = pgettext_lazy("status of a live cluster", "no watcher")
LISTING: Final = pgettext_lazy("status of a live cluster", "listing")
SILENT: Final = pgettext_lazy("status of a live cluster", "silent")
BEHIND: Final = pgettext_lazy("status of a live cluster", "behind")
LIVE: Final = pgettext_lazy("status of a live cluster", "live")

START_WATCHER = message("Run %(command)s watch with the cluster's name, and read what it prints.")
NEVER_WATCHED: Final = gettext_lazy("No watcher has followed this cluster yet.")
WATCHER_SILENT: Final = gettext_lazy("The watcher does not respond. Last heartbeat")
SERVER_SILENT: Final = gettext_lazy("The API server does not respond. Last response")
FOLLOWING: Final = gettext_lazy("Following every kind. Last response")


def listing(complete: int, kinds: int) -> str:
    """Say how many kinds are listed; none are known before the first."""
    if not kinds:
        return _("Listing: no kind is complete yet. Started")
    return ngettext(
        "Listing: %(complete)s of %(kinds)s kind is complete. Started",
        "Listing: %(complete)s of %(kinds)s kinds are complete. Started",
        kinds,
    ) % {"complete": grouped(complete), "kinds": grouped(kinds)}


WITHOUT = plural(
    "Following all kinds but %(kinds)s. Last response", "Following all kinds but %(kinds)s. Last response", by="kinds"
)
LAGGING = message("Following %(milliseconds)s ms behind: the database is slow. Last response")
KINDS_BEHIND = plural("%(kinds)s kind behind", "%(kinds)s kinds behind", by="kinds")
KINDS_FOLLOWED = plural("%(kinds)s kind up to date", "%(kinds)s kinds up to date", by="kinds")


# -- The list of clusters, and what is mirrored of one ----------------------------------------------------------------


PENDING_PODS: Final = gettext_lazy("pending pods")
PODS: Final = gettext_lazy("pods")
NODES: Final = gettext_lazy("nodes")
BUDGETS: Final = gettext_lazy("disruption budgets")
# What budgets cannot be computed for want of.
NO_BUDGETS_READ: Final = gettext_lazy("There may be unknown budgets.")
NO_PODS_READ: Final = gettext_lazy("Budgets seem to select nothing.")
NODE_MISSING: Final = gettext_lazy("Its drain is not evaluated.")
NO_CONTROLLERS_READ: Final = gettext_lazy("Expected pods may be unknown.")


KINDS_MISSING = plural("%(number)s kind missing", "%(number)s kinds missing", by="number")
ALSO_MIRRORED = message("Also read: events %(events)s, other objects %(others)s.")
DELETED = message("%(cluster)s is deleted.")
RENAMED = message("%(old)s is called %(new)s now.")


# -- The forms that add clusters --------------------------------------------------------------------------------------


NAME: Final = gettext_lazy("Cluster name")
NAME_HINT: Final = gettext_lazy("Lower-case letters, digits and dashes.")
NAME_RULE: Final = gettext_lazy(
    "Write at most 63 lower-case letters, digits and dashes, beginning and ending with a letter or digit."
)
NAME_MISSING: Final = gettext_lazy("Give the cluster a name.")
DUMP: Final = pgettext_lazy("label of a field", "Dump")
DUMP_HINT: Final = gettext_lazy("JSON, YAML or a .tar.gz of them; each may be gzip-compressed.")
DUMP_MISSING: Final = gettext_lazy("Choose a file first.")
DUMP_EMPTY: Final = gettext_lazy("The file is empty.")
CONNECTION: Final = pgettext_lazy("label of a field", "Connection")
CONNECTION_HINT: Final = gettext_lazy("A context of a kubeconfig on Berth's machine.")
CONNECTION_MISSING: Final = gettext_lazy("Choose a connection.")
CONNECTION_GONE: Final = gettext_lazy("This context is gone. Choose another one.")
THIS_POD: Final = gettext_lazy("This pod")
SERVICE_ACCOUNT: Final = gettext_lazy("its service account")


FILE_TOO_LARGE = message(
    "The file exceeds %(limit)s. Compress it with gzip, leave out kinds, or raise BERTH_UPLOAD_LIMIT_MIB."
)
NAME_TAKEN = message("%(name)s exists. Take another name.")
NAME_TAKEN_BY_DUMP = message("%(name)s exists. Take another name, or upload a newer dump from its page.")
BEING_READ = message("A dump of %(name)s is being read. Take another name, or wait.")
ALREADY_WRITTEN = message("%(file)s is being written, and not cancelled.")
