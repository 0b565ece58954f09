from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING

import pytest
from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.files.storage import FileSystemStorage
from django.test import Client, override_settings

from dashboard.static_files import StaticFilesMiddleware, StaticFilesStorage

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

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
    response = client.get(address, headers={"If-None-Match": client.get(address)["ETag"]})

    assert response.status_code == 304
    assert response.content == b""


def test_middleware_is_the_one_in_use() -> None:
    path = f"{StaticFilesMiddleware.__module__}.{StaticFilesMiddleware.__name__}"

    assert path in settings.MIDDLEWARE


def test_modules_import_each_other_by_hashed_names(tmp_path: Path) -> None:
    shutil.copytree(settings.BASE_DIR / "static" / "js", tmp_path / "js")
    source = FileSystemStorage(tmp_path)
    names = [f"js/{path.name}" for path in (tmp_path / "js").glob("*.js")]
    storage = StaticFilesStorage(location=tmp_path)

    done = list(storage.post_process({name: (source, name) for name in names}))

    assert not [problem for _, _, problem in done if isinstance(problem, Exception)]
    kept = {path.name: path.read_text() for path in (tmp_path / "js").glob("*.js")}
    assert len(kept) == len(names)
    imports = [name for text in kept.values() for name in re.findall(r"""\b(?:from|import)\s*\(?["']([^"']+)""", text)]
    assert imports
    assert all(name.removeprefix("./") in kept for name in imports), imports
