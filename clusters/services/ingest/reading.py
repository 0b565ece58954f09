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
from time import monotonic
from typing import NamedTuple

from django.conf import settings

from clusters.adapters.bad_input import BadInput
from clusters.adapters.limits import MIB
from clusters.models import Ingest
from clusters.services.ingest.ingest import ingest_path
from clusters.services.ingest.runs import give_up, remove_upload
from clusters.services.leases.rows import LeaseLostError

_log = logging.getLogger(__name__)

# How often a run is looked up that may have been cancelled, in seconds.
_LOOK = 0.5
# The status with which the process ends that has come to the end of its memory.
OUT_OF_MEMORY = 3
_COMMAND = "read_upload"
_STATUS = Path("/proc/self/status")


class _Fault(NamedTuple):
    problem: str
    remedy: str


def read_upload(*, ingest_id: int) -> None:
    """Have a process read an upload, and return when the run has ended in whatever way."""
    ingest = Ingest.objects.filter(pk=ingest_id, state=Ingest.State.QUEUED).first()
    if ingest is None:
        # A task may be delivered twice, and a run that waits be cancelled or deleted with its cluster.
        _log.info("Ingest %d does not wait to be read any more", ingest_id)
        return
    fault = _fault_of(ingest)
    if fault is not None and give_up(ingest, problem=fault.problem, remedy=fault.remedy):
        _log.warning("Ingest %d: %s", ingest_id, fault.problem)


def _fault_of(ingest: Ingest) -> _Fault | None:
    """Run the process to its end, or end it; return what else there is to say than what it said itself."""
    deadline = monotonic() + settings.BERTH_INGEST_TIME.total_seconds()
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), _COMMAND, str(ingest.pk), str(os.getpid())]
    process = subprocess.Popen(
        [*command, "--memory-mib", str(settings.BERTH_INGEST_MEMORY_MIB)], stdin=subprocess.DEVNULL
    )
    try:
        while True:
            try:
                return _fault_in(process.wait(timeout=_LOOK))
            except subprocess.TimeoutExpired:
                pass
            if not Ingest.objects.filter(pk=ingest.pk, state__in=Ingest.UNFINISHED).exists():
                return None
            if monotonic() > deadline:
                return _Fault(
                    f"Reading it takes longer than {settings.BERTH_INGEST_TIME.total_seconds() / 60:g} minutes.",
                    "Dump fewer kinds or namespaces, or raise BERTH_INGEST_MINUTES.",
                )
    finally:
        process.kill()
        process.wait()


def _fault_in(status: int) -> _Fault | None:
    """Return what the end of a process says that could not say it itself."""
    memory = f"the {settings.BERTH_INGEST_MEMORY_MIB:,} MiB of memory that it may"
    remedy = "Dump fewer kinds or namespaces, or raise BERTH_INGEST_MEMORY_MIB."
    if status == OUT_OF_MEMORY:
        return _Fault(f"Reading it takes more than {memory} take.", remedy)
    if status < 0:
        name = signal.Signals(-status).name
        return _Fault(
            f"The process that read it was ended by {name}, most likely because it took more than {memory} take.",
            remedy,
        )
    return _Fault("Berth failed while it read this.", "The worker's log says why.") if status else None


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
