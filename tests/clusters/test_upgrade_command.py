"""`manage.py upgrade` as it is run in a terminal; with a dump without a database."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import call_command

from clusters.engine.versions import RELEASES
from clusters.services.files import read_dump
from clusters.services.upgrading import preview_of_cluster, preview_of_dump
from tests.clusters.dumps import as_json, listed, node, pod
from tests.support.mirrored import load

if TYPE_CHECKING:
    from pathlib import Path

MINORS = tuple(RELEASES)
MESSAGE = (
    "0/1 nodes are available: 1 node(s) had untolerated taint%s. no new claims to deallocate, preemption: 0/1 nodes "
    "are available: 1 Preemption is not helpful for scheduling."
)
TAINT = {"key": "dedicated", "value": "gpu", "effect": "NoSchedule"}


@pytest.fixture(autouse=True)
def _width(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "400")


def objects(version: str = "v1.34.1", taints: tuple[dict[str, str], ...] = (TAINT,)) -> list[dict[str, Any]]:
    one = node("n1")
    info = {**one["status"], "nodeInfo": {"kubeletVersion": version}}
    return [{**one, "spec": {"taints": list(taints)}, "status": info}, pod("web-1")]


def written(folder: Path, *found: dict[str, Any]) -> Path:
    path = folder / "dump.json"
    path.write_bytes(as_json(listed(list(found))))
    return path


def run(*arguments: object) -> int:
    try:
        call_command("upgrade", *map(str, arguments))
    except SystemExit as end:
        return int(end.code or 0)
    return 0


def test_a_dump_tells_what_changes_by_release_and_rule(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--dump", written(tmp_path, *objects()), "--to", "1.35") == 1

    assert capsys.readouterr().out.splitlines() == [
        (
            "Upgrade to 1.35: 0 with another result, 0 with other best nodes, 1 with another message, "
            "of 0 workloads and 1 pending pod."
        ),
        "Drain: 0 of 1 node in 1 node pool would meet something else.",
        "",
        "Scheduler configuration",
        "  1.35, default-scheduler: DynamicResources in score has weight 2.",
        "",
        "1.35: 0 workloads, 1 pending pod",
        "  TaintToleration names no taint in its message (from 1.34.2).",
        "  FailedScheduling message  shop/web-1",
        f"  Before                    {MESSAGE % ' {dedicated: gpu}'}",
        f"  After                     {MESSAGE % '(s)'}",
    ]


def test_the_json_has_rules_with_sentences(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--dump", written(tmp_path, *objects()), "--to", "v1.35", "-o", "json") == 1

    found = json.loads(capsys.readouterr().out)
    (difference,) = found["differences"]
    assert (found["before"], found["after"], found["pendingPodsChanged"]) == ("1.34", "1.35", 1)
    assert (difference["release"], difference["difference"]) == ("1.35", "message")
    assert difference["rules"] == [
        {
            "kind": "rule",
            "name": "names_taints",
            "sentence": "TaintToleration names no taint in its message (from 1.34.2).",
        }
    ]
    assert difference["plugins"] == ["TaintToleration"]
    assert difference["pods"] == ["shop/web-1"]
    assert found["words"]["headline"].startswith("Upgrade to 1.35: ")


def of_set(number: int, day: int, *, owner: str = "db", kind: str = "StatefulSet", **more: Any) -> dict[str, Any]:
    made = pod(f"{owner}-{number}", on="n1", nodeSelector={"day": f"{day}"})
    owners = [{"apiVersion": "apps/v1", "kind": kind, "name": owner, "controller": True}]
    metadata = {**made["metadata"], "ownerReferences": owners, "creationTimestamp": f"2025-01-{day:02}T00:00:00Z"}
    return {**made, **more, "metadata": {**metadata, **more.get("metadata", {})}}


@pytest.mark.django_db
def test_of_a_mirrored_cluster_the_same_pods_are_tried_as_of_its_dump(tmp_path: Path) -> None:
    found = [
        *objects(),
        *(of_set(number, 12 - number) for number in range(11)),
        of_set(11, 20, status={"phase": "Succeeded"}),
        of_set(12, 20, metadata={"deletionTimestamp": "2025-02-01T00:00:00Z"}),
        *(of_set(number, 3, owner="api", kind="ReplicaSet") for number in range(3)),
        of_set(8, 9, owner="api", kind="ReplicaSet", metadata={"namespace": "other"}),
        pod("alone"),
    ]
    cluster, target = load(tmp_path, "sets", found), RELEASES["1.37"]

    preview = preview_of_cluster(cluster=cluster, target=target)[1]

    assert preview == preview_of_dump(dump=read_dump(written(tmp_path, *found)), target=target)
    nexts = {each.pods[0]: each.document["spec"].get("nodeSelector") for each in preview.subjects}
    assert nexts["shop/db-11"] == {"day": "12"}
    assert nexts.keys() == {"shop/db-11", "shop/api-next", "other/api-next", "shop/web-1", "shop/alone"}


def test_gates_with_which_a_later_scheduler_does_not_start_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    flags = "--feature-gates=DRAAdminAccess=false,SchedulerQueueingHints=true,VolumeLimitScaling=false"
    scheduler = pod("kube-scheduler-n1", on="n1", namespace="kube-system")
    scheduler["spec"]["containers"] = [{"name": "kube-scheduler", "command": ["kube-scheduler", flags]}]

    assert run("--dump", written(tmp_path, *objects(taints=()), scheduler), "--to", "1.37") == 1

    printed = capsys.readouterr().out.splitlines()
    start = printed.index("kube-scheduler does not start, or crashes, after the upgrade")
    take = "Take %s out of --feature-gates."
    assert printed[start + 1 : start + 4] == [
        f"  1.36: the feature gate DRAAdminAccess is locked to true. {take % 'DRAAdminAccess=false'}",
        f"  1.37: the feature gate SchedulerQueueingHints is removed. {take % 'SchedulerQueueingHints=true'}",
        "",
    ]


def workload_with_quota(**hard: str) -> list[dict[str, Any]]:
    """A node, a pod with requests at its own level whose container is limited, and a quota of its namespace."""
    owner = {"apiVersion": "apps/v1", "kind": "StatefulSet", "name": "db", "uid": "db", "controller": True}
    running = pod("db-0", on="n1")
    running["metadata"]["ownerReferences"] = [owner]
    amounts = {"memory": "1Gi"}
    running["spec"]["containers"] = [{"name": "main", "resources": {"requests": amounts, "limits": amounts}}]
    running["spec"]["resources"] = {"requests": {"memory": "4Gi"}}
    quota = {
        "apiVersion": "v1",
        "kind": "ResourceQuota",
        "metadata": {"name": "share", "namespace": "shop", "uid": "share"},
        "spec": {"hard": hard},
        "status": {"hard": hard, "used": dict.fromkeys(hard, "0")},
    }
    return [objects(taints=())[0], running, quota]


def test_a_next_pod_that_a_later_api_server_refuses_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, *workload_with_quota(**{"limits.memory": "2Gi"}))
    assert run("--dump", path, "--to", "1.37") == 1
    assert "exceeded quota: share, " in capsys.readouterr().out
    assert run("--dump", path, "--to", "1.37", "-o", "json") == 1
    (difference,) = json.loads(capsys.readouterr().out)["differences"]
    assert (difference["difference"], difference["before"]["refusals"]) == ("admission", [])
    (refusal,) = difference["after"]["refusals"]
    assert (refusal["by"], refusal["field"]) == ("ResourceQuota", "spec")
    assert "share" in refusal["problem"]


def test_a_next_pod_that_no_api_server_creates_is_noted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, *workload_with_quota(**{"requests.memory": "1Gi"}))
    run("--dump", path, "--to", "1.37", "-o", "json")
    found = json.loads(capsys.readouterr().out)

    assert (found["refusedPodCount"], found["refusedPods"][0]["workload"]["name"]) == (1, "db")
    (note,) = [each for each in found["words"]["notes"] if "refuses the next pod of 1 workload" in each]
    assert "StatefulSet shop/db: " in note


@pytest.mark.parametrize(
    ("version", "minor", "said"),
    [
        ("v1.34.1", "1.99", f"--to: '1.99' is not valid here. Write {', '.join(MINORS[:-1])} or {MINORS[-1]}."),
        (f"v{MINORS[-2]}.0", "1.35", f"--to: 1.35 is not valid here. Write {MINORS[-1]}."),
        (f"v{MINORS[-1]}.0", MINORS[-1], f"--to: {MINORS[-1]} is not valid here."),
    ],
)
def test_a_minor_that_is_not_later_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], version: str, minor: str, said: str
) -> None:
    assert run("--dump", written(tmp_path, *objects(version)), "--to", minor) == 2

    assert capsys.readouterr().err.strip() == said


@pytest.mark.django_db
def test_a_cluster_is_previewed_as_it_is_now(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    load(tmp_path, "prod", objects())

    assert run("--cluster", "prod", "--to", "1.35") == 1
    assert "1.35: 0 workloads, 1 pending pod" in capsys.readouterr().out

    assert run("--cluster", "other", "--to", "1.35") == 2
    assert "prod" in capsys.readouterr().err


def drained() -> list[dict[str, Any]]:
    """A node of one pool whose only pod fits on no node of the other."""
    owner = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web", "uid": "web", "controller": True}
    running = pod("web-1", on="n1")
    running["metadata"]["ownerReferences"] = [owner]
    (first, _), second = objects(taints=()), node("n2")
    first["metadata"] = {**first["metadata"], "labels": {"pool": "general"}}
    second["metadata"] = {**second["metadata"], "labels": {"pool": "gpu"}}
    return [first, {**second, "spec": {"taints": [TAINT]}, "status": first["status"]}, running]


def test_the_drain_of_each_pool_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--dump", written(tmp_path, *drained()), "--to", "1.35") == 1

    printed = capsys.readouterr().out.splitlines()
    start = printed.index("Drain of each node pool: general, 1 of 1 node evaluated")
    assert printed[start + 1 : start + 4] == [
        "  Kubernetes 1.35",
        "  TaintToleration names no taint in its message (from 1.34.2).",
        "  FailedScheduling message  n1",
    ]
    assert "{dedicated: gpu}" in printed[start + 4]
    assert "{dedicated: gpu}" not in printed[start + 5]
