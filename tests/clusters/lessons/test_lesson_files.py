""""""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from copy import deepcopy
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
import yaml
from hypothesis import given, settings, strategies as st

from clusters.adapters.bad_input import BadInput
from clusters.adapters.schema.checking import check_struct
from clusters.documents.lessons import LessonManifest, LessonTextsManifest
from clusters.engine.lessons import Lesson, build_situation
from clusters.engine.lessons.questions import NodeQuestion, NodesQuestion
from clusters.engine.problems import InvalidValue, MissingField, NameExists, NotUtf8, ReservedName, TooLarge
from clusters.models import StoredLesson
from clusters.problems.inputs import (
    DamagedArchive,
    LeadsOutOfArchive,
    NotAPlainFile,
    UnreadableFile,
)
from clusters.problems.lessons import ManyLessonFiles, ManyStoredLessons, NeitherFolderNorArchive
from clusters.services.computing import OverTimeError, start, stop
from clusters.services.lessons import storing
from clusters.services.lessons.library import (
    built_in_folders,
    built_in_lessons,
    lesson_named,
    stored_lesson,
)
from clusters.services.lessons.reading import (
    COPIES,
    MOST_BYTES,
    MOST_FILES,
    BadLesson,
    check_lesson,
    read_archive,
    read_folder,
    read_lesson,
    read_lesson_files,
)
from clusters.services.lessons.storing import StoredUpload, delete_lesson, store_lesson
from clusters.wording.problems import placed_sentence
from tests.clusters.lessons.small_lesson import CLUSTER, FILES, LESSON, TEXTS, changed

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from clusters.engine.problems import Problem


def zipped(files: Mapping[str, str | bytes], within: str = "") -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(f"{within}{name}", content)
    return written.getvalue()


def tarred(files: Mapping[str, str], within: str = "", mode: str = "w:gz") -> bytes:
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode=mode) as archive:  # type: ignore[call-overload]
        for name, content in files.items():
            member = tarfile.TarInfo(f"{within}{name}")
            member.size = len(content.encode())
            archive.addfile(member, io.BytesIO(content.encode()))
    return written.getvalue()


def problem_of(data: bytes, name: str = "small.zip") -> Problem:
    with pytest.raises(BadInput) as error:
        read_archive(data, name)
    return error.value.problem


@pytest.mark.parametrize(
    ("data", "file_name", "lesson"),
    [
        (zipped(FILES, "small/"), "anything.zip", "small"),
        (zipped(FILES), "small-one.zip", "small-one"),
        (tarred(FILES, "small/"), "anything.tgz", "small"),
        (tarred(FILES, "./"), "small-one.tar.gz", "small-one"),
        (tarred(FILES, mode="w"), "C:\\lessons\\small-one.tar", "small-one"),
        (zipped({**FILES, "__MACOSX/._lesson.yaml": "x", ".git/a.yaml": "x", "notes.txt": "x"}), "small.zip", "small"),
    ],
)
def test_archives_of_every_sort_are_read(data: bytes, file_name: str, lesson: str) -> None:
    assert read_archive(data, file_name) == (lesson, FILES)


def test_a_folder_is_read(tmp_path: Path) -> None:
    folder = tmp_path / "small"
    for name, text in {**FILES, "README.md": "no part of it", ".hidden/a.yaml": "nor this"}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "link.yaml").symlink_to(folder / "lesson.yaml")

    assert read_folder(folder) == ("small", FILES) == read_lesson_files(folder)


def test_a_file_that_is_not_there_is_said_to_be_unreadable(tmp_path: Path) -> None:
    with pytest.raises(BadInput) as error:
        read_lesson_files(tmp_path / "small.zip")

    assert isinstance(error.value.problem, UnreadableFile)


def test_what_is_no_lesson_is_refused() -> None:
    without = {name: text for name, text in FILES.items() if name != "lesson.yaml"}

    assert problem_of(zipped(without)) == MissingField("lesson.yaml")
    assert problem_of(b"apiVersion: v1") == NeitherFolderNorArchive()
    assert problem_of(zipped({"a.txt": "a"})) == MissingField("lesson.yaml")
    assert problem_of(zipped(FILES), "My lesson.zip") == InvalidValue("'My lesson'", ("spread-2",))
    assert problem_of(zipped(FILES, "My lesson/")) == InvalidValue("'My lesson'", ("spread-2",))
    assert isinstance(problem_of(zipped({**FILES, "cluster.yaml": b"\xff"})), NotUtf8)


def test_what_could_do_harm_is_refused() -> None:
    link = io.BytesIO()
    with tarfile.open(fileobj=link, mode="w") as archive:
        member = tarfile.TarInfo("lesson.yaml")
        member.type, member.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(member)

    assert isinstance(problem_of(link.getvalue(), "small.tar"), NotAPlainFile)
    assert isinstance(problem_of(zipped({"../lesson.yaml": "a"})), LeadsOutOfArchive)
    assert isinstance(problem_of(zipped(FILES)[:200]), DamagedArchive)


def test_a_lesson_has_bounds(tmp_path: Path) -> None:
    many = {f"{number}.yaml": "" for number in range(MOST_FILES)}
    large = {"large.yaml": "#" * MOST_BYTES}
    for name, text in {**FILES, **large}.items():
        (tmp_path / "small" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "small" / name).write_text(text, encoding="utf-8")

    assert problem_of(zipped({**FILES, **many})) == ManyLessonFiles(MOST_FILES)
    assert problem_of(zipped({**FILES, **large})) == TooLarge(MOST_BYTES)
    assert problem_of(tarred({**FILES, **large})) == TooLarge(MOST_BYTES)
    assert problem_of(gzip.compress(bytes(64 * MOST_BYTES))) == NeitherFolderNorArchive()
    assert problem_of(b"PK\x03\x04" + bytes(MOST_BYTES)) == TooLarge(MOST_BYTES)
    with pytest.raises(BadInput) as error:
        read_folder(tmp_path / "small")
    assert error.value.problem == TooLarge(MOST_BYTES)


JOB_SET = "apiVersion: jobset.x-k8s.io/v1alpha2\nkind: JobSet\nmetadata: {name: a}\nspec: {}\n"
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
        ("lesson.yaml", "  - name: later", "  - name: where", "steps[1].name: Line 10: 'where' is there twice"),
        ("lesson.yaml", "name: where", "name: Where?", "steps[0].name: Line 5: 'Where?' is not valid here"),
        ("lesson.yaml", "[cluster.yaml]", "[clusters.yaml]", "Line 6: 'clusters.yaml' is not valid here"),
        ("lesson.yaml", "Pod/old", "Pod/olds", "Line 12: The step has no object 'Pod/default/olds'. Did you mean"),
        ("lesson.yaml", "Pod/old", "old", "remove[0]: Line 12: 'old' is not valid here."),
        ("lesson.yaml", "Pod/old", "Node/a/b", "remove[0]: Line 12: 'Node/a/b' is not valid here."),
        ("lesson.yaml", "pod: web", "pod: shop/web", "steps[0].pod: Line 7: The step has no object 'Pod/shop/web'."),
        ("lesson.yaml", "pod: web", "pod: old", "steps[0].pod: Line 7: Pod default/old already runs on node node-1."),
        ("lesson.yaml", "      node:\n", "      nod:\n", "steps[0].question: Line 8: "),
        ("lesson.yaml", "which: feasible", "which: feasable", "nodes.which: Line 16: 'feasable' is not valid here"),
        ("lesson.yaml", "kind: Lesson", "kind: Lessen", "kind: Line 2: 'Lessen' is not valid here. Write Lesson."),
        ("lesson.yaml", "minutes: 5", "minutes: 5\nfeatureGates: {Gangs: true}", "featureGates: Line 4: Gangs is not"),
        ("lesson.yaml", "minutes: 5", 'minutes: 5\nkubernetes: "1.12"', "kubernetes: Line 4: '1.12' is not valid"),
        ("lesson.yaml", "    objects: [cluster.yaml]\n", "", "steps[0]: Line 5: There is no objects."),
        ("lesson.yaml", "steps:", "steps: [", "lesson.yaml: Line 5: It is not YAML at line 5"),
        ("cluster.yaml", "requests: {cpu: 1500m}", "request: {cpu: 1}", "resources.request: Line 17: "),
        ("cluster.yaml", "kind: Node", "kind: Nod", "cluster.yaml, kind: Line 2: "),
        ("cluster.yaml", "kind: Node", "kind: Secret", "cluster.yaml, kind: Line 2: 'Secret' is not valid here"),
        ("cluster.yaml", "apiVersion: v1\n", f"{JOB_SET}---\napiVersion: v1\n", "kind: Line 2: 'JobSet' is not valid"),
        ("cluster.yaml", "apiVersion: v1\n", f"{BUDGET}---\napiVersion: v1\n", "spec: Line 4: minAvailable and maxUn"),
        ("cluster.yaml", "apiVersion: v1\n", f"{DEFAULTS}---\napiVersion: v1\n", "globalDefault: Line 11: globalDefa"),
        ("cluster.yaml", "cpu: \"2\"", "cpu: two", "status.capacity.cpu: Line 6: "),
        ("cluster.yaml", "  capacity:", "  capacities:", "status.capacities: Line 6: "),
        ("cluster.yaml", "status:", "spec: {taints: [{key: a, effect: No}]}\nstatus:", "taints[0].effect: Line 5: "),
        ("texts/en.yaml", "title: Where?", "titel: Where?", "steps.where.titel: Line 5: "),
        ("texts/en.yaml", "  later:", "  latter:", "Line 12: 'latter' is not valid here. Write later"),
        ("texts/en.yaml", "takes {answer}", "takes {anser}", "Line 9: Nothing fills in {anser} here"),
        ("texts/en.yaml", "ask: Choose a node.", "ask: '{answer}'", "ask: Line 7: Nothing fills in {answer}"),
        ("texts/en.yaml", "ask: Choose a node.", "ask: A <b>node</b>.", "ask: Line 7: HTML and images are not shown"),
        ("texts/en.yaml", "text: A pod is pending.", "text: '![a](b)'", "text: Line 6: HTML and images are not shown"),
        ("texts/en.yaml", "title: Where?", 'title: "a\\0"', "title: Line 5: It is not plain text."),
        ("texts/en.yaml", "[Begin anew.]", "[]", "steps.later.hints: Line 16: It is empty."),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_its_place(file: str, old: str, new: str, said: str) -> None:
    found = faults(changed(file, old, new))

    assert any(said in each for each in found), found


def test_a_lesson_needs_texts() -> None:
    files = {name: text for name, text in FILES.items() if not name.startswith("texts/")}

    assert faults(files) == ["texts/en.yaml: It is missing. Add it."]


def test_a_file_that_no_step_names_is_warned_of() -> None:
    warnings = read_lesson("small", {**FILES, "left.yaml": CLUSTER}).warnings

    assert [(each.file, each.is_warning) for each in warnings] == [("left.yaml", True)]


@pytest.mark.parametrize(("count", "kind"), [(61, "Node"), (500, "Pod")])
def test_a_situation_has_bounds(count: int, kind: str) -> None:
    spec = "spec: {containers: [{name: a}]}" if kind == "Pod" else "spec: {}"
    many = "---\n".join(
        f"apiVersion: v1\nkind: {kind}\nmetadata: {{name: n-{number}}}\n{spec}\n" for number in range(count)
    )
    assert f"objects of kind {kind}" in faults({**FILES, "more/node.yaml": many})[0]


def test_half_a_character_is_refused() -> None:
    (fault,) = check_struct("\ud800", str)

    assert fault.problem == NotUtf8()


@pytest.mark.parametrize("value", [None, [], "lesson", 3])
def test_anything_else_than_a_map_is_no_lesson(value: Any) -> None:
    assert len(list(check_struct(value, LessonManifest))) == 1


def said(files: dict[str, str], *, is_built_in: bool = False) -> list[str]:
    return [
        placed_sentence(each.problem, each.file, each.field, line=each.line)
        for each in check_lesson("small", files, is_built_in=is_built_in)
        if is_built_in or not each.is_warning
    ]


def test_missing_languages_are_wrong_only_in_lessons_that_come_with_berth() -> None:
    warnings = check_lesson("small", FILES)

    assert [(each.file, each.is_warning) for each in warnings] == [("texts/id.yaml", True), ("texts/uk.yaml", True)]
    assert not any(each.is_warning for each in check_lesson("small", FILES, is_built_in=True))


@pytest.mark.parametrize(
    ("file", "old", "new", "sentence"),
    [
        ("cluster.yaml", "nodeName: node-1", "nodeName: node-9", "cluster.yaml, spec.nodeName: Line 13: "),
        ("cluster.yaml", "      resources:\n        requests: {cpu: 1500m}", "  priorityClassName: high", "Line 16: "),
        ("lesson.yaml", "    pod: web\n", "", "steps[0].question: Line 7: There is no pod"),
        ("texts/en.yaml", "rejected/NodeResourcesFit", "rejected/ResourcesFit", "Write rejected/Node"),
        ("texts/en.yaml", "rejected/NodeResourcesFit", "extra", "mistakes.extra: Line 11: extra is not valid here"),
    ],
)  # fmt: skip
def test_what_cannot_be_played_is_said_with_its_place(file: str, old: str, new: str, sentence: str) -> None:
    found = said(changed(file, old, new))

    assert len(found) == 1, found
    assert sentence in found[0]


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


# Blanks alone and NUL characters are no text here, and one to msgspec.
TEXT = st.text(max_size=8).filter(lambda text: bool(text.strip()) == bool(text) and "\x00" not in text)
SCALARS = st.none() | st.booleans() | st.integers(-2, 90) | TEXT
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the paths of all values within a document."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(found for key, each in items for found in places(each, (*path, key)))]


def replaced(document: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    changed = deepcopy(document)
    inner = changed
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return changed


@settings(max_examples=60, deadline=None)
@given(st.data(), st.sampled_from([(LESSON, LessonManifest), (TEXTS, LessonTextsManifest)]), VALUES)
def test_what_has_no_fault_is_what_can_be_converted(data: st.DataObject, written: tuple[str, type], value: Any) -> None:
    text, kind = written
    document = yaml.safe_load(text)
    changed = replaced(document, data.draw(st.sampled_from(places(document))), value)
    try:
        msgspec.convert(changed, kind)
        is_taken = True
    except msgspec.ValidationError:
        is_taken = False

    assert is_taken == (not list(check_struct(changed, kind)))


@settings(max_examples=25, deadline=None)
@given(st.data(), st.sampled_from(sorted(FILES)))
def test_any_text_is_read_or_refused_with_a_reason(data: st.DataObject, file: str) -> None:
    lines = FILES[file].split("\n")
    start = data.draw(st.integers(0, len(lines)))
    end = data.draw(st.integers(start, len(lines)))
    text = "\n".join([*lines[:start], data.draw(st.text(max_size=40)), *lines[end:]])
    try:
        read_lesson("small", {**FILES, file: text})
    except BadLesson as error:
        for fault in error.faults:
            assert placed_sentence(fault.problem, fault.file, fault.field, line=fault.line)
            assert fault.file in FILES


@settings(max_examples=25, deadline=None)
@given(st.data(), VALUES)
def test_any_value_in_a_manifest_is_read_or_refused_with_a_reason(data: st.DataObject, value: Any) -> None:
    documents = list(yaml.safe_load_all(FILES["cluster.yaml"]))
    number = data.draw(st.integers(0, len(documents) - 1))
    path = data.draw(st.sampled_from(places(documents[number])))
    documents[number] = replaced(documents[number], path, value)
    try:
        read_lesson("small", {**FILES, "cluster.yaml": yaml.safe_dump_all(documents, allow_unicode=True)})
    except BadLesson as error:
        refused = {fault.file for fault in error.faults}
        assert refused <= {"cluster.yaml", "lesson.yaml"}, refused


pytestmark = pytest.mark.django_db


def stored(files: dict[str, str] = FILES, name: str = "small") -> StoredUpload:
    return store_lesson(data=zipped(files, f"{name}/"), file_name="upload.zip", uploaded_by="trainer")


def test_an_uploaded_lesson_is_stored_with_its_title_and_who_sent_it() -> None:
    found = stored()

    assert (found.lesson.name, found.lesson.title, found.lesson.uploaded_by) == ("small", "A small lesson", "trainer")
    assert [each.file for each in found.warnings] == ["texts/id.yaml", "texts/uk.yaml"]
    assert StoredLesson.objects.get().files == FILES


def test_a_lesson_that_is_uploaded_anew_is_read_anew() -> None:
    stored()
    before = stored_lesson("small")
    delete_lesson(name="small")
    stored(changed("texts/en.yaml", "A small lesson", "Another one"))
    after = stored_lesson("small")

    assert before is not None
    assert after is not None
    assert (before.texts["en"].title, after.texts["en"].title) == ("A small lesson", "Another one")


def test_lessons_that_come_with_berth_are_found_by_name() -> None:
    name = next(iter(built_in_lessons()))

    assert lesson_named(name) is built_in_lessons()[name]
    assert lesson_named("gone") is None


def test_a_name_is_given_once() -> None:
    stored()

    with pytest.raises(BadInput) as error:
        stored()
    assert error.value.problem == NameExists("small")
    comes_along = next(iter(built_in_folders()))
    with pytest.raises(BadInput) as error:
        stored(name=comes_along)
    assert error.value.problem == NameExists(comes_along)
    # The sandbox has its address among those of lessons.
    with pytest.raises(BadInput) as error:
        stored(name="sandbox")
    assert error.value.problem == ReservedName("sandbox")


def test_a_lesson_that_cannot_be_played_is_not_stored() -> None:
    with pytest.raises(BadLesson) as error:
        stored(changed("cluster.yaml", "nodeName: node-1", "nodeName: node-9"))

    assert [each.file for each in error.value.faults if not each.is_warning] == ["cluster.yaml"]
    assert not StoredLesson.objects.exists()


def test_no_more_lessons_are_stored_than_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storing, "MOST_STORED", 1)
    stored()

    with pytest.raises(BadInput) as error:
        stored(name="second")
    assert error.value.problem == ManyStoredLessons(1)


def test_objects_of_a_list_are_read_one_by_one() -> None:
    node = FILES["more/node.yaml"].strip()
    lesson = read({**FILES, "more/node.yaml": f'{{"apiVersion": "v1", "kind": "List", "items": [{node}]}}'})

    assert "node-2" in names(lesson, 1)


def test_an_archive_on_disk_is_read(tmp_path: Path) -> None:
    (tmp_path / "small.zip").write_bytes(zipped(FILES))

    assert read_lesson_files(tmp_path / "small.zip") == ("small", FILES)
