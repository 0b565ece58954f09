"""Where names lead: pages of objects, names in sentences, and what a search found."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.urls import NoReverseMatch, reverse
from django.utils.html import format_html, format_html_join

from clusters.engine.podgroups import POD_GROUP
from clusters.models import Cluster
from clusters.services.mirror.objects import MOST_COUNTED, Hit, Hits, SearchResults, existing_nodes, existing_workloads
from clusters.wording import search as words
from clusters.wording.states import PENDING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from django.utils.safestring import SafeString

    WorkloadName = tuple[str, str, str]


def node_links(cluster: Cluster | None, names: Iterable[str]) -> Mapping[str, str]:
    """Return the pages of nodes by name; of those that a simulation added there is none."""
    if cluster is None:
        return {}
    found = {name: address("node", cluster=cluster.name, name=name) for name in existing_nodes(cluster, names)}
    return {name: url for name, url in found.items() if url}


def workload_links(cluster: Cluster | None, workloads: Iterable[WorkloadName]) -> Mapping[WorkloadName, str]:
    """Return the pages of workloads by kind, namespace and name; a pod that nothing controls leads to its decision."""
    if cluster is None:
        return {}
    found = {}
    for each in existing_workloads(cluster, workloads):
        kind, namespace, name = each
        named = {"cluster": cluster.name, "namespace": namespace, "name": name}
        url = address("decision", **named) if kind == "Pod" else address("workload", kind=kind, **named)
        if url:
            found[each] = url
    return found


def address(view: str, **parameters: str) -> str:
    """Return an address; empty for a name that none can hold."""
    try:
        return reverse(view, kwargs=parameters)
    except NoReverseMatch:
        return ""


def page_url(view: str, cluster: Cluster, query: str = "", **place: str) -> str:
    """Return the address of a page of the cluster; empty where an object's name is none that Kubernetes would take."""
    try:
        address = reverse(view, kwargs={"cluster": cluster.name, **place})
    except NoReverseMatch:
        return ""
    return f"{address}?{query}" if query else address


_NAME: Final = "[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?"
# A name by itself, after its namespace, or after kind and namespace; no part of a label, a taint or a path.
_NAMED: Final = re.compile(
    rf"(?<![\w./=:-])(?:(?P<kind>[A-Z][A-Za-z]+) )?(?:(?P<namespace>{_NAME})/)?(?P<name>{_NAME})(?![\w/=-]|:\S)"
)
# Of words without any of these nobody can tell whether they name a node.
_TELLING: Final = re.compile("[-.0-9]")


def linked(sentence: str, cluster: Cluster | None) -> str:
    """Return a sentence with links to the nodes, pods and workloads that it names and the cluster has now."""
    if not isinstance(cluster, Cluster):
        return sentence
    found = list(_NAMED.finditer(sentence))
    nodes = {each["name"] for each in found if not each["namespace"] and _TELLING.search(each["name"])}
    pods = {("Pod", each["namespace"], each["name"]) for each in found if each["namespace"]}
    others = {(each["kind"], each["namespace"], each["name"]) for each in found if each["namespace"] and each["kind"]}
    if not nodes and not pods:
        return sentence
    of_nodes = node_links(cluster, nodes) if nodes else {}
    of_workloads = workload_links(cluster, pods | others) if pods else {}

    def parts() -> Iterator[tuple[SafeString | str]]:
        done = 0
        for each in found:
            namespace, name = each["namespace"], each["name"]
            if not namespace:
                url, begin = of_nodes.get(name, ""), each.start("name")
            elif url := of_workloads.get((each["kind"] or "Pod", namespace, name), ""):
                begin = each.start()
            else:
                url, begin = of_workloads.get(("Pod", namespace, name), ""), each.start("namespace")
            if url:
                yield (sentence[done:begin],)
                yield (format_html('<a href="{}">{}</a>', url, sentence[begin : each.end()]),)
                done = each.end()
        yield (sentence[done:],)

    return format_html_join("", "{}", parts())


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
