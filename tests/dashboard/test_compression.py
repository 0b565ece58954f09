from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest

from tests.dashboard.rows import a_cluster, a_pod

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db

PODS, API = "/clusters/prod/pods/", "/api/v1/clusters/"
ANSWERS = [
    (PODS, {}, "text/html"),
    (PODS, {"HX-Request": "true"}, "text/html"),
    (API, {}, "application/json"),
]


@pytest.fixture(autouse=True)
def rows() -> None:
    for number in range(5):
        a_pod(a_cluster("prod" if not number else f"prod-{number}"), "web")


@pytest.mark.parametrize(("address", "headers", "kind"), ANSWERS)
def test_answers_are_compressed_where_that_is_understood(
    signed_in_client: Client, address: str, headers: dict[str, str], kind: str
) -> None:
    plain = signed_in_client.get(address, headers=headers)
    small = signed_in_client.get(address, headers={**headers, "Accept-Encoding": "br, gzip"})

    assert "Content-Encoding" not in plain
    assert small["Content-Encoding"] == "gzip"
    assert small["Content-Type"].startswith(kind)
    assert "Accept-Encoding" in small["Vary"]
    assert len(small.content) < len(plain.content)
    # Tokens differ from one answer to the next, their lengths do not.
    assert len(gzip.decompress(small.content)) == len(plain.content)


def test_length_of_an_answer_tells_nothing_of_its_content(signed_in_client: Client) -> None:
    lengths = {len(signed_in_client.get(API, headers={"Accept-Encoding": "gzip"}).content) for _ in range(20)}

    assert len(lengths) > 1
