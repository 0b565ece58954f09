"""What `manage.py explain` says of pods about which not everything is computed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.clusters.dumps import as_json, listed, node, pod
from tests.clusters.explaining import run, words
from tests.engine.device_builders import a_class, a_device, a_request, a_resource_claim, a_slice

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


def configured(folder: Path, *extenders: dict[str, Any]) -> Path:
    path = folder / "scheduler.json"
    kind = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}
    path.write_text(json.dumps({**kind, "extenders": list(extenders)}), encoding="utf-8")
    return path


def test_pod_with_claims_ends_with_3(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(dump(tmp_path, node("n1"), pod("device", resourceClaims=CLAIMS))) == 3

    out = words(capsys.readouterr().out)
    assert f"Uncertain: {CLAIMS_CLAUSE}. It passes the computed filters on 1 of 1 node: n1." in out
    assert "It fits" not in out
    assert "1 no filter rejects the pod n1" in out
    nothing_to_check = out.partition("Nothing to check:")[2].partition(".")[0]
    assert "VolumeBinding" in nothing_to_check
    assert "DynamicResources" not in nothing_to_check


def test_node_of_an_uncertain_pod_is_not_said_to_fit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(dump(tmp_path, node("n1"), pod("device", resourceClaims=CLAIMS)), "--node", "n1") == 3
    assert "Passes the computed filters: " in words(capsys.readouterr().out)


def test_claims_of_a_pod_that_fits_nowhere_change_nothing(tmp_path: Path) -> None:
    assert run(dump(tmp_path, node("n1"), pod("device", resourceClaims=CLAIMS, nodeSelector={"gpu": "a"}))) == 1


def test_data_says_null_and_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(dump(tmp_path, node("n1"), pod("device", resourceClaims=CLAIMS)), "-o", "json") == 3

    found = json.loads(capsys.readouterr().out)["explanation"]
    assert (found["fits"], found["conclusion"]) == (None, "uncertain")
    (why,) = found["uncertainties"]
    assert (why["kind"], why["plugin"], why["field"]) == ("uncomputed-field", "DynamicResources", "spec.resourceClaims")


def test_claims_with_a_costly_expression_are_uncertain(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    numbers = str(list(range(60)))
    costly = f"{numbers}.all(a, {numbers}.all(b, {numbers}.all(c, a + b + c >= 0)))"
    claim = a_resource_claim(a_request("gpu", costly), name="gpu", namespace="shop")
    objects = (node("n1"), a_slice(a_device(), node="n1"), a_class(), claim, pod("device", resourceClaims=CLAIMS))

    assert run(dump(tmp_path, *objects)) == 3
    assert "Uncertain: resource claims are too costly to compute (DynamicResources)." in words(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("others", "status"), [([], 3), ([pod("plain")], 3), ([pod("picky", nodeSelector={"gpu": "a"})], 1)]
)
def test_list_ends_with_the_gravest(tmp_path: Path, others: list[dict[str, Any]], status: int) -> None:
    assert run(dump(tmp_path, node("n1"), pod("device", resourceClaims=CLAIMS), *others), "--all-pending") == status


def test_list_tells_the_uncertain_ones(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = dump(tmp_path, node("n1"), pod("device", resourceClaims=CLAIMS), pod("plain"))

    run(path, "--all-pending")
    assert f"shop/device 0 Uncertain: {CLAIMS_CLAUSE}." in words(capsys.readouterr().out)
    run(path, "--all-pending", "-o", "json")
    explanations = [each["explanation"] for each in json.loads(capsys.readouterr().out)]
    found = {each["pod"]: (each["fits"], each["conclusion"]) for each in explanations}
    assert found == {"shop/device": (None, "uncertain"), "shop/plain": (True, "fits")}


def test_extender_that_filters_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    extender = {"urlPrefix": "http://extender.example/api", "filterVerb": "filter"}

    assert run(dump(tmp_path, node("n1"), pod("plain")), "--config", configured(tmp_path, extender)) == 3

    out = words(capsys.readouterr().out)
    assert "Uncertain: the extender http://extender.example/api filters the nodes." in out
    assert "It may reject any of them." in out


def test_extender_that_scores_leaves_the_best_node_open(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    extender = {"urlPrefix": "http://extender.example/api", "prioritizeVerb": "rank", "weight": 1}
    open_one = "Scores of the extender http://extender.example/api are not computed: another node may be best."
    nodes = (node("n1"), node("n2"))

    assert run(dump(tmp_path, *nodes, pod("plain")), "--config", configured(tmp_path, extender)) == 0
    out = words(capsys.readouterr().out)
    assert "Fits on 2 of 2 nodes." in out
    assert open_one in out
    # A single node is taken without scores.
    assert run(dump(tmp_path, nodes[0], pod("plain")), "--config", configured(tmp_path, extender)) == 0
    assert open_one not in words(capsys.readouterr().out)


def test_preemption_is_uncertain_with_an_extender(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = [{"name": "main", "image": "a", "resources": {"requests": {"cpu": "4"}}}]
    extender = {"urlPrefix": "http://extender.example/api", "filterVerb": "filter", "preemptVerb": "preempt"}
    path = dump(
        tmp_path,
        node("n1"),
        pod("low", on="n1", containers=whole, priority=0),
        pod("high", containers=whole, priority=9),
    )

    assert run(path, "--pod", "shop/high", "--config", configured(tmp_path, extender)) == 1

    out = words(capsys.readouterr().out)
    assert "May fit by preemption: removing shop/low makes room on n1." in out
    assert "the extender http://extender.example/api may preempt other pods." in out
