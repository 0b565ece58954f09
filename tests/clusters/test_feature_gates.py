"""A cluster whose scheduler is started with other feature gates is answered with these, and every answer names them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson
import pytest
from django.core.management import call_command

from clusters.engine.versions import Gate
from clusters.models import Cluster
from clusters.services.files import read_dump
from clusters.services.ingest.configurations import set_feature_gates, use_default_feature_gates
from clusters.services.mirror.snapshots import release_of, snapshot_of
from clusters.services.runs.spec import SpecError, read_spec
from clusters.services.runs.starting import settled
from clusters.wording.releases import GATES_DIFFER, GATES_REFUSED
from tests.clusters.test_release_notice import objects
from tests.support.answers import error_of
from tests.support.mirrored import load, text
from tests.support.simulating import simulated_on

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client


GATES = "NoSuchGate=true,VolumeLimitScaling=true"
SET = {"VolumeLimitScaling": True}


def scheduler(*flags: str, namespace: str = "kube-system", name: str = "kube-scheduler") -> dict[str, Any]:
    container = {"name": name, "image": "kube-scheduler:v1.36.2", "command": ["kube-scheduler", *flags]}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"namespace": namespace, "name": "kube-scheduler-n1", "uid": "scheduler"},
        "spec": {"containers": [container], "nodeName": "n1"},
    }


@pytest.fixture
def cluster(tmp_path: Path, db: None) -> Cluster:
    return load(tmp_path, "shop", objects("v1.36.2"))


def explanation(client: Client) -> dict[str, Any]:
    found: dict[str, Any] = client.get("/api/v1/clusters/shop/pods/shop/web/explanation").json()
    return found


def test_gates_hold_for_the_snapshot_at_once(cluster: Cluster, signed_in_client: Client) -> None:
    assert not snapshot_of(cluster).release.enables(Gate.VOLUME_LIMIT_SCALING)

    set_feature_gates(cluster=cluster, settings=GATES.partition(",")[2])
    assert snapshot_of(cluster).release.enables(Gate.VOLUME_LIMIT_SCALING)
    answer = explanation(signed_in_client)
    assert answer["cluster"]["featureGates"] == answer["explanation"]["featureGates"] == SET
    assert "1 feature gate changed" in signed_in_client.get("/clusters/shop/nodes/").text

    use_default_feature_gates(cluster=cluster)
    assert not snapshot_of(cluster).release.enables(Gate.VOLUME_LIMIT_SCALING)
    answer = explanation(signed_in_client)
    assert answer["cluster"]["featureGates"] == {}
    assert "featureGates" not in answer["explanation"]
    assert "feature gate changed" not in signed_in_client.get("/clusters/shop/nodes/").text


@pytest.mark.parametrize("flags", [[f"--feature-gates={GATES}"], ["--v=2", "--feature-gates", GATES]])
def test_a_dump_brings_the_gates_of_its_scheduler_and_nothing_else_of_its_command(
    flags: list[str], tmp_path: Path, db: None, signed_in_client: Client
) -> None:
    found = load(tmp_path, "shop", [*objects("v1.36.2"), scheduler(*flags, "--kubeconfig=/secret")])

    assert found.feature_gates == SET
    assert release_of(found).changed_gates == SET
    assert read_dump(tmp_path / "shop.json").release.changed_gates == SET
    page = signed_in_client.get("/clusters/shop/configuration/").text
    assert "of the dump&#x27;s kube-scheduler apply" in page
    assert "VolumeLimitScaling=true" in page
    set_feature_gates(cluster=found, settings={})
    assert release_of(found).changed_gates == {}
    assert load(tmp_path, "shop", objects("v1.36.2")).feature_gates == {}


FINISHED = {**scheduler(f"--feature-gates={GATES}"), "status": {"phase": "Succeeded"}}


@pytest.mark.parametrize(
    "pod",
    [
        scheduler(f"--feature-gates={GATES}", namespace="shop"),
        scheduler(f"--feature-gates={GATES}", name="web"),
        FINISHED,
    ],
)
def test_flags_of_other_pods_are_not_read(pod: dict[str, Any], tmp_path: Path, db: None) -> None:
    assert load(tmp_path, "shop", [*objects("v1.36.2"), pod]).feature_gates == {}


def test_replicas_that_are_not_started_alike_are_said(tmp_path: Path, db: None, signed_in_client: Client) -> None:
    first, second = scheduler(f"--feature-gates={GATES}"), scheduler("--feature-gates=DRADeviceTaints=false")
    second["metadata"] = {**second["metadata"], "name": "kube-scheduler-n2", "uid": "second"}

    found = load(tmp_path, "shop", [*objects("v1.36.2"), first, second])

    assert found.feature_gates == {"DRADeviceTaints": None, "VolumeLimitScaling": None}
    assert release_of(found).changed_gates == {}
    assert read_dump(tmp_path / "shop.json").release.changed_gates == {}
    page = signed_in_client.get("/clusters/shop/configuration/").text
    assert GATES_DIFFER(gates="DRADeviceTaints and VolumeLimitScaling") in page


def test_of_two_copies_of_a_pod_the_newer_counts(tmp_path: Path, db: None) -> None:
    old, new = scheduler(f"--feature-gates={GATES}"), scheduler("--feature-gates=DRADeviceTaints=false")
    for day, each in enumerate((old, new), 1):
        each["metadata"] = {**each["metadata"], "uid": f"on-{day}", "creationTimestamp": f"2026-03-0{day}T10:00:00Z"}

    for copies in ([old, new], [new, old]):
        found = load(tmp_path, "shop", [*objects("v1.36.2"), *copies])
        assert found.feature_gates == {"DRADeviceTaints": False}


def test_the_page_sets_gates_and_takes_them_back(cluster: Cluster, admin_client: Client) -> None:
    address = "/clusters/shop/configuration/"
    assert "locked to the default" in admin_client.get(address).text

    admin_client.post(address, {"gates": "set", "gate-VolumeLimitScaling": "true", "gate-DRADeviceTaints": ""})
    cluster.refresh_from_db()
    assert cluster.chosen_feature_gates == SET
    page = admin_client.get(address).text
    assert "Feature gates that differ from the defaults: VolumeLimitScaling=true." in page
    admin_client.post(address, {"gates": "default"})
    cluster.refresh_from_db()
    assert cluster.chosen_feature_gates is None


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("gate-VolumeLimitScalin", "true", "Write VolumeLimitScaling."),
        ("gate-DRAAdminAccess", "false", "Kubernetes 1.36 locks DRAAdminAccess to true"),
    ],
)
def test_the_page_refuses_what_kube_scheduler_would(
    field: str, value: str, said: str, cluster: Cluster, admin_client: Client
) -> None:
    answer = admin_client.post("/clusters/shop/configuration/", {"gates": "set", field: value})

    assert answer.status_code == 400
    assert said in answer.text
    cluster.refresh_from_db()
    assert cluster.chosen_feature_gates is None


def test_who_may_not_change_clusters_sets_no_gates(cluster: Cluster, signed_in_client: Client) -> None:
    page = signed_in_client.get("/clusters/shop/configuration/").text
    assert 'name="gate-VolumeLimitScaling"' not in page
    answer = signed_in_client.post("/clusters/shop/configuration/", {"gates": "set", "gate-VolumeLimitScaling": "true"})
    assert answer.status_code == 403


def test_the_terminal_sets_gates(cluster: Cluster, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("configure", "shop", "--feature-gates", "VolumeLimitScaling=true")
    assert "shop is answered with VolumeLimitScaling=true." in capsys.readouterr().out
    cluster.refresh_from_db()
    assert cluster.chosen_feature_gates == SET

    refused = error_of(SystemExit, call_command, "configure", "shop", "--feature-gates", "VolumeLimitScalin=true")
    assert refused.code == 2
    assert "Write VolumeLimitScaling." in capsys.readouterr().err
    call_command("configure", "shop", "--default-feature-gates")
    assert "shop is answered with the default feature gates." in capsys.readouterr().out


def test_an_unknown_gate_of_a_case_line_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_bytes(orjson.dumps({"name": "one", "objects": [], "pods": [], "featureGates": {"Nonsense": True}}))

    with pytest.raises(SystemExit):
        call_command("explain", "--cases", str(path))
    assert "featureGates" in capsys.readouterr().err


def test_a_run_keeps_the_gates_that_its_cluster_had(cluster: Cluster) -> None:
    set_feature_gates(cluster=cluster, settings=SET)

    plain = settled(read_spec({"base": {"kind": "cluster"}}), cluster)
    assert plain.release.changed_gates == SET
    assert read_spec(plain.as_dict()) == plain
    own = settled(read_spec({"base": {"kind": "cluster"}, "featureGates": {}}), cluster)
    assert own.release.changed_gates == {}
    other = settled(read_spec({"base": {"kind": "cluster"}, "kubernetes": "v1.37.0"}), cluster)
    assert other.release.changed_gates == {}


def test_a_run_refuses_gates_that_its_cluster_cannot_have(cluster: Cluster) -> None:
    refused = error_of(SpecError, read_spec, {"base": {"kind": "cluster"}, "featureGates": {"Nonsense": True}})
    assert refused.field == "featureGates"
    spec = read_spec({"base": {"kind": "cluster"}, "featureGates": "DRAAdminAccess=false"})
    with pytest.raises(SpecError, match="LockedGate"):
        settled(spec, cluster)
    with pytest.raises(SpecError, match="LockedGate"):
        simulated_on([], spec, kube_version="v1.36.0")


def test_gates_that_the_minor_has_locked_are_named_and_count_for_nothing(db: None, admin_client: Client) -> None:
    gates = {"DRAPrioritizedList": False, "SchedulerQueueingHints": True, "VolumeLimitScaling": False}
    live = Cluster.objects.create(name="live", source=Cluster.Source.LIVE, kube_version="v1.37.1", feature_gates=gates)

    page = text(admin_client, "/clusters/live/configuration/")
    assert GATES_REFUSED(gates="DRAPrioritizedList=false and SchedulerQueueingHints=true", minor="1.37") in page
    assert release_of(live).enables(Gate.DRA_PRIORITIZED_LIST)
