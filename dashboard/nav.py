"""Navigation as data: the sections of a cluster, and the switch to the same section of another cluster."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.urls import reverse

from clusters.models import Cluster

if TYPE_CHECKING:
    from django.urls import ResolverMatch

DECISION_PARTS = ("groups", "group", "nodes", "node", "cell", "scores", "relaxation", "preemption")

# Label, name of the section's first page, and the names of the pages below it.
SECTIONS: tuple[tuple[str, str, frozenset[str]], ...] = (
    ("Overview", "cluster", frozenset({"cluster-upload", "cluster-delete", "ingest"})),
    ("Pods", "pods", frozenset({"decision", *(f"decision-{part}" for part in DECISION_PARTS)})),
    ("Nodes", "nodes", frozenset({"node"})),
    ("Spread", "spread", frozenset({"spread-workloads", "spread-group"})),
    ("Budgets", "budgets", frozenset({"budget", "blocked-drains"})),
)

# The switcher is a short menu; the list of clusters holds the rest.
SWITCHER_LENGTH = 20


@dataclass(frozen=True, slots=True)
class NavigationItem:
    """A link of the main navigation; `current` is its aria-current value, empty elsewhere."""

    label: str
    url: str
    current: str


@dataclass(frozen=True, slots=True)
class ClusterChoice:
    """A cluster of the switcher, with the address of the current section there."""

    name: str
    url: str
    current: bool


@dataclass(frozen=True, slots=True)
class Site:
    """What the page frame shows around the content; `cluster` is empty outside of a cluster."""

    cluster: str
    items: tuple[NavigationItem, ...]
    switcher: tuple[ClusterChoice, ...]


def _current(page: str, section: str, below: frozenset[str]) -> str:
    if page == section:
        return "page"
    return "true" if page in below else ""


def site_of(match: ResolverMatch | None) -> Site:
    """Build the frame for the page that the address resolved to; one query inside of a cluster, none outside."""
    page = (match.url_name if match else None) or ""
    named = str(match.kwargs.get("cluster", "")) if match else ""
    names = list(Cluster.objects.order_by("name").values_list("name", flat=True)) if named else []
    clusters = NavigationItem("Clusters", reverse("clusters"), _current(page, "clusters", frozenset({"upload"})))
    if named not in names:
        return Site(cluster="", items=(clusters,), switcher=())
    section = next((first for _, first, below in SECTIONS if page == first or page in below), "cluster")
    return Site(
        cluster=named,
        items=(
            clusters,
            *(
                NavigationItem(label, reverse(first, kwargs={"cluster": named}), _current(page, first, below))
                for label, first, below in SECTIONS
            ),
        ),
        switcher=tuple(
            ClusterChoice(name, reverse(section, kwargs={"cluster": name}), name == named)
            for name in names[:SWITCHER_LENGTH]
        ),
    )
