"""The pages of devices in a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.looks import flaws_of_pages
from tests.dashboard.test_device_evictions import tainted
from tests.dashboard.test_devices import objects
from tests.engine.device_builders import DRIVER
from tests.support.mirrored import load

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

PAGES = ("", "claims/", "claims/shop/wanted/", "claims/shop/held/", f"pools/{DRIVER}/n1/")


def test_the_pages_are_accessible_and_fit(page: Page, tmp_path: Path) -> None:
    load(tmp_path, "gpus", objects())

    addresses = [f"/clusters/gpus/devices/{address}" for address in PAGES]

    assert flaws_of_pages(page, addresses) == {}


def test_pages_that_tell_of_evictions_are_accessible_and_fit(page: Page, tmp_path: Path) -> None:
    load(tmp_path, "gpus", tainted(requested=True))

    addresses = ("/clusters/gpus/nodes/n0/", "/clusters/gpus/pods/shop/train/?at=now")

    assert flaws_of_pages(page, addresses) == {}
