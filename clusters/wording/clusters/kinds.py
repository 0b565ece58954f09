"""What each kind of a live cluster is read for."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

_SPREADING: Final = gettext_lazy("Nothing to do, unless pods are spread by default constraints here.")
_OWNERS: Final = gettext_lazy("Nothing to do, unless pods are to be grouped by such owners here.")
_VOLUMES: Final = gettext_lazy("Nothing to do, unless pods use volumes here.")
_DEVICES: Final = gettext_lazy("Nothing to do, unless pods use devices here.")
_GROUPS: Final = gettext_lazy("Nothing to do, unless pods are scheduled as groups here.")
_EVICTIONS: Final = gettext_lazy("Nothing to do, unless preemption, evictions or drains matter here.")
# By kind: when it matters that an API server does not serve it.
_NEEDED: Final = {
    "Namespace": gettext_lazy("Nothing to do, unless affinity terms select namespaces by label here."),
    "Event": gettext_lazy("Nothing to do, unless what the scheduler and others reported matters here."),
    "PodDisruptionBudget": _EVICTIONS,
    "PriorityClass": gettext_lazy("Nothing to do, unless preemption matters here."),
    "RuntimeClass": gettext_lazy("Nothing to do, unless pods have a RuntimeClass here."),
    **dict.fromkeys(("Service", "ReplicationController", "ReplicaSet", "StatefulSet"), _SPREADING),
    **dict.fromkeys(("Deployment", "DaemonSet", "Job", "CronJob"), _OWNERS),
    "LimitRange": gettext_lazy("Nothing to do, unless a LimitRange gives pods their requests here."),
    "ResourceQuota": gettext_lazy("Nothing to do, unless quotas matter here."),
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


def needed_for(kind: str) -> str:
    """Say when it matters that a kind is not served."""
    return str(_NEEDED[kind]) if kind in _NEEDED else _("Every answer needs it: look for a proxy in between.")


def read_object(kind: str) -> str:
    """Name what an API server was asked for: a kind, or its version where that is empty."""
    return kind or pgettext("asked of an API server", "its version")
