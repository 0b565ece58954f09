"""Capacity reviews in a real browser: from a simulation to a document that somebody can print."""

from __future__ import annotations

import json
from io import BytesIO
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect
from pypdf import PdfReader

from clusters.documents.stored_problems import encoded
from clusters.engine.problems import Quoted
from clusters.models import Cluster, Report, ReportSchedule, SimulationRun
from clusters.services.runs.spec import read_spec
from clusters.services.runs.starting import stored_run
from clusters.services.runs.working import work
from tests.browser.looks import flaws_of_pages
from tests.dashboard.reports.documents import HOSTILE, MADE, a_document

if TYPE_CHECKING:
    from pathlib import Path

    from django.contrib.auth.models import User
    from playwright.sync_api import Download, Page

pytestmark = pytest.mark.browser

NEW = "/clusters/demo/reviews/new"


def a_review(user: User, state: str, **fields: object) -> Report:
    report = Report(cluster=Cluster.objects.get(name="demo"), title="November", order={}, state=state, created_by=user)
    for name, value in fields.items():
        setattr(report, name, value)
    report.save()
    return report


def test_the_pages_look_right(demo_page: Page, user: User) -> None:
    done = a_review(user, "done", document=a_document(zones=HOSTILE))
    waiting = a_review(user, "queued")
    failed = a_review(
        user, "failed", error={"problem": encoded(Quoted("The cluster changes too fast.", "Order it again."))}
    )
    ReportSchedule.objects.create(
        cluster=done.cluster, title="Weekly", order={}, weekday=0, hour=6, created_by=user, next_at=MADE
    )
    pages = ["/clusters/demo/reviews/", NEW]
    pages += [f"/reviews/{report.pk}/" for report in (done, waiting, failed)]

    assert flaws_of_pages(demo_page, pages) == {}


def test_from_fifty_more_replicas_to_a_printed_review(demo_page: Page, user: User, tmp_path: Path) -> None:
    page = demo_page
    run = fifty_more(user)
    page.goto(f"/simulations/{run.pk}/")
    page.get_by_role("link", name="Write a review").first.click()
    expect(page.get_by_label("About")).to_have_value(f"run-{run.pk}")
    for section in page.get_by_role("group", name="Sections").get_by_role("checkbox").all():
        section.set_checked(section.get_attribute("value") in ("utilisation", "headroom"))
    page.get_by_label("Title").fill("Fifty more")
    page.get_by_label("Your notes").fill("For #7 on *Monday*.")
    page.get_by_label("Shapes of pods for headroom").fill("web: cpu=500m")
    page.get_by_role("button", name="Write the review").click()

    # A worker writes it, and the page follows by itself.
    expect(page.get_by_role("navigation", name="Contents")).to_be_visible(timeout=60_000)
    expect(page.get_by_role("heading", name="Fifty more")).to_be_visible()
    page.get_by_role("navigation", name="Contents").get_by_role("link", name="Headroom").click()
    expect(page.get_by_role("heading", name="Headroom")).to_be_in_viewport()
    expect(page.get_by_text("For #7 on *Monday*.")).to_be_visible()
    expect(page.get_by_role("img", name="web:")).to_be_visible()

    read = json.loads(content_of(page, "JSON"))
    assert (read["title"], read["notes"], read["run"]["id"]) == ("Fifty more", "For #7 on *Monday*.", run.pk)
    # The file stands by itself, and on paper too.
    file = tmp_path / "review.html"
    file.write_bytes(content_of(page, "HTML"))
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(file.as_uri())
    expect(page.get_by_role("heading", name="Headroom")).to_be_visible()
    assert asked == [file.as_uri()]
    assert "Fifty more" in PdfReader(BytesIO(page.pdf(format="A4"))).pages[0].extract_text()


def fifty_more(user: User) -> SimulationRun:
    """Simulate fifty more replicas of a workload of the demo, here and now."""
    change = {"change": "scale", "kind": "Deployment", "namespace": "shop", "name": "checkout", "by": 50}
    spec = read_spec({"version": 1, "base": {"kind": "cluster"}, "changes": [change]})
    run = stored_run(cluster=Cluster.objects.get(name="demo"), spec=spec, title="50 more", user=user)
    work(run.pk)
    run.refresh_from_db()
    assert run.state == SimulationRun.State.DONE, run.error
    return run


def content_of(page: Page, name: str) -> bytes:
    with page.expect_download() as started:
        page.get_by_role("link", name=f"{name} file").click()
    download: Download = started.value
    return download.path().read_bytes()
