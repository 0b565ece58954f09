"""Uploads: kept where only Berth can read them, until they are ingested."""

from __future__ import annotations

import logging
import os
import secrets
import shutil
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from celery import current_app
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import TemporaryUploadedFile
from django.db import transaction
from kombu.exceptions import OperationalError

from clusters.adapters import shared_redis
from clusters.adapters.bad_input import BadInput
from clusters.adapters.files.sources import is_archive
from clusters.adapters.shared_redis import AwayError
from clusters.models import Cluster, Ingest
from clusters.problems.files import LargeFile
from clusters.problems.ingests import ClusterDeleted, InvalidClusterName, NoWorkerTold
from clusters.services.ingest.ingest import content_of, refuse_live, refuse_log_of_unread, refuse_usage_of_unread
from clusters.services.ingest.runs import give_up, remove_upload

if TYPE_CHECKING:
    from django.core.files.uploadedfile import UploadedFile

_log = logging.getLogger(__name__)

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
                raise BadInput(ClusterDeleted(cluster.name), file=name)
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
        give_up(ingest, NoWorkerTold())


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
        raise BadInput(InvalidClusterName(repr(name)), field="cluster") from None
    return name


def _stored(file: UploadedFile[Any], name: str) -> tuple[Path, int]:
    """Put an upload where only Berth reads it; one that is on disk already is moved there and not copied."""
    folder = Path(settings.MEDIA_ROOT)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    size = file.size or 0
    if size > settings.BERTH_UPLOAD_LIMIT_BYTES:
        raise BadInput(LargeFile(size, settings.BERTH_UPLOAD_LIMIT_BYTES), file=name)
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
