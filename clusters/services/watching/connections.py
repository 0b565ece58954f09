"""Which live clusters there are, and by which credentials they are followed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from django.db import transaction

from clusters.models import Cluster, WatchedKind, WatchLease
from clusters.problems.live import NotOneContext

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def add_live_cluster(*, name: str, kubeconfig: Path | None, context: str) -> Cluster:
    """Add a cluster that is followed by a kubeconfig's context, or by the pod's service account without a kubeconfig.

    Only where the credentials are is stored, never what they are. An empty context means the file's only one. Raises
    BadInput for the name, BadConnectionError for the credentials, and IntegrityError where the name is taken.
    """
    # What reads clusters is large, and every page asks in this module how live ones are doing.
    from clusters.adapters.kube import Connection
    from clusters.services.ingest.uploads import checked_cluster_name

    checked_cluster_name(name)
    if kubeconfig is None:
        path = ""
    else:
        path = str(kubeconfig.expanduser().absolute())
        context = context or _only_context(Path(path))
    Connection(path, context).client()
    with transaction.atomic():
        return Cluster.objects.create(name=name, source=Cluster.Source.LIVE, kubeconfig=path, context=context)


def rename_cluster(*, cluster: Cluster, name: str) -> None:
    """Give a cluster another name; its watcher goes on. Raises BadInput, and IntegrityError where the name is taken."""
    from clusters.services.ingest.uploads import checked_cluster_name

    checked_cluster_name(name)
    with transaction.atomic():
        Cluster.objects.filter(pk=cluster.pk).update(name=name)
    cluster.name = name


def kubeconfigs_in(places: Iterable[Path]) -> Iterator[Path]:
    """Return the kubeconfigs that people may choose from: the files named, and all files of the directories named."""
    for place in places:
        if place.is_dir():
            yield from sorted(path for path in place.iterdir() if path.is_file() and not path.name.startswith("."))
        elif place.is_file():
            yield place


def _only_context(path: Path) -> str:
    from clusters.adapters.kube import BadConnectionError, contexts_of

    contexts = contexts_of(path)
    if len(contexts) != 1:
        raise BadConnectionError(NotOneContext(str(path), tuple(contexts)))
    return contexts[0]


# How the followed clusters are doing, as their watchers last wrote it down.


class WatchState(NamedTuple):
    """What is known of one live cluster's watcher, and of the kinds that it follows, by name."""

    lease: WatchLease | None
    kinds: list[WatchedKind]


def watch_states(clusters: Iterable[Cluster]) -> dict[int, WatchState]:
    """Return the states of the live ones among some clusters by primary key, with two queries at most."""
    live = [cluster.pk for cluster in clusters if cluster.is_live]
    if not live:
        return {}
    leases = WatchLease.objects.in_bulk(live)
    kinds: dict[int, list[WatchedKind]] = {pk: [] for pk in live}
    for kind in WatchedKind.objects.filter(cluster__in=live).order_by("kind"):
        kinds[kind.cluster_id].append(kind)
    return {pk: WatchState(leases.get(pk), kinds[pk]) for pk in live}
