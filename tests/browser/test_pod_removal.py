"""What removes a running pod, in a real browser: as a part of the pod's page, and as a page of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from clusters.models import Cluster
from clusters.services.pending.queue import preemptors_of
from tests.browser.looks import flaws, flaws_of_pages

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


def test_a_victims_page_is_accessible_and_fits(demo_page: Page) -> None:
    risks = preemptors_of(cluster=Cluster.objects.get(name="demo")).risks
    victim = next(risk.selected[0] for risk in risks if risk.selected)
    pod = f"/clusters/demo/pods/{victim}/"

    assert flaws_of_pages(demo_page, (f"{pod}removal/",)) == {}
    expect(demo_page.get_by_text("Preempts it").first).to_be_visible()

    demo_page.goto(pod)
    demo_page.locator("#removal > summary").click()
    expect(demo_page.locator("#removal-part")).to_contain_text("Preempt")
    assert flaws(demo_page) == []
