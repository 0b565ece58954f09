"""What all commands do: read a dump or standard input, write lines and tables, say what is wrong."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import textwrap
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from django.core.management.base import BaseCommand

from clusters.adapters.bad_input import BadInput, printable
from clusters.engine.kubelet import OOM_KILLED, KubeletTermination, container_ends, resize_of, trouble_of
from clusters.engine.nodes import is_autoscaler
from clusters.services.files import Dump, read_dump
from clusters.services.mirror.snapshots import ChangingTooFastError
from clusters.wording import refusals, workload_failures as failing_words
from clusters.wording.decisions.verdict import recorded
from clusters.wording.pods import end_sentence, resize_sentence, trouble_remedy, trouble_sentence
from clusters.wording.problems import input_sentence, problem_sentence
from clusters.wording.terminal import explanation as words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from django.utils.functional import _StrPromise

    from clusters.engine.workloads import Failures
    from clusters.services.files import PodEvent


# What a shell reports of a program that wrote into a closed pipe.
READER_GONE = 141
_STANDARD_INPUT = "standard input"


def dump_at(path: Path, *, default_pods: bool = False) -> Dump:
    """Read a dump from a path, or from standard input, which is kept in a file while it is read. Raises BadInput."""
    if str(path) != "-":
        return read_dump(path, default_pods=default_pods)
    with tempfile.TemporaryDirectory() as folder:
        kept = Path(folder, _STANDARD_INPUT)
        with kept.open("wb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file)
        return read_dump(kept, default_pods=default_pods)


@contextmanager
def closed_pipe_is_no_error() -> Iterator[None]:
    """Let a reader such as `head` or `less` go away early, without a word."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        # What is still buffered is written at exit, and must then go somewhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


# What is assumed where the output goes into a pipe or a file; COLUMNS overrides it.
_WIDTH_OF_PIPES = 100
_NARROWEST = 40
_GAP = "  "


def terminal_width() -> int:
    """Return how many characters a line takes."""
    return max(_NARROWEST, shutil.get_terminal_size((_WIDTH_OF_PIPES, 24)).columns)


def wrapped(text: str, width: int, *, indent: str = "", first: str | None = None) -> list[str]:
    """Break a paragraph into lines; ``first`` is the indent of the first one."""
    return textwrap.wrap(
        printable(text),
        width,
        initial_indent=indent if first is None else first,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def table(
    head: Iterable[str | _StrPromise],
    rows: Iterable[Sequence[str]],
    width: int,
    *,
    right: Iterable[int] = (),
    indent: str = _GAP,
) -> list[str]:
    """Lay out a table; columns numbered in ``right`` are aligned so, and the last one wraps where it is too long."""
    cells = [[printable(cell) for cell in row] for row in (tuple(map(str, head)), *rows)]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    aligned = set(right)
    lines = []
    for row in cells:
        *front, last = (
            cell.rjust(size) if number in aligned else cell.ljust(size)
            for number, (cell, size) in enumerate(zip(row, widths, strict=True))
        )
        start = indent + "".join(f"{cell}{_GAP}" for cell in front)
        room = max(width - len(start), _NARROWEST // 2)
        parts = [last.rstrip()] if len(last.rstrip()) <= room else wrapped(row[-1], room)
        lines.append(f"{start}{parts[0]}".rstrip())
        lines.extend(f"{' ' * len(start)}{part}" for part in parts[1:])
    return lines


BAD_INPUT: Final = 2
NOT_COMPUTED: Final = 4


class NoAnswer(NamedTuple):
    """Why there is no answer, in a sentence, and the exit status for it."""

    status: int
    sentence: str


class AnsweringCommand(BaseCommand):
    """A command that says on standard error why it has no answer, and minds no reader that goes away."""

    def handle(self, *args: Any, **options: Any) -> None:
        status = READER_GONE
        with closed_pipe_is_no_error():
            try:
                status = self.answer(options)
            except Exception as error:
                why = self.no_answer(error)
                if why is None:
                    raise
                self.stderr.write(self.style.ERROR(why.sentence))
                status = why.status
        if status:
            sys.exit(status)

    def answer(self, options: dict[str, Any]) -> int:
        """Print the answer; return the exit status that it has."""
        raise NotImplementedError

    def no_answer(self, error: Exception) -> NoAnswer | None:
        """Return why an error leaves the question without an answer; None where it is a defect of this command."""
        if isinstance(error, BadInput):
            return NoAnswer(BAD_INPUT, input_sentence(error.problem, **error.place))
        if isinstance(error, ChangingTooFastError):
            return NoAnswer(NOT_COMPUTED, problem_sentence(error.problem))
        return None


class TroubleReport(NamedTuple):
    """What is said of a pod before its decision; ``is_troubled``: it is not well on its node."""

    is_troubled: bool
    sentences: list[str]


def told_of(pod: dict[str, Any], dump: Dump) -> TroubleReport:
    """Say what is wrong with a pod on its node, how its containers ended, and which resize it waits for."""
    trouble, resize = trouble_of(pod, dump.snapshot), resize_of(pod)
    said = [] if trouble is None else [f"{trouble_sentence(trouble)} {trouble_remedy(trouble)}"]
    said += map(end_sentence, container_ends(pod))
    if resize is not None:
        said.append(resize_sentence(resize))
    if trouble is not None:
        said.append(str(words.IF_PENDING))
    return TroubleReport(trouble is not None, said)


def troubled_lines(dump: Dump, width: int) -> Iterator[str]:
    """Name the pods that are in trouble on their nodes, or had a container that was ended for its memory."""
    for key, pod in dump.pods.items():
        trouble = trouble_of(pod, dump.snapshot)
        # Those that ran and were ended have been replaced, and may be many.
        said = [] if trouble is None or isinstance(trouble, KubeletTermination) else [trouble_sentence(trouble)]
        said += [end_sentence(end) for end in container_ends(pod) if end.reason == OOM_KILLED]
        if said:
            yield ""
            yield from wrapped(f"{key}: {' '.join(said)}", width)


def recorded_sentences(dump: Dump, key: str, scheduler: str) -> Iterator[str]:
    """Yield the PodScheduled condition of a pod, which its scheduler wrote, and its events, the latest first."""
    for each in dump.pods[key].get("status", {}).get("conditions") or ():
        if each.get("type") == "PodScheduled" and each.get("status") != "True" and each.get("message"):
            yield recorded(component=scheduler, reason=str(each.get("reason") or ""), message=str(each["message"]))
    yield from _said(dump.pod_events.get(key, ()))


def autoscaler_events(dump: Dump, key: str) -> list[str]:
    """Quote what those who add nodes recorded about a pod."""
    return _said(each for each in dump.pod_events.get(key, ()) if is_autoscaler(each.component))


def _said(events: Iterable[PodEvent]) -> list[str]:
    """Quote the latest event of each reason; events come the latest first."""
    latest: dict[tuple[str, str], str] = {}
    for each in events:
        latest.setdefault((each.component, each.reason), each.message)
    return [
        recorded(component=component, reason=reason, message=message) for (component, reason), message in latest.items()
    ]


def failing_lines(failures: Failures, width: int) -> Iterator[str]:
    """Yield a paragraph for each failure and an empty line behind each; nothing where none fails."""
    for found in failures.values():
        for failure in found:
            yield from wrapped(printable(failing_words.sentence(failure)), width)
            yield from wrapped(printable(failing_words.quoted(failure)), width, indent="  ")
            for said in filter(None, (refusals.because(failure), refusals.outlook(failure))):
                yield from wrapped(printable(said), width, indent="  ")
            yield from wrapped(printable(failing_words.remedy(failure, found)), width, indent="  ")
            yield ""
