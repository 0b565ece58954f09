"""Whatever object of a cluster a table or a list names, its name leads to the object's page."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest

from clusters.models import Cluster, KubeObject, Node, Pod, PodDisruptionBudget
from clusters.services.mirror.state import WORKLOAD_KINDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.test import Client

pytestmark = [pytest.mark.django_db, pytest.mark.any_database, pytest.mark.unmeasured]

DEMO = "/clusters/demo/"
PAGES = (
    "", "pending/", "pending/queue/", "pending/preemption/", "pods/", "workloads/", "nodes/", "nodes/general-b-08/",
    "nodes/general-b-08/pending/", "nodes/general-b-08/drain/", "nodes/general-b-08/pressure/", "devices/",
    "devices/claims/", "drain/", "drain/?node=general-b-08", "spread/", "spread/workloads/", "budgets/",
    "budgets/blocked-drains/", "quotas/", "usage/", "workloads/Deployment/shop/storefront/",
)  # fmt: skip
# The first link of each of these pages whose address begins so is looked at, too.
LED_TO = (
    ("pods/?state=unschedulable", "pods/"),
    ("pods/?state=running", "pods/"),
    ("spread/", "spread/groups/"),
    ("budgets/", "budgets/shop/"),
    ("devices/claims/", "devices/claims/"),
)
# What is no name of an object there: containers and pools bear the names of workloads, and the numbers below a picture
# repeat what stands beside it as links.
WITHIN = {"a", "code", "pre", "summary", "button", "option", "label", "script", "svg", "noscript", "figure", "h1"}
OTHER_NAMES = re.compile("Containers of |Enforced limits|Container of ")
OTHER_COLUMNS = {"Pool"}
VOID = {"br", "input", "img", "meta", "link", "wbr", "hr", "col"}


class Cells(HTMLParser):
    """Collects the texts of cells and entries that no link surrounds, each with the caption of its table."""

    def __init__(self) -> None:
        super().__init__()
        # Tag, classes and column.
        self.open: list[tuple[str, str, str]] = []
        self.caption = ""
        self.found: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in VOID:
            return
        given = dict(attrs)
        self.open.append((tag, given.get("class") or "", given.get("data-column") or ""))
        if tag == "table":
            self.caption = ""

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        tags = [tag for tag, *_ in self.open]
        if "caption" in tags:
            self.caption += data
        elif "main" in tags and not WITHIN.intersection(tags) and {"td", "th", "li"}.intersection(tags):
            said = " ".join(data.split())
            is_other = any(
                column in OTHER_COLUMNS or {"breadcrumbs", "figure"}.intersection(classes.split())
                for _, classes, column in self.open
            )
            if said and not is_other:
                self.found.append((self.caption.strip(), said))


def plain_names(html: str, names: set[str]) -> Iterator[str]:
    """Yield the names that stand as plain text: alone, with the namespace or the kind before them, or enumerated."""
    cells = Cells()
    cells.feed(html)
    for caption, said in cells.found:
        if OTHER_NAMES.match(caption):
            continue
        for part in said.split(", "):
            if re.sub(r"^(?:[A-Z][A-Za-z]+[ /])?(?:[a-z0-9-]+/)?", "", part) in names:
                yield f"{caption or 'list'}: {said}"


def names_of(cluster: Cluster) -> set[str]:
    workloads = KubeObject.objects.filter(cluster=cluster, kind__in=(*WORKLOAD_KINDS, "ResourceClaim"))
    rows = (Pod.objects.filter(cluster=cluster), Node.objects.filter(cluster=cluster), workloads)
    found = {name for each in rows for name in each.values_list("name", flat=True)}
    return found | set(PodDisruptionBudget.objects.filter(cluster=cluster).values_list("name", flat=True))


def test_tables_and_lists_of_the_demo_name_nothing_without_its_link(signed_in_client: Client, demo: Cluster) -> None:
    names = names_of(demo)
    pages = [f"{DEMO}{page}" for page in PAGES]
    for page, begin in LED_TO:
        html = signed_in_client.get(f"{DEMO}{page}").text
        pages += re.findall(rf'<th scope="row">(?:<span>)?<a href="({DEMO}{begin}[^"?#]+)"', html)[:1]

    plain = {page: sorted(set(plain_names(signed_in_client.get(page).text, names))) for page in pages}

    assert {page: said for page, said in plain.items() if said} == {}
