"""What a page says of a cluster's state follows the cluster: it stands in live parts, or it does not change."""

from __future__ import annotations

import copy
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse

from clusters.demo import demo_objects
from tests.support.mirrored import load, load_demo

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from django.test import Client

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

# Elements that have no end tag.
_VOID = frozenset({"area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"})
# What a browser sends, or computes for the moment of the page.
_ASIDE = frozenset({"script", "style", "option", "form", "nav", "footer", "time"})


class LastingText(HTMLParser):
    """The words of a page outside its live parts, and of what follows no cluster."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self._depth = 0

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        is_aside = tag in _ASIDE or any(name == "data-live" for name, _ in attrs)
        if tag not in _VOID and (self._depth or is_aside):
            self._depth += 1

    def handle_endtag(self, tag: str) -> None:
        if tag not in _VOID and self._depth:
            self._depth -= 1

    def handle_data(self, data: str) -> None:
        if not self._depth and data.strip():
            self.words.append(" ".join(data.split()))


def lasting(page: str) -> list[str]:
    """Return what of a page stays as it is when its live parts are rendered anew."""
    parser = LastingText()
    parser.feed(page)
    return parser.words


# The pages with live parts whose addresses name a cluster alone.
PAGES = (
    "cluster", "pending", "queue", "preemption", "nodes", "free-capacity", "devices", "resource-claims", "drain",
    "spread", "spread-workloads", "budgets", "blocked-drains", "quotas", "usage", "workloads", "pod-groups",
)  # fmt: skip


def changed(objects: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The demo after every third pod was evicted, every seventh node cordoned and every budget used up."""
    found = []
    for number, each in enumerate(copy.deepcopy(objects)):
        if each["kind"] == "Pod" and number % 3 == 0 and each["spec"].get("nodeName"):
            continue
        if each["kind"] == "Node" and number % 7 == 0:
            each["spec"]["unschedulable"] = True
        if each["kind"] == "PodDisruptionBudget":
            each["status"]["disruptionsAllowed"] = 0
        found.append(each)
    return found


def test_nothing_that_changes_with_the_cluster_stands_outside_the_live_parts(
    tmp_path: Path, signed_in_client: Client
) -> None:
    cluster = load_demo(tmp_path)

    def told() -> dict[str, list[str]]:
        return {
            page: lasting(signed_in_client.get(reverse(page, kwargs={"cluster": cluster.name})).text) for page in PAGES
        }

    before = told()
    load(tmp_path, cluster.name, changed(demo_objects()))
    after = told()

    # Which dump a page was made of changes by an upload, after which pages are loaded anew.
    stale = {
        page: [each for each in before[page] if each not in after[page] and " dump, revision " not in each]
        for page in PAGES
    }
    assert {page: words for page, words in stale.items() if words} == {}
