"""None"""

from __future__ import annotations

import re
from io import StringIO
from shutil import make_archive
from typing import TYPE_CHECKING, Any, Final

import jsonschema_rs
import msgspec
import pytest
import yaml
from django.conf import settings
from django.core.management import call_command

from clusters.adapters.schema.checking import check_struct
from clusters.documents.lessons import (
    LessonManifest,
    LessonTextsManifest,
    StepManifest,
    StepTextsManifest,
    lesson_schema,
    schema_names,
)
from clusters.engine.lessons import QUESTIONS, MistakeKind, StepTexts, Term, UnsolvableError, build_situation
from clusters.engine.lessons.lesson import GOALS
from clusters.engine.lessons.values import VALUES
from clusters.models import StoredLesson
from clusters.services.lessons.library import built_in_files, built_in_folders, built_in_lessons, learning_paths
from clusters.services.lessons.reading import (
    LANGUAGES,
    check_lesson,
    is_text_file,
    read_folder,
    read_lesson,
)
from tests.clusters.lessons.listed_answers import ANSWERS, answer_of, listed_answers, right_ones, wrong_ones
from tests.clusters.lessons.small_lesson import FILES, LESSON, TEXTS

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        path = tmp_path / "small" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path / "small"


def run(*arguments: str) -> tuple[int, str, str]:
    out, err, status = StringIO(), StringIO(), 0
    try:
        call_command("lessons", *arguments, stdout=out, stderr=err, no_color=True)
    except SystemExit as error:
        status = int(error.code or 0)
    return status, out.getvalue(), err.getvalue()


def test_a_lesson_with_warnings_can_be_played(folder: Path) -> None:
    status, out, _ = run("check", str(folder))

    assert status == 0
    assert "Warning: small/texts/id.yaml: It is missing." in " ".join(out.split())
    assert "small: 2 steps, nothing is wrong." in out


def test_what_is_wrong_is_said_with_file_line_and_field(folder: Path) -> None:
    lesson = folder / "lesson.yaml"
    lesson.write_text(lesson.read_text(encoding="utf-8").replace("minutes", "minuts"), encoding="utf-8")
    status, out, _ = run("check", str(folder))

    assert status == 1
    assert "small/lesson.yaml, minuts: Line 3: There is no field 'minuts'. Did you mean minutes?" in " ".join(
        out.split()
    )
    assert "nothing is wrong" not in out


def test_a_path_that_is_no_lesson_is_an_error(tmp_path: Path) -> None:
    status, _, err = run("check", str(tmp_path / "gone.zip"))

    assert status == 2
    assert "gone.zip: It cannot be read" in err


def test_lessons_and_paths_are_listed() -> None:
    status, out, _ = run("list")

    assert status == 0
    assert "filter-and-score" in out
    assert "en id uk" in out
    assert "Path beginners: filter-and-score" in out


def archived(folder: Path) -> str:
    return make_archive(str(folder), "zip", root_dir=folder.parent, base_dir=folder.name)


@pytest.mark.django_db
def test_a_lesson_is_stored_once_and_removed(folder: Path) -> None:
    archive = archived(folder)
    status, out, _ = run("add", archive)

    assert status == 0
    assert "Stored: small" in out
    assert "texts/id.yaml: It is missing" in " ".join(out.split())
    assert StoredLesson.objects.get().files.keys() == FILES.keys()
    assert run("add", archive)[0] == 2

    assert run("remove", "small")[:2] == (0, "Deleted: small\n")
    assert not StoredLesson.objects.exists()
    status, _, err = run("remove", "filter-and-score")
    assert status == 2
    assert "Lessons of Berth stay." in err


@pytest.mark.django_db
def test_a_lesson_that_cannot_be_played_is_not_stored(folder: Path, tmp_path: Path) -> None:
    (folder / "lesson.yaml").write_text("{}", encoding="utf-8")
    status, out, _ = run("add", archived(folder))

    assert status == 1
    assert "lesson.yaml" in out
    assert run("add", str(tmp_path / "gone.zip"))[0] == 2
    assert not StoredLesson.objects.exists()


@pytest.mark.parametrize("name", ["lesson", "texts"])
def test_schemas_are_printed(name: str) -> None:
    status, out, _ = run("schema", name)

    assert status == 0
    assert '"$schema": "https://json-schema.org/draft/2020-12/schema"' in out


PAGE = settings.BASE_DIR / "docs" / "lessons.md"
FILE = re.compile(r"^`([^`]+)`\n\n```yaml\n(.*?)^```", re.MULTILINE | re.DOTALL)


def test_the_example_can_be_played(tmp_path: Path) -> None:
    for name, text in FILE.findall(PAGE.read_text(encoding="utf-8")):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    name, files = read_folder(tmp_path / "first-steps")
    faults = check_lesson(name, files)

    assert [each.file for each in faults] == [f"texts/{each}.yaml" for each in LANGUAGES if each != "en"]
    assert all(each.is_warning for each in faults)
    assert len(read_lesson(name, files).lesson.steps) == 2


def rows_below(heading: str) -> list[list[str]]:
    """Return the cells of the rows of the tables below a heading, without their heads."""
    text = PAGE.read_text(encoding="utf-8").partition(f"\n{heading}\n")[2].partition("\n#")[0]
    rows = [line.strip("|").split(" | ") for line in text.splitlines() if line.startswith("| `")]
    return [[cell.strip() for cell in row] for row in rows]


def named(cells: list[str]) -> list[str]:
    return [name for cell in cells for name in re.findall(r"`([^`]+)`", cell)]


def names_of(*types: type) -> set[str]:
    return {field.encode_name for described in types for field in msgspec.structs.fields(described)}


@pytest.mark.parametrize(
    ("heading", "known"),
    [
        ("## Questions", QUESTIONS),
        ("### Numbers", VALUES),
        ("### Goals", GOALS),
        ("### Mistakes", [str(each) for each in MistakeKind]),
        ("### lesson.yaml", names_of(LessonManifest, StepManifest)),
        ("### Texts", names_of(LessonTextsManifest, StepTextsManifest)),
    ],
)
def test_the_tables_name_all_that_there_is(heading: str, known: Collection[str]) -> None:
    assert set(named([row[0] for row in rows_below(heading)])) == set(known)


TYPES: dict[str, type] = {"lesson": LessonManifest, "texts": LessonTextsManifest}
VALIDATORS = {name: jsonschema_rs.Draft202012Validator(lesson_schema(name)) for name in schema_names()}


@pytest.mark.parametrize("lesson", sorted(built_in_files()))
def test_every_lesson_that_comes_with_berth_is_valid(lesson: str) -> None:
    for name, text in built_in_files()[lesson].files.items():
        schema = "texts" if is_text_file(name) else "lesson" if name == "lesson.yaml" else ""
        if schema:
            VALIDATORS[schema].validate(yaml.safe_load(text))


def edited(text: str, path: list[str | int], value: Any) -> Any:
    document = yaml.safe_load(text)
    inner = document
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    return document


@pytest.mark.parametrize(
    ("schema", "path", "value"),
    [
        ("lesson", ["minutes"], 0),
        ("lesson", ["minutes"], "5"),
        ("lesson", ["kubernetes"], "v1.34"),
        ("lesson", ["steps"], []),
        ("lesson", ["steps"], {}),
        ("lesson", ["steps", 0, "name"], "Not a name"),
        ("lesson", ["steps", 0, "objects"], []),
        ("lesson", ["steps", 0, "objects"], "cluster.yaml"),
        ("lesson", ["steps", 0, "pods"], "web"),
        ("lesson", ["kind"], "List"),
        ("texts", ["title"], 1),
        ("texts", ["title"], "t" * 201),
        ("texts", ["steps", "where", "hints"], []),
        ("texts", ["steps", "where", "hints"], ["a"] * 5),
        ("texts", ["steps", "where", "mistakes"], ["a"]),
        ("texts", ["steps", "where", "reveal"], None),
    ],
)
def test_what_the_reader_refuses_is_not_valid(schema: str, path: list[str | int], value: Any) -> None:
    document = edited(LESSON if schema == "lesson" else TEXTS, path, value)

    assert list(check_struct(document, TYPES[schema]))
    assert not VALIDATORS[schema].is_valid(document)


def test_a_question_has_one_of_the_kinds() -> None:
    kinds = lesson_schema("lesson")["$defs"]["Question"]["properties"]

    assert set(kinds) == set(QUESTIONS)
    assert all(each["description"] for each in kinds.values())
    wrong: list[Any] = [{}, {"node": {}, "nodes": {}}, {"elsewhere": {}}, {"node": []}]
    for question in wrong:
        assert not VALIDATORS["lesson"].is_valid(edited(LESSON, ["steps", 0, "question"], question))


# How English texts write them.
WRITTEN: Final = {
    Term.ADMISSION_PLUGIN: r"admission plugin",
    Term.ALLOCATABLE: r"allocatable",
    Term.API_SERVER: r"API server",
    Term.AUTOSCALER: r"autoscaler",
    Term.BIN_PACKING: r"bin[ -]packing",
    Term.BUDGET: r"budget",
    Term.CONDITION: r"conditions? (Ready|`?MemoryPressure)|reads? conditions|condition leads",
    Term.CONTROL_PLANE: r"control plane",
    Term.CONTROLLER: r"\bcontrollers?\b",
    Term.CORDON: r"cordon",
    Term.DAEMON_SET: r"DaemonSet",
    Term.DRAIN: r"\bdrain",
    Term.EVICTION: r"\bevict",
    Term.EXTENDED_RESOURCE: r"extended resource",
    Term.FEASIBLE: r"feasible",
    Term.FILTER: r"\bfilter",
    Term.GRACE_PERIOD: r"grace period",
    Term.KUBELET: r"kubelet",
    Term.LABEL: r"\blabel",
    Term.LIMIT: r"(\ba|nor|and|have) limits?\b(?! in time)|`limits`",
    Term.LIMIT_RANGE: r"LimitRange\b",
    Term.NODE_AFFINITY: r"node affinity",
    Term.NODE_SELECTOR: r"node ?selector",
    Term.NOMINATED: r"nominate",
    Term.OVERHEAD: r"overhead",
    Term.PENDING: r"pending",
    Term.PLUGIN: r"(?<!admission )(?<!device )\bplugin",
    Term.POD_AFFINITY: r"pod affinity|anti-affinity",
    Term.PREEMPTION: r"preempt(?!ionPolicy)",
    Term.PRIORITY: r"\bpriorit(y|ies)\b|PriorityClass",
    Term.PROFILE: r"\bprofile",
    Term.QOS_CLASS: r"QoS|Burstable",
    Term.QUEUE: r"\bqueue",
    Term.REPLICA: r"replica(?!tion)",
    Term.REQUEST: r"\brequest",
    Term.RESOURCE_CLAIM: r"\bclaims? (describes|that|has)|ResourceClaim",
    Term.RESOURCE_QUOTA: r"\bquota",
    Term.SCHEDULING_GATE: r"\bgates?\b|schedulingGates",
    Term.SCORE: r"\bscor",
    Term.SKEW: r"\bskew",
    Term.SPREAD_CONSTRAINT: r"spread constraint",
    Term.TAINT: r"(?<!/)\btaint",
    Term.TOLERATION: r"toleration\b|tolerations\b",
    Term.TOPOLOGY_DOMAIN: r"\bdomain",
    Term.VICTIM: r"\bvictim",
    Term.WEIGHT: r"\bweight",
    Term.ZONE: r"\bzones?\b",
}


# A text that explains a word itself emphasises it there.
EMPHASISED: Final = re.compile(r"(?<!\*)\*([^*\n]+)\*(?!\*)")


def all_of(texts: StepTexts) -> str:
    return "\n".join((texts.title, texts.text, texts.ask, *texts.hints, texts.reveal, *texts.mistakes.values()))


def explained_in(text: str) -> set[Term]:
    emphasised = EMPHASISED.findall(text)
    return {
        term for term, written in WRITTEN.items() if any(re.search(written, each, re.IGNORECASE) for each in emphasised)
    }


@pytest.mark.parametrize("lesson", sorted(built_in_lessons()))
def test_a_word_is_explained_in_the_step_that_first_uses_it(lesson: str) -> None:
    known: set[Term] = set()
    found, wanted = {}, {}
    for step in built_in_lessons()[lesson].steps:
        texts = built_in_lessons()[lesson].texts["en"].steps[step.name]
        said = all_of(texts)
        places = {term: re.search(pattern, said, re.IGNORECASE) for term, pattern in WRITTEN.items()}
        new = {term: place.start() for term, place in places.items() if place is not None and term not in known}
        named = new.keys() - (explained_in(texts.text) - set(step.terms))
        wanted[step.name] = sorted(named, key=lambda term: new[term])
        found[step.name] = list(step.terms)
        known |= new.keys()

    assert found == wanted


LESSONS = sorted(built_in_folders())
STEPS = [
    pytest.param(name, number, id=f"{name}-{step.name}")
    for name, lesson in sorted(built_in_lessons().items())
    for number, step in enumerate(lesson.steps)
]


@pytest.mark.parametrize("lesson", LESSONS)
def test_nothing_is_wrong_with_it(lesson: str) -> None:
    assert check_lesson(lesson, built_in_files()[lesson].files, is_built_in=True) == ()


@pytest.mark.parametrize(("lesson", "number"), STEPS)
def test_each_step_has_an_answer_that_is_right(lesson: str, number: int) -> None:
    step = built_in_lessons()[lesson].steps[number]
    situation = build_situation(step.situation)
    right = [
        answer_of(each, step.question, situation) for each in right_ones(listed_answers(lesson).get(step.name, []))
    ]
    try:
        right.append(step.question.solution(situation))
    except UnsolvableError:
        # Of a manifest the engine finds only edits of pods: a right answer is listed.
        assert right

    assert [answer for answer in right if not step.question.judge(situation, answer).is_right] == []


@pytest.mark.parametrize(("lesson", "number"), STEPS)
def test_every_wrong_answer_is_the_mistake_that_it_is_listed_for(lesson: str, number: int) -> None:
    step = built_in_lessons()[lesson].steps[number]
    situation = build_situation(step.situation)

    for entry in wrong_ones(listed_answers(lesson).get(step.name, [])):
        judgement = step.question.judge(situation, answer_of(entry, step.question, situation))
        assert entry["gets"] in {key for each in judgement.mistakes for key in each.keys}, (entry, judgement)


@pytest.mark.parametrize("lesson", LESSONS)
def test_every_hint_for_a_mistake_is_met_by_a_listed_answer(lesson: str) -> None:
    listed = {step: {each["gets"] for each in wrong_ones(found)} for step, found in listed_answers(lesson).items()}

    for language, texts in built_in_lessons()[lesson].texts.items():
        hints = {name: set(step.mistakes) for name, step in texts.steps.items()}
        unmet = {name: keys - listed.get(name, set()) for name, keys in hints.items()}
        assert {name: keys for name, keys in unmet.items() if keys} == {}, language


@pytest.mark.parametrize("lesson", LESSONS)
def test_all_languages_say_the_same_number_of_things(lesson: str) -> None:
    texts = built_in_lessons()[lesson].texts

    assert set(texts) == set(LANGUAGES)
    for name, english in texts["en"].steps.items():
        for language in LANGUAGES:
            step = texts[language].steps[name]
            assert len(step.hints) == len(english.hints), (language, name)
            assert set(step.mistakes) == set(english.mistakes), (language, name)
            assert ("{answer}" in step.reveal) == ("{answer}" in english.reveal), (language, name)


def test_every_lesson_is_on_a_path() -> None:
    assert {lesson for path in learning_paths() for lesson in path.lessons} == set(LESSONS)


def test_answers_are_listed_for_the_lessons_and_steps_that_there_are() -> None:
    listed = {path.stem: set(listed_answers(path.stem)) for path in ANSWERS.glob("*.yaml")}
    steps = {name: {step.name for step in lesson.steps} for name, lesson in built_in_lessons().items()}

    assert set(listed) == set(steps)
    assert {name: found - steps[name] for name, found in listed.items() if found - steps[name]} == {}


def test_without_paths_those_that_come_with_berth_are_checked() -> None:
    status, out, _ = run("check")

    assert status == 0
    assert "filter-and-score: 4 steps, nothing is wrong." in out
