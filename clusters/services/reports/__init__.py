"""Capacity reviews: what is ordered, the data of each section, how they are made, scheduled, kept and removed."""

from __future__ import annotations

from clusters.services.reports.making import (
    create_report,
    create_schedule,
    delete_report,
    delete_schedule,
    linked_runs,
    make_due,
    prune,
    stored_report,
    write,
)
from clusters.services.reports.order import Order, OrderError, read_order

__all__ = [
    "Order",
    "OrderError",
    "create_report",
    "create_schedule",
    "delete_report",
    "delete_schedule",
    "linked_runs",
    "make_due",
    "prune",
    "read_order",
    "stored_report",
    "write",
]
