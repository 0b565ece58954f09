"""What a search found, as groups of links."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.urls import NoReverseMatch, reverse

from clusters.engine.podgroups import POD_GROUP
from clusters.services.mirror.objects import MOST_COUNTED
from clusters.wording import search as words
from clusters.wording.states import PENDING

if TYPE_CHECKING:
    from clusters.models import Cluster
    from clusters.services.mirror.objects import Hit, Hits, SearchResults


@dataclass(frozen=True, slots=True)
class Option:
    """One result; `before` stands before its name, `aside` behind it."""

    url: str
    before: str
    name: str
    aside: str


@dataclass(frozen=True, slots=True)
class Group:
    """The results of one sort; `more` says how many are not listed, and nothing where all are."""

    name: str
    label: str
    options: tuple[Option, ...]
    more: str


@dataclass(frozen=True, slots=True)
class Shown:
    """All results, and how many there are in words."""

    groups: tuple[Group, ...]
    sentence: str


def shown(cluster: Cluster, results: SearchResults) -> Shown:
    """Present what was found; groups without a result are left out."""
    groups = (
        _group(cluster, "workloads", str(words.WORKLOADS), results.workloads),
        _group(cluster, "pods", str(words.PODS), results.pods),
        _group(cluster, "nodes", str(words.NODES), results.nodes),
        _group(cluster, "pod-groups", str(words.POD_GROUPS), results.groups),
    )
    return Shown(tuple(group for group in groups if group.options), _sentence(results))


def _sentence(results: SearchResults) -> str:
    total = sum(found.total for found in results)
    if not total:
        return str(words.NOTHING_FOUND)
    if any(found.total > MOST_COUNTED for found in results):
        return words.MORE_THAN(results=MOST_COUNTED)
    return words.RESULTS(number=total)


def _group(cluster: Cluster, name: str, label: str, found: Hits) -> Group:
    options = tuple(option for hit in found.hits if (option := _option(cluster, name, hit)) is not None)
    hidden = found.total - len(found.hits)
    more = (
        words.MORE_THAN_LISTED(results=MOST_COUNTED) if found.total > MOST_COUNTED else words.NOT_LISTED(results=hidden)
    )
    return Group(name, label, options, more if hidden else "")


def _option(cluster: Cluster, group: str, hit: Hit) -> Option | None:
    """Return the link to a result; None for a name that no address holds, which Kubernetes would refuse as well."""
    named = {"cluster": cluster.name, "namespace": hit.namespace, "name": hit.name}
    before = f"{hit.namespace}/" if hit.namespace else ""
    try:
        if group == "nodes":
            url = reverse("node", kwargs={"cluster": cluster.name, "name": hit.name})
        elif group == "pod-groups" and hit.kind == POD_GROUP:
            url = reverse("pod-group", kwargs=named)
        elif group == "pod-groups":
            # A Workload is no group itself: its groups are listed.
            url = f"{reverse('pod-groups', kwargs={'cluster': cluster.name})}?workload={hit.namespace}/{hit.name}"
        elif group == "workloads":
            url = reverse("workload", kwargs={**named, "kind": hit.kind})
        else:
            url = reverse("decision", kwargs=named)
    except NoReverseMatch:
        return None
    return Option(url, before, hit.name, str(PENDING) if hit.is_pending else hit.kind)
