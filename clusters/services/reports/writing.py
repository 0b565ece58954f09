"""Writes the document of a review: its head, and the sections that were ordered, one after another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings

from clusters.documents.reviews import REVIEW_VERSION
from clusters.services.reports import capacity_samples as capacity
from clusters.services.reports import tables
from clusters.services.reports.sections.agreement import agreement
from clusters.services.reports.sections.cost import cost
from clusters.services.reports.sections.headroom import headroom_section
from clusters.services.reports.sections.maintenance import maintenance
from clusters.services.reports.sections.pending import pending
from clusters.services.reports.sections.quotas import quotas
from clusters.services.reports.sections.recommendations import recommendations
from clusters.services.reports.sections.run import run_section
from clusters.services.reports.sections.spread import spread
from clusters.services.reports.sections.stranded import stranded_capacity
from clusters.services.reports.sections.trend import trend
from clusters.services.reports.sections.upgrade import upgrade
from clusters.services.reports.sections.usage import usage
from clusters.services.reports.sections.utilisation import utilisation
from clusters.services.reports.subject import subject_of_cluster, subject_of_run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from django.contrib.auth.models import User

    from clusters.models import Cluster, SimulationRun
    from clusters.services.reports.order import Order
    from clusters.services.reports.subject import Subject
    from clusters.services.reports.tables import Row

SCHEMA = "berth-review"


def document_of(
    *,
    cluster: Cluster,
    run: SimulationRun | None,
    order: Order,
    now: datetime,
    user: User | None,
    alive: Callable[[], object],
    written: Callable[[int], object],
    number: int | None = None,
) -> dict[str, Any]:
    """Return a review as data; the same for the same state, samples, journal, order and `now`.

    `alive` is called within long sections, and `written` before each with the number of those before it; what they
    raise ends the work. The simulations that back
    recommendations are stored as runs of `user`, with `number`, the review's, in their titles. Raises
    ConfigurationError, ChangingTooFastError and SpecError.
    """
    if run is None:
        capacity.sample(cluster=cluster)
        subject = subject_of_cluster(cluster)
    else:
        subject = subject_of_run(run)
    start, end = order.period(subject.as_of)
    sections = []
    for section in _sections(subject, order, start, end, user, alive, number):
        sections.append(section)
        written(len(sections))
    resources = tables.in_order({name for each in sections for name in _resources(each)})
    return {
        "schema": SCHEMA,
        "version": REVIEW_VERSION,
        "title": order.title,
        "cluster": {
            "name": cluster.name,
            "kube_version": cluster.kube_version,
            "feature_gates": subject.snapshot.release.changed_gates,
            "source": cluster.source,
            "revision": subject.revision,
        },
        "run": None if run is None else {"id": run.pk, "title": run.title},
        "period": {"from": tables.moment(start), "to": tables.moment(end)},
        "as_of": tables.moment(subject.as_of),
        "made_at": tables.moment(now),
        "made_by": "" if user is None else user.get_username(),
        "time_zone": settings.TIME_ZONE,
        "notes": order.notes,
        "gaps": cluster.gaps,
        "units": {name: tables.unit_of(name) for name in resources},
        "sections": sections,
    }


def _sections(
    subject: Subject,
    order: Order,
    start: datetime,
    end: datetime,
    user: User | None,
    alive: Callable[[], object],
    number: int | None,
) -> Iterator[Row]:
    cluster = subject.cluster
    makers: dict[str, Callable[[], Row]] = {
        "utilisation": lambda: utilisation(subject),
        "trend": lambda: trend(subject, start, end),
        "stranded": lambda: stranded_capacity(subject),
        "headroom": lambda: headroom_section(subject, order.shapes, alive),
        "spread": lambda: spread(subject),
        "maintenance": lambda: maintenance(subject, alive),
        "upgrade": lambda: upgrade(subject, order.upgrade_to, alive),
        "quotas": lambda: quotas(cluster, subject.snapshot),
        "usage": lambda: usage(subject, alive),
        "pending": lambda: pending(subject, start, end),
        "agreement": lambda: agreement(cluster, start, end),
        "recommendations": lambda: recommendations(subject, user, alive, number),
    }
    if subject.run is not None:
        run = subject.run
        makers["run"] = lambda: run_section(run)
    if order.prices is not None:
        prices = order.prices
        makers["cost"] = lambda: cost(subject, prices)
    for key in order.applying:
        yield makers[key]()


def _resources(section: Row) -> set[str]:
    """The resources that a section's tables have amounts of."""
    found = {column["resource"] for each in section["tables"] for column in each["columns"] if "resource" in column}
    return found | set(section["facts"].get("resources") or ())
