"""`manage.py simulate` in a pipeline: status 0, 1 or 2, and a line that says why."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import orjson
import pytest
from django.core.management import call_command

from clusters.models import Cluster, RunBase, SimulationRun
from tests.clusters.dumps import as_json, listed, node, pod
from tests.clusters.runs.test_spec import DEPLOYMENT, SECRET

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


# None of these reaches a database: pytest-django would refuse it.
def test_what_fits_has_status_0(dump: Path, manifest: Path) -> None:

    status, out, err = simulate("--dump", dump, "--manifest", manifest)

    assert (status, err) == (0, "")
    assert out.startswith("dump.json: Fits.")
    assert "Secret objects are left out" in out


def test_what_does_not_fit_has_status_1_and_a_reason_in_one_line(dump: Path, manifest: Path) -> None:
    status, _, err = simulate("--dump", dump, "--manifest", manifest, "--replicas", 20)

    assert status == 1
    (line,) = err.splitlines()
    assert line.startswith("Does not fit.")
    assert "2 Insufficient cpu" in line
    assert simulate("--dump", dump, "--manifest", manifest, "--fail-if-pending")[0] == 1


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
    assert "2 of 3 placed" in out


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
