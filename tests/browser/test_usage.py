"""The page about usage in a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.looks import flaws_of_pages
from tests.dashboard.test_usage import objects, take
from tests.support.mirrored import load

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


def test_the_page_is_accessible_and_fits_with_usage_and_without(page: Page, tmp_path: Path) -> None:
    take(load(tmp_path, "prod", objects()), tmp_path, 30)
    load(tmp_path, "new", objects())

    assert flaws_of_pages(page, ("/clusters/prod/usage/", "/clusters/new/usage/")) == {}


def test_the_demo_shows_usage_on_every_page_that_has_it(demo_page: Page) -> None:
    pages = (
        "/clusters/demo/usage/",
        "/clusters/demo/nodes/general-b-03/usage/",
        "/clusters/demo/workloads/Deployment/shop/storefront/",
    )

    assert flaws_of_pages(demo_page, pages) == {}
