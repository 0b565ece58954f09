"""The groups that a pod or a simulation names, with their pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clusters.engine.podgroups import named_groups
from clusters.services.mirror.snapshots import ChangingTooFastError
from clusters.services.mirror.state import pod_groups_of
from dashboard.presenters.overview.cards import page

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from clusters.models import Cluster, Pod


class PodGroupLink(NamedTuple):
    """A group without its namespace, which is the pod's, and its page."""

    name: str
    url: str


def group_links(pod: Pod) -> list[PodGroupLink]:
    """Return the groups that a pod names, none for most pods."""
    found = []
    for key in named_groups(pod.object.get("spec") or {}, pod.namespace):
        name = str(key).partition("/")[2]
        found.append(PodGroupLink(name, _page_of(pod.cluster, str(key))))
    return found


def known_pages(cluster: Cluster | None, groups: Iterable[str]) -> Mapping[str, str]:
    """Return the pages of those groups, ``namespace/name``, that a cluster has now.

    None while the cluster changes too fast to be read: a name without its page still says which group it is.
    """
    wanted = list(groups)
    if cluster is None or not wanted:
        return {}
    try:
        states = pod_groups_of(cluster=cluster).states
    except ChangingTooFastError:
        return {}
    return {key: _page_of(cluster, key) for key in wanted if key in states}


def _page_of(cluster: Cluster, key: str) -> str:
    namespace, _, name = key.partition("/")
    return page("pod-group", cluster, namespace=namespace, name=name)
