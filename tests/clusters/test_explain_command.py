"""`manage.py explain` as it is run in a terminal, without a database."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import orjson
import pytest
from django.conf import settings
from django.core.management import call_command

from clusters.services.demo import demo_dump
from tests.clusters.dumps import as_json, as_yaml, listed, node, pod, small_cluster

if TYPE_CHECKING:
    from pathlib import Path

# No test here asks for the database, so pytest-django refuses every query that the command would make.

CONFIGURATION = {
    "apiVersion": "kubescheduler.config.k8s.io/v1",
    "kind": "KubeSchedulerConfiguration",
    "profiles": [{"schedulerName": "packing"}],
}


@pytest.fixture(autouse=True)
def _width(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path: Path = tmp_path_factory.mktemp("demo") / "demo.json"
    path.write_bytes(demo_dump())
    return path


def dump(folder: Path, objects: list[dict[str, Any]]) -> Path:
    path = folder / "dump.json"
    path.write_bytes(as_json(listed(objects)))
    return path


def run(*arguments: str | Path) -> int:
    """Run the command and return its exit status."""
    try:
        call_command("explain", *map(str, arguments))
    except SystemExit as end:
        return int(end.code or 0)
    return 0


def words(text: str) -> str:
    return " ".join(text.split())


# -- one pod ---------------------------------------------------------------------------------------------


def test_pod_that_fits_ends_with_0(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = dump(tmp_path, small_cluster())

    assert run(path, "--pod", "shop/waiting") == 0

    out = words(capsys.readouterr().out)
    assert "It fits on 2 of 2 nodes. The best is n2 with" in out
    assert "Scores of all 2 feasible nodes" in out
    assert "2 fits n1, n2" in out


def test_pod_that_does_not_fit_ends_with_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = dump(tmp_path, [node("n1"), pod("big", nodeSelector={"disk": "nvme"})])

    assert run(path, "--pod", "shop/big") == 1

    out = words(capsys.readouterr().out)
    assert "It fits on none of the 1 node." in out
    assert "0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector." in out
    assert "+1 NodeAffinity nodeSelector disk=nvme" in out


def test_only_pending_pod_need_not_be_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(dump(tmp_path, small_cluster())) == 0
    assert capsys.readouterr().out.startswith("shop/waiting")


def test_pod_without_namespace_is_in_the_default_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(dump(tmp_path, [node(), pod("web", "default")]), "--pod", "web") == 0
    assert capsys.readouterr().out.startswith("default/web")


def test_placed_pod_is_said_to_lie_somewhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(dump(tmp_path, small_cluster()), "--pod", "shop/web") == 0
    assert "It lies on n1 now" in capsys.readouterr().out


def test_gated_pod_does_not_fit_yet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = dump(tmp_path, [node(), pod("held", schedulingGates=[{"name": "shop.example/quota"}])])

    assert run(path) == 1
    assert "scheduling gates are removed: shop.example/quota" in words(capsys.readouterr().out)


def test_everything_that_can_be_said_is_said(demo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(demo, "--pod", "warehouse/forecast-kzkpl") == 1

    out = words(capsys.readouterr().out)
    for part in (
        "asks for cpu 2450m, memory 1Gi",
        "As the scheduler reports it 0/60 nodes are available:",
        "Filters, in their order Filter Left Rejects Asked alone NodeUnschedulable 59 1 1",
        "Nothing to check for this pod: NodePorts",
        "NodeResourcesFit: Insufficient cpu",
        "What would make it fit",
        "NodeResourcesFit cpu",
        "Asking for ",
        "Budgets broken",
        "The scheduler would remove batch/clickstream-",
        "Not in this dump, so answers that depend on them are uncertain: Node.",
    ):
        assert part in out, part


def test_pairs_are_shown_where_nothing_else_helps(demo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(demo, "--pod", "ml/arm-benchmark-bgskp")

    out = words(capsys.readouterr().out)
    assert "two together do" in out
    assert "+4 TaintToleration nvidia.com/gpu=present:NoSchedule and NodeAffinity nodeSelector" in out


def test_room_kept_for_nominated_pods_is_named(demo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(demo, "--pod", "shop/price-sync-6rch9jfbrx-rv55c")
    assert "Insufficient cpu (with the pods that are nominated there)" in words(capsys.readouterr().out)


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
    selector = {"matchLabels": {"app": "x"}}
    term = {"labelSelector": selector, "topologyKey": "zone\x1b[2J"}
    affinity = {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}

    run(dump(tmp_path, [node(), pod("web", affinity=affinity)]))

    out = capsys.readouterr().out
    assert "zone\N{REPLACEMENT CHARACTER}[2J" in out
    assert "\x1b" not in out


def test_json_is_the_whole_explanation(demo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(demo, "--pod", "warehouse/forecast-kzkpl", "-o", "json") == 1

    found = json.loads(capsys.readouterr().out)
    assert found["pod"] == "warehouse/forecast-kzkpl"
    assert found["fits"] is False
    assert found["message"].startswith(found["fitError"])
    assert sum(len(group["nodes"]) for group in found["groups"]) == len(found["nodes"]) == 60
    assert found["funnel"][0]["plugin"] == "NodeUnschedulable"
    assert found["relaxations"]["singles"][0]["lifted"] == [{"plugin": "NodeResourcesFit", "about": "cpu"}]
    assert found["preemption"]["selected"]["pdbViolations"] == 0


# -- all pending pods ------------------------------------------------------------------------------------


def test_all_pending_pods_have_a_line(demo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(demo, "--all-pending") == 1

    out = words(capsys.readouterr().out)
    assert "35 pods are pending." in out
    assert "Left to another scheduler, volcano." in out
    assert "Waits for its scheduling gates: finance.shop.example/approval." in out
    # As the queue has them: by priority.
    assert out.index("payments/payments-api") < out.index("search/reindex") < out.index("shop/checkout")


def test_all_pending_pods_as_json(demo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(demo, "--all-pending", "-o", "json") == 1

    found = {entry["pod"]: entry for entry in json.loads(capsys.readouterr().out)}
    assert found["shop/checkout-2w5zpr8hlv-msmqf"]["fits"] is True
    assert "unknownScheduler" in found["ml/gang-trainer-jlfzb"]


def test_all_fitting_ends_with_0(tmp_path: Path) -> None:
    assert run(dump(tmp_path, small_cluster()), "--all-pending") == 0


def test_nothing_pending_ends_with_0(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(dump(tmp_path, [node()]), "--all-pending") == 0
    assert "No pod is pending." in capsys.readouterr().out


# -- configurations --------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", [as_json, as_yaml])
def test_configuration_file_decides(form: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = dump(tmp_path, [node(), pod("job", schedulerName="packing")])
    config = tmp_path / "scheduler.yaml"
    config.write_bytes(form(CONFIGURATION))

    assert run(path) == 2
    assert run(path, "--config", config) == 0
    assert "Profile packing" in capsys.readouterr().out


def test_the_dump_s_own_configuration_is_used(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(dump(tmp_path, [node(), pod("job", schedulerName="packing"), CONFIGURATION])) == 0
    assert "Profile packing" in capsys.readouterr().out


# -- bad input -------------------------------------------------------------------------------------------


def complaint(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    """What the command says of bad input, on stderr and nowhere else."""
    assert run(*arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "Traceback" not in captured.err
    return words(captured.err)


def test_wrong_field_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = pod("web")
    wrong["spec"]["containers"][0]["resources"]["requests"]["cpu"] = "1.5Gi "

    said = complaint(capsys, dump(tmp_path, [node(), wrong]))

    assert "dump.json, document 1, Pod shop/web, items[1].spec.containers[0].resources.requests.cpu" in said


def test_wrong_configuration_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "scheduler.yaml"
    config.write_bytes(as_yaml({**CONFIGURATION, "percentageOfNodesToScore": 300}))

    said = complaint(capsys, dump(tmp_path, small_cluster()), "--config", config)

    assert said.startswith("scheduler.yaml, percentageOfNodesToScore: ")


@pytest.mark.parametrize(
    ("content", "words_of_it"), [(b"", "It is empty."), (b"a: 1\n---\nb: 2\n", "It holds 2 documents.")]
)
def test_configuration_is_one_document(
    content: bytes, words_of_it: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "scheduler.yaml"
    config.write_bytes(content)

    assert words_of_it in complaint(capsys, dump(tmp_path, small_cluster()), "--config", config)


def test_missing_file_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "nowhere.json: It cannot be read" in complaint(capsys, tmp_path / "nowhere.json")


def test_dump_without_nodes_and_pods_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "neither nodes nor pods" in complaint(capsys, dump(tmp_path, small_cluster()[:1]))


def test_several_pending_pods_are_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = complaint(capsys, dump(tmp_path, [node(), pod("a"), pod("b")]))
    assert "2 pods are pending. Choose one with --pod, or see them all with --all-pending: shop/a, shop/b" in said


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


# -- recorded cases --------------------------------------------------------------------------------------


def case(name: str = "two of three") -> dict[str, Any]:
    small = node("n1", status={"allocatable": {"cpu": "250m", "memory": "8Gi", "pods": "110"}})
    return {"name": name, "objects": [small], "pods": [pod("a"), pod("b"), pod("c")], "expect": []}


@pytest.mark.parametrize("compress", [bytes, gzip.compress])
def test_each_pod_of_a_case_meets_those_before_it(compress: Any, tmp_path: Path) -> None:
    cases, answers = tmp_path / "cases.jsonl", tmp_path / "answers.jsonl"
    cases.write_bytes(compress(orjson.dumps(case()) + b"\n\n" + orjson.dumps(case("again"))))

    assert run("--cases", cases, "-o", answers) == 0

    found = [json.loads(line) for line in answers.read_text().splitlines()]
    assert [answer["name"] for answer in found] == ["two of three", "again"]
    for answer in found:
        assert [result.get("chosen") for result in answer["results"]] == ["n1", "n1", None]
        assert answer["results"][2]["fitError"] == "0/1 nodes are available: 1 Insufficient cpu."


def test_case_with_a_configuration_is_answered_by_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cases = tmp_path / "cases.jsonl"
    asked = {**case(), "config": CONFIGURATION, "pods": [pod("a", schedulerName="packing")]}
    cases.write_bytes(orjson.dumps(asked))

    assert run("--cases", cases) == 0
    assert json.loads(capsys.readouterr().out)["results"][0]["chosen"] == "n1"


@pytest.mark.parametrize(
    ("second", "said"),
    [
        (b'{"name": ', "cases.jsonl, document 2: The line is not JSON"),
        (b"[]", "cases.jsonl, document 2: [] is not a case."),
        (b'{"objects": 1, "pods": []}', "cases.jsonl, document 2, objects: 1 is not a list of objects."),
        (b'{"objects": [], "pods": [], "config": {}}', "cases.jsonl, document 2, config.apiVersion: It is refused"),
        (
            b'{"objects": [], "pods": [{"spec": {"schedulerName": "volcano"}}]}',
            "cases.jsonl, document 2, pods: no profile has the scheduler name 'volcano'",
        ),
        (
            b'{"objects": [{"kind": "Node", "status": {"allocatable": {"cpu": "much"}}}], "pods": []}',
            "cases.jsonl, document 2, objects:",
        ),
    ],
)
def test_bad_line_is_named(second: bytes, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cases = tmp_path / "cases.jsonl"
    cases.write_bytes(orjson.dumps(case()) + b"\n" + second)

    assert said in complaint(capsys, "--cases", cases, "-o", tmp_path / "answers.jsonl")


def test_truncated_cases_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cases = tmp_path / "cases.jsonl.gz"
    cases.write_bytes(gzip.compress(orjson.dumps(case()) * 50)[:-20])

    assert "cases.jsonl.gz: It cannot be read" in complaint(capsys, "--cases", cases, "-o", tmp_path / "answers")


def test_answers_that_cannot_be_written_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cases = tmp_path / "cases.jsonl"
    cases.write_bytes(orjson.dumps(case()))

    assert "cannot be written" in complaint(capsys, "--cases", cases, "-o", tmp_path / "no" / "where")


# -- the process -----------------------------------------------------------------------------------------


def test_reader_may_go_away_early(demo: Path) -> None:
    command = [sys.executable, "manage.py", "explain", str(demo), "--pod", "warehouse/forecast-kzkpl", "-o", "json"]
    with subprocess.Popen(command, cwd=settings.BASE_DIR, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141
