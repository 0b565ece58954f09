"""One run of reading a dump, in words: where it stands, what it took, what it left and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clusters.adapters.state import DISKS
from clusters.documents.problems import in_words
from clusters.documents.skips import worded_skip
from clusters.models import Ingest
from clusters.wording import amounts
from clusters.wording.clusters import ingests as words

if TYPE_CHECKING:
    from collections.abc import Mapping

# The announcer repeats itself only when a tenth more has been read.
_SPOKEN_STEP = 10

_STEPS = (
    (Ingest.State.QUEUED, words.QUEUED),
    (Ingest.State.READING, words.READING),
    (Ingest.State.WRITING, words.WRITING),
    (Ingest.State.DONE, words.DONE),
)


@dataclass(frozen=True, slots=True)
class IngestStep:
    """A step of the run; `is_past` steps carry a tick."""

    label: str
    is_current: bool
    is_past: bool


@dataclass(frozen=True, slots=True)
class Skipped:
    """What was left out, how often, and why."""

    what: str
    count: str
    why: str


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a run failed: where, what is wrong, what to do."""

    where: str
    problem: str
    remedy: str


@dataclass(frozen=True, slots=True)
class IngestView:
    """Everything the progress fragment shows; `percent` is None while it cannot be known."""

    sentence: str
    spoken: str
    percent: int | None
    steps: tuple[IngestStep, ...]
    counts: tuple[tuple[str, str], ...]
    skipped: tuple[Skipped, ...]
    kept: tuple[tuple[str, str], ...]
    failure: Failure | None
    is_over: bool
    is_done: bool
    may_cancel: bool


def _failure(stored: Mapping[str, Any]) -> Failure:
    error = in_words(stored)
    document = words.document(error["document"]) if error.get("document") else ""
    where = ", ".join(
        str(part) for part in (error.get("file"), document, error.get("subject"), error.get("field")) if part
    )
    return Failure(where, error["problem"], error["remedy"])


def _left(ingest: Ingest) -> str:
    """Say what a run that was not done leaves."""
    if ingest.cluster is None:
        return words.NOT_ADDED(cluster=ingest.intended_name)
    return str(words.NOTHING_READ_YET if ingest.cluster.is_unread else words.UNCHANGED)


def _sentence(ingest: Ingest) -> str:
    is_log = ingest.content == Ingest.Content.LOG
    read = words.LINES(number=ingest.objects_read) if is_log else words.OBJECTS(number=ingest.objects_read)
    match ingest.state:
        case Ingest.State.QUEUED:
            return words.queued(ingest.file_name)
        case Ingest.State.READING:
            done, whole = amounts.size(ingest.bytes_read), amounts.size(ingest.bytes_total)
            return words.reading(file=ingest.file_name, read=done, whole=whole, counted=read)
        case Ingest.State.WRITING:
            return words.writing(_written(ingest))
        case Ingest.State.FAILED:
            return f"{words.FAILED(file=ingest.file_name)} {_left(ingest)}"
        case Ingest.State.CANCELLED:
            return f"{words.CANCELLED(file=ingest.file_name)} {_left(ingest)}"
    if ingest.content == Ingest.Content.USAGE:
        taken = f"{words.USAGE_DONE(samples=ingest.objects_kept, hours=ingest.rows_added)} {words.ON_USAGE_PAGE}"
        return f"{taken} {words.DISKS_DONE(nodes=ingest.kept[DISKS])}" if DISKS in ingest.kept else taken
    if is_log:
        known = max(0, ingest.objects_kept - ingest.rows_added - ingest.rows_changed)
        said = words.LOG_DONE(read=read, added=ingest.rows_added, completed=ingest.rows_changed, known=known)
        return f"{said} {words.ON_POD_PAGES}"
    added, changed, removed = ingest.rows_added, ingest.rows_changed, ingest.rows_removed
    if not added + changed + removed:
        return words.nothing_new(ingest.file_name, ingest.revision)
    return words.done(read=read, added=added, changed=changed, removed=removed, revision=ingest.revision)


def _written(ingest: Ingest) -> str:
    match ingest.content:
        case Ingest.Content.LOG:
            return words.ATTEMPTS(number=ingest.objects_kept)
        case Ingest.Content.USAGE:
            return words.SAMPLES(number=ingest.objects_kept)
    return words.OBJECTS(number=ingest.objects_kept)


def _spoken(ingest: Ingest) -> str:
    if ingest.state != Ingest.State.READING:
        return _sentence(ingest)
    return words.spoken(int(100 * ingest.fraction_read) // _SPOKEN_STEP * _SPOKEN_STEP)


def _counted(ingest: Ingest) -> tuple[tuple[str, str], ...]:
    read, kept, skipped = map(amounts.grouped, (ingest.objects_read, ingest.objects_kept, ingest.objects_skipped))
    if ingest.content == Ingest.Content.LOG:
        return (str(words.LINES_READ), read), (str(words.ATTEMPTS_KEPT), kept), (str(words.LINES_SKIPPED), skipped)
    if ingest.content == Ingest.Content.USAGE:
        kept_words = str(words.SAMPLES_KEPT)
        return (str(words.OBJECTS_READ), read), (kept_words, kept), (str(words.SKIPPED), skipped)
    return (str(words.OBJECTS_READ), read), (str(words.KEPT), kept), (str(words.SKIPPED), skipped)


def ingest_view(ingest: Ingest) -> IngestView:
    """Present a run as it stands."""
    order = [state for state, _ in _STEPS]
    # A run that failed or was cancelled stopped at an unknown step, so none is marked.
    position = order.index(Ingest.State(ingest.state)) if ingest.state in order else -1
    done = ingest.state == Ingest.State.DONE
    return IngestView(
        sentence=_sentence(ingest),
        spoken=_spoken(ingest),
        percent=round(100 * ingest.fraction_read) if ingest.state == Ingest.State.READING else 100 if done else None,
        steps=tuple(
            IngestStep(str(label), is_current=index == position and not done, is_past=index < position or done)
            for index, (_, label) in enumerate(_STEPS)
        ),
        counts=_counted(ingest),
        skipped=tuple(
            Skipped(skip.what, amounts.grouped(skip.count), skip.why) for skip in map(worded_skip, ingest.skipped)
        ),
        kept=tuple(
            (words.kept_thing(kind), amounts.grouped(int(number))) for kind, number in sorted(ingest.kept.items())
        ),
        failure=_failure(ingest.error) if ingest.error else None,
        is_over=ingest.is_finished,
        is_done=done,
        may_cancel=ingest.state in {Ingest.State.QUEUED, Ingest.State.READING},
    )
