"""The groups that a pod names, with their pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clusters.engine.podgroups.reference import named_groups
from dashboard.presenters.overview.cards import page

if TYPE_CHECKING:
    from clusters.models import Pod


class PodGroupLink(NamedTuple):
    """A group without its namespace, which is the pod's, and its page."""

    name: str
    url: str


def group_links(pod: Pod) -> list[PodGroupLink]:
    """Return the groups that a pod names, none for most pods."""
    found = []
    for key in named_groups(pod.object.get("spec") or {}, pod.namespace):
        name = str(key).partition("/")[2]
        found.append(PodGroupLink(name, page("pod-group", pod.cluster, namespace=key.namespace, name=name)))
    return found
