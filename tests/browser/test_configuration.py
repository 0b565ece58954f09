"""A scheduler's configuration in a real browser: the matrix, and another configuration from fault to use and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect

from clusters.models import Cluster
from clusters.services.ingest.configurations import configure_from_text
from tests.browser.looks import flaws, flaws_of_pages

if TYPE_CHECKING:
    from playwright.sync_api import Page


pytestmark = pytest.mark.browser

PAGE = "/clusters/demo/configuration/"
EDITING = "document.querySelector('.ace_editor').env.editor"
TWO = """\
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
percentageOfNodesToScore: 30
profiles:
  - schedulerName: default-scheduler
  - schedulerName: volcano
    pluginConfig:
      - name: NodeResourcesFit
        args:
          scoringStrategy: {type: MostAllocated, resources: [{name: cpu, weight: 1}]}
    plugins:
      multiPoint:
        enabled: [{name: Coscheduling}]
        disabled: [{name: NodePorts}]
      score:
        enabled: [{name: NodeResourcesFit, weight: 7}]
        disabled: [{name: ImageLocality}]
extenders:
  - filterVerb: filter
"""


POLICY = """\
{"kind": "Policy", "apiVersion": "v1", "alwaysCheckAllPredicates": true,
 "predicates": [{"name": "GeneralPredicates"}, {"name": "MaxEBSVolumeCount"},
                {"name": "Racks", "argument": {"labelsPresence": {"labels": ["rack"], "presence": true}}}],
 "priorities": [{"name": "MostRequestedPriority", "weight": 3}, {"name": "NodePreferAvoidPodsPriority", "weight": 2}]}
"""


@pytest.fixture(autouse=True)
def _may_change(demo_page: Page) -> None:
    """Let whoever is signed in change clusters."""
    User.objects.update(is_staff=True)


def test_every_state_is_accessible_and_fits(demo_page: Page, page_errors: list[str]) -> None:
    configure_from_text(cluster=Cluster.objects.get(name="demo"), text=TWO)

    assert flaws_of_pages(demo_page, (f"{PAGE}?profile=volcano",)) == {}
    for text in (TWO.replace("weight: 7", "wight: 7"), TWO.replace("weight: 7", "weight: 8"), POLICY):
        demo_page.goto(PAGE)
        write(demo_page, text)
        demo_page.get_by_role("button", name="Check it and show what changes").click()
        demo_page.wait_for_load_state("networkidle")
        assert flaws(demo_page) == []
    # What is wrong is answered with 400.
    page_errors.clear()


def write(page: Page, text: str) -> None:
    expect(page.locator(".ace_editor")).to_be_visible()
    page.evaluate(f"text => {EDITING}.setValue(text, -1)", text)


def test_another_configuration_is_checked_seen_used_and_put_aside(demo_page: Page, page_errors: list[str]) -> None:
    demo_page.goto(PAGE)
    expect(demo_page.get_by_text("Equal to the default profile")).to_be_visible()
    write(demo_page, TWO.replace("weight: 7", "wight: 7"))
    demo_page.get_by_role("button", name="Check it and show what changes").click()
    fault = demo_page.get_by_role("alert")
    expect(fault).to_contain_text("line 16: profiles[1].plugins.score.enabled[0].wight")
    expect(demo_page.locator(".ace_gutter-cell.ace_error")).to_have_count(1)
    page_errors.clear()
    fault.get_by_role("link", name="Correct it below").click()

    demo_page.keyboard.press("ControlOrMeta+A")
    write(demo_page, TWO)
    demo_page.get_by_role("button", name="Check it and show what changes").click()
    proposal = demo_page.locator("#proposal")
    expect(proposal).to_contain_text("Nothing is saved yet.")
    expect(proposal.locator("tr", has_text="percentageOfNodesToScore").first).to_contain_text("30")
    proposal.get_by_role("button", name="Use this configuration").click()

    expect(demo_page.locator(".tabs .tab")).to_have_count(2)
    demo_page.get_by_role("link", name="volcano Changed", exact=True).click()
    ports = demo_page.locator(".matrix tr", has_text="NodePorts")
    expect(ports.locator(".matrix-cell.removed")).to_have_count(2)
    expect(demo_page.locator(".matrix .matrix-cell.weight")).to_contain_text("×7")
    with demo_page.expect_download() as download:
        demo_page.get_by_role("link", name="Download in full").click()
    assert download.value.suggested_filename == "demo-scheduler.yaml"

    demo_page.get_by_role("button", name="Go back to kube-scheduler's defaults").click()
    expect(demo_page.get_by_text("Equal to the default profile")).to_be_visible()
