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
_SPREADING: Final = gettext_lazy(
    "PodTopologySpread: pods without constraints are spread by their services and controllers."
)
_AFFECTS: Final = {
    "Node": gettext_lazy("Every answer: no pod can be placed without nodes."),
    "Pod": gettext_lazy("Every answer about resources, ports, spreading and affinity: nodes are taken as empty."),
    "Namespace": gettext_lazy("InterPodAffinity of terms that select namespaces by label: they match none."),
    "PriorityClass": gettext_lazy(
        "Preemption: priorities are those of the pods; what a new pod of a class would get is unknown."
    ),
    "PodDisruptionBudget": gettext_lazy("Preemption and drains: victims are chosen as if nothing protected them."),
    **dict.fromkeys(("Service", "ReplicationController", "ReplicaSet", "StatefulSet"), _SPREADING),
    "PersistentVolume": gettext_lazy(
        "VolumeBinding, VolumeZone and NodeVolumeLimits: from which nodes bound volumes are accessible is unknown."
    ),
    "PersistentVolumeClaim": gettext_lazy("VolumeBinding, VolumeZone and NodeVolumeLimits: claims count as not found."),
    "StorageClass": gettext_lazy(
        "VolumeBinding, VolumeZone and NodeVolumeLimits: whether claims wait for their first pod is unknown."
    ),
    "CSINode": gettext_lazy(
        "VolumeBinding, VolumeZone and NodeVolumeLimits: how many volumes a node takes is unknown."
    ),
    "RuntimeClass": gettext_lazy("Pods with a runtime class: its overhead and node selector are unknown."),
    "ResourceClaim": gettext_lazy("DynamicResources: resource claims count as not found."),
    "ResourceSlice": gettext_lazy("DynamicResources of pods with resource claims: no node has devices."),
    "DeviceClass": gettext_lazy("DynamicResources: device classes count as not found."),
    "PodGroup": gettext_lazy("GangScheduling: PodGroups count as not found."),
    "Workload": gettext_lazy("GangScheduling: Workloads count as not found."),
    OtherGap.MISSING_NODE: gettext_lazy("Those pods count in no answer."),
    OtherGap.UNREADABLE: gettext_lazy("Every answer about them: they count as not existing."),
    OtherGap.POD_DEFAULTS: gettext_lazy(
        "All answers about them and their nodes: they count as written. Read the dump with "
        "--default-pods to complete them as admission would."
    ),
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
    return _("Nothing so far: no pod uses %(use)s. Otherwise: %(affected)s") % {
        "use": str(_USES[Use(unused)]),
        "affected": said,
    }
