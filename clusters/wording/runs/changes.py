"""What a run changes: objects, nodes, the configuration."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy

from clusters.wording.lists import first_of
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from collections.abc import Sequence


PLACE_PENDING: Final = gettext_lazy("Place the pending pods")
PLACE_ALL: Final = gettext_lazy("Place all pods again, except those of DaemonSets")
NOTHING: Final = gettext_lazy("No change")
UNREADABLE: Final = gettext_lazy("Unreadable change")
UNKNOWN = message("Unknown change: %(change)s")
MORE = plural("%(changes)s; and %(more)s more change", "%(changes)s; and %(more)s more changes", by="more")

# -- workloads ---------------------------------------------------------------------------------------------------------
SCALE = message("Scale %(workload)s to %(replicas)s")
ADD_REPLICAS = plural(
    "Add %(replicas)s replica to %(workload)s", "Add %(replicas)s replicas to %(workload)s", by="replicas"
)
REMOVE_REPLICAS = plural(
    "Remove %(replicas)s replica from %(workload)s", "Remove %(replicas)s replicas from %(workload)s", by="replicas"
)
ADD_OBJECT = message("Add %(name)s")
ADD_WORKLOAD = plural(
    "Add %(workload)s with %(replicas)s replica", "Add %(workload)s with %(replicas)s replicas", by="replicas"
)
REMOVE_WORKLOAD = message("Remove %(name)s")
PUT_BUDGET = message("Put disruption budget %(budget)s")
SET_REQUESTS = plural(
    "Set the requests of %(workloads)s workload", "Set the requests of %(workloads)s workloads", by="workloads"
)
REMOVE_BUDGET = message("Remove disruption budget %(budget)s")
PUT_PRIORITY_CLASS = message("Put priority class %(name)s")
REPLAY_TRACE = message("Replay a trace: %(objects)s")


# -- nodes -------------------------------------------------------------------------------------------------------------
ADD_NODES_LIKE = plural("Add %(nodes)s node like %(like)s", "Add %(nodes)s nodes like %(like)s", by="nodes")
ADD_NODES_OF_SIZE = plural(
    "Add %(nodes)s node of %(cpu)s CPU, %(memory)s", "Add %(nodes)s nodes of %(cpu)s CPU, %(memory)s", by="nodes"
)
REMOVE_NODES = message("Remove nodes: %(nodes)s")
DRAIN_NODES = message("Drain nodes: %(nodes)s")
CORDON_NODES = message("Cordon nodes: %(nodes)s")
UNCORDON_NODES = message("Uncordon nodes: %(nodes)s")
NODES_UNREACHABLE = message("Nodes become unreachable: %(nodes)s")
NODES_NOT_READY = message("Nodes become NotReady: %(nodes)s")
# Taints and labels as kubectl takes them: `key=value:Effect`, `key-`.
TAINT_NODES = message("Taint %(nodes)s: %(taints)s")
LABEL_NODES = message("Label %(nodes)s: %(labels)s")
ZONE_REMOVED = message("Lose zone %(zone)s: nodes removed")
ZONE_UNREACHABLE = message("Lose zone %(zone)s: nodes unreachable")


def chosen_nodes(*, names: Sequence[str], selector: str, zone: str) -> str:
    """Name nodes, the label selector that matches them, or their zone."""
    if names:
        return first_of(names)
    return selector or _("zone %(zone)s") % {"zone": zone}


# By what a study stores of them.
BUILT_IN: Final = {
    "as-is": gettext_lazy("As it is"),
    "least-allocated": gettext_lazy("LeastAllocated"),
    "most-allocated": gettext_lazy("Bin packing (MostAllocated)"),
    "requested-to-capacity": gettext_lazy("RequestedToCapacityRatio"),
    "default-spread": gettext_lazy("Default spread constraints on"),
    "no-default-spread": gettext_lazy("Default spread constraints off"),
    "spreading": gettext_lazy("Spreading"),
    "zone-aware": gettext_lazy("Zone-aware"),
    "no-preemption": gettext_lazy("No preemption"),
    "configuration": gettext_lazy("Its own configuration"),
}

# What a whole cluster is tried under.
# NodeResourcesFit by name: a preset changes its scoring strategy.
# PodTopologySpread by name: presets change its weight and its default constraints.
# DefaultPreemption by name: a preset disables it.
PRESETS: Final = {
    "most-allocated": (
        gettext_lazy("Bin packing"),
        gettext_lazy("NodeResourcesFit scores MostAllocated."),
    ),
    "spreading": (
        gettext_lazy("Spreading"),
        gettext_lazy("LeastAllocated, PodTopologySpread weighted 10."),
    ),
    "zone-aware": (
        gettext_lazy("Zone-aware"),
        gettext_lazy("Default constraint over zones (maxSkew 1, ScheduleAnyway), PodTopologySpread weighted 10."),
    ),
    "no-preemption": (
        gettext_lazy("No preemption"),
        gettext_lazy("DefaultPreemption is disabled."),
    ),
    "as-is": (
        gettext_lazy("The present one"),
        gettext_lazy("Unchanged: choose another Kubernetes version below."),
    ),
    "configuration": (
        gettext_lazy("Yours, edited"),
        gettext_lazy("The present one with your changes."),
    ),
}
PRESET: Final = gettext_lazy("Configuration")
PODS_PLACED: Final = gettext_lazy("Pods")
PENDING_PODS: Final = gettext_lazy("Place the pending pods alone")
YOURS: Final = gettext_lazy("KubeSchedulerConfiguration")
YOURS_HINT: Final = gettext_lazy("Used where “Yours, edited” is chosen.")


NOTHING_DIFFERS: Final = gettext_lazy("Choose another configuration or version.")


ON_VERSION = message("%(configuration)s, Kubernetes %(minor)s")


def preset_title(preset: str, minor: str = "") -> str:
    """Name a study of what would change under another configuration, or another Kubernetes minor."""
    name = str(PRESETS[preset][0])
    return ON_VERSION(configuration=name, minor=minor) if minor else name


# Columns of the file.


def configuration_name(stored: str) -> str:
    """Name a configuration of a study; a name that somebody gave it stays as it is."""
    return str(BUILT_IN.get(stored, stored))


STUDY_TITLE = message("%(simulation)s (several configurations)")


PLACED_OF_UNCERTAIN = message("%(placed)s of %(wanted)s, %(uncertain)s uncertain")
