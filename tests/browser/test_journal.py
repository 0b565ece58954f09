"""The journal and the agreement page in a real browser."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from clusters.models import Cluster, Decision
from clusters.services.journal.timeline import decision_document
from tests.browser.looks import flaws, flaws_of_pages
from tests.clusters.dumps import node as dumped_node, pod as dumped_pod
from tests.clusters.journal.decisions import a_decision
from tests.dashboard.rows import a_cluster
from tests.engine.builders import a_node, a_pod, explanation_of
from tests.support.fake_apiserver import FakeApiServer
from tests.support.watching import live_cluster, start_watcher, wait_until_followed

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

    from tests.support.live import LiveBerth

pytestmark = pytest.mark.browser

Kind, Verdict, Reason = Decision.Kind, Decision.Verdict, Decision.Reason
JOURNAL = "/clusters/prod/journal/"


@pytest.fixture
def journal_page(live_berth: object, page: Page) -> Page:
    """Return a page of somebody who sees a live cluster with decisions of every sort, and one without."""
    cluster = a_cluster(source=Cluster.Source.LIVE)
    a_cluster("dumped")
    names = [f"node-{number}.north.example.internal" for number in range(6)]
    nodes = [a_node(name, allocatable={"cpu": str(number + 2)}) for number, name in enumerate(names)]
    placed = decision_document(explanation_of(a_pod(requests={"cpu": "3"}), *nodes), names[3])
    low = a_pod("low", node=names[5], requests={"cpu": "6"})
    urgent = explanation_of(a_pod(requests={"cpu": "6500m"}, priority=10), *nodes, low)
    refused = explanation_of(a_pod(requests={"cpu": "9"}), *nodes)
    assert refused.message
    a_decision(
        cluster, "urgent", kind=Kind.NOMINATED, node_name=names[5], ago=timedelta(hours=2),
        explanation=decision_document(urgent, names[5]),
    )  # fmt: skip
    a_decision(
        cluster, "low", kind=Kind.PREEMPTED, node_name=names[5], preemptor_uid="uid-urgent",
        preemptor_namespace="shop", preemptor_name="urgent", verdict=Verdict.UNJUDGED, reason=Reason.NO_DECISION,
        basis=None, ago=timedelta(hours=2),
    )  # fmt: skip
    a_decision(
        cluster, "big", kind=Kind.UNSCHEDULABLE, node_name="", verdict=Verdict.DISAGREES, reason=Reason.OTHER_MESSAGE,
        message=refused.message.replace("6 Insuff", "5 Insuff"), attempts=4,
        explanation=decision_document(refused, None),
    )  # fmt: skip
    a_decision(
        cluster, "web-1", node_name=names[3], verdict=Verdict.DISAGREES,
        reason=Reason.LOWER_SCORE, explanation=placed,
    )  # fmt: skip
    for number in range(60):
        a_decision(cluster, f"web-{number + 2}", ago=timedelta(minutes=10 + number), explanation=placed)
    return page


def decisions(**fields: str) -> str:
    decision = Decision.objects.filter(**fields).order_by("-heard_at")[0]
    return f"{JOURNAL}{decision.pk}/"


def test_every_page_is_accessible_and_fits(journal_page: Page) -> None:
    addresses = (
        JOURNAL,
        "/clusters/dumped/journal/",
        decisions(name="web-1"),
        decisions(name="big"),
        decisions(name="urgent"),
        decisions(name="low"),
        "/agreement/",
    )

    assert flaws_of_pages(journal_page, addresses) == {}


def test_filter_swaps_decisions_and_picture_and_keeps_the_address(journal_page: Page) -> None:
    journal_page.goto(JOURNAL)
    expect(journal_page.locator("#journal-timeline .drawn")).to_be_visible()
    # No page evaluates Plotly by itself.
    assert journal_page.evaluate("window.Plotly === undefined")
    journal_page.get_by_role("button", name=re.compile("^Explore.*Decisions by verdict and hour")).click()
    expect(journal_page.locator("#journal-timeline .plotly")).to_have_count(1)
    expect(journal_page.locator("#journal-timeline .drawn")).to_have_count(0)
    assert flaws(journal_page) == []

    journal_page.get_by_label("Verdict of Berth", exact=True).select_option("disagrees")

    expect(journal_page.locator("#results tbody tr[data-key]")).to_have_count(2)
    expect(journal_page.locator("#journal-timeline figcaption")).to_have_text(
        re.compile(r"^2 decisions in the 24 hours before [\d:]{8} UTC: 2 disagreed with\.$")
    )
    # What is explored stays a chart.
    expect(journal_page.locator("#journal-timeline .plotly")).to_have_count(1)
    assert "verdict=disagrees" in journal_page.url


def test_a_decision_reaches_the_page_and_then_its_judgement(live_berth: LiveBerth, page: Page, tmp_path: Path) -> None:
    """All the way: API server, watcher process, journal, judge, Redis, websocket, page."""
    server = FakeApiServer()
    server.start()
    server.put(dumped_node("n1"))
    cluster = live_cluster(server, tmp_path)
    watcher = start_watcher(cluster, redis_url=live_berth.environment["REDIS_URL"])
    try:
        wait_until_followed(cluster, seconds=60)
        page.goto(JOURNAL)
        expect(page.get_by_text("No decision observed yet")).to_be_visible()
        expect(page.get_by_text("Connected")).to_be_visible()
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        server.put(dumped_pod("new"))
        server.put(dumped_pod("new", on="n1"))

        row = page.locator("#results tbody tr[data-key]")
        expect(row).to_contain_text("Bound to n1")
        expect(row).to_contain_text("Agrees")
        assert asked == []
        page.goto("/clusters/prod/")
        expect(page.get_by_text("Agrees with the scheduler: 100 % of 1 decision (24 h).")).to_be_visible()
    finally:
        watcher.stop(grace=10)
        server.close()
