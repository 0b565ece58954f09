from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.files.storage import FileSystemStorage

from dashboard.static_files import StaticFilesStorage

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

NAME = "js/sign-in-link.js"


def test_file_is_served_whole_and_for_ever_in_part_or_not_again(client: Client) -> None:
    address = staticfiles_storage.url(NAME)
    whole = client.get(address)
    assert whole.content == (settings.BASE_DIR / "static" / NAME).read_bytes()
    assert whole["Content-Type"].startswith("text/javascript")
    assert "immutable" in whole["Cache-Control"]
    assert not whole.streaming, "the middleware is not the one in use"

    part = client.get(address, headers={"Range": "bytes=0-9"})
    assert part.status_code == 206
    assert len(part.content) == 10

    unchanged = client.get(address, headers={"If-None-Match": whole["ETag"]})
    assert unchanged.status_code == 304
    assert unchanged.content == b""


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
