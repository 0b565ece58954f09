"""Releases of Kubernetes and their feature gates in words."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, pgettext_lazy

from clusters.engine.versions import Gate, GateStage, Known, match_release
from clusters.wording.lists import listed
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from collections.abc import Mapping


# -- Which Kubernetes a cluster runs, and what is said where its answers are of another minor -------------------------


def release_notice(version: str) -> str:
    """Say that a cluster of this version may be scheduled otherwise; empty where nothing is to be said."""
    match = match_release(version)
    return "" if match.is_exact else RELEASE_DIFFERS(minor=match.minor, answered_as=match.release.compared)


def version_words(version: str) -> str:
    """Say which Kubernetes minor a cluster of this version runs, and as which it is answered where that is another."""
    match = match_release(version)
    if match.known is Known.UNTOLD:
        return _("Kubernetes version unknown, answered as %(answered_as)s") % {"answered_as": match.release.minor}
    if match.known is Known.EXACT:
        return _("Kubernetes %(minor)s") % {"minor": match.minor}
    return _("Kubernetes %(minor)s, answered as %(answered_as)s") % {
        "minor": match.minor,
        "answered_as": match.release.minor,
    }


RELEASE_DIFFERS = message(
    "This cluster runs Kubernetes %(minor)s. Berth answers as kube-scheduler %(answered_as)s does: "
    "verdicts, scores and messages may differ."
)


# -- Feature gates in words -------------------------------------------------------------------------------------------


STAGES: Final = MappingProxyType(
    {
        GateStage.ALPHA: pgettext_lazy("stage of a feature gate", "alpha"),
        GateStage.BETA: pgettext_lazy("stage of a feature gate", "beta"),
        GateStage.STABLE: pgettext_lazy("stage of a feature gate", "stable"),
    }
)
DECIDES: Final = MappingProxyType(
    {
        Gate.COMPOSITE_POD_GROUP: gettext_lazy("Groups can be parts of a CompositePodGroup."),
        Gate.DRA_ADMIN_ACCESS: gettext_lazy("Administrators' claims may request devices in use."),
        Gate.DRA_CLAIM_DEVICE_STATUS: gettext_lazy("Drivers report whether allocated devices are ready."),
        Gate.DRA_CONSUMABLE_CAPACITY: gettext_lazy("Claims share the capacity of one device."),
        Gate.DRA_DERIVED_ATTRIBUTES: gettext_lazy("Requests compute attributes of devices."),
        Gate.DRA_DEVICE_BINDING_CONDITIONS: gettext_lazy("Binding waits until devices are ready."),
        Gate.DRA_DEVICE_COMPATIBILITY_GROUPS: gettext_lazy("Devices that share counters need a common group."),
        Gate.DRA_DEVICE_TAINT_RULES: gettext_lazy("DeviceTaintRules taint devices."),
        Gate.DRA_DEVICE_TAINTS: gettext_lazy("Taints of devices keep claims away."),
        Gate.DRA_EXTENDED_RESOURCE: gettext_lazy("DeviceClasses serve extended resources."),
        Gate.DRA_FRACTIONAL_CAPACITY: gettext_lazy("Device capacity steps count in thousandths."),
        Gate.DRA_LIST_ATTRIBUTES: gettext_lazy("Device attributes have several values."),
        Gate.DRA_NODE_RESOURCES: gettext_lazy("Devices take CPU and memory of their node."),
        Gate.DRA_OPTIONAL_NODE_OPERATIONS: gettext_lazy(
            "Devices without node operations go to nodes that can skip these."
        ),
        Gate.DRA_PARTITIONABLE_DEVICES: gettext_lazy("Devices that share counters can be allocated."),
        Gate.DRA_PRIORITIZED_LIST: gettext_lazy("Nodes score by their firstAvailable alternative."),
        Gate.DRA_WORKLOAD_CLAIMS: gettext_lazy("Pods of a group share device claims."),
        Gate.GANG_SCHEDULING: gettext_lazy("Gangs are scheduled together or not at all."),
        Gate.GENERIC_WORKLOAD: gettext_lazy("Pods are scheduled by Workload or PodGroup."),
        Gate.NODE_DECLARED_FEATURES: gettext_lazy("Nodes without a needed kubelet feature are rejected."),
        Gate.NOMINATES_BEFORE_BINDING: gettext_lazy("Pods are nominated while volumes or devices are bound."),
        Gate.OPPORTUNISTIC_BATCHING: gettext_lazy("Like pods share one evaluation of nodes."),
        Gate.POD_GROUP_PREEMPTION_POLICY: gettext_lazy("Groups have a preemption policy."),
        Gate.POD_LEVEL_IN_PLACE_RESIZE: gettext_lazy("Resized pods count with their status."),
        Gate.RESIZE_PREEMPTION: gettext_lazy("Resizes preempt pods."),
        Gate.STORAGE_CAPACITY_SCORING: gettext_lazy("Nodes score by free storage."),
        Gate.TAINT_COMPARISON_OPERATORS: gettext_lazy("Tolerations compare numbers (Gt, Lt)."),
        Gate.TOPOLOGY_AWARE_WORKLOADS: gettext_lazy("Groups go to one topology domain."),
        Gate.VOLUME_LIMIT_SCALING: gettext_lazy(
            "Nodes that lack a driver with preventPodSchedulingIfMissing are rejected."
        ),
        Gate.WORKLOAD_AWARE_PREEMPTION: gettext_lazy("Preemption makes room for groups and removes whole groups."),
    }
)


_CHANGED = plural("%(count)s feature gate changed", "%(count)s feature gates changed", by="count")
_DIFFERING = message("Feature gates that differ from the defaults: %(gates)s.")
_RELEASE_WITH = message("%(release)s with %(gates)s")
_CLUSTER_BY_DEFAULT = message("%(cluster)s is answered with the default feature gates.")
_CLUSTER_WITH = message("%(cluster)s is answered with %(gates)s.")
GATES_OF_DUMP: Final = gettext_lazy("The --feature-gates of the dump's kube-scheduler apply.")
GATES_OF_PODS: Final = gettext_lazy("The --feature-gates of the kube-scheduler pods apply.")
GATES_GIVEN: Final = gettext_lazy("The feature gates were set here.")
GATES_OF_MINOR = message("The defaults of Kubernetes %(minor)s apply.")
GATES_IN_FORCE: Final = gettext_lazy("The new feature gates are in force.")
GATES_DIFFER = message("Replicas of kube-scheduler differ in %(gates)s: taken as not set.")
GATES_REFUSED = message(
    "Ignored: %(gates)s, locked or absent in Kubernetes %(minor)s. The scheduler may be of another version."
)


def settings_of(gates: Mapping[str, bool]) -> list[str]:
    """Write feature gates with their values."""
    return [f"{name}={str(is_on).lower()}" for name, is_on in gates.items()]


def changed_count(count: int) -> str:
    """Say how many feature gates are not at their default; empty where all are."""
    return _CHANGED(count=count) if count else ""


def changed_gates(changed: Mapping[str, bool]) -> str:
    """Name the feature gates that are not at their default, with their values; empty where all are."""
    return _DIFFERING(gates=listed(settings_of(changed))) if changed else ""


def written_gates(changed: Mapping[str, bool]) -> str:
    """Write feature gates as kube-scheduler's own flag takes them; empty for none."""
    return ",".join(settings_of(changed))


def version_with_gates(*, release: str, changed: Mapping[str, bool]) -> str:
    """Name a release of kube-scheduler, with the feature gates that differ from its defaults."""
    return _RELEASE_WITH(release=release, gates=listed(settings_of(changed))) if changed else release


def gates_of_cluster(*, cluster: str, changed: Mapping[str, bool]) -> str:
    """Say in the terminal with which gates a cluster is answered."""
    if not changed:
        return _CLUSTER_BY_DEFAULT(cluster=cluster)
    return _CLUSTER_WITH(cluster=cluster, gates=listed(settings_of(changed)))
