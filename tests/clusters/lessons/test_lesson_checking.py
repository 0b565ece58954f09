from __future__ import annotations

import pytest

from clusters.services.computing import OverTimeError, start, stop
from clusters.services.lessons.reading import check_lesson
from clusters.wording.problems import placed_sentence
from tests.clusters.lessons.small_lesson import CLUSTER, FILES, changed


def said(files: dict[str, str], *, is_built_in: bool = False) -> list[str]:
    return [
        placed_sentence(each.problem, each.file, each.field, line=each.line)
        for each in check_lesson("small", files, is_built_in=is_built_in)
        if is_built_in or not each.is_warning
    ]


def test_a_lesson_that_can_be_played_has_no_faults() -> None:
    assert said(FILES) == []


def test_missing_languages_are_wrong_only_in_lessons_that_come_with_berth() -> None:
    warnings = check_lesson("small", FILES)

    assert [(each.file, each.is_warning) for each in warnings] == [("texts/id.yaml", True), ("texts/uk.yaml", True)]
    assert not any(each.is_warning for each in check_lesson("small", FILES, is_built_in=True))


def test_faults_of_reading_are_faults() -> None:
    assert "minuts" in said(changed("lesson.yaml", "minutes", "minuts"))[0]


@pytest.mark.parametrize(
    ("file", "old", "new", "sentence"),
    [
        ("cluster.yaml", "nodeName: node-1", "nodeName: node-9", "cluster.yaml, spec.nodeName: Line 13: "),
        ("cluster.yaml", "      resources:\n        requests: {cpu: 1500m}", "  priorityClassName: high", "Line 16: "),
        ("lesson.yaml", "    pod: web\n", "", "steps[0].question: Line 7: The question is about a pod, and the"),
        ("texts/en.yaml", "rejected/NodeResourcesFit", "rejected/ResourcesFit", "Did you mean rejected/Node"),
        ("texts/en.yaml", "rejected/NodeResourcesFit", "extra", "steps.where.mistakes.extra: Line 11: No answer"),
    ],
)  # fmt: skip
def test_what_cannot_be_played_is_said_with_its_place(file: str, old: str, new: str, sentence: str) -> None:
    found = said(changed(file, old, new))

    assert len(found) == 1, found
    assert sentence in found[0]


def test_the_place_in_a_file_is_that_of_the_document() -> None:
    second = CLUSTER.replace("nodeName: node-1", "nodeName: node-9").split("---\n")
    files = {**FILES, "cluster.yaml": "---\n".join([second[0], second[2], second[1]])}

    assert "cluster.yaml, spec.nodeName: Line 23: " in said(files)[0]


def test_a_question_without_a_certain_answer_is_a_fault() -> None:
    configuration = """\
apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
profiles:
  - schedulerName: default-scheduler
    plugins:
      multiPoint:
        enabled: [{name: OwnPlugin}]
"""
    files = {
        **changed("lesson.yaml", "    pod: web\n", "    pod: web\n    configuration: scheduler.yaml\n"),
        "scheduler.yaml": configuration,
    }

    assert all("lesson.yaml, steps[" in each for each in said(files))
    assert len(said(files)) == 2


def test_a_goal_that_is_met_already_is_a_fault() -> None:
    files = changed("lesson.yaml", "      node:\n", "      manifest: {object: Node/node-1, goals: [unschedulable]}\n")
    files["texts/en.yaml"] = files["texts/en.yaml"].replace("rejected/NodeResourcesFit", "goal/unschedulable")

    assert ["lesson.yaml, steps[0].question: Line 8: " in each for each in said(files)] == [True]


def test_the_place_of_a_copy_is_that_of_the_pod_that_is_copied() -> None:
    copies = """\
apiVersion: lessons.berth.io/v1
kind: Copies
count: 2
nodes: [node-9]
of:
  apiVersion: v1
  kind: Pod
  metadata: {name: api}
  spec:
    containers: [{name: api}]
"""
    files = {**FILES, "cluster.yaml": f"{CLUSTER}---\n{copies}"}

    assert "cluster.yaml, of.spec.nodeName: Line 37: " in said(files)[0]


def test_checking_ends_at_a_deadline() -> None:
    start(0)
    try:
        with pytest.raises(OverTimeError):
            check_lesson("small", FILES)
    finally:
        stop()


def test_what_every_step_meets_is_said_once() -> None:
    files = {**FILES, "lesson.yaml": FILES["lesson.yaml"].replace("    remove: [Pod/old]\n", "")}
    files["cluster.yaml"] = files["cluster.yaml"].replace("nodeName: node-1", "nodeName: node-9")

    # The second step has another node, which is said of it.
    assert len(said(files)) == 2
    files["more/node.yaml"] = files["more/node.yaml"].replace("node-2", "node-1")
    assert len(said(files)) == 1
