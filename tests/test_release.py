"""What `make release` builds: complete, described, and the same each time."""

from __future__ import annotations

import hashlib
import json
import subprocess
import tomllib
from importlib import resources
from typing import TYPE_CHECKING, Any

import jsonschema_rs
import pytest
from django.conf import settings

import dashboard
from scripts import release
from scripts.materials import pinned

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    into = tmp_path_factory.mktemp("dist")
    release.build(into)
    return into


@pytest.fixture(scope="module")
def bill(built: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(next(built.glob("*.cdx.json")).read_text(encoding="utf-8"))
    return loaded


def test_same_commit_gives_the_same_bytes(built: Path, tmp_path: Path) -> None:
    release.build(tmp_path)

    assert {path.name: path.read_bytes() for path in built.iterdir()} == {
        path.name: path.read_bytes() for path in tmp_path.iterdir()
    }


def test_every_file_has_its_checksum(built: Path) -> None:
    lines = (built / release.SUMS).read_text(encoding="ascii").splitlines()
    version = f"berth-{dashboard.__version__}"

    assert [line.split("  ")[1] for line in lines] == [
        f"{version}-constraints.txt",
        f"{version}-py3-none-any.whl",
        f"{version}.cdx.json",
        f"{version}.tar.gz",
        f"berth-chart-{dashboard.__version__}.tgz",
    ]
    for line in lines:
        digest, name = line.split("  ")
        assert hashlib.sha256((built / name).read_bytes()).hexdigest() == digest


def test_what_is_not_committed_is_not_released(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("one")
    as_somebody = ["git", "-c", "user.name=x", "-c", "user.email=x@example.org"]
    for arguments in (["init", "-q"], ["add", "file"], ["commit", "-q", "-m", "One"]):
        subprocess.run([*as_somebody, *arguments], cwd=tmp_path, check=True)
    (tmp_path / "file").write_text("two")
    monkeypatch.setattr(release, "ROOT", tmp_path)

    with pytest.raises(SystemExit, match=r"file\nCommit them first"):
        release.main()


def test_bill_of_materials_is_valid(bill: dict[str, Any]) -> None:
    folder = resources.files("cyclonedx.schema") / "_res"
    schema, *others = (
        json.loads((folder / f"{name}.SNAPSHOT.schema.json").read_text(encoding="utf-8"))
        for name in ("bom-1.6", "spdx", "jsf-0.82")
    )
    # As they refer to each other.
    by_reference = [(each["$id"].replace(".schema.json", ".SNAPSHOT.schema.json"), each) for each in others]
    registry = jsonschema_rs.Registry(by_reference)

    jsonschema_rs.validator_for(schema, registry=registry).validate(bill)
    broken = {**bill, "components": [{**bill["components"][0], "type": "no type"}]}
    assert not jsonschema_rs.validator_for(schema, registry=registry).is_valid(broken)


def test_bill_of_materials_names_all_that_is_installed(bill: dict[str, Any]) -> None:
    locked = pinned((settings.BASE_DIR / "requirements.lock").read_text(encoding="utf-8"))
    project = tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    components = {component["bom-ref"]: component for component in bill["components"]}
    needs = {each["ref"]: set(each.get("dependsOn", ())) for each in bill["dependencies"]}

    for package in locked:
        component = components[package.name]
        assert component["version"] == package.version
        assert {each["content"] for each in component["hashes"]} == set(package.hashes)
        assert component.get("licenses") or component["scope"] == "optional", package.name
    direct = {requirement.split("==")[0].split("[")[0].lower() for requirement in project["dependencies"]}
    assert needs["berth"] == direct | {"npm:@tabler/core", "npm:ace-builds", "npm:plotly.js-basic-dist-min"}
    assert needs["channels-redis"] == {"asgiref", "channels", "msgpack", "redis"}
