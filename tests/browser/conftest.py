"""What several of the browser's tests begin with."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from clusters.models import Cluster
from tests.dashboard.rows import a_cluster
from tests.support.mirrored import DEMO, load_demo

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser, Page

    from tests.support.live import LiveBerth


@pytest.fixture
def demo_page(live_berth: object, tmp_path: Path, page: Page) -> Iterator[Page]:
    """Return a page of somebody who sees the demo cluster, which nobody may change, and an empty one."""
    revision = load_demo(tmp_path, key=DEMO).revision
    a_cluster("empty", last_sync=None, revision=0)
    yield page
    assert Cluster.objects.get(pk=DEMO).revision == revision


@pytest.fixture
def plain_page(browser: Browser, live_berth: LiveBerth, page: Page) -> Iterator[Page]:
    """Return a page of the same user in a browser that runs no scripts."""
    state = page.context.storage_state()
    with browser.new_context(base_url=live_berth.url, java_script_enabled=False, storage_state=state) as context:
        yield context.new_page()


@pytest.fixture
def phone(browser: Browser, live_berth: LiveBerth, page: Page) -> Iterator[Page]:
    """Return a page of the same user under a finger."""
    with browser.new_context(
        base_url=live_berth.url,
        storage_state=page.context.storage_state(),
        viewport={"width": 390, "height": 844},
        has_touch=True,
        is_mobile=True,
    ) as context:
        yield context.new_page()
