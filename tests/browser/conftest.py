"""What several of the browser's tests begin with."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from clusters.demo import demo_objects
from clusters.demo.usage import demo_usage
from clusters.models import UsageHour
from clusters.services.usage.keeping import keep_usage
from tests.dashboard.rows import a_cluster
from tests.support.mirrored import load

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page


@pytest.fixture
def demo_page(live_berth: object, tmp_path: Path, page: Page) -> Page:
    """Return a page of somebody who sees the demo cluster and an empty one."""
    objects = list(demo_objects())
    keep_usage(cluster=load(tmp_path, "demo", objects), found=demo_usage(objects), source=UsageHour.Source.METRICS)
    a_cluster("empty", last_sync=None, revision=0)
    return page
