"""What a review says of stranded capacity."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy

from clusters.wording.messages import message

NONE: Final = gettext_lazy("No CPU or memory is stranded.")
WHAT_IT_IS: Final = gettext_lazy("Stranded: less than half requested, and more than nine tenths of another resource.")
STRANDED = message("Stranded: %(amounts)s, on %(nodes)s.")
UNTOLERATED = message("Taints that only DaemonSet pods tolerate: %(taints)s.")
AT_POD_LIMIT = message("Nodes with free CPU and memory at their pod limit: %(nodes)s.")
