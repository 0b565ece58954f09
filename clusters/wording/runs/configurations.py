"""The configurations under which a study runs a simulation."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy, pgettext_lazy

from clusters.wording.amounts import grouped
from clusters.wording.messages import message

# By what a study stores of them.
BUILT_IN: Final = {
    "as-is": gettext_lazy("As it is"),
    "least-allocated": gettext_lazy("Spread over free nodes (LeastAllocated)"),
    "most-allocated": gettext_lazy("Bin packing (MostAllocated)"),
    "requested-to-capacity": gettext_lazy("Fill nodes (RequestedToCapacityRatio)"),
    "default-spread": gettext_lazy("Default spread constraints on"),
    "no-default-spread": gettext_lazy("Default spread constraints off"),
    "spreading": gettext_lazy("Spreading (LeastAllocated, PodTopologySpread with weight 10)"),
    "zone-aware": gettext_lazy("Zone-aware (default constraint over zones)"),
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
        gettext_lazy("NodeResourcesFit scores MostAllocated: fuller nodes first."),
    ),
    "spreading": (
        gettext_lazy("Spreading"),
        gettext_lazy("NodeResourcesFit scores LeastAllocated, and PodTopologySpread has the weight 10."),
    ),
    "zone-aware": (
        gettext_lazy("Zone-aware"),
        gettext_lazy(
            "Pods without constraints spread over zones: default constraint with maxSkew 1 and "
            "ScheduleAnyway, PodTopologySpread with weight 10."
        ),
    ),
    "no-preemption": (
        gettext_lazy("No preemption"),
        gettext_lazy("DefaultPreemption is disabled: no pod is preempted."),
    ),
    "as-is": (
        gettext_lazy("The present one"),
        gettext_lazy("The configuration stays as it is: choose another Kubernetes version below."),
    ),
    "configuration": (
        gettext_lazy("Yours, edited"),
        gettext_lazy("The present configuration with your changes."),
    ),
}
PRESET: Final = gettext_lazy("Configuration")
PODS_PLACED: Final = gettext_lazy("Pods")
ALL_PODS: Final = gettext_lazy("Place all pods again, but for those of DaemonSets")
PENDING_PODS: Final = gettext_lazy("Place the pending pods alone")
YOURS: Final = gettext_lazy("KubeSchedulerConfiguration")
YOURS_HINT: Final = gettext_lazy("Used where “Yours, edited” is chosen.")


NOTHING_DIFFERS: Final = gettext_lazy("Choose another configuration, or another Kubernetes version.")


ON_VERSION = message("%(configuration)s, Kubernetes %(minor)s")


def preset_title(preset: str, minor: str = "") -> str:
    """Name a study of what would change under another configuration, or another Kubernetes minor."""
    name = str(PRESETS[preset][0])
    return ON_VERSION(configuration=name, minor=minor) if minor else name


COMPARED_WITH = message("%(other)s, compared with %(first)s")


# Columns of the file.
COLUMNS: Final = (
    pgettext_lazy("column of a file", "configuration"),
    pgettext_lazy("column of a file", "state"),
    pgettext_lazy("column of a file", "placed"),
    pgettext_lazy("column of a file", "newly pending"),
    pgettext_lazy("column of a file", "nodes in use"),
    pgettext_lazy("column of a file", "CPU requested"),
    pgettext_lazy("column of a file", "largest skew"),
)


def configuration_name(stored: str) -> str:
    """Name a configuration of a study; a name that somebody gave it stays as it is."""
    return str(BUILT_IN.get(stored, stored))


def variant_title(study: str, stored: str) -> str:
    """Name a simulation of a study by its configuration."""
    return _("%(study)s: %(configuration)s") % {"study": study, "configuration": configuration_name(stored)}


STUDY_TITLE = message("%(simulation)s (several configurations)")


def placed_of(*, placed: int, wanted: int, uncertain: int) -> str:
    """Say how many pods were placed for certain, of those that were to be placed, and how many are uncertain."""
    values = {"placed": grouped(placed), "wanted": grouped(wanted), "uncertain": grouped(uncertain)}
    if uncertain:
        return _("%(placed)s of %(wanted)s, %(uncertain)s uncertain") % values
    return _("%(placed)s of %(wanted)s") % {"placed": grouped(placed), "wanted": grouped(wanted)}


NODES_IN_USE = message("%(used)s of %(nodes)s")
