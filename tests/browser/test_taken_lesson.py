"""From a pending pod of a cluster to a lesson that is played, in two clicks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.contrib.auth.models import Permission
from playwright.sync_api import expect

from clusters.models import StoredLesson
from tests.browser.looks import flaws_of_pages, wear
from tests.support.decision_cluster import decision_cluster

if TYPE_CHECKING:
    from pathlib import Path

    from django.contrib.auth.models import User
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

POD = "/clusters/shop/pods/shop/huge/"


def test_a_pending_pod_is_a_lesson_after_two_clicks(
    live_berth: object, page: Page, page_errors: list[str], user: User, tmp_path: Path
) -> None:
    user.user_permissions.add(Permission.objects.get(codename="add_storedlesson"))
    decision_cluster(tmp_path)
    wear(page, width=390, theme="light")
    page.goto(POD)

    page.get_by_role("link", name="Use as a lesson").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Use as a lesson")
    page.get_by_role("button", name="Make the lesson").click()

    expect(page.get_by_role("heading", level=1)).to_have_text("What becomes of the pod?")
    expect(page.get_by_text("in a cluster of 6 nodes")).to_be_visible()
    page.get_by_label("It stays pending: it is unschedulable").check()
    page.get_by_role("button", name="Check the answer").click()
    expect(page.locator("#result.is-right")).to_be_visible()
    assert "huge" not in page.locator("main").inner_text()

    # Uploading is by the same permission; what is stored can be sent again under another name.
    page.goto("/lessons/upload/")
    with page.expect_download() as started:
        page.get_by_role("link", name="Download situation-1").click()
    page.locator("input[type=file]").set_input_files(started.value.path())
    page.get_by_role("button", name="Upload").click()
    expect(page.get_by_text("situation-1 exists already")).to_be_visible()
    page_errors.clear()
    page.get_by_role("link", name="Remove situation-1").click()
    page.get_by_role("button", name="Remove situation-1").click()
    expect(page.get_by_text("No lessons are stored")).to_be_visible()
    assert not StoredLesson.objects.exists()


def test_the_pages_look_right_in_every_width(live_berth: object, page: Page, user: User, tmp_path: Path) -> None:
    user.user_permissions.add(Permission.objects.get(codename="add_storedlesson"))
    decision_cluster(tmp_path)
    addresses = ("/lessons/upload/", "/lessons/_take/pod/shop/shop/huge/", "/lessons/_take/pod/shop/shop/foreign/")

    assert flaws_of_pages(page, addresses) == {}
