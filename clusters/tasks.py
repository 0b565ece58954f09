"""Celery entry points of the data ring."""

from __future__ import annotations

from celery import shared_task
from django.conf import settings

from clusters.models.run import Lane
from clusters.services import reports
from clusters.services.ingest import ingest as ingest_runs
from clusters.services.ingest.uploads import read_upload
from clusters.services.journal import writing
from clusters.services.lanes import resume
from clusters.services.reports import capacity_samples as capacity
from clusters.services.runs import keeping
from clusters.services.studies import asking as parts
from clusters.services.usage.keeping import prune_usage, sample_all_usage
from clusters.services.workers import finish, take


@shared_task
def ingest_upload(ingest_id: int) -> None:
    """Read an uploaded file into the mirror."""
    read_upload(ingest_id=ingest_id)


@shared_task
def fail_abandoned_ingests() -> None:
    """Give up runs whose worker died, and tidy up behind those that were not taken."""
    ingest_runs.fail_abandoned()
    ingest_runs.prune()


@shared_task
def prune_journal() -> None:
    """Remove decisions that are older than the operator wants them kept."""
    writing.prune(keep=settings.BERTH_JOURNAL_KEPT)


@shared_task
def evaluate(cluster_id: int, question: str, subject: list[str]) -> None:
    """Find out what takes too long for a page."""
    finish(cluster_id=cluster_id, question=question, subject=tuple(subject))


@shared_task
def take_turn(lane: str) -> None:
    """Work on the simulation, part of a study or review whose turn it is in a line."""
    take(Lane(lane))


@shared_task
def resume_abandoned() -> None:
    """Have other workers go on with what the dead left behind."""
    resume()


@shared_task
def prune_runs() -> None:
    """Remove runs and studies that are older, or of more pods, than the operator wants kept."""
    keeping.prune(spared=reports.linked_runs())
    parts.prune()


@shared_task
def sample_capacity() -> None:
    """Keep in a few hundred bytes how full every cluster is this hour, and drop what is older than wanted."""
    capacity.sample_all()
    capacity.prune(keep=settings.BERTH_SAMPLES_KEPT)


@shared_task
def sample_usage() -> None:
    """Read what the pods of every cluster with a source use, and drop what is older than wanted."""
    sample_all_usage()
    prune_usage(keep=settings.BERTH_USAGE_KEPT)


@shared_task
def tend_reports() -> None:
    """Order the reviews that are due, and remove those whose time is over."""
    reports.make_due()
    reports.prune()
