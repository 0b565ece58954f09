"""The page about an upgrade in a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.looks import flaws_of_pages
from tests.clusters.test_upgrade_command import drained
from tests.dashboard.test_upgrade import PAGE, TAINT, objects
from tests.support.mirrored import load

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


def test_the_page_is_accessible_and_fits(page: Page, tmp_path: Path) -> None:
    load(tmp_path, "upgrade-page", objects("v1.34.1", TAINT))

    assert flaws_of_pages(page, (PAGE,)) == {}


def test_the_drains_of_the_page_are_accessible_and_fit(page: Page, tmp_path: Path) -> None:
    load(tmp_path, "upgrade-page", drained())

    assert flaws_of_pages(page, (PAGE,)) == {}
    page.locator("summary", has_text="general").click()
    assert page.get_by_role("link", name="n1").is_visible()
