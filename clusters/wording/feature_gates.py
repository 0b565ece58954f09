"""Feature gates in words: what each decides, how far it is, and which are set."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext_lazy

from clusters.engine.versions import Gate, GateStage
from clusters.wording.amounts import grouped
from clusters.wording.lists import listed
from clusters.wording.messages import message

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

STAGES: Final = MappingProxyType(
    {
        GateStage.ALPHA: pgettext_lazy("stage of a feature gate", "alpha"),
        GateStage.BETA: pgettext_lazy("stage of a feature gate", "beta"),
        GateStage.STABLE: pgettext_lazy("stage of a feature gate", "stable"),
    }
)
DECIDES: Final = MappingProxyType(
    {
        Gate.COMPOSITE_POD_GROUP: gettext_lazy("Whether groups of pods can be parts of a CompositePodGroup."),
        Gate.DRA_ADMIN_ACCESS: gettext_lazy("Whether claims may request devices that are in use, as administrators."),
        Gate.DRA_CLAIM_DEVICE_STATUS: gettext_lazy("Whether drivers can say of allocated devices if they are ready."),
        Gate.DRA_CONSUMABLE_CAPACITY: gettext_lazy("Whether several claims may share the capacity of one device."),
        Gate.DRA_DERIVED_ATTRIBUTES: gettext_lazy("Whether requests compute attributes of devices from others."),
        Gate.DRA_DEVICE_BINDING_CONDITIONS: gettext_lazy("Whether binding waits until the devices of a pod are ready."),
        Gate.DRA_DEVICE_COMPATIBILITY_GROUPS: gettext_lazy(
            "Whether devices that share counters need a group in common."
        ),
        Gate.DRA_DEVICE_TAINT_RULES: gettext_lazy("Whether DeviceTaintRules add taints to devices."),
        Gate.DRA_DEVICE_TAINTS: gettext_lazy("Whether taints of devices keep claims away."),
        Gate.DRA_EXTENDED_RESOURCE: gettext_lazy("Whether DeviceClasses serve requests of extended resources."),
        Gate.DRA_FRACTIONAL_CAPACITY: gettext_lazy("Whether steps of a device's capacity are counted in thousandths."),
        Gate.DRA_LIST_ATTRIBUTES: gettext_lazy("Whether attributes of devices have several values."),
        Gate.DRA_NODE_RESOURCES: gettext_lazy("Whether devices take of the CPU and memory of their node."),
        Gate.DRA_OPTIONAL_NODE_OPERATIONS: gettext_lazy(
            "Whether devices whose node operations are skipped go to nodes that declare that they can skip them."
        ),
        Gate.DRA_PARTITIONABLE_DEVICES: gettext_lazy("Whether devices that share counters can be allocated."),
        Gate.DRA_PRIORITIZED_LIST: gettext_lazy(
            "Whether nodes score by which alternative of firstAvailable they have."
        ),
        Gate.DRA_WORKLOAD_CLAIMS: gettext_lazy("Whether the pods of a group share claims of devices."),
        Gate.GANG_SCHEDULING: gettext_lazy("Whether pods of a gang are scheduled together or not at all."),
        Gate.GENERIC_WORKLOAD: gettext_lazy("Whether pods are scheduled by their Workload or PodGroup."),
        Gate.NODE_DECLARED_FEATURES: gettext_lazy("Whether nodes without a needed kubelet feature are rejected."),
        Gate.NOMINATES_BEFORE_BINDING: gettext_lazy(
            "Whether pods are nominated while volumes or devices are being bound."
        ),
        Gate.OPPORTUNISTIC_BATCHING: gettext_lazy("Whether pods that are alike share one evaluation of the nodes."),
        Gate.POD_GROUP_PREEMPTION_POLICY: gettext_lazy("Whether a group of pods says itself if it may preempt."),
        Gate.POD_LEVEL_IN_PLACE_RESIZE: gettext_lazy("Whether resized pods count with what their status says."),
        Gate.RESIZE_PREEMPTION: gettext_lazy(
            "Whether pods are preempted to make room for one that is resized on its node."
        ),
        Gate.STORAGE_CAPACITY_SCORING: gettext_lazy("Whether nodes score by the free storage that claims would take."),
        Gate.TAINT_COMPARISON_OPERATORS: gettext_lazy("Whether tolerations compare numbers, with Gt and Lt."),
        Gate.TOPOLOGY_AWARE_WORKLOADS: gettext_lazy("Whether all pods of a group go to one topology domain."),
        Gate.VOLUME_LIMIT_SCALING: gettext_lazy(
            "Whether nodes are rejected that lack a driver with preventPodSchedulingIfMissing."
        ),
        Gate.WORKLOAD_AWARE_PREEMPTION: gettext_lazy(
            "Whether preemption makes room for whole groups, and removes groups as a whole."
        ),
    }
)


def changed_count(count: int) -> str:
    """Say how many feature gates are not at their default; empty where all are."""
    if not count:
        return ""
    return ngettext("%(count)s feature gate changed", "%(count)s feature gates changed", count) % {
        "count": grouped(count)
    }


def changed_gates(changed: Mapping[str, bool]) -> str:
    """Name the feature gates that are not at their default, with their values; empty where all are."""
    if not changed:
        return ""
    return _("Feature gates that differ from the defaults: %(gates)s.") % {
        "gates": listed([f"{name}={str(is_on).lower()}" for name, is_on in changed.items()])
    }


def written_gates(changed: Mapping[str, bool]) -> str:
    """Write feature gates as kube-scheduler's own flag takes them; empty for none."""
    return ",".join(f"{name}={str(is_on).lower()}" for name, is_on in changed.items())


def version_with_gates(*, release: str, changed: Mapping[str, bool]) -> str:
    """Name a release of kube-scheduler, with the feature gates that differ from its defaults."""
    if not changed:
        return release
    return _("%(release)s with %(gates)s") % {
        "release": release,
        "gates": listed([f"{name}={str(is_on).lower()}" for name, is_on in changed.items()]),
    }


GATES_OF_DUMP: Final = gettext_lazy(
    "The feature gates are those that the dump's kube-scheduler is started with (--feature-gates)."
)
GATES_OF_PODS: Final = gettext_lazy(
    "The feature gates are those that the kube-scheduler pods are started with (--feature-gates)."
)


def gates_differ(names: Sequence[str]) -> str:
    """Say which gates replicas of the scheduler are not started alike with."""
    return ngettext(
        "Not all replicas of kube-scheduler are started with the same value of %(gates)s, which is therefore taken as "
        "not set. Which replica decides cannot be known.",
        "Not all replicas of kube-scheduler are started with the same values of %(gates)s, which are therefore taken "
        "as not set. Which replica decides cannot be known.",
        len(names),
    ) % {"gates": listed(names)}


def gates_refused(settings: Mapping[str, bool], minor: str) -> str:
    """Say which gates are set as the cluster's minor does not let them be set."""
    return ngettext(
        "%(gates)s is set, and counts for nothing: Kubernetes %(minor)s has locked the gate to its other value or does "
        "not have it, and its kube-scheduler does not start like this. The scheduler may be of another version.",
        "%(gates)s are set, and count for nothing: Kubernetes %(minor)s has locked the gates to their other values or "
        "does not have them, and its kube-scheduler does not start like this. The scheduler may be of another version.",
        len(settings),
    ) % {"gates": listed([f"{name}={str(is_on).lower()}" for name, is_on in settings.items()]), "minor": minor}


GATES_GIVEN: Final = gettext_lazy("The feature gates were set here.")
GATES_OF_MINOR = message("The feature gates are the defaults of Kubernetes %(minor)s.")
GATES_IN_FORCE: Final = gettext_lazy("The new feature gates are in force from now on.")


def gates_of_cluster(*, cluster: str, changed: Mapping[str, bool]) -> str:
    """Say in the terminal with which gates a cluster is answered."""
    if not changed:
        return _("%(cluster)s is answered with the default feature gates.") % {"cluster": cluster}
    return _("%(cluster)s is answered with %(gates)s.") % {
        "cluster": cluster,
        "gates": listed([f"{name}={str(is_on).lower()}" for name, is_on in changed.items()]),
    }
