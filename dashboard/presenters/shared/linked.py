"""Sentences whose names of nodes, pods and workloads lead to their pages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from django.utils.html import format_html, format_html_join

from clusters.models import Cluster
from dashboard.presenters.shared.links import node_links, workload_links

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.utils.safestring import SafeString

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
