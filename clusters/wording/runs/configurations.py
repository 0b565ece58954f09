"""The configurations under which a study runs a simulation."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.wording.messages import message

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
ALL_PODS: Final = gettext_lazy("Place all pods again, except those of DaemonSets")
PENDING_PODS: Final = gettext_lazy("Place the pending pods alone")
YOURS: Final = gettext_lazy("KubeSchedulerConfiguration")
YOURS_HINT: Final = gettext_lazy("Used where “Yours, edited” is chosen.")


NOTHING_DIFFERS: Final = gettext_lazy("Choose another configuration or version.")


ON_VERSION = message("%(configuration)s, Kubernetes %(minor)s")


def preset_title(preset: str, minor: str = "") -> str:
    """Name a study of what would change under another configuration, or another Kubernetes minor."""
    name = str(PRESETS[preset][0])
    return ON_VERSION(configuration=name, minor=minor) if minor else name


COMPARED_WITH = message("%(other)s, compared with %(first)s")


# Columns of the file.
COLUMNS: Final = (
    pgettext_lazy("column", "configuration"),
    pgettext_lazy("column", "state"),
    pgettext_lazy("column", "placed"),
    pgettext_lazy("column", "newly pending"),
    pgettext_lazy("column", "nodes in use"),
    pgettext_lazy("column", "CPU requested"),
    pgettext_lazy("column", "largest skew"),
)


def configuration_name(stored: str) -> str:
    """Name a configuration of a study; a name that somebody gave it stays as it is."""
    return str(BUILT_IN.get(stored, stored))


VARIANT_TITLE = message("%(study)s: %(configuration)s")
STUDY_TITLE = message("%(simulation)s (several configurations)")


PLACED_OF = message("%(placed)s of %(wanted)s")
PLACED_OF_UNCERTAIN = message("%(placed)s of %(wanted)s, %(uncertain)s uncertain")
NODES_IN_USE = message("%(used)s of %(nodes)s")
