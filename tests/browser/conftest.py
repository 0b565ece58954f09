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

    from playwright.sync_api import Page


@pytest.fixture
def demo_page(live_berth: object, tmp_path: Path, page: Page) -> Iterator[Page]:
    """Return a page of somebody who sees the demo cluster, which nobody may change, and an empty one."""
    revision = load_demo(tmp_path, key=DEMO).revision
    a_cluster("empty", last_sync=None, revision=0)
    yield page
    assert Cluster.objects.get(pk=DEMO).revision == revision
