"""`manage.py simulate` in a pipeline: status 0, 1 or 2, and a line that says why."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Any

import orjson
import pytest
from django.core.management import call_command

from clusters.models import Cluster, RunBase, SimulationRun
from clusters.wording.runs.summary import OUTCOMES
from tests.clusters.dumps import as_json, listed, node, pod
from tests.clusters.runs.test_spec import CATS, CRON_JOB, DEPLOYMENT, SECRET, SLICE

if TYPE_CHECKING:
    from pathlib import Path


def simulate(*arguments: object) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    try:
        call_command("simulate", *map(str, arguments), stdout=out, stderr=err, no_color=True)
    except SystemExit as end:
        return int(str(end.code)), out.getvalue(), err.getvalue()
    return 0, out.getvalue(), err.getvalue()


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    path = tmp_path / "dump.json"
    path.write_bytes(as_json(listed([node("n1"), node("n2"), pod("waiting", nodeSelector={"pool": "none"})])))
    return path


@pytest.fixture
def manifest(tmp_path: Path) -> Path:
    path = tmp_path / "web.yaml"
    path.write_text(DEPLOYMENT + "---" + SECRET, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("text", "status", "told"),
    [
        (CATS + SLICE.replace("SIZE", "large"), 0, "1 of 1 placed"),
        (CATS + SLICE.replace("SIZE", "small"), 1, "cannot allocate all claims"),
        (CRON_JOB.replace("name: report, ", "generateName: report-, "), 0, "2 of 2 placed"),
        (CRON_JOB.replace("0 3", "0 25"), 2, "document 1.spec.schedule"),
    ],
)
def test_manifests_of_devices_and_of_cron_jobs(dump: Path, tmp_path: Path, text: str, status: int, told: str) -> None:
    path = tmp_path / "cats.yaml"
    path.write_text(text, encoding="utf-8")
    found, out, err = simulate("--dump", dump, "--manifest", path)
    assert found == status, out + err
    assert told in out + err


# None of these reaches a database: pytest-django would refuse it.
def test_what_fits_has_status_0(dump: Path, manifest: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")

    status, out, err = simulate("--dump", dump, "--manifest", manifest)

    assert (status, err) == (0, "")
    assert out.startswith(
        "dump.json: Fits. Added pods: 3 of 3 placed. Previously pending pods: 0 of 1 placed, 1 pending.\n"
    )
    assert "1 no match for the pod's node selector or affinity (shop/waiting)" in " ".join(out.split())
    assert "Secret objects are left out" in out
    # Amounts and shares are written as pages write them.
    rows = [" ".join(line.split()) for line in out.splitlines()]
    assert {"CPU 0 % 19 % 1.5 CPU of 8 CPU", "memory 0 % 0 % 0 B of 16 GiB", "pods 0 % 1 % 3 of 220"} <= set(rows)


def test_what_does_not_fit_has_status_1_and_a_reason_in_one_line(dump: Path, manifest: Path) -> None:
    status, out, err = simulate("--dump", dump, "--manifest", manifest, "--replicas", 20)

    assert status == 1
    assert re.search(r"^ +4  insufficient CPU \(shop/web-\S+, ", out, re.MULTILINE)
    (line,) = err.splitlines()
    assert line.startswith(
        "Does not fit. Added pods: 16 of 20 placed, 4 pending. Previously pending pods: 0 of 1 placed, 1 pending. shop/"
    )
    assert "2 Insufficient cpu" in line
    assert simulate("--dump", dump, "--manifest", manifest, "--fail-if-pending")[0] == 1


def test_pods_that_the_api_server_refuses_are_listed_by_the_name_of_their_outcome(
    tmp_path: Path, manifest: Path
) -> None:
    path = tmp_path / "dump.json"
    quota = {"kind": "ResourceQuota", "apiVersion": "v1", "metadata": {"name": "few", "namespace": "shop"}}
    path.write_bytes(as_json(listed([node("n1"), {**quota, "spec": {"hard": {"pods": "1"}}}])))

    status, out, _ = simulate("--dump", path, "--manifest", manifest)

    lines = [" ".join(line.split()) for line in out.splitlines()]
    head = lines.index(str(OUTCOMES["forbidden"]))
    assert status == 1
    assert lines[head + 2].startswith("2 pods ")
    assert "exceeded quota: few" in " ".join(lines[head + 2 :])


@pytest.mark.parametrize("scheduler", [[], ["--samples"], ["--batch"], ["--batch", "--reschedules", "--gangs"]])
def test_machines_get_json(manifest: Path, scheduler: list[str], tmp_path: Path) -> None:
    changes = tmp_path / "changes.json"
    changes.write_bytes(orjson.dumps([{"change": "add-nodes", "count": 2, "cpu": "1", "memory": "1Gi"}]))

    arguments = ("--empty", "--change", f"@{changes}", "--manifest", manifest, "--replicas", 5, "--seed", 3)
    status, out, _ = simulate(*arguments, "--format", "json", *scheduler)

    document: dict[str, Any] = orjson.loads(out)
    assert status == 1
    assert (document["fits"], document["seed"], document["run"]) == (False, 3, None)
    assert document["summary"]["pods"]["placed"] == 4
    assert sorted(each["outcome"] for each in document["pods"]) == [*["placed"] * 4, "unschedulable"]


def test_a_trace_is_replayed(tmp_path: Path) -> None:
    nodes, pods = tmp_path / "nodes.csv", tmp_path / "pods.csv"
    nodes.write_text("sn,cpu_milli,memory_mib,gpu,model\nn1,4000,8192,0,\n", encoding="utf-8")
    head = "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,creation_time,deletion_time\n"
    rows = "a,3000,10,0,0,,0,50\nb,3000,10,0,0,,10,40\nc,3000,10,0,0,,60,90\n"
    pods.write_text(head + rows, encoding="utf-8")

    status, out, _ = simulate("--empty", "--trace", pods, "--trace-nodes", nodes)

    # The second one's time was over before there was room.
    assert status == 1
    assert out.startswith("An empty cluster: Does not fit. Added pods: 2 of 3 placed, 1 pending. openb/b:")
    assert "On the way: 3 pods completed." in out
    assert "1  NodeResourcesFit (openb/b)" in out


def test_a_trace_may_be_longer_than_manifests(tmp_path: Path) -> None:
    path, filler = tmp_path / "pods.csv", "x" * 4_000
    head = "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,creation_time,deletion_time,filler\n"
    path.write_text(head + "".join(f"p{number},1,1,0,0,,0,,{filler}\n" for number in range(600)), encoding="utf-8")

    status, out, _ = simulate("--empty", "--trace", path)

    assert status == 1
    assert "600" in out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--dump", "none.json"), "cannot be read"),
        (("--empty", "--change", "{"), "not JSON"),
        (("--empty", "--change", "@none.json"), "cannot be read"),
        (("--empty", "--change", '{"change": "cordon", "nodes": ["n9"]}'), "There is no Node n9"),
        (("--empty", "--replicas", "3"), "--manifest"),
        (("--empty", "--manifest", "none.yaml"), "cannot be read"),
        (("--empty", "--trace-nodes", "none.csv"), "--trace"),
        (("--empty", "--configuration", "none.yaml"), "cannot be read"),
        (("--empty", "--seed", "-1"), "not a whole number from 0"),
    ],
)
def test_bad_input_has_status_2(arguments: tuple[str, ...], told: str) -> None:
    status, out, err = simulate(*arguments)

    assert (status, out) == (2, "")
    assert told in err
    assert len(err.splitlines()) == 1


def test_a_run_of_a_cluster_may_be_stored(cluster: Cluster, manifest: Path) -> None:
    status, out, _ = simulate("--cluster", "prod", "--manifest", manifest, "--seed", 4)
    assert (status, RunBase.objects.count()) == (0, 0)
    again = simulate("--cluster", "prod", "--manifest", manifest, "--seed", 4, "--store", "--title", "Does it fit?")

    run = SimulationRun.objects.get()
    assert (run.title, run.state, run.spec["seed"]) == ("Does it fit?", "done", 4)
    assert again == (0, f"{out}\nStored as run {run.pk}: /simulations/{run.pk}/\n", "")
    assert simulate("--cluster", "other")[0] == 2
