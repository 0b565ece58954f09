"""`manage.py explain` as it is run in a terminal, without a database."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings

from clusters.services.ingest.demo import demo_list
from tests.clusters.dumps import as_json, as_yaml, listed, node, pod, small_cluster
from tests.clusters.explaining import CONFIGURATION, complaint, run, words
from tests.support.defects import AT_ONCE, ERROR, LATER, broken, defect

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["defect"]

# No test here asks for the database, so pytest-django refuses every query that the command would make.


@pytest.fixture(autouse=True)
def _width(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path: Path = tmp_path_factory.mktemp("demo") / "demo.json"
    path.write_bytes(demo_list())
    return path


def dump(folder: Path, objects: list[dict[str, Any]]) -> Path:
    path = folder / "dump.json"
    path.write_bytes(as_json(listed(objects)))
    return path


# -- a pod that cannot be computed -----------------------------------------------------------------------


@pytest.mark.usefixtures("defect")
def test_pod_that_cannot_be_computed_costs_its_own_row(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = dump(tmp_path, [*small_cluster(), broken(pod("bad")), pod("big", nodeSelector={"disk": "nvme"})])

    assert run(path, "--all-pending") == 4
    table = capsys.readouterr()
    assert run(path, "--all-pending", "-o", "json") == 4
    data = json.loads(capsys.readouterr().out)

    assert "1 pod could not be computed." in words(table.out)
    assert f"shop/bad Could not be computed: {ERROR}" in words(table.out)
    assert "shop/waiting 0 Fits on 2 of 2 nodes." in words(table.out)
    assert "Traceback" not in table.out
    fits = {row["pod"]: row["explanation"]["fits"] for row in data if "explanation" in row}
    assert fits == {"shop/waiting": True, "shop/big": False}
    assert [row["notComputed"] for row in data if row["pod"] == "shop/bad"] == [ERROR]


@pytest.mark.usefixtures("defect")
@pytest.mark.parametrize("image", [AT_ONCE, LATER])
def test_one_pod_that_cannot_be_computed_ends_with_4(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], image: str
) -> None:
    path = dump(tmp_path, [node("n1"), broken(pod("bad", nodeSelector={"disk": "nvme"}), image)])

    assert run(path, "--pod", "shop/bad") == 4

    assert f"The pod could not be computed: {ERROR}. It is a defect of Berth" in words(capsys.readouterr().err)


# -- one pod ---------------------------------------------------------------------------------------------


def test_pod_that_fits_ends_with_0(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(dump(tmp_path, small_cluster()), "--pod", "shop/waiting") == 0

    out = words(capsys.readouterr().out)
    assert "Fits on 2 of 2 nodes. The best is n2 with" in out
    assert "Scores of the best 2 of 2 feasible nodes" in out
    assert "2 no filter rejects the pod n1 and n2" in out


def test_pod_that_does_not_fit_ends_with_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = dump(tmp_path, [node("n1"), pod("big", nodeSelector={"disk": "nvme"})])

    assert run(path, "--pod", "shop/big") == 1

    out = words(capsys.readouterr().out)
    assert "0 of 1 node fits." in out
    assert "0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector." in out
    assert "Remove the node selector disk=nvme: it fits on 1 node." in out


def test_pod_without_namespace_is_in_the_default_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(dump(tmp_path, [node(), pod("web", "default")]), "--pod", "web") == 0
    assert capsys.readouterr().out.startswith("default/web")


def test_dump_is_read_from_standard_input(tmp_path: Path) -> None:
    arguments = [sys.executable, "manage.py", "explain", "-", "--pod", "shop/waiting"]
    content = as_json(listed(small_cluster()))

    answered = subprocess.run(arguments, input=content, capture_output=True, cwd=settings.BASE_DIR, check=True)

    assert answered.stdout.startswith(b"shop/waiting")


@pytest.mark.parametrize("columns", [60, 100, 160])
def test_lines_keep_to_the_width(
    columns: int, demo: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))

    run(demo, "--pod", "shop/checkout-2w5zpr8hlv-msmqf")

    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= columns
    scored = next(line for line in lines if line.startswith("Scores of the best"))
    assert int(scored.split()[4]) == {60: 1, 100: 4, 160: 5}[columns]


def test_control_characters_never_reach_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    term = {"labelSelector": {"matchLabels": {"app": "x"}}, "topologyKey": "zone\x1b[2J"}
    affinity = {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}

    run(dump(tmp_path, [node(), pod("web", affinity=affinity)]))

    out = capsys.readouterr().out
    assert "zone\N{REPLACEMENT CHARACTER}[2J" in out
    assert "\x1b" not in out


def test_json_is_the_whole_explanation(demo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(demo, "--pod", "warehouse/forecast-kzkpl", "-o", "json") == 1

    answer = json.loads(capsys.readouterr().out)
    found = answer["explanation"]
    assert found["pod"] == "warehouse/forecast-kzkpl"
    assert found["fits"] is False
    assert found["message"].startswith(found["fitError"])
    assert sum(len(group["examples"]) for group in found["groups"]) == len(found["nodes"]) == 60
    assert found["funnel"][0]["plugin"] == "NodeUnschedulable"
    assert found["relaxations"]["singles"][0]["lifted"] == [
        {"plugin": "NodeResourcesFit", "subject": {"kind": "resource", "resource": "cpu"}}
    ]
    assert found["preemption"]["selected"]["pdbViolations"] == 0
    kinds = {"verdict", "uncertainties", "doubts", "volumes", "ways", "circumstances", "autoscaler"}
    assert set(answer["words"]) == kinds


# -- all pending pods ------------------------------------------------------------------------------------


def test_all_pending_pods_have_a_line(demo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(demo, "--all-pending") == 1

    out = words(capsys.readouterr().out)
    assert "36 pods are pending, evaluated independently." in out
    assert "Another scheduler: volcano." in out
    assert "The scheduling gate finance.shop.example/approval keeps the pod out of the queue." in out
    # As the queue has them: by priority.
    assert out.index("payments/payments-api") < out.index("search/reindex") < out.index("shop/checkout")


def test_nothing_pending_ends_with_0(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(dump(tmp_path, [node()]), "--all-pending") == 0
    assert "No pod is pending." in capsys.readouterr().out


# -- configurations --------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", [as_json, as_yaml])
def test_configuration_file_decides(form: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = dump(tmp_path, [node(), pod("job", schedulerName="packing")])
    config = tmp_path / "scheduler.yaml"
    config.write_bytes(form(CONFIGURATION))

    assert run(path) == 3
    assert run(path, "--config", config) == 0
    assert "Profile packing" in capsys.readouterr().out


def test_the_dump_s_own_configuration_is_used(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(dump(tmp_path, [node(), pod("job", schedulerName="packing"), CONFIGURATION])) == 0
    assert "Profile packing" in capsys.readouterr().out


# -- bad input -------------------------------------------------------------------------------------------


def test_wrong_field_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = pod("web")
    wrong["spec"]["containers"][0]["resources"]["requests"]["cpu"] = "1.5Gi "

    said = complaint(capsys, dump(tmp_path, [wrong]))

    assert "dump.json, document 1, Pod shop/web, items[0].spec.containers[0].resources.requests.cpu" in said


def test_wrong_configuration_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "scheduler.yaml"
    config.write_bytes(as_yaml({**CONFIGURATION, "percentageOfNodesToScore": 300}))

    said = complaint(capsys, dump(tmp_path, small_cluster()), "--config", config)

    assert said.startswith("scheduler.yaml, percentageOfNodesToScore: 300 is not a whole number from 0 to 100.")


def test_missing_file_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "nowhere.json: It cannot be read" in complaint(capsys, tmp_path / "nowhere.json")


def test_several_pending_pods_are_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = complaint(capsys, dump(tmp_path, [node(), pod("a"), pod("b")]))
    assert "2 pods are pending. Choose one with --pod, or --all-pending: shop/a and shop/b." in said


def test_unknown_node_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "There is no Node n9." in complaint(capsys, dump(tmp_path, small_cluster()), "--node", "n9")


def test_unknown_pod_is_named_with_those_that_wait(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = complaint(capsys, dump(tmp_path, small_cluster()), "--pod", "shop/nobody")
    assert "It holds no pod shop/nobody." in said
    assert "shop/waiting" in said


@pytest.mark.parametrize(
    "arguments",
    [[], ["dump.json", "-o", "xml"], ["dump.json", "--pod", "a", "--all-pending"], ["dump.json", "--cases", "c.jsonl"]],
)
def test_arguments_that_make_no_sense_are_refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert complaint(capsys, *arguments)


# -- the process -----------------------------------------------------------------------------------------


def test_reader_may_go_away_early(demo: Path) -> None:
    command = [sys.executable, "manage.py", "explain", str(demo), "--pod", "warehouse/forecast-kzkpl", "-o", "json"]
    with subprocess.Popen(command, cwd=settings.BASE_DIR, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141


def test_everything_that_can_be_said_is_said(demo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(demo, "--pod", "warehouse/forecast-kzkpl") == 1

    out = words(capsys.readouterr().out)
    for part in (
        "As the scheduler reports it 0/60 nodes are available:",
        "Filters, in their order Filter Remaining Rejects Alone NodeUnschedulable 59 1 1",
        "Request at most 1.535 CPU instead of 2.45 CPU: it fits on general-a-01.",
        "Fits by preemption: removing batch/clickstream-cdc646m85q-ttwrw makes room on general-a-04.",
        "Budgets violated",
        "The scheduler would remove batch/clickstream-",
    ):
        assert part in out, part


def test_node_shows_every_comparison_with_nominated_pods_counted(
    demo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(demo, "--pod", "payments/payments-api-qjzrvfwgrd-m6jpn", "--node", "general-b-03") == 1

    out = words(capsys.readouterr().out)
    assert "fails NodeResourcesFit: cpu request 2.45 CPU" in out
    assert "payments/fraud-scoring-lszqx7w8bn-pbz4v" in out


def test_missing_node_is_mentioned_where_its_pods_would_count(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spread = {"maxSkew": 1, "topologyKey": "kubernetes.io/hostname", "whenUnsatisfiable": "ScheduleAnyway"}
    selecting = {**spread, "labelSelector": {"matchLabels": {"app": "web"}}}
    lost = pod("lost", on="gone")
    lost["metadata"]["labels"] = {"app": "web"}
    path = dump(tmp_path, [node(), lost, pod("spread", topologySpreadConstraints=[selecting]), pod("alone")])

    assert run(path, "--pod", "shop/spread") == 0
    counted = words(capsys.readouterr().out)
    assert run(path, "--pod", "shop/alone") == 0

    assert "Pods run on nodes that the source lacks: gone." in counted
    assert "would count shop/lost." in counted
    assert "gone" not in capsys.readouterr().out


def test_dump_without_nodes_asks_for_them_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(dump(tmp_path, [pod("web")])) == 1

    out = words(capsys.readouterr().out)
    assert "The cluster has no nodes here. Take the dump again with its nodes." in out
    assert "Ways to make it schedulable" not in out
    assert "Nodes by verdict" not in out
