"""Uploads: kept where only Berth can read them, and read in a process of their own within bounds."""

from __future__ import annotations

import logging
import os
import resource
import secrets
import shutil
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, NamedTuple

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import TemporaryUploadedFile, UploadedFile
from django.db import transaction
from kombu.exceptions import OperationalError

from clusters.adapters import shared_redis
from clusters.adapters.bad_input import MIB, BadInput
from clusters.adapters.files import is_archive
from clusters.adapters.shared_redis import AwayError
from clusters.celery import current_app
from clusters.engine.problems import InvalidValue, NoSuchName, OverSetting
from clusters.models import Cluster, Ingest
from clusters.problems.inputs import (
    ReadingKilled,
    ReadingOutOfMemory,
)
from clusters.problems.orders import WorkersAway, WorkFailed
from clusters.services.ingest.ingest import (
    content_of,
    give_up,
    ingest_path,
    refuse_live,
    refuse_log_of_unread,
    refuse_usage_of_unread,
    remove_upload,
)
from clusters.services.lanes import LeaseLostError

if TYPE_CHECKING:
    from clusters.engine.problems import Problem

# Uploads are read in processes of their own, bounded in memory and time: whatever one meets, the worker goes on.
#
# A process that is ended loses its open transaction, so that nothing of a dump is ever half-written.

# Uploads: kept where only Berth can read them, until they are ingested.

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
    command = [sys.executable, "-m", "dashboard", _COMMAND, str(ingest.pk), str(os.getpid())]
    process = subprocess.Popen(
        [*command, "--memory-mib", str(settings.BERTH_INGEST_MEMORY_MIB)],
        cwd=settings.BASE_DIR,
        stdin=subprocess.DEVNULL,
    )
    try:
        while True:
            if (end := _end_of(process)) is not None:
                return fault_in(end, killed_before)
            if not Ingest.objects.filter(pk=ingest.pk, state__in=_LET_RUN).exists():
                return None
            if monotonic() > deadline:
                return OverSetting("BERTH_INGEST_MINUTES", round(settings.BERTH_INGEST_TIME.total_seconds() / 60))
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
        return OverSetting("BERTH_INGEST_MEMORY_MIB", most_mib)
    if status == -signal.SIGKILL and killed_for_memory() > killed_before:
        return ReadingOutOfMemory()
    if status < 0:
        return ReadingKilled(signal.Signals(-status).name)
    return WorkFailed() if status else None


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


# By name, because tasks call services and not the other way round.
_TASK = "clusters.tasks.ingest_upload"


def receive(*, cluster: Cluster, file: UploadedFile[Any]) -> Ingest:
    """Store an upload and start its ingest once that is committed; a new cluster is saved first.

    Where no worker can be told, the run is failed and says so. Raises BadInput for a name that no cluster may have, for
    a live cluster's dump, for a scheduler's log or usage of a cluster that has no state yet, for a file that is too
    large and for a cluster that was deleted while the file came in.
    """
    checked_cluster_name(cluster.name)
    name = Path((file.name or "").replace("\\", "/")).name[:255] or "upload"
    path, size = _stored(file, name)
    try:
        match content_of(path, name):
            case Ingest.Content.LOG:
                refuse_log_of_unread(cluster)
            case Ingest.Content.USAGE:
                refuse_usage_of_unread(cluster)
            case _ if not is_archive(path):
                refuse_live(cluster)
        with transaction.atomic():
            if cluster._state.adding:
                cluster.save()
            elif not Cluster.objects.select_for_update().filter(pk=cluster.pk).exists():
                raise BadInput(NoSuchName(cluster.name), file=name)
            ingest = Ingest.objects.create(cluster=cluster, file_name=name, upload=str(path), bytes_total=size)
    except BaseException:
        path.unlink()
        raise
    transaction.on_commit(partial(_start, ingest))
    return ingest


def _start(ingest: Ingest) -> None:
    try:
        shared_redis.knock()
        current_app.send_task(_TASK, args=(ingest.pk,))
    except (AwayError, OperationalError) as error:
        _log.error("Ingest %d: %s", ingest.pk, error)
        give_up(ingest, WorkersAway())


@transaction.atomic
def remove_cluster(*, cluster: Cluster) -> None:
    """Delete a cluster, everything mirrored of it, and what still waits to be read into it."""
    waiting = list(cluster.ingests.filter(state__in=Ingest.UNFINISHED))
    cluster.delete()
    for ingest in waiting:
        transaction.on_commit(partial(remove_upload, ingest))


def checked_cluster_name(name: str) -> str:
    """Return the name if a cluster may have it, or raise BadInput."""
    try:
        Cluster._meta.get_field("name").clean(name, None)
    except ValidationError:
        raise BadInput(InvalidValue(repr(name), ("demo-1",)), field="cluster") from None
    return name


def _stored(file: UploadedFile[Any], name: str) -> tuple[Path, int]:
    """Put an upload where only Berth reads it; one that is on disk already is moved there and not copied."""
    folder = Path(settings.MEDIA_ROOT)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    size = file.size or 0
    if size > settings.BERTH_UPLOAD_LIMIT_BYTES:
        raise BadInput(OverSetting("BERTH_UPLOAD_LIMIT_MIB", most_bytes=settings.BERTH_UPLOAD_LIMIT_BYTES), file=name)
    path = folder / secrets.token_hex(16)
    if isinstance(file, TemporaryUploadedFile):
        shutil.move(file.temporary_file_path(), path)
        path.chmod(0o600)
        return path, size
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as target:
            target.writelines(file.chunks())
    except BaseException:
        path.unlink()
        raise
    return path, size
