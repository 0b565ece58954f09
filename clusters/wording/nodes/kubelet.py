"""What a node's kubelet does by itself: what it evicts, what the kernel kills, and a shutdown."""

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
from clusters.engine.resources import CPU, EPHEMERAL_STORAGE, MEMORY
from clusters.wording.amounts import grouped, quantity, size
from clusters.wording.lists import listed
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from collections.abc import Sequence

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
EVICTED: Final = gettext_lazy("Evicted with 1 s of time, however full the node is.")
SPARED: Final = gettext_lazy("Not evicted: critical priority.")
USAGE_UNKNOWN: Final = gettext_lazy("Disk usage unknown: add the summary of the node's kubelet as usage.")
USED_AT = message("Usage as of %(moment)s.")
USED = message("%(amount)s used")
EXCEEDS = message("%(holder)s uses %(used)s of ephemeral storage; its limit is %(limit)s. %(outcome)s")


def holder(excess: StorageExcess) -> str:
    """Name what exceeds its limit."""
    return HOLDERS[excess.kind](name=excess.name)


def excess_sentence(excess: StorageExcess) -> str:
    """Say what of a pod exceeds its limit, and what follows."""
    outcome = SPARED if excess.is_spared else EVICTED
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
PERCENT = message("%(number)s %%")
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
MORE = message("%(amount)s more than the configuration demands.")
BEYOND = message("%(amount)s beyond the default threshold: reserved, or a higher threshold.")


def reservation(each: Reservation, *, is_given: bool) -> str:
    """Say whether the configuration explains what is kept from pods."""
    beyond = quantity(each.resource, abs(each.beyond))
    if each.beyond < 0:
        return LESS(amount=beyond)
    if not each.beyond:
        return str(AS_DEMANDED if is_given or not each.kept else DEFAULT_THRESHOLD)
    if is_given:
        return MORE(amount=beyond)
    return str(RESERVED) if each.resource == CPU else BEYOND(amount=beyond)


KEPT = message("%(amount)s (%(percent)s)")
BOTH = message("%(amount)s and %(reclaim)s more")

# -- the order of evictions ----------------------------------------------------------------------------------------

NO_AMOUNT: Final = pgettext_lazy("request or limit of memory", "none")
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
NO_PODS: Final = gettext_lazy("No pod runs on the node.")
RANKS = message("%(earliest)s to %(latest)s")


def ranks(earliest: int, latest: int) -> str:
    """Write a range of ranks; one where both are the same."""
    return grouped(earliest) if earliest == latest else RANKS(earliest=earliest, latest=latest)


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
