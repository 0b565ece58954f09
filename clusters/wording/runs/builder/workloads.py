"""Changes to workloads and disruption budgets, and traces: the labels, hints and errors of their forms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, pgettext_lazy

from clusters.wording.lists import listed

if TYPE_CHECKING:
    from collections.abc import Iterable

WORKLOAD: Final = gettext_lazy("Workload")
NO_WORKLOAD: Final = gettext_lazy("Write the workload's kind, namespace and name.")

# Another number of replicas.
SCALE: Final = gettext_lazy("Add replicas")
SCALE_ABOUT: Final = gettext_lazy(
    "Of a workload of the cluster. Where there are to be fewer, those are deleted that its controller would delete."
)
REPLICAS: Final = gettext_lazy("Replicas")
HOW: Final = pgettext_lazy("how many replicas", "How")
MORE: Final = pgettext_lazy("number of replicas", "more")
FEWER: Final = pgettext_lazy("number of replicas", "fewer")
IN_ALL: Final = pgettext_lazy("number of replicas", "in all")
NO_COUNT: Final = gettext_lazy("Write how many replicas.")

REMOVE: Final = gettext_lazy("Remove a workload")

# Manifests.
MANIFEST: Final = gettext_lazy("Add from a manifest")
MANIFEST_ABOUT: Final = gettext_lazy(
    "Pods, Deployments, ReplicaSets, StatefulSets, DaemonSets, Jobs, disruption budgets, priority classes, volumes."
)
TEXT: Final = gettext_lazy("Manifest")
TEXT_HINT: Final = gettext_lazy("YAML or JSON, one object or several.")
FILE: Final = gettext_lazy("Or a file")
OTHER_REPLICAS: Final = gettext_lazy("Replicas, in place of the manifest's own")
NOT_UTF_8: Final = gettext_lazy("The file is not text in UTF-8. Choose YAML or JSON.")
NO_MANIFEST: Final = gettext_lazy("Paste a manifest, or choose a file with one.")

REMOVE_BUDGET: Final = gettext_lazy("Remove a disruption budget")
BUDGET: Final = gettext_lazy("Disruption budget")
NO_BUDGET: Final = gettext_lazy("Write the disruption budget's namespace and name: shop/web.")

# Traces.
TRACE: Final = gettext_lazy("Replay a trace")
TRACE_ABOUT: Final = gettext_lazy(
    "CSV files in the openb format: pods that arrive and leave in their order, and the nodes of the trace."
)
TRACE_PODS: Final = gettext_lazy("Pods")
TRACE_NODES: Final = gettext_lazy("Nodes")
NO_TRACE: Final = gettext_lazy("Choose the file of pods.")


def not_scaled(kinds: Iterable[str]) -> str:
    """Say which kinds of workloads have replicas."""
    return _("Only these kinds have replicas: %(kinds)s.") % {"kinds": listed(kinds)}
