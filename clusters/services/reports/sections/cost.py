"""What the cluster costs by the prices that were ordered, and what of it nobody requests."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from typing import TYPE_CHECKING

from clusters.engine.columns import ZONES
from clusters.engine.resources import CPU, MEMORY
from clusters.engine.simulation import measures_of
from clusters.engine.spreading import spreading_of
from clusters.services.reports import subject as tables
from clusters.services.reports.capacity_samples import bound_slots, namespaces

if TYPE_CHECKING:
    from clusters.services.reports.order import Prices
    from clusters.services.reports.subject import Row, Subject

# A month as cloud providers count it.
HOURS = 730
_GIB = 1024**3
# So many of the fullest domains tell whether there are several with pods.
_FEW = 2
_CENT = Decimal("0.01")


def cost(subject: Subject, prices: Prices) -> Row:
    """A month's cost of what is allocatable and of what is requested, in all and by namespace, as decimal texts."""

    def price(milli_cpu: int, memory: int) -> Decimal:
        hour = Decimal(milli_cpu) / 1000 * prices.cpu_hour + Decimal(memory) / _GIB * prices.memory_gib_hour
        return hour * HOURS

    amounts = measures_of(subject.snapshot).amounts
    allocatable = price(amounts[CPU].allocatable, amounts[MEMORY].allocatable)
    requested = price(amounts[CPU].requested, amounts[MEMORY].requested)
    rows = [
        (price(each.get(CPU, 0), each.get(MEMORY, 0)), name)
        for name, each in namespaces(subject.snapshot, bound_slots(subject.snapshot)).items()
    ]
    facts = {
        "currency": prices.currency,
        "hours": HOURS,
        "cpu_hour": str(prices.cpu_hour),
        "memory_gib_hour": str(prices.memory_gib_hour),
        "allocatable": _text(allocatable),
        "requested": _text(requested),
        "idle": _text(max(allocatable - requested, Decimal(0))),
        "across_zones": _across_zones(subject),
    }
    columns = [tables.name("namespace"), tables.money("cost")]
    dearest = sorted(rows, key=lambda row: (-row[0], row[1]))
    return tables.section(
        "cost",
        facts,
        [tables.table("costs", columns, [{"namespace": name, "cost": _text(each)} for each, name in dearest])],
    )


def _across_zones(subject: Subject) -> int:
    """Count the workloads that a constraint spreads over zones and that have pods in several."""
    found = spreading_of(subject.snapshot, subject.configuration.profiles, subject.waiting)
    over_zones = [group for group in found.groups if group.constraint.topology_key in ZONES]
    several = [group for group in over_zones if sum(each.pods > 0 for each in group.domains(_FEW)) > 1]
    return len({workload for group in several for workload in group.workloads})


def _text(amount: Decimal) -> str:
    return str(amount.quantize(_CENT, ROUND_HALF_UP))
