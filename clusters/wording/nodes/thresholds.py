"""From which fullness of a node its kubelet removes images and evicts pods, and what it keeps from pods."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, pgettext_lazy

from clusters.engine.kubelet import FilesystemLayout, HardThresholds, Reservation, SettingsOrigin
from clusters.engine.resources import CPU, EPHEMERAL_STORAGE, MEMORY
from clusters.wording.amounts import quantity
from clusters.wording.lists import listed
from clusters.wording.messages import message

if TYPE_CHECKING:
    from collections.abc import Sequence


PICTURE: Final = gettext_lazy("How full the node may be, and what follows")
LAYOUTS: Final = {
    FilesystemLayout.ONE: gettext_lazy("one file system for everything"),
    FilesystemLayout.IMAGES: gettext_lazy("images and writable layers on one of their own (imagefs)"),
    FilesystemLayout.IMAGES_SPLIT: gettext_lazy("images alone on one of their own (imagefs)"),
}
LAYOUT_ASSUMED: Final = gettext_lazy("A node does not report its file systems: choose how they are divided.")
# The stretches of the scale.
NOTHING: Final = pgettext_lazy("what a kubelet does at some fullness", "nothing")
COLLECTS: Final = pgettext_lazy("what a kubelet does at some fullness", "removes unused images")
WAITS: Final = pgettext_lazy("what a kubelet does at some fullness", "evicts after a grace period (soft)")
EVICTS: Final = pgettext_lazy("what a kubelet does at some fullness", "evicts at once (hard)")
# The bars of the scale.
MEMORY_OF_NODE: Final = gettext_lazy("Memory")
ONE_FILESYSTEM: Final = gettext_lazy("Disk (nodefs, imagefs and containerfs are one)")
NODE_FILESYSTEM: Final = gettext_lazy("nodefs: volumes and logs")
NODE_FILESYSTEM_WITH_LAYERS: Final = gettext_lazy("nodefs and containerfs: volumes, logs and writable layers")
IMAGE_FILESYSTEM_WITH_LAYERS: Final = gettext_lazy("imagefs and containerfs: images and writable layers")
IMAGE_FILESYSTEM: Final = gettext_lazy("imagefs: images")
CAPACITY_UNKNOWN: Final = gettext_lazy("capacity not reported")
HARD: Final = pgettext_lazy("kind of an eviction threshold", "hard: at once")
RESOURCES: Final = {
    CPU: pgettext_lazy("resource of a node", "CPU"),
    MEMORY: pgettext_lazy("resource of a node", "Memory"),
    EPHEMERAL_STORAGE: pgettext_lazy("resource of a node", "Ephemeral storage"),
}


SOFT = message("soft: after %(grace)s", context="kind of an eviction threshold")
SECONDS = message("%(seconds)s s")
PERCENT = message("%(number)s %%")
FULL = message("%(percent)s used")


def threshold_mark(signal: str, amount: str) -> str:
    """Name a threshold beside the scale, as Kubernetes writes it."""
    return f"{signal}<{amount}"


COLLECTION_BEGINS = message("images are removed from %(percent)s")
COLLECTION_ENDS = message("their removal ends at %(percent)s")
ALLOCATABLE_MARK = message("allocatable: %(amount)s")


def memory_sentence(*, amount: str, capacity: str) -> str:
    """Say first when pods are evicted for memory; ``capacity`` is empty where it is not reported."""
    if not capacity:
        return _("The kubelet evicts pods at once while less than %(amount)s of memory is available.") % {
            "amount": amount
        }
    return _("The kubelet evicts pods at once while less than %(amount)s of %(capacity)s of memory is available.") % {
        "amount": amount,
        "capacity": capacity,
    }


NO_MEMORY_THRESHOLD: Final = gettext_lazy(
    "No hard threshold for memory: when it runs out, the kernel kills containers by their scores."
)


def disk_sentence(thresholds: Sequence[str]) -> str:
    """Say below which available shares of disks pods are evicted; each is written as Kubernetes writes it."""
    return _("For disk space it evicts at %(thresholds)s.") % {"thresholds": listed(thresholds)}


NO_DISK_THRESHOLD: Final = gettext_lazy(
    "No hard threshold for disk space is in force: pods are not evicted before a file system is full."
)


_ORIGINS: Final = {
    SettingsOrigin.DEFAULT: gettext_lazy(
        "Assumed are the defaults of kubelet v1.34: a node does not report its kubelet's configuration."
    ),
    SettingsOrigin.GIVEN: gettext_lazy("By the configuration given below."),
    SettingsOrigin.NODE: gettext_lazy("By the KubeletConfiguration that the dump holds of this node."),
    SettingsOrigin.EVERY_NODE: gettext_lazy(
        "By the KubeletConfiguration that the dump holds, which names no node and is taken for that of all."
    ),
}


def origin(where: SettingsOrigin) -> str:
    """Say whose configuration holds."""
    return str(_ORIGINS[where])


def hard_thresholds(hard: HardThresholds, off: Sequence[str]) -> str:
    """Say which default thresholds a configuration turns off; empty where it names each of them."""
    if hard is HardThresholds.DEFAULT:
        return _("It has no evictionHard, so all default thresholds hold.")
    if hard is HardThresholds.MERGED:
        return _("mergeDefaultEvictionSettings keeps the defaults that evictionHard does not name.")
    if not off:
        return ""
    return _(
        "evictionHard is given, so that the defaults which it does not name are off: "
        "%(signals)s. mergeDefaultEvictionSettings: true would keep them."
    ) % {"signals": listed(off)}


def ignored_fields(names: Sequence[str]) -> str:
    """Name the fields that a kubelet does not know."""
    return _("A kubelet ignores fields that it does not know: %(names)s.") % {"names": listed(names)}


CONTAINERS_IGNORED: Final = gettext_lazy(
    "Thresholds of containerfs are ignored: the kubelet copies those of nodefs or imagefs."
)
RHYTHM = message(
    "The kubelet evicts at most one pod every 10 s. While a threshold is met, and %(transition)s "
    "longer, the node's condition and taint keep new pods away."
)


def collection(*, below: str, high: int, until: str, low: int, minimum_age: str) -> str:
    """Say when images are removed, and which ones; ``below`` and ``until`` are shares that are available."""
    return _(
        "Every 5 min: below %(below)s available (imageGCHighThresholdPercent %(high)s) unused images of "
        "at least %(minimum_age)s are removed, least recently used first, until %(until)s "
        "(imageGCLowThresholdPercent %(low)s). Dead containers go every minute."
    ) % {"below": below, "high": high, "until": until, "low": low, "minimum_age": minimum_age}


COLLECTION_OFF: Final = gettext_lazy(
    "imageGCHighThresholdPercent is 100: unused images are removed only at a disk threshold."
)
COLLECTION_BY_AGE = message("An image unused for %(maximum_age)s is removed at any fullness.")
EVICTS_BEFORE_COLLECTION = message(
    "%(signal)s below %(amount)s comes before image garbage collection; unused images are removed "
    "first, then pods evicted."
)


def reservation(each: Reservation, *, is_given: bool) -> str:
    """Say whether the configuration explains what is kept from pods."""
    beyond = quantity(each.resource, abs(each.beyond))
    if each.beyond < 0:
        if each.resource == CPU:
            return _("%(amount)s less than the configuration reserves.") % {"amount": beyond}
        return _(
            "%(amount)s less than the threshold and the reservations demand: this kubelet has a lower threshold, "
            "or does not count thresholds."
        ) % {"amount": beyond}
    if not each.beyond:
        if not each.kept:
            return _("Nothing is kept, and nothing is to be.")
        if is_given:
            return _("As the configuration demands.")
        return _("Exactly the default threshold: nothing is reserved for the system or the kubelet.")
    if is_given:
        return _("%(amount)s more than the configuration demands: this kubelet has another one.") % {"amount": beyond}
    if each.resource == CPU:
        return _("Reserved for the system and the kubelet.")
    return _(
        "%(amount)s beyond the default threshold: reserved for the system and the kubelet, or a higher threshold."
    ) % {"amount": beyond}


KEPT = message("%(amount)s (%(percent)s)")
BOTH = message("%(amount)s and %(reclaim)s more")
