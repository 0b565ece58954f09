"""The pages that show the use of disks, in a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.looks import flaws_of_pages
from tests.clusters.usage.builders import filesystem
from tests.dashboard.test_node_disks import GIB, measured, stats, storing
from tests.dashboard.test_node_kubelet import ash
from tests.support.mirrored import load

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


def test_pages_are_accessible_and_fit_with_the_use_of_disks(page: Page, tmp_path: Path) -> None:
    cluster = load(tmp_path, "shop", [ash(), storing("large", "90Gi"), storing("greedy", "1Gi")])
    images = filesystem(1, availableBytes=5 * GIB, capacityBytes=50 * GIB, inodesFree=9, inodes=10)
    measured(
        cluster,
        tmp_path,
        stats("large", rootfs=8 * GIB),
        stats("greedy", logs=2 * GIB),
        runtime={"imageFs": images, "containerFs": images},
    )
    pages = (
        "/clusters/shop/nodes/ash/pressure/?signal=nodefs.available",
        "/clusters/shop/pods/shop/greedy/",
    )

    assert flaws_of_pages(page, pages) == {}
