"""Which answers are uncertain because of what a source lacks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, pgettext_lazy

from clusters.problems.inputs import OtherGap, Use
from clusters.wording.lists import listed

# Every plugin by name: which plugins miss a kind that a dump lacks.
if TYPE_CHECKING:
    from collections.abc import Iterable

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


def with_effect(labels: Iterable[str], effect: str) -> str:
    """Say of what a source lacks what it leads to, once for all that lead to the same."""
    return _("%(lacking)s: %(effect)s") % {"lacking": listed(labels), "effect": effect}


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
