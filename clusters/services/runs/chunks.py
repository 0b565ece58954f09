"""The steps of a run as they are stored: in chunks of one length, so that the same run is the same bytes."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Any, Final

import orjson

from clusters.documents.values import read_uncertainty, value_document
from clusters.documents.words import message_document, read_message
from clusters.engine.simulation import Outcome, Step, VictimsWait
from clusters.models import RunChunk, SimulationRun

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


# Of every chunk but the last, which grows until it is full.
STEPS_PER_CHUNK: Final = 2_000


def packed_steps(steps: Sequence[Step]) -> bytes:
    """Return steps in their order, compressed; equal steps give equal bytes."""
    return zlib.compress(orjson.dumps([_row(step) for step in steps]), 6)


def unpacked_steps(packed: bytes | memoryview, first: int) -> list[Step]:
    """Return the steps that `packed_steps` wrote, numbered from ``first``."""
    rows: list[list[Any]] = orjson.loads(zlib.decompress(packed))
    return [
        Step(
            number,
            at,
            Outcome(outcome),
            pod,
            node,
            total,
            ties,
            feasible,
            looked_at,
            tuple(plugins),
            said.text,
            by,
            tuple(map(read_uncertainty, more[0])) if more else (),
            said.problem,
            VictimsWait(*more[1]) if len(more) > 1 and more[1] else None,
            more[2] if len(more) > 2 else 0,
        )
        # Only steps that are uncertain, or whose pod waits for victims or terminates, say so.
        for number, (at, outcome, pod, node, total, ties, feasible, looked_at, plugins, message, by, *more) in (
            enumerate(rows, first)
        )
        for said in (read_message(message),)
    ]


def steps_of(run: SimulationRun, upto: int | None = None) -> Iterator[Step]:
    """Yield the stored steps of a run, all of them or those numbered below ``upto``."""
    chunks = RunChunk.objects.filter(run=run).order_by("number")
    if upto is not None:
        chunks = chunks.filter(first_step__lt=upto)
    for first, packed in chunks.values_list("first_step", "packed_steps").iterator(chunk_size=1):
        for step in unpacked_steps(packed, first):
            if upto is not None and step.number >= upto:
                return
            yield step


def write_steps(run_id: int, first: int, steps: Sequence[Step]) -> None:
    """Store a chunk, or what it has grown to; ``first`` is the number of its first step."""
    RunChunk.objects.update_or_create(
        run_id=run_id,
        number=first // STEPS_PER_CHUNK,
        defaults={"first_step": first, "step_count": len(steps), "packed_steps": packed_steps(steps)},
    )


def _row(step: Step) -> tuple[Any, ...]:
    waits = () if step.waits is None else (step.waits.seconds, step.waits.victims)
    more = ([value_document(each) for each in step.uncertain], waits, step.grace)
    present = max((place for place, part in enumerate(more, 1) if part), default=0)
    return (
        step.at,
        step.outcome.value,
        step.pod,
        step.node,
        step.total,
        step.ties,
        step.feasible,
        step.looked_at,
        step.plugins,
        message_document(step),
        step.by,
        *more[:present],
    )
