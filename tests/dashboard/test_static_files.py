from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.test import Client, override_settings

if TYPE_CHECKING:
    from collections.abc import Iterator

import pytest

from dashboard.static_files import StaticFilesMiddleware

NAME = "js/sign-in-link.js"


@pytest.fixture
def address() -> Iterator[str]:
    with override_settings(WHITENOISE_USE_FINDERS=False):
        yield staticfiles_storage.url(NAME)


def test_file_is_served_whole_and_for_ever(client: Client, address: str) -> None:
    response = client.get(address)

    assert response.content == (settings.BASE_DIR / "static" / NAME).read_bytes()
    assert response["Content-Type"].startswith("text/javascript")
    assert "immutable" in response["Cache-Control"]
    assert not response.streaming


def test_part_of_a_file_is_served(client: Client, address: str) -> None:
    response = client.get(address, headers={"Range": "bytes=0-9"})

    assert response.status_code == 206
    assert len(response.content) == 10


def test_unchanged_file_is_not_sent_again(client: Client, address: str) -> None:
    etag = client.get(address)["ETag"]

    response = client.get(address, headers={"If-None-Match": etag})

    assert response.status_code == 304
    assert response.content == b""


def test_middleware_is_the_one_in_use() -> None:
    path = f"{StaticFilesMiddleware.__module__}.{StaticFilesMiddleware.__name__}"

    assert path in settings.MIDDLEWARE
