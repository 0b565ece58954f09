"""A cluster's requests against what its pods use: the headline, and the hours as pictures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.documents.stored_problems import problem_of_text
from clusters.engine.usage import FEW_HOURS
from clusters.wording.amounts import cpu, moment, percent, size
from clusters.wording.problems import problem_sentence, remedy_sentence
from clusters.wording.usage import page as words
from clusters.wording.workloads import summary
from dashboard.pictures.figure import Figure
from dashboard.pictures.meter import Meter, meter
from dashboard.pictures.specs import Series, TrendSpec

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from clusters.models import Cluster, UsageReading
    from clusters.services.usage.sizings import ClusterSizing

_GIB = 1024**3
# Rows of a table that people read.
_MOST_ROWS = 48


@dataclass(frozen=True, slots=True)
class UsageGlance:
    """The headline: sentences, meters of requested, used and right-sized by resource, and what the samples are."""

    sentences: tuple[str, ...]
    freed: str
    rows: tuple[tuple[str, tuple[Meter, Meter, Meter]], ...]
    samples: str
    sampled_at: datetime
    warnings: tuple[str, ...]


def usage_glance(found: ClusterSizing) -> UsageGlance:
    """Sum up what is requested, what is used, and what recommended requests would change."""
    requested, allocatable, used = found.requested, found.allocatable, found.usage.high
    hours = len(found.usage.totals)
    warnings = [words.few_hours(hours)] if hours < FEW_HOURS else []
    if found.without:
        warnings.append(words.WITHOUT(workloads=found.without))
    return UsageGlance(
        sentences=(
            words.requested_cpu(
                requested=requested.cpu_milli,
                allocatable=allocatable.cpu_milli,
                share=percent(requested.cpu_milli, allocatable.cpu_milli),
            ),
            words.used_cpu(used=used.cpu_milli, share=percent(used.cpu_milli, allocatable.cpu_milli)),
            words.requested_memory(
                requested=requested.memory_bytes,
                allocatable=allocatable.memory_bytes,
                share=percent(requested.memory_bytes, allocatable.memory_bytes),
            ),
            words.used_memory(used=used.memory_bytes, share=percent(used.memory_bytes, allocatable.memory_bytes)),
        ),
        freed=words.freed(*found.freed)
        if any(each.changes for each in found.workloads)
        else str(words.NOTHING_TO_CHANGE),
        rows=(
            (
                str(summary.COLUMN_CPU),
                _meters(requested.cpu_milli, used.cpu_milli, found.freed.cpu_milli, allocatable.cpu_milli, cpu),
            ),
            (
                str(summary.COLUMN_MEMORY),
                _meters(
                    requested.memory_bytes,
                    used.memory_bytes,
                    found.freed.memory_bytes,
                    allocatable.memory_bytes,
                    size,
                ),
            ),
        ),
        samples=words.SAMPLES(hours=hours, source=str(words.SOURCES[found.usage.source])),
        sampled_at=found.usage.sampled_at,
        warnings=tuple(warnings),
    )


@dataclass(frozen=True, slots=True)
class ReadingView:
    """Why the cluster's usage was not read the last time, and what to do; or that it is going to be read."""

    sentence: str
    remedy: str
    is_failed: bool
    at: datetime | None


def reading_view(cluster: Cluster, reading: UsageReading | None) -> ReadingView | None:
    """Say how reading by itself goes; None of a cluster that is not read so, and while all is well."""
    if reading is None:
        return ReadingView(str(words.NOT_READ_YET), "", is_failed=False, at=None) if cluster.is_live else None
    problem = problem_of_text(reading.problem)
    if problem is None:
        return None
    return ReadingView(problem_sentence(problem), remedy_sentence(problem), is_failed=True, at=reading.tried_at)


def _meters(
    requested: int, used: int, freed: int, allocatable: int, write: Callable[[int], str]
) -> tuple[Meter, Meter, Meter]:
    return (
        meter(str(words.REQUESTED), requested, allocatable, write),
        meter(str(words.USED), used, allocatable, write),
        meter(str(words.RIGHT_SIZED), requested - freed, allocatable, write),
    )


def usage_figures(found: ClusterSizing) -> tuple[Figure, ...]:
    """Draw what was used hour by hour below what is requested now; nothing of a single hour."""
    totals = found.usage.totals
    if len(totals) < 2:
        return ()
    times = [each.at for each in totals]
    right_sized_cpu = found.requested.cpu_milli - found.freed.cpu_milli
    right_sized_memory = found.requested.memory_bytes - found.freed.memory_bytes
    return (
        _figure(
            "usage-cpu",
            str(words.CPU_TITLE),
            "CPU",
            times,
            [each.used.cpu_milli for each in totals],
            (found.requested.cpu_milli, right_sized_cpu, found.allocatable.cpu_milli),
            cpu,
            1000,
        ),
        _figure(
            "usage-memory",
            str(words.MEMORY_TITLE),
            "GiB",
            times,
            [each.used.memory_bytes for each in totals],
            (found.requested.memory_bytes, right_sized_memory, found.allocatable.memory_bytes),
            size,
            _GIB,
        ),
    )


def _figure(
    name: str,
    title: str,
    unit: str,
    times: Sequence[datetime],
    used: Sequence[int],
    levels: tuple[int, int, int],
    write: Callable[[int], str],
    divisor: int,
) -> Figure:
    requested, right_sized, allocatable = levels
    lines = (
        (str(words.USED), "zone-1", used, False),
        (str(words.REQUESTED), "zone-2", [requested] * len(times), True),
        (str(words.RIGHT_SIZED), "zone-3", [right_sized] * len(times), True),
        (str(words.ALLOCATABLE), "zone-8", [allocatable] * len(times), False),
    )
    return Figure(
        id=name,
        title=title,
        summary=words.TREND_SUMMARY(used=write(used[-1]), requested=write(requested), allocatable=write(allocatable)),
        spec=TrendSpec(
            unit,
            tuple(at.timestamp() for at in times),
            tuple(
                Series(label, colour, tuple(value / divisor for value in values), is_dashed=is_dashed)
                for label, colour, values, is_dashed in lines
            ),
        ),
        columns=(str(words.HOUR), str(words.USED)),
        rows=[(moment(at), write(value)) for at, value in list(zip(times, used, strict=True))[-_MOST_ROWS:]],
    )
