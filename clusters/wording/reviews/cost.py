"""What a review says of cost."""

from __future__ import annotations

from clusters.wording.amounts import grouped
from clusters.wording.messages import message


def priced(decimal: str) -> str:
    """Write an amount of money, which comes as a decimal text."""
    whole, __, cents = decimal.partition(".")
    return ".".join(filter(None, (grouped(int(whole)), cents)))


MONTH = message(
    "Allocatable: %(allocatable)s %(currency)s a month; requested: %(requested)s %(currency)s, not: %(idle)s "
    "%(currency)s."
)
ACROSS_ZONES = message("Without the traffic between zones of %(workloads)s spread workloads.")
PRICES = message(
    "Prices an hour: %(cpu)s %(currency)s a CPU, %(memory)s %(currency)s a GiB of memory; %(hours)s hours a month."
)
