"""What a review says of requests beside what pods use."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy, pgettext_lazy

from clusters.wording import evaluation
from clusters.wording.amounts import grouped
from clusters.wording.messages import message

NONE: Final = gettext_lazy("No sample of usage: requests cannot be compared with what pods use.")
CHART: Final = gettext_lazy("Used, requested and allocatable")
USED: Final = pgettext_lazy("part of a bar", "used")
UNUSED: Final = pgettext_lazy("part of a bar", "requested, not used")
FREE: Final = pgettext_lazy("part of a bar", "not requested")


def removable(*, nodes: int, total: int, now: int, nodes_are_whole: bool, now_is_whole: bool) -> str:
    """Say how many nodes could go with the recommended requests, and without; at least where not all were tried."""
    return _(
        "With them %(nodes)s of %(total)s nodes could be removed, and %(now)s now, by simulations that move their pods."
    ) % {
        "nodes": evaluation.counted(nodes, is_whole=nodes_are_whole),
        "total": grouped(total),
        "now": evaluation.counted(now, is_whole=now_is_whole),
    }


COUNTED = message(
    "Of %(workloads)s workloads with samples %(over)s are over-requested, %(under)s under-requested, and "
    "%(missing)s request nothing of a resource that they use."
)
