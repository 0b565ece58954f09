from __future__ import annotations

from typing import Any

import pytest

from clusters.adapters.schema.checking import check_struct
from clusters.documents.lessons import LessonManifest
from clusters.engine.lessons import Lesson, build_situation
from clusters.engine.lessons.questions import NodeQuestion, NodesQuestion
from clusters.problems.inputs import HalfACharacter
from clusters.services.lessons.reading import COPIES, BadLesson, read_lesson
from clusters.wording.problems import placed_sentence
from tests.clusters.lessons.small_lesson import CLUSTER, FILES, changed

BUDGET = """\
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web}
spec: {minAvailable: 1, maxUnavailable: 1}
"""
DEFAULTS = "---\n".join(
    f"""\
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {{name: {name}}}
value: 1
globalDefault: true
"""
    for name in ("one", "two")
)


def read(files: dict[str, str]) -> Lesson:
    return read_lesson("small", files).lesson


def faults(files: dict[str, str]) -> list[str]:
    with pytest.raises(BadLesson) as error:
        read_lesson("small", files)
    return [placed_sentence(each.problem, each.file, each.field, line=each.line) for each in error.value.faults]


def names(lesson: Lesson, step: int) -> list[str]:
    return [each["metadata"]["name"] for each in lesson.steps[step].situation.objects]


def test_a_lesson_is_read() -> None:
    lesson = read(FILES)

    assert (lesson.name, lesson.minutes) == ("small", 5)
    assert [each.name for each in lesson.steps] == ["where", "later"]
    assert [each.situation.pod for each in lesson.steps] == ["default/web", "default/web"]
    assert lesson.steps[0].question == NodeQuestion()
    assert lesson.steps[1].question == NodesQuestion("feasible")
    assert lesson.texts["en"].title == "A small lesson"
    assert lesson.texts["en"].steps["where"].mistakes == {"rejected/NodeResourcesFit": "The requests do not fit."}
    assert lesson.texts["en"].steps["later"].hints == ("Begin anew.",)


def test_a_lesson_may_name_a_patch() -> None:
    lesson = read(
        {**FILES, "lesson.yaml": FILES["lesson.yaml"].replace("minutes: 5", 'minutes: 5\nkubernetes: "1.34.9"')}
    )

    assert build_situation(lesson.steps[0].situation).release.first_version == "1.34.2"


def test_a_step_begins_with_what_the_one_before_leaves() -> None:
    lesson = read(FILES)

    assert names(lesson, 0) == ["node-1", "old", "web"]
    assert names(lesson, 1) == ["node-1", "web", "node-2"]


def test_the_last_of_several_objects_of_one_name_counts() -> None:
    lesson = read(changed("more/node.yaml", '"node-2"', '"node-1"'))

    nodes = [each for each in lesson.steps[1].situation.objects if each["kind"] == "Node"]
    assert [each["status"]["capacity"]["cpu"] for each in nodes] == ["4"]


def test_objects_of_a_list_are_read_one_by_one() -> None:
    node = FILES["more/node.yaml"].strip()
    lesson = read({**FILES, "more/node.yaml": f'{{"apiVersion": "v1", "kind": "List", "items": [{node}]}}'})

    assert "node-2" in names(lesson, 1)


def test_copies_are_numbered_and_placed_in_turn() -> None:
    copies = f"""\
apiVersion: lessons.berth.io/v1
kind: {COPIES}
count: 3
nodes: [node-1, node-2]
of:
  apiVersion: v1
  kind: Pod
  metadata: {{name: api, namespace: shop}}
  spec:
    containers: [{{name: api}}]
"""
    lesson = read({**FILES, "cluster.yaml": f"{CLUSTER}---\n{copies}"})

    pods = [each for each in lesson.steps[0].situation.objects if each["metadata"].get("namespace") == "shop"]
    assert [(each["metadata"]["name"], each["spec"]["nodeName"]) for each in pods] == [
        ("api-1", "node-1"),
        ("api-2", "node-2"),
        ("api-3", "node-1"),
    ]


def test_copies_without_nodes_are_pending() -> None:
    copies = (
        "apiVersion: lessons.berth.io/v1\nkind: Copies\ncount: 2\n"
        "of: {apiVersion: v1, kind: Pod, metadata: {name: api}, spec: {containers: [{name: api}]}}\n"
    )
    lesson = read({**FILES, "cluster.yaml": f"{CLUSTER}---\n{copies}"})

    pods = [each for each in lesson.steps[0].situation.objects if each["metadata"]["name"].startswith("api-")]
    assert [each["spec"].get("nodeName") for each in pods] == [None, None]


def test_configuration_and_usage_stay_until_another_is_named() -> None:
    files = {
        **changed(
            "lesson.yaml", "    pod: web\n", "    pod: web\n    configuration: scheduler.yaml\n    usage: use.yaml\n"
        ),
        "scheduler.yaml": "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n",
        "use.yaml": "pods:\n  old: {memory: 300Mi}\n",
    }
    steps = read(files).steps

    assert [each.situation.configuration is None for each in steps] == [False, False]
    assert steps[1].situation.usage == {"default/old": 300 * 1024 * 1024}


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("lesson.yaml", "minutes: 5", "minuts: 5", "lesson.yaml, minuts: Line 3: There is no field 'minuts'."),
        ("lesson.yaml", "minutes: 5", "minutes: 90", "lesson.yaml, minutes: Line 3: 90 is not a whole number from 1"),
        ("lesson.yaml", "  - name: later", "  - name: where", "steps[1].name: Line 10: Another step is called 'where'"),
        ("lesson.yaml", "name: where", "name: Where?", "steps[0].name: Line 5: 'Where?' is not written as it has to"),
        ("lesson.yaml", "[cluster.yaml]", "[clusters.yaml]", "Line 6: The lesson has no file 'clusters.yaml'"),
        ("lesson.yaml", "Pod/old", "Pod/olds", "Line 12: The step has no object 'Pod/default/olds'. Did you mean"),
        ("lesson.yaml", "Pod/old", "old", "remove[0]: Line 12: 'old' is not known."),
        ("lesson.yaml", "Pod/old", "Node/a/b", "remove[0]: Line 12: 'Node/a/b' names no object."),
        ("lesson.yaml", "pod: web", "pod: shop/web", "steps[0].pod: Line 7: The step has no object 'Pod/shop/web'."),
        ("lesson.yaml", "pod: web", "pod: old", "steps[0].pod: Line 7: Pod default/old already runs on node node-1."),
        ("lesson.yaml", "      node:\n", "      nod:\n", "steps[0].question: Line 8: "),
        ("lesson.yaml", "which: feasible", "which: feasable", "nodes.which: Line 16: 'feasable' is not known"),
        ("lesson.yaml", "kind: Lesson", "kind: Lessen", "kind: Line 2: 'Lessen' is not known. Write Lesson."),
        ("lesson.yaml", "minutes: 5", 'minutes: 5\nkubernetes: "1.12"', "kubernetes: Line 4: '1.12' is not known."),
        ("lesson.yaml", "    objects: [cluster.yaml]\n", "", "steps[0]: Line 5: The first step names no objects."),
        ("lesson.yaml", "steps:", "steps: [", "lesson.yaml: Line 5: It is broken at line 5"),
        ("cluster.yaml", "requests: {cpu: 1500m}", "request: {cpu: 1}", "resources.request: Line 17: "),
        ("cluster.yaml", "kind: Node", "kind: Nod", "cluster.yaml, kind: Line 2: "),
        ("cluster.yaml", "kind: Node", "kind: Secret", "cluster.yaml, kind: Line 2: Nothing reads the kind 'Secret'"),
        ("cluster.yaml", "apiVersion: v1\n", f"{BUDGET}---\napiVersion: v1\n", "spec: Line 4: minAvailable and maxUn"),
        ("cluster.yaml", "apiVersion: v1\n", f"{DEFAULTS}---\napiVersion: v1\n", "globalDefault: Line 11: Prior"),
        ("cluster.yaml", "cpu: \"2\"", "cpu: two", "status.capacity.cpu: Line 6: "),
        ("cluster.yaml", "  capacity:", "  capacities:", "status.capacities: Line 6: "),
        ("cluster.yaml", "status:", "spec: {taints: [{key: a, effect: No}]}\nstatus:", "taints[0].effect: Line 5: "),
        ("texts/en.yaml", "title: Where?", "titel: Where?", "steps.where.titel: Line 5: "),
        ("texts/en.yaml", "  later:", "  latter:", "Line 12: The lesson has no step 'latter'. Did you mean later"),
        ("texts/en.yaml", "takes {answer}", "takes {anser}", "Line 9: Nothing is filled in for {anser} here"),
        ("texts/en.yaml", "ask: Choose a node.", "ask: '{answer}'", "ask: Line 7: Nothing is filled in for {answer}"),
        ("texts/en.yaml", "ask: Choose a node.", "ask: A <b>node</b>.", "ask: Line 7: HTML and images are not shown"),
        ("texts/en.yaml", "text: A pod is pending.", "text: '![a](b)'", "text: Line 6: HTML and images are not shown"),
        ("texts/en.yaml", "title: Where?", 'title: "a\\0"', "title: Line 5: The text holds a NUL character."),
        ("texts/en.yaml", "[Begin anew.]", "[]", "steps.later.hints: Line 16: It is empty."),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_its_place(file: str, old: str, new: str, said: str) -> None:
    found = faults(changed(file, old, new))

    assert any(said in each for each in found), found


def test_all_that_is_wrong_is_said_at_once() -> None:
    files = {
        **changed("lesson.yaml", "Pod/old", "Pod/olds"),
        "texts/en.yaml": FILES["texts/en.yaml"].replace("later", "latter"),
    }

    assert len(faults(files)) == 3


def test_a_lesson_needs_texts() -> None:
    files = {name: text for name, text in FILES.items() if not name.startswith("texts/")}

    assert faults(files) == ["texts/en.yaml: The lesson has no texts. Write them, such as texts/en.yaml for English."]


def test_a_file_of_texts_is_named_after_its_language() -> None:
    assert "'english.yaml' is not the name" in faults({**FILES, "texts/english.yaml": "{}"})[0]


def test_a_file_that_no_step_names_is_warned_of() -> None:
    warnings = read_lesson("small", {**FILES, "left.yaml": CLUSTER}).warnings

    assert [(each.file, each.is_warning) for each in warnings] == [("left.yaml", True)]


@pytest.mark.parametrize(("count", "kind"), [(61, "Node"), (500, "Pod")])
def test_a_situation_has_bounds(count: int, kind: str) -> None:
    spec = "spec: {containers: [{name: a}]}" if kind == "Pod" else "spec: {}"
    many = "---\n".join(
        f"apiVersion: v1\nkind: {kind}\nmetadata: {{name: n-{number}}}\n{spec}\n" for number in range(count)
    )
    found = faults({**FILES, "more/node.yaml": many})

    assert f"objects of the kind {kind}" in found[0]


def test_half_a_character_is_refused() -> None:
    (fault,) = check_struct("\ud800", str)

    assert fault.problem == HalfACharacter()


@pytest.mark.parametrize("value", [None, [], "lesson", 3])
def test_anything_else_than_a_map_is_no_lesson(value: Any) -> None:
    assert len(list(check_struct(value, LessonManifest))) == 1
