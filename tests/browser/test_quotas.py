"""The page of quotas in a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.looks import flaws_of_pages
from tests.clusters.dumps import node, pod
from tests.dashboard.test_quotas import quota, web
from tests.support.mirrored import load

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


def test_the_page_is_accessible_and_fits(page: Page, tmp_path: Path) -> None:
    used = {"requests.cpu": "5500m", "requests.nvidia.com/gpu": "3"}
    compute = quota("compute", {"requests.cpu": "8", "requests.nvidia.com/gpu": "3"}, used, scopes=["NotTerminating"])
    other = quota("memory", {"requests.memory": "8Gi"}, {"requests.memory": "1Gi"})
    load(tmp_path, "prod", [node("n1"), compute, other, web("web-1"), web("web-2"), pod("bare", on="n1")])

    assert flaws_of_pages(page, ("/clusters/prod/quotas/",)) == {}
