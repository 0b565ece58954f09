"""`manage.py quotas` as it is run in a terminal; with a dump without a database."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import call_command

from tests.clusters.dumps import as_json, listed, node, pod
from tests.support.mirrored import load

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def _width(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")


def quota(name: str, hard: dict[str, str], used: dict[str, str] | None = None, **spec: Any) -> dict[str, Any]:
    status = {} if used is None else {"status": {"hard": hard, "used": used}}
    metadata = {"name": name, "namespace": "shop", "uid": name}
    return {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": metadata, "spec": {"hard": hard, **spec}, **status}


def objects(*quotas: dict[str, Any]) -> list[dict[str, Any]]:
    return [node("n1"), *quotas, *(pod(f"web-{number}", on="n1") for number in range(3))]


def written(folder: Path, *quotas: dict[str, Any]) -> Path:
    path = folder / "dump.json"
    path.write_bytes(as_json(listed(objects(*quotas))))
    return path


def run(*arguments: object) -> int:
    try:
        call_command("quotas", *map(str, arguments))
    except SystemExit as end:
        return int(end.code or 0)
    return 0


ROOMY = quota("roomy", {"pods": "10"}, {"pods": "3"})
FULL = quota("full", {"pods": "3", "count/pods": "9"}, {"pods": "3", "count/pods": "3"}, scopes=["NotTerminating"])


def test_a_dump_tells_what_is_used_by_whom_and_what_fits_next(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(written(tmp_path, ROOMY, FULL)) == 1

    assert capsys.readouterr().out.splitlines() == [
        "ResourceQuota shop/full, scopes: NotTerminating",
        "  resource    used  hard  share",
        "  count/pods     3     9   33 %",
        "  pods           3     3  100 %",
        "  used by                    pods  further pods  used",
        "  Pods without a controller     3  0             count/pods=3, pods=3",
        "",
        "ResourceQuota shop/roomy",
        "  resource  used  hard  share",
        "  pods         3    10   30 %",
        "  used by                    pods  further pods  used",
        "  Pods without a controller     3  7             pods=3",
        "",
    ]


def test_a_quota_that_is_not_exhausted_ends_with_0_and_one_without_a_status_is_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(written(tmp_path, quota("new", {"pods": "5", "limits.cpu": "4"})), "-o", "json") == 0

    (found,) = json.loads(capsys.readouterr().out)
    assert found["resources"][1] == {"resource": "pods", "used": "3", "hard": "5", "share": 0.6}
    (user,) = found["users"]
    assert (user["workload"], user["more"], user["unspecified"]) == (None, 0, ["limits.cpu"])


def test_namespaces_without_a_quota_say_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(written(tmp_path, FULL), "-n", "other") == 0

    assert capsys.readouterr().out == "No ResourceQuota here.\n"


def test_a_dump_that_is_not_there_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path / "none.json") == 2

    assert "none.json" in capsys.readouterr().err


@pytest.mark.django_db
def test_a_cluster_tells_the_same_as_its_dump(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    load(tmp_path, "prod", objects(FULL))

    assert run("--cluster", "prod") == 1
    of_cluster = capsys.readouterr().out
    assert run(written(tmp_path, FULL)) == 1

    assert of_cluster == capsys.readouterr().out
    assert run("--cluster", "none") == 2
