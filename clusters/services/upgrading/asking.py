"""Asks for what a mirrored cluster's upgrade changes: at once, or of a worker where the cluster is large."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Final

import orjson
from celery import current_app
from kombu.exceptions import OperationalError

from clusters.documents.stored_problems import encoded
from clusters.documents.upgrades import upgrade_document
from clusters.engine import ConfigurationError
from clusters.engine.versions import RELEASES
from clusters.models import Cluster, Node, Pod
from clusters.services.mirror.configurations import document_of, release_of, started_with
from clusters.services.mirror.snapshots import ChangingTooFastError
from clusters.services.upgrading import keeping
from clusters.services.upgrading.keeping import KeptUpgrade, PreviewsAwayError
from clusters.services.upgrading.previews import preview_of_cluster

if TYPE_CHECKING:
    from clusters.engine.versions import Release

# By name, because tasks call services and not the other way round.
_TASK: Final = "clusters.tasks.preview_upgrade"
# While somebody waits no more pairs of a node and a pod are looked at, and for no longer.
MOST_AT_ONCE: Final = 100_000
_SECONDS_AT_ONCE: Final = 8.0


def upgrade_of(*, cluster: Cluster, target: Release, again: int | None = None) -> KeptUpgrade | None:
    """Return what an upgrade changes, or None while a worker finds out.

    One of a large cluster is kept although the cluster changed, until its revision is asked for ``again``. Raises
    PreviewsAwayError.
    """
    key = _key(cluster, target)
    is_large = _pairs(cluster) > MOST_AT_ONCE
    kept = keeping.find(key)
    if kept is not None and kept.revision != again and (is_large or kept.revision == cluster.revision):
        return kept
    if is_large:
        _ask_worker(cluster, target, key)
        return None
    made = _made(cluster, target, _SECONDS_AT_ONCE)
    keeping.keep(key, made)
    return made


def make_preview(*, cluster_id: int, minor: str, key: str) -> None:
    """Find out what the upgrade of a large cluster changes, and keep it; why not is kept in its place."""
    cluster = Cluster.objects.filter(pk=cluster_id).first()
    if cluster is None:
        return
    try:
        made = _made(cluster, RELEASES[minor])
    except BaseException:
        keeping.give_up(key)
        raise
    keeping.keep(key, made)


def _made(cluster: Cluster, target: Release, seconds: float | None = None) -> KeptUpgrade:
    limit = {} if seconds is None else {"seconds": seconds}
    try:
        revision, preview = preview_of_cluster(cluster=cluster, target=target, **limit)
    except ConfigurationError as error:
        problem = encoded(error.problem)
        return KeptUpgrade(revision=cluster.revision, document=None, problem=problem, field=error.path)
    except ChangingTooFastError as error:
        return KeptUpgrade(revision=cluster.revision, document=None, problem=encoded(error.problem))
    return KeptUpgrade(revision=revision, document=upgrade_document(preview))


def _ask_worker(cluster: Cluster, target: Release, key: str) -> None:
    if not keeping.begin(key):
        return
    try:
        current_app.send_task(_TASK, args=(cluster.pk, target.minor, key))
    except OperationalError as error:
        keeping.give_up(key)
        raise PreviewsAwayError from error


def _pairs(cluster: Cluster) -> int:
    return Node.objects.filter(cluster=cluster).count() * Pod.objects.filter(cluster=cluster).count()


def _key(cluster: Cluster, target: Release) -> str:
    release = release_of(cluster)
    told = [
        cluster.created_at,
        release.minor,
        release.changed_gates,
        started_with(cluster),
        target.minor,
        document_of(cluster),
    ]
    return f"{cluster.pk}:{blake2b(orjson.dumps(told), digest_size=16).hexdigest()}"
