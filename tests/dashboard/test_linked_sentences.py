"""Names inside sentences lead to the pages of what they name, and nothing else does."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest

from clusters.models import Cluster, Decision, Node, Pod
from dashboard.presenters.shared.page import linked
from tests.clusters.test_workloads import deployed
from tests.support.decision_cluster import node
from tests.support.mirrored import load

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

pytestmark = [pytest.mark.django_db, pytest.mark.any_database, pytest.mark.unmeasured]

DEMO = "/clusters/demo/"
# Where a page states what it is about: these sentences name nothing without its link.
SENTENCES = {"verdict-sentence", "verdict-remedy", "answer-sentence", "glance-sentence", "padded"}
NAMES = re.compile("[a-z0-9][-a-z0-9]*[a-z0-9]")


class Sentences(HTMLParser):
    """Collects what stands in sentences of a page outside of links."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[tuple[str, set[str]]] = []
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in {"br", "input", "img", "wbr", "path", "rect", "use"}:
            self.open.append((tag, set((dict(attrs).get("class") or "").split())))

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        tags = {tag for tag, _ in self.open}
        is_sentence = any(tag in {"p", "li"} and SENTENCES & classes for tag, classes in self.open) or (
            any(classes >= {"alert"} for _, classes in self.open)
        )
        if is_sentence and not tags & {"a", "code", "svg", "button", "summary"}:
            self.found.append(data)


@pytest.fixture
def shop(tmp_path: Path) -> Cluster:
    load(tmp_path, "shop", [node("web-1", "a"), node("the", "a"), *deployed({"web-1": 1})])
    return Cluster.objects.get(name="shop")


@pytest.mark.parametrize(
    ("sentence", "links"),
    [
        ("Runs on web-1.", {"web-1": "nodes/web-1/"}),
        ("web-1, or web-1: <b>", {"web-1": "nodes/web-1/"}),
        ("shop/web-1-web-1-0 waits", {"shop/web-1-web-1-0": "pods/shop/web-1-web-1-0/"}),
        ("Deployment shop/web has 1 pod", {"Deployment shop/web": "workloads/Deployment/shop/web/"}),
        # A word that is a node's name, parts of other names, and what the cluster has not got.
        ("All the nodes", {}),
        ("web-10, my-web-1, host=web-1, web-1:NoSchedule and example/web-1/x", {}),
        ("Deployment shop/other and shop/other", {}),
    ],
)
def test_what_the_cluster_has_is_linked_by_its_whole_name(shop: Cluster, sentence: str, links: dict[str, str]) -> None:
    found = linked(sentence, shop)

    shown = {words: url for url, words in re.findall('<a href="([^"]+)">([^<]+)</a>', found)}
    assert shown == {words: f"/clusters/shop/{url}" for words, url in links.items()}
    assert "<b>" not in found or not links
    assert linked(sentence, None) == sentence


def test_sentences_of_the_demo_name_nothing_without_its_link(signed_in_client: Client, demo_of_day: Cluster) -> None:
    rows = (Pod.objects.filter(cluster=demo_of_day), Node.objects.filter(cluster=demo_of_day))
    names = {name for each in rows for name in each.values_list("name", flat=True) if "-" in name}
    decisions = Decision.objects.filter(cluster=demo_of_day).order_by("pk")
    kept = [decisions.filter(kind=kind)[0].pk for kind in (Decision.Kind.BOUND, Decision.Kind.NOMINATED)]
    pages = (
        "", "budgets/", "drain/", "drain/?zone=eu-central-1a", "spread/", "pods/payments/ledger-0/",
        "pods/data/postgres-0/", "workloads/StatefulSet/data/postgres/", *(f"journal/{key}/" for key in kept),
    )  # fmt: skip

    plain = {}
    for page in pages:
        sentences = Sentences()
        sentences.feed(signed_in_client.get(f"{DEMO}{page}").text)
        plain[page] = [said for said in sentences.found if names.intersection(NAMES.findall(said))]

    assert {page: said for page, said in plain.items() if said} == {}
    # They are there, with their links.
    assert re.search(
        'verdict-sentence">.*?Runs on <a href="', signed_in_client.get(f"{DEMO}{pages[5]}").text, re.DOTALL
    )
