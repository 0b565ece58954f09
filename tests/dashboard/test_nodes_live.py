"""What the pages about nodes push is what they show."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import pytest

from tests.support.decision_cluster import node, pod
from tests.support.mirrored import load

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

pytestmark = pytest.mark.django_db

NODES = "/clusters/shop/nodes/"


def words(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html)).strip()


def test_part_says_what_the_page_says(tmp_path: Path, signed_in_client: Client) -> None:
    cluster = load(tmp_path, "shop", [node("ash", "north"), node("birch", "south"), pod("web", nodeName="ash")])

    for part, page in [
        ("nodes.list", f"{NODES}?q=a&sort=-cpu&map=memory"),
        ("node.glance", f"{NODES}ash/"),
        ("node.pods", f"{NODES}ash/?sort=-cpu"),
        ("node.decisions", f"{NODES}ash/"),
    ]:
        query = urlencode({"cluster": cluster.pk, "page": page})
        pushed = signed_in_client.get(f"/live/{part}/?{query}")
        assert pushed.status_code == 200
        assert words(pushed.text)
        if part != "node.decisions":
            # The page of a cluster that nobody follows leaves its decisions out while there are none.
            assert words(pushed.text) in words(signed_in_client.get(page).text)
