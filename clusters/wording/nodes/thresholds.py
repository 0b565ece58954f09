"""From which fullness of a node its kubelet removes images and evicts pods, and what it keeps from pods."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from clusters.engine.kubelet import FilesystemLayout, HardThresholds, SettingsOrigin
from clusters.engine.resources import CPU, EPHEMERAL_STORAGE, MEMORY
from clusters.wording.amounts import quantity
from clusters.wording.lists import listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine.kubelet import Reservation

PICTURE: Final = gettext_lazy("How full the node may be, and what the kubelet does from which fullness on")
LAYOUTS: Final = {
    FilesystemLayout.ONE: gettext_lazy("one file system for everything"),
    FilesystemLayout.IMAGES: gettext_lazy("images and writable layers on one of their own (imagefs)"),
    FilesystemLayout.IMAGES_SPLIT: gettext_lazy("images alone on one of their own (imagefs)"),
}
LAYOUT_ASSUMED: Final = gettext_lazy(
    "A node does not report its file systems: choose how images, writable layers and logs are divided among them."
)
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


def soft(grace: str) -> str:
    """Name a soft threshold with its grace period."""
    return pgettext("kind of an eviction threshold", "soft: after %(grace)s") % {"grace": grace}


def seconds(number: str) -> str:
    """Write a time in seconds."""
    return _("%(seconds)s s") % {"seconds": number}


def percent(number: str) -> str:
    """Write a percentage that is given as a number."""
    return _("%(number)s %%") % {"number": number}


def full(percentage: str) -> str:
    """Say how full something is."""
    return _("%(percent)s used") % {"percent": percentage}


def threshold_mark(signal: str, amount: str) -> str:
    """Name a threshold beside the scale, as Kubernetes writes it."""
    return f"{signal}<{amount}"


def collection_begins(percentage: str) -> str:
    """Name the fullness at which images begin to be removed."""
    return _("images are removed from %(percent)s") % {"percent": percentage}


def collection_ends(percentage: str) -> str:
    """Name the fullness down to which images are removed."""
    return _("their removal ends at %(percent)s") % {"percent": percentage}


def allocatable_mark(amount: str) -> str:
    """Name what pods can request together."""
    return _("allocatable: %(amount)s") % {"amount": amount}


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


def no_memory_threshold() -> str:
    """Say that nothing is evicted for memory, and what happens instead."""
    return _(
        "No hard threshold for memory is in force: when memory runs out, the kernel kills containers by their scores."
    )


def disk_sentence(thresholds: Sequence[str]) -> str:
    """Say below which available shares of disks pods are evicted; each is written as Kubernetes writes it."""
    return _("For disk space it evicts at %(thresholds)s.") % {"thresholds": listed(thresholds)}


def no_disk_threshold() -> str:
    """Say that nothing is evicted for disk space."""
    return _("No hard threshold for disk space is in force: pods are not evicted before a file system is full.")


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


def containers_ignored() -> str:
    """Say that thresholds of containerfs count for nothing."""
    return _(
        "Thresholds of containerfs in the configuration are ignored: the kubelet copies those of nodefs or imagefs."
    )


def rhythm(*, transition: str) -> str:
    """Say how often the kubelet looks, and how long a condition lasts."""
    return _(
        "The kubelet looks every 10 s and evicts at most one pod each time. While a threshold is met, and for "
        "%(transition)s after that, the node reports the condition, and its taint keeps new pods away."
    ) % {"transition": transition}


def collection(*, below: str, high: int, until: str, low: int, minimum_age: str) -> str:
    """Say when images are removed, and which ones; ``below`` and ``until`` are shares that are available."""
    return _(
        "Every 5 min the kubelet looks at the file system with images. Once less than %(below)s is available "
        "(imageGCHighThresholdPercent %(high)s) it removes unused images that it has known for %(minimum_age)s or "
        "longer, the least recently used first, until %(until)s is available (imageGCLowThresholdPercent %(low)s). "
        "Dead containers are removed every minute."
    ) % {"below": below, "high": high, "until": until, "low": low, "minimum_age": minimum_age}


def collection_off() -> str:
    """Say that images are removed by evictions alone."""
    return _(
        "imageGCHighThresholdPercent is 100: unused images are removed only when a threshold of a disk is met. "
        "Dead containers are removed every minute."
    )


def collection_by_age(maximum_age: str) -> str:
    """Say that images are removed by age, too."""
    return _("An image that nothing has used for %(maximum_age)s is removed at any fullness.") % {
        "maximum_age": maximum_age
    }


def evicts_before_collection(signal: str, amount: str) -> str:
    """Say that pods may be evicted at a fullness at which no images are collected yet."""
    return _(
        "%(signal)s below %(amount)s is met before image garbage collection begins; unused images are then removed "
        "first, too, and pods are evicted only if that is not enough."
    ) % {"signal": signal, "amount": amount}


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


def kept(*, amount: str, percentage: str) -> str:
    """Write what is kept with its share of the capacity."""
    return _("%(amount)s (%(percent)s)") % {"amount": amount, "percent": percentage}


def both(amount: str, reclaim: str) -> str:
    """Add what is to be reclaimed to a threshold, where their sum is not known."""
    return _("%(amount)s and %(reclaim)s more") % {"amount": amount, "reclaim": reclaim}
