"""No map of the demo cluster costs its page more than any map may, whatever it shows."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import pytest

from clusters.models import Cluster, Decision, Node, Pod
from clusters.services.studies.asking import AS_IS, PRESETS
from dashboard.views.lenses import LENSES
from tests.dashboard.pictures.test_verdict_map import BAR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.test import Client

pytestmark = [pytest.mark.django_db, pytest.mark.long, pytest.mark.any_database, pytest.mark.unmeasured]

DEMO = "/clusters/demo/"
MAPS = {"data-verdict-map", "data-map-pair"}
# What is shown beside a map is no part of it: it is asked for, or a list of its own.
BESIDE = "map-panel"


class Maps(HTMLParser):
    """Finds the maps of a page, and how many bytes each has without what is beside it."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=False)
        self.sizes: list[int] = []
        self._lines = [0]
        for line in html.splitlines(keepends=True):
            self._lines.append(self._lines[-1] + len(line))
        self._html = html
        self._begun, self._depth, self._tag = 0, 0, ""
        self._skipped: list[tuple[str, int, int]] = []
        self._left_out = 0
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if not self._depth and MAPS.intersection(given):
            self._begun, self._depth, self._left_out = self._place, 1, 0
        elif self._depth and tag == "div":
            self._depth += 1
        if self._depth and BESIDE in (given.get("class") or "").split():
            self._skipped.append((tag, self._place, self._depth))

    def handle_endtag(self, tag: str) -> None:
        if self._skipped and self._skipped[-1][0] == tag and self._skipped[-1][2] == self._depth:
            self._left_out += self._bytes(self._skipped.pop()[1], self._place)
        if self._depth and tag == "div":
            self._depth -= 1
            if not self._depth:
                self.sizes.append(self._bytes(self._begun, self._place) - self._left_out)

    @property
    def _place(self) -> int:
        line, column = self.getpos()
        return self._lines[line - 1] + column

    def _bytes(self, begin: int, end: int) -> int:
        return len(self._html[begin:end].encode())


def pod_pages(cluster: Cluster) -> Iterator[str]:
    """Yield the page of a pod of every sixth workload and state."""
    seen = set()
    for pod in Pod.objects.filter(cluster=cluster).order_by("namespace", "name").only("namespace", "name", "node_name"):
        kind = (pod.namespace, re.sub("-[^-]+$", "", pod.name), bool(pod.node_name))
        if kind not in seen:
            seen.add(kind)
            if len(seen) % 6 == 0:
                yield f"{DEMO}pods/{pod.namespace}/{pod.name}/"


def drain_pages(cluster: Cluster) -> Iterator[str]:
    """Yield the first page of Drain, and plans of one node, of a zone, of half of all nodes and of all."""
    nodes = Node.objects.filter(cluster=cluster).order_by("name")
    names = list(nodes.values_list("name", flat=True))
    yield f"{DEMO}drain/"
    yield from (f"{DEMO}drain/?node={name}" for name in names[::30])
    yield from (f"{DEMO}drain/?zone={zone}" for zone in sorted(set(nodes.values_list("zone", flat=True))))
    for some in (names[: len(names) // 2], names):
        yield f"{DEMO}drain/?{urlencode({'node': some}, doseq=True)}"


def journal_pages(cluster: Cluster) -> Iterator[str]:
    """Yield decisions of the recorded day of each kind, and the replay of its end under each configuration."""
    decisions = list(Decision.objects.filter(cluster=cluster).order_by("heard_at", "pk"))
    by_kind = [[each for each in decisions if each.kind == kind][:1] for kind in Decision.Kind.values]
    yield from (f"{DEMO}journal/{each.pk}/" for some in by_kind for each in some)
    span = {"since": decisions[-200].heard_at, "until": decisions[-1].heard_at}
    stretch = {name: at.strftime("%Y-%m-%dT%H:%M") for name, at in span.items()}
    yield from (f"{DEMO}journal/replay/?{urlencode({**stretch, 'preset': each})}" for each in (AS_IS, *PRESETS))


def test_every_map_of_the_demo_is_small(signed_in_client: Client, demo_of_day: Cluster) -> None:
    pages = {
        "lenses": [f"{DEMO}?lens={lens}" for lens in LENSES],
        "pods": list(pod_pages(demo_of_day)),
        "drain": list(drain_pages(demo_of_day)),
        "journal": list(journal_pages(demo_of_day)),
    }

    assert all(signed_in_client.get(page).status_code == 200 for page in pages["journal"][-len(PRESETS) :])
    sizes = {
        (room, page): size
        for room, addresses in pages.items()
        for page in addresses
        for size in Maps(signed_in_client.get(page).text).sizes
    }

    assert {room for room, _ in sizes} == set(pages)
    assert {page: size for (_, page), size in sizes.items() if size >= BAR} == {}
