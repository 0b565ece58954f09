from __future__ import annotations

import hashlib
import re
import tomllib

import plotly.offline
from django.conf import settings

ROOT = settings.BASE_DIR
LEDGER = tomllib.loads((ROOT / "static/vendor/VENDOR.toml").read_text(encoding="utf-8"))["package"]


def test_vendored_files_are_those_that_were_fetched() -> None:
    for package in LEDGER:
        for path, digest in package["sha256"].items():
            assert hashlib.sha256((ROOT / path).read_bytes()).hexdigest() == digest, path


def test_every_vendored_file_is_in_the_ledger() -> None:
    listed = {path for package in LEDGER for path in package["sha256"]}
    there = {
        str(path.relative_to(ROOT))
        for folder in ("static/vendor", "tests/vendor")
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and path.name != "VENDOR.toml"
    }

    assert there == listed


def test_every_package_brings_its_licence() -> None:
    for package in LEDGER:
        assert package["licence"]
        assert any(path.endswith("/LICENSE") for path in package["sha256"]), package["name"]


def test_plotly_is_the_version_that_figures_are_validated_against() -> None:
    version = next(package["version"] for package in LEDGER if package["name"] == "plotly")

    assert version == plotly.offline.get_plotlyjs_version()
    header = (ROOT / "static/vendor/plotly/plotly.css").read_text(encoding="utf-8").splitlines()[0]
    assert f"plotly.js {version} " in header


def test_vendored_styles_ask_no_foreign_host() -> None:
    for path in (ROOT / "static/vendor").rglob("*.css"):
        assert not re.search(r"url\(\s*['\"]?(?:https?:)?//", path.read_text(encoding="utf-8")), path
