"""Changes to workloads and disruption budgets, and traces: the labels, hints and errors of their forms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, pgettext_lazy

from clusters.wording.lists import listed

if TYPE_CHECKING:
    from collections.abc import Iterable

WORKLOAD: Final = gettext_lazy("Workload")
NO_WORKLOAD: Final = gettext_lazy("Write it like Deployment shop/web.")

# Another number of replicas.
SCALE: Final = gettext_lazy("Add replicas")
SCALE_ABOUT: Final = gettext_lazy("If fewer, its controller chooses which to delete.")
REPLICAS: Final = gettext_lazy("Replicas")
HOW: Final = pgettext_lazy("replicas", "How")
MORE: Final = pgettext_lazy("replicas", "more")
FEWER: Final = pgettext_lazy("replicas", "fewer")
IN_ALL: Final = pgettext_lazy("replicas", "in all")
NO_COUNT: Final = gettext_lazy("Write how many replicas.")

REMOVE: Final = gettext_lazy("Remove a workload")

# Manifests.
MANIFEST: Final = gettext_lazy("Add from a manifest")
MANIFEST_ABOUT: Final = gettext_lazy("Pods, workloads, disruption budgets, priority classes, volumes.")
TEXT: Final = gettext_lazy("Manifest")
TEXT_HINT: Final = gettext_lazy("YAML or JSON.")
FILE: Final = gettext_lazy("Or a file")
OTHER_REPLICAS: Final = gettext_lazy("Replicas, instead of its own")
NOT_UTF_8: Final = gettext_lazy("Not text in UTF-8. Choose YAML or JSON.")
NO_MANIFEST: Final = gettext_lazy("Paste a manifest, or choose a file.")

REMOVE_BUDGET: Final = gettext_lazy("Remove a disruption budget")
BUDGET: Final = gettext_lazy("Disruption budget")
NO_BUDGET: Final = gettext_lazy("Write it like shop/web.")

# Traces.
TRACE: Final = gettext_lazy("Replay a trace")
TRACE_ABOUT: Final = gettext_lazy("CSV files in the openb format.")
TRACE_PODS: Final = gettext_lazy("Pods")
TRACE_NODES: Final = gettext_lazy("Nodes")
NO_TRACE: Final = gettext_lazy("Choose the file of pods.")


def not_scaled(kinds: Iterable[str]) -> str:
    """Say which kinds of workloads have replicas."""
    return _("Only %(kinds)s have replicas.") % {"kinds": listed(kinds)}
