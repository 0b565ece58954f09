"""Nodes in words: their states, their kubelets, and what the pages say of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.engine.kubelet import (
    ContainerRole,
    DiskPart,
    ExceededLimit,
    FilesystemLayout,
    HardThresholds,
    KnownMemory,
    RankGround,
    ReclaimStep,
    Reservation,
    ScoreGround,
    SettingsOrigin,
    Signal,
    StarvedResource,
    StorageExcess,
)
from clusters.engine.nodes import Unusable
from clusters.engine.resources import CPU, EPHEMERAL_STORAGE, MEMORY
from clusters.wording.amounts import grouped, quantity, size
from clusters.wording.lists import TO, listed
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from collections.abc import Sequence


# -- The states of a node, and the filters of lists that ask for them -------------------------------------------------


READY: Final = pgettext_lazy("state of a node", "Ready")
NOT_READY: Final = pgettext_lazy("state of a node", "NotReady")
READY_UNKNOWN: Final = pgettext_lazy("state of a node", "Ready unknown")
CORDONED: Final = pgettext_lazy("state of a node", "Cordoned")
NOT_CORDONED: Final = pgettext_lazy("state of a node", "Not cordoned")
UNDER_PRESSURE: Final = pgettext_lazy("state of a node", "Under pressure")
CLOSED: Final = pgettext_lazy("state of a node", "NotReady, cordoned or under pressure")
TAINTED: Final = pgettext_lazy("state of a node", "With taints")
NOT_TAINTED: Final = pgettext_lazy("state of a node", "Without taints")
NO_ZONE: Final = gettext_lazy("No zone label")

# By the value of the condition Ready; None where the node has no such condition.
READINESS: Final = {True: READY, False: NOT_READY, None: READY_UNKNOWN}

# Labels and hints of the list's filters.
SEARCH_HINT: Final = gettext_lazy("Part of a node's name")
SCHEDULING: Final = gettext_lazy("Scheduling")
HEALTH: Final = gettext_lazy("Health")
TAINTS: Final = gettext_lazy("Taints")


# -- What a node's kubelet does by itself -----------------------------------------------------------------------------


GIVE_IT_BELOW: Final = gettext_lazy("Give the configuration again below.")

# -- disks ---------------------------------------------------------------------------------------------------------

LAYOUTS: Final = {
    FilesystemLayout.ONE: gettext_lazy("one file system"),
    FilesystemLayout.IMAGES: gettext_lazy("images and writable layers apart (imagefs)"),
    FilesystemLayout.IMAGES_SPLIT: gettext_lazy("images apart (imagefs)"),
}
# By what of a pod exceeds its limit.
HOLDERS: Final = {
    ExceededLimit.EMPTY_DIR: message("emptyDir %(name)s"),
    ExceededLimit.CONTAINER: message("container %(name)s"),
    ExceededLimit.POD: message("whole pod", context="what exceeds a limit for ephemeral storage"),
}
EVICTED_WITH_A_SECOND: Final = gettext_lazy("Evicted with 1 s of time, however full the node is.")
SPARED: Final = gettext_lazy("Not evicted: critical priority.")
USAGE_UNKNOWN: Final = gettext_lazy("Disk usage unknown: add the summary of the node's kubelet as usage.")
USED_AT = message("Usage as of %(moment)s.")
AMOUNT_USED = message("%(resource)s used")
EXCEEDS = message("%(holder)s uses %(used)s of ephemeral storage; its limit is %(limit)s. %(outcome)s")


def holder(excess: StorageExcess) -> str:
    """Name what exceeds its limit."""
    return HOLDERS[excess.kind](name=excess.name)


def excess_sentence(excess: StorageExcess) -> str:
    """Say what of a pod exceeds its limit, and what follows."""
    outcome = SPARED if excess.is_spared else EVICTED_WITH_A_SECOND
    return EXCEEDS(holder=holder(excess), used=size(excess.used), limit=size(excess.limit), outcome=outcome)


# -- thresholds ----------------------------------------------------------------------------------------------------

FULLNESS: Final = gettext_lazy("What the kubelet does at which fullness")
# The stretches of the scale.
NOTHING: Final = pgettext_lazy("what a kubelet does at some fullness", "nothing")
COLLECTS: Final = pgettext_lazy("what a kubelet does at some fullness", "removes unused images")
WAITS: Final = pgettext_lazy("what a kubelet does at some fullness", "evicts after a grace period (soft)")
EVICTS: Final = pgettext_lazy("what a kubelet does at some fullness", "evicts at once (hard)")
# The bars of the scale: file systems by their names, as Kubernetes writes them.
FILESYSTEM = message("Disk: %(names)s")
CAPACITY_UNKNOWN: Final = gettext_lazy("capacity not reported")
HARD: Final = pgettext_lazy("kind of an eviction threshold", "hard: at once")
SOFT = message("soft: after %(grace)s", context="kind of an eviction threshold")
RESOURCES: Final = {
    CPU: pgettext_lazy("resource of a node", "CPU"),
    MEMORY: pgettext_lazy("resource of a node", "Memory"),
    EPHEMERAL_STORAGE: pgettext_lazy("resource of a node", "Ephemeral storage"),
}
SECONDS = message("%(seconds)s s")
COLLECTION_BEGINS = message("image removal from %(percent)s")
COLLECTION_ENDS = message("to %(percent)s")
ALLOCATABLE_MARK = message("allocatable: %(amount)s")
USED_MARK = message("reported: %(percent)s used")
EVICTS_AT = message("The kubelet evicts at once at %(thresholds)s.")
NO_HARD_THRESHOLD: Final = gettext_lazy("No hard threshold is in force.")
MET_AT = message("Met at %(moment)s: %(thresholds)s.")
NONE_MET_AT = message("No threshold was met at %(moment)s.")
ORIGINS: Final = {
    SettingsOrigin.DEFAULT: gettext_lazy("Assumed: the defaults of kubelet v1.34."),
    SettingsOrigin.GIVEN: gettext_lazy("By the configuration given below."),
    SettingsOrigin.NODE: gettext_lazy("By the node's KubeletConfiguration in the dump."),
    SettingsOrigin.EVERY_NODE: gettext_lazy("Assumed: the dump's KubeletConfiguration, which names no node."),
}
_HARD: Final = {
    HardThresholds.DEFAULT: gettext_lazy("No evictionHard: the default thresholds hold."),
    HardThresholds.MERGED: gettext_lazy("mergeDefaultEvictionSettings keeps defaults that evictionHard does not name."),
}
_OFF = message("Off, as evictionHard does not name them: %(signals)s; mergeDefaultEvictionSettings would keep them.")
IGNORED_FIELDS = message("Unknown fields are ignored: %(names)s.")
CONTAINERS_IGNORED: Final = gettext_lazy("containerfs thresholds are ignored: the kubelet copies others.")
RHYTHM = message("At most one eviction every 10 s; condition and taint stay %(transition)s longer than the pressure.")
COLLECTION = message(
    "Every 5 min unused images of at least %(minimum_age)s are removed, from imageGCHighThresholdPercent %(high)s "
    "to imageGCLowThresholdPercent %(low)s."
)
COLLECTION_OFF: Final = gettext_lazy("imageGCHighThresholdPercent is 100: images are removed only at disk thresholds.")
COLLECTION_BY_AGE = message("Images unused for %(maximum_age)s are removed.")
EVICTS_BEFORE_COLLECTION = message("%(signal)s<%(amount)s comes before image garbage collection.")


def hard_thresholds(hard: HardThresholds, off: Sequence[str]) -> str:
    """Say which default thresholds a configuration turns off; empty where it names each of them."""
    if hard in _HARD:
        return str(_HARD[hard])
    return _OFF(signals=listed(off)) if off else ""


AS_DEMANDED: Final = gettext_lazy("As the configuration demands.")
DEFAULT_THRESHOLD: Final = gettext_lazy("The default threshold.")
RESERVED: Final = gettext_lazy("Reserved for the system and the kubelet.")
LESS = message("%(amount)s less than the configuration demands.")
MORE_THAN_DEMANDED = message("%(amount)s more than the configuration demands.")
BEYOND = message("%(amount)s beyond the default threshold: reserved, or a higher threshold.")


def reservation(each: Reservation, *, is_given: bool) -> str:
    """Say whether the configuration explains what is kept from pods."""
    beyond = quantity(each.resource, abs(each.beyond))
    if each.beyond < 0:
        return LESS(amount=beyond)
    if not each.beyond:
        return str(AS_DEMANDED if is_given or not each.kept else DEFAULT_THRESHOLD)
    if is_given:
        return MORE_THAN_DEMANDED(amount=beyond)
    return str(RESERVED) if each.resource == CPU else BEYOND(amount=beyond)


BOTH = message("%(amount)s and %(reclaim)s more")

# -- the order of evictions ----------------------------------------------------------------------------------------

_STATIC: Final = gettext_lazy("Static pod.")
_CRITICAL: Final = gettext_lazy("Critical priority.")
_STARTING: Final = gettext_lazy("May not run yet: pods without statistics go first.")
_NOTHING_REQUESTED: Final = gettext_lazy("Its request is 0.")
_USAGE: Final = gettext_lazy("Early if usage exceeds the request, else late.")
_ABOVE: Final = gettext_lazy("It uses more than it requests.")
_WITHIN: Final = gettext_lazy("It uses no more than it requests.")
# Why a pod has its rank: under memory pressure, and under another one.
REASONS: Final = {
    KnownMemory.STATIC: _STATIC,
    KnownMemory.CRITICAL: _CRITICAL,
    KnownMemory.STARTING: _STARTING,
    KnownMemory.NOTHING_REQUESTED: _NOTHING_REQUESTED,
    KnownMemory.NOTHING_AS_A_WHOLE: gettext_lazy("Pod-level resources without memory count as a request of 0."),
    KnownMemory.CAPPED: gettext_lazy("Its limits do not exceed its request."),
    KnownMemory.ABOVE_REQUEST: _USAGE,
    KnownMemory.UNLIMITED: _USAGE,
    KnownMemory.SIDECARS: gettext_lazy("Kubelet versions count sidecars differently."),
    KnownMemory.MEASURED_ABOVE: _ABOVE,
    KnownMemory.MEASURED_WITHIN: _WITHIN,
}
GROUNDS: Final = {
    RankGround.STATIC: _STATIC,
    RankGround.CRITICAL: _CRITICAL,
    RankGround.STARTING: _STARTING,
    RankGround.NOTHING_REQUESTED: _NOTHING_REQUESTED,
    RankGround.USAGE: _USAGE,
    RankGround.PRIORITY: gettext_lazy("By priority, then the one with more processes."),
    RankGround.UNCOUNTED: gettext_lazy("By priority, then the smaller request first."),
    RankGround.ABOVE: _ABOVE,
    RankGround.WITHIN: _WITHIN,
}
# What may run out, by the signal that says so.
SHORT_OF: Final = {
    Signal.MEMORY: pgettext_lazy("what a node is short of", "Memory"),
    Signal.NODE_FS: pgettext_lazy("what a node is short of", "Disk (nodefs)"),
    Signal.IMAGE_FS: pgettext_lazy("what a node is short of", "Disk (imagefs)"),
    Signal.NODE_FS_INODES: pgettext_lazy("what a node is short of", "Inodes (nodefs)"),
    Signal.IMAGE_FS_INODES: pgettext_lazy("what a node is short of", "Inodes (imagefs)"),
    Signal.PIDS: pgettext_lazy("what a node is short of", "Process IDs"),
}
USED_OF: Final = {
    StarvedResource.MEMORY: gettext_lazy("Memory used"),
    StarvedResource.DISK: gettext_lazy("Disk used"),
    StarvedResource.INODES: gettext_lazy("Inodes used"),
    StarvedResource.PIDS: gettext_lazy("Processes"),
}
_BY_EXCESS: Final = gettext_lazy(
    "Pods whose usage exceeds their request go first, then by priority, then by the excess. "
    "Where usage is not known, a rank is a range."
)
ORDERS: Final = {
    StarvedResource.MEMORY: _BY_EXCESS,
    StarvedResource.DISK: _BY_EXCESS,
    StarvedResource.INODES: gettext_lazy("By priority, then by inodes used less ephemeral storage requested."),
    StarvedResource.PIDS: gettext_lazy("By priority, then by the number of processes."),
}
PARTS: Final = {
    DiskPart.LAYERS: pgettext_lazy("part of a pod's usage of disks", "writable layers"),
    DiskPart.LOGS: pgettext_lazy("part of a pod's usage of disks", "logs"),
    DiskPart.VOLUMES: pgettext_lazy("part of a pod's usage of disks", "local volumes"),
}
COUNTED = message("Counted of a pod: %(parts)s.")
NOTHING_COUNTED: Final = gettext_lazy("Only images are on this file system: nothing of a pod counts.")
RECLAIMED: Final = {
    ReclaimStep.CONTAINERS: pgettext_lazy("what a kubelet removes", "dead containers"),
    ReclaimStep.IMAGES: pgettext_lazy("what a kubelet removes", "unused images"),
}
RECLAIMS_FIRST = message("Removed before any eviction: %(what)s.")
HARD_GRACE: Final = gettext_lazy("A hard threshold gives a pod 1 s; the runtime gives each container at least 2 s.")
SOFT_GRACE = message("A soft one gives terminationGracePeriodSeconds, at most evictionMaxPodGracePeriod (%(most)s s).")
EVICTABLE = plural(
    "%(resource)s: %(pods)s pod may be evicted, one at a time.",
    "%(resource)s: %(pods)s pods may be evicted, one at a time.",
    by="pods",
)
CERTAINLY_ABOVE = plural(
    "%(pods)s of them certainly exceeds its request.",
    "%(pods)s of them certainly exceed their requests.",
    by="pods",
)


def ranks(earliest: int, latest: int) -> str:
    """Write a range of ranks; one where both are the same."""
    return grouped(earliest) if earliest == latest else TO(first=earliest, last=latest)


# -- kills when memory runs out ------------------------------------------------------------------------------------

NO_SCORE: Final = pgettext_lazy("OOM score of a container", "depends on the node")
ROLES: Final = {
    ContainerRole.MAIN: pgettext_lazy("role of a container", "container"),
    ContainerRole.SIDECAR: pgettext_lazy("role of a container", "sidecar"),
    ContainerRole.INIT: pgettext_lazy("role of a container", "init container"),
    ContainerRole.EPHEMERAL: pgettext_lazy("role of a container", "ephemeral container"),
}
_BY_QOS_CLASS: Final = gettext_lazy("By its QoS class.")
SCORE_GROUNDS: Final = {
    ScoreGround.NODE_CRITICAL: gettext_lazy("system-node-critical."),
    ScoreGround.GUARANTEED: _BY_QOS_CLASS,
    ScoreGround.BEST_EFFORT: _BY_QOS_CLASS,
    ScoreGround.REQUEST: gettext_lazy("1000 − 1000 × request / node memory."),
    ScoreGround.OF_MAIN: gettext_lazy("Sidecar: no higher than the lowest of its pod's containers."),
    ScoreGround.LEAST: gettext_lazy("The lowest score of Burstable pods."),
    ScoreGround.MOST: gettext_lazy("The highest score of Burstable pods."),
}


def score(number: int) -> str:
    """Write a score."""
    return grouped(number) if number >= 0 else f"\u2212{grouped(-number)}"


# -- a graceful shutdown -------------------------------------------------------------------------------------------

SHUTDOWN_PICTURE: Final = gettext_lazy("From the order to shut down until the node is off")
SECONDS_UNIT: Final = pgettext_lazy("unit of a scale of time", "s")
TERMINATING: Final = gettext_lazy("pods terminate")
UNMOUNTING: Final = gettext_lazy("volumes are unmounted")
TERMINATES = plural(
    "When %(node)s shuts down, its %(pods)s pod terminates within %(seconds)s s.",
    "When %(node)s shuts down, its %(pods)s pods terminate within %(seconds)s s.",
    by="pods",
)
CUT = plural(
    "%(pods)s pod gets less than its terminationGracePeriodSeconds.",
    "%(pods)s pods get less than their terminationGracePeriodSeconds.",
    by="pods",
)
GROUP = plural(
    "%(pods)s pod of priority %(priority)s or more", "%(pods)s pods of priority %(priority)s or more", by="pods"
)
GROUP_ENDS = message("at most %(seconds)s s")


# -- What the page of a node says -------------------------------------------------------------------------------------


# Titles of the parts that are computed when they are asked for.
PENDING: Final = gettext_lazy("Pending pods that fit here")
DRAIN: Final = gettext_lazy("Drain preview")
FAULTS: Final = gettext_lazy("Evictions when the node fails")
USAGE: Final = gettext_lazy("Usage of the node and its pods")
SHUTDOWN: Final = gettext_lazy("Graceful node shutdown")
OOM: Final = gettext_lazy("Kills when memory runs out")
PRESSURE: Final = gettext_lazy("Eviction under pressure")

DRAIN_BY_WORKER: Final = gettext_lazy("A worker plans this drain …")
REMOVED = message("%(cluster)s has no node %(node)s any more.")

# -- resources -----------------------------------------------------------------------------------------------------

REQUESTED_LABEL = message("%(resource)s requested")
KEPT = message("%(amount)s kept from pods")
EXCEEDED_BY = message("%(amount)s over")
AMOUNT_OF = message("%(amount)s of %(resource)s")
SHARE_OF = message("%(share)s of its %(resource)s")
PODS_REQUEST = plural(
    "Its %(pods)s pod requests %(shares)s.",
    "Its %(pods)s pods request %(shares)s.",
    by="pods",
)
ACCEPTS_NO_PODS: Final = gettext_lazy("It accepts no pods.")
NO_PODS: Final = gettext_lazy("No pod runs on it.")
FREE = message("Free: %(amounts)s.")
NOTHING_REQUESTED: Final = gettext_lazy("They request nothing.")
OVERCOMMITTED = message("%(resource)s is overcommitted.")
USED_UP = message("%(resource)s: nothing is free.")
POD_LIMIT_NEXT = plural(
    "The node pod limit is reached first, after %(pods)s more pod.",
    "The node pod limit is reached first, after %(pods)s more pods.",
    by="pods",
)
RUNS_OUT = plural(
    "%(resource)s runs out first, after about %(pods)s average pod.",
    "%(resource)s runs out first, after about %(pods)s average pods.",
    by="pods",
)
USED = message("%(resource)s: %(used)s used (%(share)s), %(requested)s of %(allocatable)s requested.")
OVER_HOURS = plural(
    "Over %(hours)s hourly sample: CPU p95 %(cpu)s, memory at most %(memory)s.",
    "Over %(hours)s hourly samples: CPU p95 %(cpu)s, memory at most %(memory)s.",
    by="hours",
)

# -- what it reports -----------------------------------------------------------------------------------------------

# By type of a condition that is not as it should be: what follows.
CONDITIONS: Final = {
    "Ready": gettext_lazy("No new pods; running ones are evicted as their tolerations expire."),
    "MemoryPressure": gettext_lazy("Pods are evicted; no new BestEffort pods."),
    "DiskPressure": gettext_lazy("Unused images are removed and pods evicted; no new pods."),
    "PIDPressure": gettext_lazy("Pods are evicted; no new pods."),
    "NetworkUnavailable": gettext_lazy("No new pods."),
}
EVICTED_AT_ONCE = plural(
    "NoExecute taints evict %(pods)s pod at once.", "NoExecute taints evict %(pods)s pods at once.", by="pods"
)
EVICTED_AFTER = plural(
    "NoExecute taints evict %(pods)s pod after %(seconds)s s.",
    "NoExecute taints evict %(pods)s pods after %(seconds)s s.",
    by="pods",
)
TOLERATE = plural("%(pods)s pod tolerates them.", "%(pods)s pods tolerate them.", by="pods")
OTHER_NAMES = plural("%(number)s more name", "%(number)s more names", by="number")
IMAGES = plural("%(number)s image", "%(number)s images", by="number")
LABELS = plural("%(number)s label", "%(number)s labels", by="number")
ATTACHED = plural(
    "%(volumes)s volume attached, no limit known", "%(volumes)s volumes attached, no limit known", by="volumes"
)
VOLUMES_OF = message("Volumes of %(driver)s")
VOLUME_PARTS = message("Used by pods here: %(by_pods)s. Attached without a pod: %(others)s.")
DEFERRED_RESIZES = message("The scheduler counts %(held)s more for deferred resizes of %(pods)s.")
UNHEALTHY_DEVICES = message(
    "%(resource)s: capacity %(capacity)s, allocatable %(allocatable)s; the others are unhealthy, or their device "
    "plugin does not run."
)

# -- who would come ------------------------------------------------------------------------------------------------

FAILED: Final = pgettext_lazy("verdict", "Could not be computed")
GATED: Final = pgettext_lazy("verdict", "Would fit without scheduling gates")
STOPPED: Final = pgettext_lazy("verdict", "No node is evaluated")
ONE_FILTER: Final = pgettext_lazy("verdict", "Rejected by one filter")
FOREIGN: Final = gettext_lazy("Another scheduler decides about it.")
FITTING = plural(
    "%(fitting)s of %(pods)s pending pods fits on %(node)s now.",
    "%(fitting)s of %(pods)s pending pods fit on %(node)s now, evaluated independently.",
    by="fitting",
)
AT_LEAST_FITTING = plural(
    "At least %(fitting)s of %(pods)s pending pods fits on %(node)s now.",
    "At least %(fitting)s of %(pods)s pending pods fit on %(node)s now, evaluated independently.",
    by="fitting",
)
UNCERTAIN = message("Uncertain: %(reasons)s.")
TITLE = plural("%(pods)s pod of %(what)s", "%(pods)s pods of %(what)s", by="pods")
BARE_TITLE = plural(
    "%(pods)s pod of namespace %(namespace)s, without controller",
    "%(pods)s pods of namespace %(namespace)s, without controller",
    by="pods",
)
EACH_REQUESTS = message("each requests %(amounts)s")
ONLY_NODE: Final = gettext_lazy("It fits on no other node.")
BEST_OF = plural(
    "It fits on %(others)s other node, which does not score higher.",
    "It fits on %(others)s other nodes; none scores higher.",
    by="others",
)
OUTSCORED = plural(
    "It fits on %(others)s other node, which scores higher.",
    "It fits on %(others)s other nodes; the best scores higher.",
    by="others",
)
GATES = message("Scheduling gates: %(names)s.")
ROOM_FOR = message("Room for %(fitting)s of %(pods)s.")

# -- who would go --------------------------------------------------------------------------------------------------

BLOCKED_UNTIL_CHANGED = message("It cannot be drained until a budget is changed: %(budgets)s.")
BLOCKED_FOR_NOW = message("It cannot be drained until pods are ready; 0 disruptions allowed: %(budgets)s.")
NEEDS_FORCE = plural(
    "Its drain needs --force: nothing recreates %(pods)s pod.",
    "Its drain needs --force: nothing recreates %(pods)s pods.",
    by="pods",
)
NO_ROOM = message("It cannot be drained: replacements would be unschedulable: %(pods)s.")
DRAINABLE = plural("Drainable now: evicts %(pods)s pod.", "Drainable now: evicts %(pods)s pods.", by="pods")
ALLOWED = plural(
    "Budgets allow its drain: evicts %(pods)s pod.", "Budgets allow its drain: evicts %(pods)s pods.", by="pods"
)

# -- when it fails -------------------------------------------------------------------------------------------------

FAULTS_PICTURE: Final = gettext_lazy("From the last report of the node to the eviction of its pods")
# The stretches of the timeline.
GRACE: Final = gettext_lazy("node still counted as Ready")
TOLERATED: Final = gettext_lazy("pods stay")
NEVER: Final = pgettext_lazy("when a pod is evicted", "never")
KEPT_ALL = message("If %(node)s stops reporting, none of its %(all)s pods is evicted.")
EVICTED = plural(
    "If %(node)s stops reporting, %(pods)s of its %(all)s pods is evicted after %(times)s.",
    "If %(node)s stops reporting, %(pods)s of its %(all)s pods are evicted after %(times)s.",
    by="pods",
)
GRACE_SENTENCE = message(
    "A node that does not report becomes Unknown after %(grace)s s (--node-monitor-grace-period of %(minor)s). "
    "Each step may come 5 s later."
)
UNREACHABLE_KEEPS_RUNNING: Final = gettext_lazy(
    "On an unreachable node containers keep running, and evicted pods stay Terminating until it reports or is deleted."
)
ZONE_NOT_READY: Final = gettext_lazy(
    "No pods are evicted there: 55 % or more of a zone of at most 50 nodes would not be ready."
)
NO_NODE_READY: Final = gettext_lazy("No pods are evicted: no node would be ready.")


# -- What the pictures of nodes say -----------------------------------------------------------------------------------


# -- the pods of a node, to scale ----------------------------------------------------------------------------------

TO_SCALE: Final = gettext_lazy("Pods of the node, to scale")
REQUEST: Final = pgettext_lazy("part of a picture", "Requested by a pod")
FREE_PART: Final = pgettext_lazy("part of a picture", "Free")
USED_PART: Final = pgettext_lazy("part of a picture", "Used")
OVER: Final = pgettext_lazy("part of a picture", "Used beyond the request")
FREE_AMOUNT = message("free: %(amount)s", context="part of a picture")
REQUESTS = message("%(pod)s requests %(amount)s.")
REQUESTS_AND_USES = message("%(pod)s requests %(amount)s and uses %(used)s.")
SMALLER = plural("%(pods)s smaller pod", "%(pods)s smaller pods", by="pods")
BY_REQUEST = plural("%(pods)s pod, as wide as its request.", "%(pods)s pods, as wide as their requests.", by="pods")

# -- the nodes by the share that is requested ----------------------------------------------------------------------

PODS_LABEL: Final = pgettext_lazy("resource of a node", "Pods")

# -- what is free, by the shape of pods that can use it ------------------------------------------------------------

USABLE_TITLE: Final = gettext_lazy("Free capacity, and which pods fit")
CURVE: Final = gettext_lazy("More pods that fit, by shape")
USABLE_OF: Final = {CPU: gettext_lazy("Free CPU by shape"), MEMORY: gettext_lazy("Free memory by shape")}
USABLE: Final = pgettext_lazy("part of free capacity", "usable")
MORE_PODS: Final = pgettext_lazy("line in a picture", "more pods")
PODS: Final = pgettext_lazy("unit of a picture", "pods")
SHAPE_COLUMN: Final = pgettext_lazy("column", "Each pod requests")
_WHY: Final = {
    Unusable.CLOSED: pgettext_lazy("part of free capacity", "on nodes that accept no pods"),
    Unusable.TAINTED: pgettext_lazy("part of free capacity", "on tainted nodes"),
    Unusable.POD_LIMIT: pgettext_lazy("part of free capacity", "node pod limit reached"),
    Unusable.REMAINDER: pgettext_lazy("part of free capacity", "less than one pod requests"),
}
_LACK: Final = {
    CPU: pgettext_lazy("part of free capacity", "insufficient memory beside it"),
    MEMORY: pgettext_lazy("part of free capacity", "insufficient CPU beside it"),
}
FIT = plural("%(pods)s more fits", "%(pods)s more fit", by="pods")
AT_END = plural("%(pods)s pod of %(what)s", "%(pods)s pods of %(what)s", by="pods")
USABLE_BY = message("%(free)s free; pods of %(shape)s can use %(usable)s of it (%(share)s).")
MORE_FIT = message("%(many)s more of %(small)s fit, and %(few)s of %(large)s.")


def why(reason: Unusable, resource: str) -> str:
    """Say why a shape cannot use what is free of a resource."""
    return str(_LACK[resource] if reason is Unusable.OTHER_RESOURCE else _WHY[reason])


# -- What files say of nodes ------------------------------------------------------------------------------------------


YES: Final = pgettext_lazy("cell of a file", "yes")
NO: Final = pgettext_lazy("cell of a file", "no")
UNKNOWN: Final = pgettext_lazy("cell of a file", "unknown")
