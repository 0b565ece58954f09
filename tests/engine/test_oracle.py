"""Berth answers as each kube-scheduler did: every filter, verdict, score, text and preemption of the corpus."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import orjson
import pytest

from clusters.engine import Snapshot
from clusters.engine.scheduling import recorded_group, replay
from clusters.engine.versions import RELEASES, match_release
from tests.engine.oracle import CORPORA, CORPUS, asked_of, comparable, importance_of_pods, written_cases

if TYPE_CHECKING:
    from collections.abc import Iterator


def recorded(*files: str) -> Iterator[dict[str, Any]]:
    """The results of these files; none of them is kept."""
    for file in files:
        for line in written_cases(file).values():
            yield from orjson.loads(line)["expect"]


def test_the_readme_counts_what_is_compared() -> None:
    clusters = sum(len(written_cases(corpus)) for corpus in CORPORA)
    counts: Counter[str] = Counter()
    for result in recorded(*CORPORA):
        counts.update(["pods"], nodes=len(result["nodes"]))
        if "cycleError" in result or "scoreError" in result:
            counts.update(["ended"])
        else:
            counts.update(["compared", *(part for part in ("preemption", "message") if part in result)])
            counts["cells"] += sum(len(node.get("scores") or ()) for node in result["nodes"].values())
    readme = (CORPUS.parents[2] / "README.md").read_text(encoding="utf-8")

    assert f"{clusters} clusters, {counts.pop('pods'):,} pods, {counts['nodes']:,} nodes" in readme
    for count in counts.values():
        assert f"| {count:,} of {count:,} |" in readme


def test_the_corpus_is_whole() -> None:
    """A corpus that lost its cases would prove nothing."""
    sizes = {"general": 500, "wider": 193, "minimal": 10, "examples": 42, "dra": 120}
    assert {corpus: len(written_cases(corpus)) for corpus in CORPORA} == sizes
    assert sum(1 for _ in recorded("general")) == 1515


MINORS = tuple(minor for minor in RELEASES if minor != "1.34")
CORPORA_OF_MINORS = ("general", "examples", "dra")
_MORE = {"config": 60, "declared": 40, "devices": 80, "devlarge": 10, "minimal": 19, "preempt": 50}
# Of some minors more was asked: by file, how many clusters.
MORE = {"1.37": {**_MORE, "minimalconfig": 2, "wider": 114}, "1.38": {**_MORE, "wider": 113}}
FILES = (
    *CORPORA,
    *(f"{minor}/{corpus}" for minor in MINORS for corpus in (*CORPORA_OF_MINORS, *MORE.get(minor, ()))),
    "1.34.9/examples",
    "1.34.9/general",
)


# What the newest minor decides otherwise of devices is nowhere else as whole: coverage watches these.
MEASURED = ("1.38/devices", "1.38/minimal")
EVERY_CASE = [
    pytest.param(line, id=f"{file}-{name}", marks=() if file in MEASURED else pytest.mark.unmeasured)
    for file in FILES
    for name, line in written_cases(file).items()
]


@pytest.mark.parametrize("line", EVERY_CASE)
def test_answers_as_the_scheduler_did(line: bytes) -> None:
    case = orjson.loads(line)
    pods, configuration = importance_of_pods(case), asked_of(case)

    explanations = replay(Snapshot.from_objects(case["objects"], configuration.release), case["pods"], configuration)
    answers = [explanation.as_recorded() for explanation in explanations]

    assert [answer["pod"] for answer in answers] == [expected["pod"] for expected in case["expect"]]
    for answer, expected in zip(answers, case["expect"], strict=True):
        assert comparable(answer, pods) == comparable(expected, pods)
        if "message" in expected and "cycleError" not in expected:
            assert answer["message"] == expected["message"]


GROUPS = {"gang": 120, "gangtopo": 50, "minimalgroups": 13}
EVERY_GROUP = [
    pytest.param(line, id=name) for corpus in GROUPS for name, line in written_cases(f"1.37/{corpus}").items()
]


@pytest.mark.parametrize("line", EVERY_GROUP)
def test_answers_for_groups_as_the_scheduler_did(line: bytes) -> None:
    """Who gets which node or is nominated for it, every text, the victims and the group's condition."""
    case = orjson.loads(line)
    configuration, expected = asked_of(case), case["expectGroup"]
    snapshot = Snapshot.from_objects([*case["objects"], *case["pods"]], configuration.release)

    answer = recorded_group(snapshot, case["pods"], configuration)

    assert {part: answer[part] for part in ("entity", "pods", "victims")} == {
        part: expected[part] for part in ("entity", "pods", "victims")
    }
    assert answer.get("condition") == expected.get("condition")


def test_the_readme_counts_what_is_compared_of_each_minor() -> None:
    readme = (CORPUS.parents[2] / "README.md").read_text(encoding="utf-8")
    for minor in MINORS:
        assert f"each {_counted(*(f'{minor}/{corpus}' for corpus in CORPORA_OF_MINORS))}" in readme
    for minor, files in MORE.items():
        assert _counted(*(f"{minor}/{corpus}" for corpus in files)) in readme


def _counted(*files: str) -> str:
    nodes = [len(result["nodes"]) for result in recorded(*files)]
    clusters = sum(len(written_cases(file)) for file in files)
    return f"{clusters} clusters, {len(nodes):,} pods, {sum(nodes):,} nodes"


def test_every_release_that_is_named_is_compared() -> None:
    def versions(*files: str) -> Counter[str]:
        return Counter(orjson.loads(line)["kubernetes"] for file in files for line in written_cases(file).values())

    for minor in MINORS:
        found = versions(*(f"{minor}/{corpus}" for corpus in CORPORA_OF_MINORS))
        assert found == {RELEASES[minor].compared: 662}
    assert versions("1.34.9/examples", "1.34.9/general") == {match_release("1.34.2").release.compared: 82}
    for minor, sizes in MORE.items():
        assert {corpus: len(written_cases(f"{minor}/{corpus}")) for corpus in sizes} == sizes
    assert {corpus: len(written_cases(f"1.37/{corpus}")) for corpus in GROUPS} == GROUPS
