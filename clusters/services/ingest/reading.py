"""Uploads are read in processes of their own, bounded in memory and time: whatever one meets, the worker goes on.

A process that is ended loses its open transaction, so that nothing of a dump is ever half-written.
"""

from __future__ import annotations

import logging
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING, NamedTuple

from django.conf import settings

from clusters.adapters.bad_input import BadInput
from clusters.adapters.limits import MIB
from clusters.models import Ingest
from clusters.problems.ingests import (
    ReadingFailed,
    ReadingKilled,
    ReadingOutOfMemory,
    ReadingTakesLong,
    ReadingTakesMemory,
)
from clusters.services.ingest.ingest import ingest_path
from clusters.services.ingest.runs import give_up, remove_upload
from clusters.services.leases.rows import LeaseLostError

if TYPE_CHECKING:
    from clusters.engine.problems import Problem

_log = logging.getLogger(__name__)

# How often a run is looked up that may have been cancelled, in seconds.
_LOOK = 0.5
# The status with which the process ends that has come to the end of its memory.
OUT_OF_MEMORY = 3
_COMMAND = "read_upload"
# A process whose run is done still removes the file and tells pages: it ends by itself.
_LET_RUN = (*Ingest.UNFINISHED, Ingest.State.DONE)
_STATUS = Path("/proc/self/status")
_CRASHES = (signal.SIGABRT, signal.SIGBUS, signal.SIGSEGV)
# The part of the memory that it may take from which on a process may have come to its end.
_MOSTLY = 0.8
_VM_STATISTICS = Path("/proc/vmstat")


def read_upload(*, ingest_id: int) -> None:
    """Have a process read an upload, and return when the run has ended in whatever way."""
    ingest = Ingest.objects.filter(pk=ingest_id, state=Ingest.State.QUEUED).first()
    if ingest is None:
        # A task may be delivered twice, and a run that waits be cancelled or deleted with its cluster.
        _log.info("Ingest %d does not wait to be read any more", ingest_id)
        return
    fault = _fault_of(ingest)
    if fault is not None and give_up(ingest, fault):
        _log.warning("Ingest %d: %s", ingest_id, fault)


def _fault_of(ingest: Ingest) -> Problem | None:
    """Run the process to its end, or end it; return what else there is to say than what it said itself."""
    killed_before = killed_for_memory()
    deadline = monotonic() + settings.BERTH_INGEST_TIME.total_seconds()
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), _COMMAND, str(ingest.pk), str(os.getpid())]
    process = subprocess.Popen(
        [*command, "--memory-mib", str(settings.BERTH_INGEST_MEMORY_MIB)], stdin=subprocess.DEVNULL
    )
    try:
        while True:
            if (end := _end_of(process)) is not None:
                return fault_in(end, killed_before)
            if not Ingest.objects.filter(pk=ingest.pk, state__in=_LET_RUN).exists():
                return None
            if monotonic() > deadline:
                return ReadingTakesLong(settings.BERTH_INGEST_TIME.total_seconds() / 60)
    finally:
        process.kill()
        process.wait()


class ReaderEnd(NamedTuple):
    """With which status a process ended, negative for a signal, and how much memory it had at most, in bytes."""

    status: int
    memory: int


def _end_of(process: subprocess.Popen[bytes]) -> ReaderEnd | None:
    """Wait a moment for the end of a process."""
    until = monotonic() + _LOOK
    while monotonic() < until:
        pid, status, used = os.wait4(process.pid, os.WNOHANG)
        if pid:
            process.returncode = os.waitstatus_to_exitcode(status)
            return ReaderEnd(process.returncode, used.ru_maxrss * 1024)
        sleep(_LOOK / 10)
    return None


def fault_in(end: ReaderEnd, killed_before: int) -> Problem | None:
    """Return what the end of a process says that could not say it itself.

    ``killed_before``: how many processes the kernel had ended for want of memory when it was started.
    """
    status, most_mib = end.status, settings.BERTH_INGEST_MEMORY_MIB
    # Libraries that are given no memory crash.
    has_crashed = -status in _CRASHES and end.memory > _MOSTLY * most_mib * MIB
    if status == OUT_OF_MEMORY or has_crashed:
        return ReadingTakesMemory(most_mib)
    if status == -signal.SIGKILL and killed_for_memory() > killed_before:
        return ReadingOutOfMemory()
    if status < 0:
        return ReadingKilled(signal.Signals(-status).name)
    return ReadingFailed() if status else None


def killed_for_memory() -> int:
    """Count the processes that the kernel has ended for want of memory; 0 where it does not say."""
    lines = _VM_STATISTICS.read_text().splitlines() if _VM_STATISTICS.exists() else []
    return next((int(line.split()[1]) for line in lines if line.startswith("oom_kill ")), 0)


def limit_memory(mib: int) -> None:
    """Bound the memory that this process may take beside what it has; only Linux counts that so."""
    if not _STATUS.exists():
        return
    # The address space is no measure: libraries reserve much of it, and files are mapped into it.
    (has_kib,) = (line.split()[1] for line in _STATUS.read_text().splitlines() if line.startswith("VmData:"))
    bound = int(has_kib) * 1024 + mib * MIB
    resource.setrlimit(resource.RLIMIT_DATA, (bound, bound))


def ingest_upload(*, ingest_id: int) -> None:
    """Run an ingest whose file was uploaded, and remove the file. Bad input is recorded in the run, not raised."""
    ingest = Ingest.objects.select_related("cluster").filter(pk=ingest_id, state=Ingest.State.QUEUED).first()
    if ingest is None or ingest.cluster is None:
        _log.info("Ingest %d does not wait to be read any more", ingest_id)
        return
    try:
        ingest_path(cluster=ingest.cluster, path=Path(ingest.upload), ingest=ingest)
    except BadInput as error:
        _log.info("Ingest %d: %s", ingest_id, error)
    except LeaseLostError as error:
        # The file belongs to the run that took it first.
        _log.warning("Ingest %d: %s", ingest_id, error)
        return
    finally:
        if not Ingest.objects.filter(pk=ingest_id, state__in=Ingest.UNFINISHED).exists():
            remove_upload(ingest)
