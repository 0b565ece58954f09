"""Asks for what a mirrored cluster's upgrade changes: at once, or of a worker where that takes long."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec
from celery import current_app
from kombu.exceptions import OperationalError

from clusters.adapters.shared_redis import AwayError
from clusters.documents.explanation import Part
from clusters.documents.stored_problems import encoded
from clusters.documents.upgrades import UpgradeDocument, upgrade_document
from clusters.engine import ConfigurationError
from clusters.engine.versions import RELEASES
from clusters.models import Cluster, Node, Pod
from clusters.problems.upgrades import PreviewsNotKept
from clusters.services.computing import deadlines
from clusters.services.evaluation import store
from clusters.services.mirror.configurations import digest_of
from clusters.services.mirror.snapshots import ChangingTooFastError
from clusters.services.upgrading.previews import preview_of_cluster

if TYPE_CHECKING:
    from collections.abc import Callable

    from clusters.engine.versions import Release

# By name, because tasks call services and not the other way round.
_TASK: Final = "clusters.tasks.preview_upgrade"
# While somebody waits no more pairs of a node and a pod are looked at, and no longer is computed.
MOST_AT_ONCE: Final = 100_000
MOST_SECONDS = 6.0


class KeptUpgrade(Part, frozen=True, kw_only=True):
    """A preview and the revision whose state it is about; a ``problem``, as rows store it, where there is none.

    ``field``: of the scheduler's configuration, where the problem is with it. ``is_long``: whether a worker made it.
    """

    revision: int
    document: UpgradeDocument | None
    problem: dict[str, Any] | None = None
    field: str = ""
    is_long: bool = False


class PreviewsAwayError(Exception):
    """Redis is unavailable."""

    problem = PreviewsNotKept()


class _TooLongError(Exception):
    """A preview takes longer than a page may."""


def upgrade_of(*, cluster: Cluster, target: Release, again: int | None = None) -> KeptUpgrade | None:
    """Return what an upgrade changes, or None while a worker finds out.

    One that takes long is kept although the cluster changed, until its revision is asked for ``again``. Raises
    PreviewsAwayError.
    """
    name = digest_of(cluster, "upgrade", target.minor)
    is_large = _pairs(cluster) > MOST_AT_ONCE
    kept = _kept(name)
    is_long = is_large or (kept is not None and kept.is_long)
    if kept is not None and kept.revision != again and (is_long or kept.revision == cluster.revision):
        return kept
    if not is_long and not store.is_asked(name):
        has_time = deadlines.share(MOST_SECONDS)

        def alive() -> None:
            if not has_time():
                raise _TooLongError

        try:
            made = _made(cluster, target, alive)
        except _TooLongError:
            pass
        else:
            _keep(name, made)
            return made
    _ask_worker(cluster, target, name)
    return None


def make_preview(*, cluster_id: int, minor: str, key: str) -> None:
    """Find out what an upgrade changes that takes long, and keep it; why not is kept in its place."""
    cluster = Cluster.objects.filter(pk=cluster_id).first()
    try:
        if cluster is not None:
            made = _made(cluster, RELEASES[minor], store.Signs(key).give)
            _keep(key, msgspec.structs.replace(made, is_long=True))
    finally:
        store.end(key)


def _made(cluster: Cluster, target: Release, alive: Callable[[], object]) -> KeptUpgrade:
    try:
        revision, preview = preview_of_cluster(cluster=cluster, target=target, alive=alive)
    except ConfigurationError as error:
        problem = encoded(error.problem)
        return KeptUpgrade(revision=cluster.revision, document=None, problem=problem, field=error.path)
    except ChangingTooFastError as error:
        return KeptUpgrade(revision=cluster.revision, document=None, problem=encoded(error.problem))
    return KeptUpgrade(revision=revision, document=upgrade_document(preview))


def _kept(name: str) -> KeptUpgrade | None:
    try:
        return msgspec.convert(store.find(name), KeptUpgrade | None)
    except msgspec.ValidationError:
        # Another release kept it.
        return None


def _keep(name: str, made: KeptUpgrade) -> None:
    store.keep(name, msgspec.to_builtins(made))


def _ask_worker(cluster: Cluster, target: Release, name: str) -> None:
    try:
        if store.begin(name):
            current_app.send_task(_TASK, args=(cluster.pk, target.minor, name))
    except AwayError as error:
        raise PreviewsAwayError from error
    except OperationalError as error:
        store.end(name)
        raise PreviewsAwayError from error


def _pairs(cluster: Cluster) -> int:
    return Node.objects.filter(cluster=cluster).count() * Pod.objects.filter(cluster=cluster).count()
