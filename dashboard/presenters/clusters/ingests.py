"""One run of reading a dump, in words: where it stands, what it took, what it left and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clusters.models import Ingest
from clusters.wording import amounts

if TYPE_CHECKING:
    from collections.abc import Mapping

# The announcer repeats itself only when a tenth more has been read.
_SPOKEN_STEP = 10

_AS_BEFORE = "The cluster is as it was before."

_STEPS = (
    (Ingest.State.QUEUED, "Waiting"),
    (Ingest.State.READING, "Reading"),
    (Ingest.State.WRITING, "Writing"),
    (Ingest.State.DONE, "Done"),
)


@dataclass(frozen=True, slots=True)
class Step:
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
    steps: tuple[Step, ...]
    counts: tuple[tuple[str, str], ...]
    skipped: tuple[Skipped, ...]
    kept: tuple[tuple[str, str], ...]
    failure: Failure | None
    is_over: bool
    is_done: bool
    may_cancel: bool


def _failure(error: Mapping[str, Any]) -> Failure:
    document = f"document {error['document']}" if error.get("document") else ""
    where = ", ".join(
        str(part) for part in (error.get("file"), document, error.get("subject"), error.get("field")) if part
    )
    return Failure(where, str(error.get("problem", "")), str(error.get("remedy", "")))


def _left(ingest: Ingest) -> str:
    """Say what a run that was not done leaves."""
    if ingest.cluster is None:
        return f"No cluster {ingest.intended_name} was added."
    return "No dump of the cluster has been read yet." if ingest.cluster.is_unread else _AS_BEFORE


def _sentence(ingest: Ingest) -> str:
    is_log = ingest.content == Ingest.Content.LOG
    one, many = ("line", "lines") if is_log else ("object", "objects")
    objects = amounts.counted(ingest.objects_read, one, many)
    match ingest.state:
        case Ingest.State.QUEUED:
            return f"{ingest.file_name} waits for a worker."
        case Ingest.State.READING:
            return (
                f"Reading {ingest.file_name}: {amounts.size(ingest.bytes_read)} of {amounts.size(ingest.bytes_total)}, "
                f"{objects} so far."
            )
        case Ingest.State.WRITING:
            one, many = ("recorded attempt", "recorded attempts") if is_log else ("object", "objects")
            return f"Writing {amounts.counted(ingest.objects_kept, one, many)} in one transaction."
        case Ingest.State.FAILED:
            return f"{ingest.file_name} could not be taken. {_left(ingest)}"
        case Ingest.State.CANCELLED:
            return f"Reading {ingest.file_name} was cancelled. {_left(ingest)}"
    if is_log:
        return _log_sentence(ingest, objects)
    changes = ingest.rows_added + ingest.rows_changed + ingest.rows_removed
    if not changes:
        return f"{ingest.file_name} holds nothing new: the cluster stays at revision {ingest.revision}."
    return (
        f"{objects} read; {amounts.grouped(ingest.rows_added)} added, {amounts.grouped(ingest.rows_changed)} changed, "
        f"{amounts.grouped(ingest.rows_removed)} removed. The cluster is now at revision {ingest.revision}."
    )


def _log_sentence(ingest: Ingest, lines: str) -> str:
    known = ingest.objects_kept - ingest.rows_added - ingest.rows_changed
    parts = [f"{amounts.counted(ingest.rows_added, 'attempt', 'attempts')} added"]
    if ingest.rows_changed:
        parts.append(f"{amounts.grouped(ingest.rows_changed)} completed")
    if known > 0:
        parts.append(f"{amounts.grouped(known)} known already")
    return f"{lines} read; {', '.join(parts)}. They stand on the pages of their pods; the cluster stays as it was."


def _spoken(ingest: Ingest) -> str:
    if ingest.state != Ingest.State.READING:
        return _sentence(ingest)
    tenth = int(100 * ingest.fraction_read) // _SPOKEN_STEP * _SPOKEN_STEP
    return f"Reading, {tenth} percent."


def _counted(ingest: Ingest) -> tuple[tuple[str, str], ...]:
    read, kept, skipped = map(amounts.grouped, (ingest.objects_read, ingest.objects_kept, ingest.objects_skipped))
    if ingest.content == Ingest.Content.LOG:
        return ("lines read", read), ("attempts kept", kept), ("lines without a word of them", skipped)
    return ("objects read", read), ("kept", kept), ("skipped", skipped)


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
            Step(label, is_current=index == position and not done, is_past=index < position or done)
            for index, (_, label) in enumerate(_STEPS)
        ),
        counts=_counted(ingest),
        skipped=tuple(
            Skipped(str(entry["what"]), amounts.grouped(int(entry["count"])), str(entry["why"]))
            for entry in ingest.skipped
        ),
        kept=tuple((kind, amounts.grouped(int(number))) for kind, number in sorted(ingest.kept.items())),
        failure=_failure(ingest.error) if ingest.error else None,
        is_over=ingest.is_finished,
        is_done=done,
        may_cancel=ingest.state in {Ingest.State.QUEUED, Ingest.State.READING},
    )
