"""What a review says of quotas and LimitRanges."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, ngettext

from clusters.wording.amounts import grouped

NONE: Final = gettext_lazy("The mirror holds no ResourceQuota of this cluster.")
MAY_BE_MISSING: Final = gettext_lazy("The dump may lack them: it has to include kubectl get resourcequotas -A.")


def tight(limits: int, share: str) -> str:
    """Say how many limits are used to more than a share."""
    return ngettext(
        "%(limits)s limit is used to more than %(share)s.",
        "%(limits)s limits are used to more than %(share)s.",
        limits,
    ) % {"limits": grouped(limits), "share": share}


def quotas(number: int) -> str:
    """Say how many quotas there are."""
    return ngettext(
        "The cluster has %(quotas)s ResourceQuota.",
        "The cluster has %(quotas)s ResourceQuotas.",
        number,
    ) % {"quotas": grouped(number)}


def limit_ranges(number: int) -> str:
    """Say how many LimitRanges there are."""
    return ngettext(
        "%(ranges)s LimitRange sets bounds or defaults for requests and limits.",
        "%(ranges)s LimitRanges set bounds or defaults for requests and limits.",
        number,
    ) % {"ranges": grouped(number)}
