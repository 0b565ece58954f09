"""Two simulations side by side: what was asked differently, which pods ended elsewhere, and the maps of both."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.wording.messages import message, plural

# What was asked differently.
BEGINS_WITH: Final = gettext_lazy("Begins with")
CHANGE: Final = gettext_lazy("Change")
THE_DEFAULT: Final = gettext_lazy("the default")
NOT_PLACED: Final = gettext_lazy("not placed")
CONFIGURATION_FIELD = message("Configuration: %(path)s")

# What came of both.
NEWLY_PENDING_ALIKE = message("Newly pending in both: %(pods)s.")
NEWLY_PENDING = message("Newly pending: %(left)s on the left, %(right)s on the right.")
NEWLY_PENDING_OF = message("Newly pending: %(first_pods)s with “%(first)s”, %(second_pods)s with “%(second)s”.")
PLACED_AS = message("%(node)s (as %(replacement)s)")
ALL_ALIKE = plural("%(pods)s pod ended on the same node.", "All %(pods)s pods ended on the same nodes.", by="pods")
PLACED_ELSEWHERE = plural(
    "%(differing)s of %(pods)s pod is placed differently.",
    "%(differing)s of %(pods)s pods are placed differently.",
    by="pods",
)

# The maps of both.
LEFT_TITLE = message("Left: %(title)s")
RIGHT_TITLE = message("Right: %(title)s")
PENDING_HERE = message("Pending here only: %(pods)s")
GONE_HERE = message("Gone here only: %(pods)s")
DIFFERS: Final = pgettext_lazy("nodes", "with differently placed pods")
ALIKE: Final = pgettext_lazy("nodes", "without")
NO_SUCH_NODE: Final = pgettext_lazy("nodes", "only in the other")
FIGURES: Final = gettext_lazy("Numbers count pods placed differently.")
FIGURE: Final = gettext_lazy("Pods placed differently: {pods}")
MAPS = message("Placed differently: %(moved)s. Pending on the left only: %(left)s; on the right only: %(right)s.")
ALL_WORKLOADS = message("All workloads: %(pods)s")
MORE_WORKLOADS = plural(
    "%(workloads)s more workload with %(pods)s", "%(workloads)s more workloads with %(pods)s", by="workloads"
)
