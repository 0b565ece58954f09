"""`manage.py explain --cases`: many small clusters at once."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING, Any

import orjson
import pytest

from tests.clusters.dumps import node, pod
from tests.clusters.explaining import CONFIGURATION, complaint, run
from tests.support.defects import ERROR, broken, defect

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["defect"]

# No test here asks for the database, so pytest-django refuses every query that the command would make.


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


@pytest.mark.usefixtures("defect")
def test_a_case_that_cannot_be_computed_costs_no_other(tmp_path: Path) -> None:
    cases, answers = tmp_path / "cases.jsonl", tmp_path / "answers.jsonl"
    bad = {**case("bad"), "pods": [broken(pod("a"))]}
    cases.write_bytes(b"\n".join(orjson.dumps(each) for each in (case("first"), bad, case("last"))))

    assert run("--cases", cases, "-o", answers) == 0

    found = [json.loads(line) for line in answers.read_text().splitlines()]
    assert [(answer["name"], len(answer["results"])) for answer in found] == [("first", 3), ("bad", 0), ("last", 3)]
    assert found[1]["notComputed"] == ERROR


def test_case_with_a_configuration_is_answered_by_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cases = tmp_path / "cases.jsonl"
    asked = {**case(), "config": CONFIGURATION, "pods": [pod("a", schedulerName="packing")]}
    cases.write_bytes(orjson.dumps(asked))

    assert run("--cases", cases) == 0
    assert json.loads(capsys.readouterr().out)["results"][0]["chosen"] == "n1"


@pytest.mark.parametrize(
    ("second", "said"),
    [
        (b'{"name": ', "cases.jsonl, document 2: It is not JSON"),
        (b"[]", "cases.jsonl, document 2: [] is not a map."),
        (b'{"objects": 1, "pods": []}', "cases.jsonl, document 2, objects: 1 is not a list."),
        (b'{"objects": [], "pods": [], "config": {}}', "cases.jsonl, document 2, config.apiVersion: "),
        (
            b'{"objects": [], "pods": [{"spec": {"schedulerName": "volcano"}}]}',
            "cases.jsonl, document 2, pods: Another scheduler, 'volcano', places this pod",
        ),
        (
            b'{"objects": [{"kind": "Node", "status": {"allocatable": {"cpu": "much"}}}], "pods": []}',
            "cases.jsonl, document 2, objects:",
        ),
    ],
)
def test_bad_line_is_named_and_costs_no_other(
    second: bytes, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cases, answers = tmp_path / "cases.jsonl", tmp_path / "answers.jsonl"
    cases.write_bytes(b"\n".join((orjson.dumps(case("first")), second, orjson.dumps(case("last")))))

    assert said in complaint(capsys, "--cases", cases, "-o", answers)

    found = [json.loads(line) for line in answers.read_text().splitlines()]
    assert [(answer["name"], len(answer["results"])) for answer in found] == [("first", 3), (None, 0), ("last", 3)]
    assert said in found[1]["refused"]


def test_truncated_cases_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cases = tmp_path / "cases.jsonl.gz"
    cases.write_bytes(gzip.compress(orjson.dumps(case()) * 50)[:-20])

    assert "cases.jsonl.gz: It cannot be read" in complaint(capsys, "--cases", cases, "-o", tmp_path / "answers")


def test_answers_that_cannot_be_written_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cases = tmp_path / "cases.jsonl"
    cases.write_bytes(orjson.dumps(case()))

    assert "cannot be written" in complaint(capsys, "--cases", cases, "-o", tmp_path / "no" / "where")
