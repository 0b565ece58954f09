"""What a search found."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy

from clusters.wording.messages import message, plural

WORKLOADS: Final = gettext_lazy("Workloads")
PODS: Final = gettext_lazy("Pods")
NODES: Final = gettext_lazy("Nodes")
POD_GROUPS: Final = gettext_lazy("Pod groups")


NOTHING_FOUND: Final = gettext_lazy("No name matches.")
MORE_THAN = message("More than %(results)s results.")
RESULTS = plural("%(number)s result.", "%(number)s results.", by="number")
MORE_THAN_LISTED = message("More than %(results)s")
NOT_LISTED = message("%(results)s more")
