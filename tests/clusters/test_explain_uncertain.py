"""What `manage.py explain` says of pods about which not everything is computed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.clusters.dumps import as_json, listed, node, pod
from tests.clusters.explaining import run, words

if TYPE_CHECKING:
    from pathlib import Path

CLAIMS = [{"name": "gpu", "resourceClaimName": "gpu"}]
CLAIMS_CLAUSE = "resource claims are not computed (DynamicResources)"


@pytest.fixture(autouse=True)
def _width(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")


def dump(folder: Path, *objects: dict[str, Any]) -> Path:
    path = folder / "dump.json"
    path.write_bytes(as_json(listed(list(objects))))
    return path


def test_pod_with_claims_ends_with_3(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(dump(tmp_path, node("n1"), pod("device", resourceClaims=CLAIMS))) == 3

    out = words(capsys.readouterr().out)
    assert (
        f"Uncertain: {CLAIMS_CLAUSE}. It passes the computed filters on 1 of 1 node. The scheduler would choose n1."
        in out
    )
    assert "It fits" not in out
    assert "1 no filter rejects the pod n1" in out
    nothing_to_check = out.partition("Nothing to check:")[2].partition(".")[0]
    assert "VolumeBinding" in nothing_to_check
    assert "DynamicResources" not in nothing_to_check


def test_data_says_null_and_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(dump(tmp_path, node("n1"), pod("device", resourceClaims=CLAIMS)), "-o", "json") == 3

    found = json.loads(capsys.readouterr().out)["explanation"]
    assert (found["fits"], found["conclusion"]) == (None, "uncertain")
    (why,) = found["uncertainties"]
    assert (why["kind"], why["plugin"], why["field"]) == ("uncomputed-field", "DynamicResources", "spec.resourceClaims")


@pytest.mark.parametrize(
    ("others", "status"), [([], 3), ([pod("plain")], 3), ([pod("picky", nodeSelector={"gpu": "a"})], 1)]
)
def test_list_ends_with_the_gravest(tmp_path: Path, others: list[dict[str, Any]], status: int) -> None:
    assert run(dump(tmp_path, node("n1"), pod("device", resourceClaims=CLAIMS), *others), "--all-pending") == status
