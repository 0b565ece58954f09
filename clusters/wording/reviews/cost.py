"""What a review says of cost."""

from __future__ import annotations

from django.utils.translation import gettext as _

from clusters.wording.amounts import grouped
from clusters.wording.messages import message, plural


def priced(decimal: str) -> str:
    """Write an amount of money, which comes as a decimal text."""
    whole, __, cents = decimal.partition(".")
    return ".".join(filter(None, (grouped(int(whole)), cents)))


def month(*, allocatable: str, requested: str, idle: str, currency: str) -> str:
    """Say what the allocatable resources cost a month, and how much of it is requested."""
    return _(
        "Allocatable: %(allocatable)s %(currency)s a month, of which %(requested)s %(currency)s is "
        "requested and %(idle)s %(currency)s is not."
    ) % {
        "allocatable": priced(allocatable),
        "requested": priced(requested),
        "idle": priced(idle),
        "currency": currency,
    }


ACROSS_ZONES = plural(
    "%(workloads)s workload is spread over zones: its traffic between zones, which many providers charge for, is "
    "not in these costs.",
    "%(workloads)s workloads are spread over zones: their traffic between zones, which many providers charge for, "
    "is not in these costs.",
    by="workloads",
)
PRICES = message(
    "Prices: %(cpu)s %(currency)s for a CPU and %(memory)s %(currency)s for a GiB of memory an hour, "
    "%(hours)s hours a month."
)
