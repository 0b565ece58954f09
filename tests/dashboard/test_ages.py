"""Ages of a dump's objects count to the dump's last time on every page, and not to today."""

from __future__ import annotations

from html import unescape
from typing import TYPE_CHECKING

import pytest

from tests.dashboard.test_queue import few
from tests.support.decision_cluster import pod
from tests.support.mirrored import load, text

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

pytestmark = pytest.mark.django_db

NOTE = "Ages are as of 2026-01-01 09:00:00 UTC"


@pytest.fixture
def shop(tmp_path: Path) -> None:
    ash, *rest = few()
    metadata = {"creationTimestamp": "2025-12-30T09:00:00Z"}
    placed = pod("placed", nodeName="ash")
    load(
        tmp_path,
        "shop",
        [
            {**ash, "metadata": {**ash["metadata"], **metadata}},
            {**placed, "metadata": {**placed["metadata"], "creationTimestamp": "2025-12-31T21:00:00Z"}},
            *rest,
        ],
    )


@pytest.mark.usefixtures("shop")
def test_ages_count_to_the_dumps_last_time(signed_in_client: Client) -> None:
    said = text(signed_in_client, "/clusters/shop/pods/?q=newer")
    assert " 30s " in said
    assert NOTE in said

    page = signed_in_client.get("/clusters/shop/nodes/ash/").text
    said = text(signed_in_client, "/clusters/shop/nodes/ash/")
    assert "created 30 Dec 2025 09:00 UTC" in said
    assert """title="2d earlier · 2025-12-30 09:00:00 UTC\"""" in unescape(page)
    assert " 12h " in said

    page = signed_in_client.get("/clusters/shop/pods/shop/then-tried/").text
    assert "60s earlier" in unescape(page)
    assert "ago):" not in page
