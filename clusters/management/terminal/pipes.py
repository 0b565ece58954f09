"""What is piped into a command, and what happens when nobody reads what comes out of it."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from clusters.services.files import Dump, read_dump

if TYPE_CHECKING:
    from collections.abc import Iterator


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
