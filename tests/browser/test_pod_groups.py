"""The pages of pod groups in a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.looks import flaws_of_pages
from tests.clusters.dumps import node, pod
from tests.support.gangs import load_gangs
from tests.support.mirrored import load

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

PAGES = ("", "?state=gate-off", "ml/train/", "ml/infer/", "ml/web/", "ml/lost/", "ml/idle/")


def test_the_pages_are_accessible_and_fit(page: Page, tmp_path: Path) -> None:
    load_gangs(tmp_path)
    load_gangs(tmp_path, "off", gates={"GenericWorkload": False})
    load(tmp_path, "plain", [node("n1"), pod("web", on="n1")])

    addresses = [f"/clusters/gangs/pod-groups/{address}" for address in PAGES]
    addresses += ["/clusters/off/pod-groups/", "/clusters/off/pod-groups/ml/train/", "/clusters/plain/pod-groups/"]

    assert flaws_of_pages(page, addresses) == {}
