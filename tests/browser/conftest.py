"""What several of the browser's tests begin with."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.dashboard.rows import a_cluster
from tests.support.mirrored import load_demo

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page


@pytest.fixture
def demo_page(live_berth: object, tmp_path: Path, page: Page) -> Page:
    """Return a page of somebody who sees the demo cluster and an empty one."""
    load_demo(tmp_path)
    a_cluster("empty", last_sync=None, revision=0)
    return page
