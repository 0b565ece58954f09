"""What a review says of cost."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clusters.wording.amounts import grouped


def priced(decimal: str) -> str:
    """Write an amount of money, which comes as a decimal text."""
    whole, __, cents = decimal.partition(".")
    return ".".join(filter(None, (grouped(int(whole)), cents)))


def month(*, allocatable: str, requested: str, idle: str, currency: str) -> str:
    """Say what the allocatable resources cost a month, and how much of it is requested."""
    return _(
        "The allocatable resources cost %(allocatable)s %(currency)s a month: %(requested)s %(currency)s of it is "
        "requested, and %(idle)s %(currency)s is not."
    ) % {
        "allocatable": priced(allocatable),
        "requested": priced(requested),
        "idle": priced(idle),
        "currency": currency,
    }


def across_zones(workloads: int) -> str:
    """Say that spreading over zones has a price that is not known here."""
    return ngettext(
        "%(workloads)s workload is spread over zones: its traffic between zones, which many providers charge for, is "
        "not in these costs.",
        "%(workloads)s workloads are spread over zones: their traffic between zones, which many providers charge for, "
        "is not in these costs.",
        workloads,
    ) % {"workloads": grouped(workloads)}


def prices(*, cpu_hour: str, memory_gib_hour: str, currency: str, hours: int) -> str:
    """Say by which prices costs are computed."""
    return _(
        "The prices of the order are %(cpu)s %(currency)s for a CPU and %(memory)s %(currency)s for a GiB of memory an "
        "hour; a month has %(hours)s hours."
    ) % {"cpu": cpu_hour, "memory": memory_gib_hour, "currency": currency, "hours": grouped(hours)}
