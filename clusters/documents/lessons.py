"""The files of a lesson as they are written: `lesson.yaml`, the texts of one language, and the paths of the library.

Names are those of the files in snake case. docs/lessons.md describes every field."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import msgspec
import orjson
from msgspec import UNSET, UnsetType

from clusters.engine.lessons import QUESTIONS, ObjectName, Question, Term
from clusters.engine.sandbox import Act, ActKind, ObjectsChange, PodAttempt, SandboxHistory, named
from clusters.engine.simulation import Outcome

if TYPE_CHECKING:
    from collections.abc import Mapping


LESSONS_API_VERSION: Final = "lessons.berth.io/v1"
LESSON_NAME: Final = "^[a-z0-9-]{1,40}$"
LONGEST_TEXT: Final = 20_000
_LONGEST_PATH: Final = 200
_MOST_FILES: Final = 100

ShortName = Annotated[str, msgspec.Meta(pattern=LESSON_NAME)]
FileName = Annotated[str, msgspec.Meta(min_length=1, max_length=_LONGEST_PATH)]
FileNames = Annotated[tuple[FileName, ...], msgspec.Meta(max_length=_MOST_FILES)]
Prose = Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_TEXT)]
Heading = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
ObjectReference = Annotated[str, msgspec.Meta(min_length=1, max_length=400)]
# A kind of question with its arguments, which the engine's own types read.
QuestionEntry = Annotated[
    dict[str, Any], msgspec.Meta(extra_json_schema={"minProperties": 1, "maxProperties": 1, "$ref": "#/$defs/Question"})
]


class LessonPart(msgspec.Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """A part of a file of a lesson."""


class StepManifest(LessonPart, frozen=True, kw_only=True):
    """A step: what its situation is made of, and what is asked about it.

    What is left out is as in the step before, but for the pod and the question.
    """

    name: ShortName
    objects: Annotated[FileNames, msgspec.Meta(min_length=1)] | UnsetType = UNSET
    add: FileNames = ()
    remove: tuple[ObjectReference, ...] = ()
    pod: ObjectReference | UnsetType = UNSET
    configuration: FileName | UnsetType = UNSET
    kubelet: FileName | UnsetType = UNSET
    usage: FileName | UnsetType = UNSET
    question: QuestionEntry
    shows: Literal["decision", "answer"] = "decision"
    terms: tuple[Term, ...] = ()


class LessonManifest(LessonPart, frozen=True, kw_only=True):
    """The file `lesson.yaml`."""

    api_version: Literal["lessons.berth.io/v1"]
    kind: Literal["Lesson"]
    kubernetes: Annotated[str, msgspec.Meta(pattern=r"^[0-9]{1,2}\.[0-9]{1,3}(\.[0-9]{1,3})?$")] | UnsetType = UNSET
    feature_gates: dict[str, Any] = {}
    minutes: Annotated[int, msgspec.Meta(ge=1, le=60)]
    steps: Annotated[tuple[StepManifest, ...], msgspec.Meta(min_length=1, max_length=40)]


class StepTextsManifest(LessonPart, frozen=True, kw_only=True):
    """What a step says in one language."""

    title: Heading
    text: Prose
    ask: Prose
    hints: Annotated[tuple[Prose, ...], msgspec.Meta(min_length=1, max_length=4)]
    reveal: Prose
    mistakes: dict[str, Prose] = {}


class LessonTextsManifest(LessonPart, frozen=True, kw_only=True):
    """A file of `texts/`: what a lesson says in one language."""

    title: Heading
    about: Annotated[str, msgspec.Meta(min_length=1, max_length=500)]
    steps: dict[str, StepTextsManifest]


class CopiesManifest(LessonPart, frozen=True, kw_only=True):
    """So many copies of a pod, on nodes in turn, or pending where none are named."""

    api_version: Literal["lessons.berth.io/v1"]
    kind: Literal["Copies"]
    count: Annotated[int, msgspec.Meta(ge=1, le=500)]
    nodes: tuple[ObjectReference, ...] = ()
    of: dict[str, Any]


class PodUsageManifest(LessonPart, frozen=True, kw_only=True):
    """What a pod uses."""

    memory: ObjectReference


class UsageManifest(LessonPart, frozen=True, kw_only=True):
    """The file that `usage` names: what pods use, by ``namespace/name``."""

    pods: dict[str, PodUsageManifest]


LibraryPaths = dict[str, tuple[ShortName, ...]]

# The JSON schemas of a lesson's files, made from the types that read them.

_DEFINITIONS: Final = "#/$defs/"
_TYPES: Final[dict[str, type]] = {"lesson": LessonManifest, "texts": LessonTextsManifest}


def schema_names() -> tuple[str, ...]:
    """Return the names of the schemas of a lesson's files."""
    return tuple(_TYPES)


def lesson_schema(name: str) -> dict[str, Any]:
    """Return the schema of `lesson.yaml` or of a file of `texts/`, as JSON Schema 2020-12."""
    described = _TYPES[name]
    _, parts = msgspec.json.schema_components([described], ref_template=f"{_DEFINITIONS}{{name}}")
    if described is LessonManifest:
        parts[Question.__name__] = _question()
    described_by = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": name,
        "$ref": f"{_DEFINITIONS}{described.__name__}",
        "$defs": dict(sorted(parts.items())),
    }
    # As JSON has it: defaults are tuples in the types.
    schema: dict[str, Any] = orjson.loads(orjson.dumps(described_by))
    return schema


def _question() -> dict[str, Any]:
    """Return the schema of a question: one of the kinds that there are, with its arguments in a map, or without any."""
    kinds = {
        kind: {"description": _first_paragraph(question), "type": ["object", "null"]}
        for kind, question in QUESTIONS.items()
    }
    return {
        "title": Question.__name__,
        "description": _first_paragraph(Question),
        "type": "object",
        "properties": kinds,
        "additionalProperties": False,
        "minProperties": 1,
        "maxProperties": 1,
    }


def _first_paragraph(described: type) -> str:
    return " ".join((described.__doc__ or "").partition("\n\n")[0].split())


def encoded(history: SandboxHistory) -> dict[str, Any]:
    """Write a history as plain values."""
    return {"base": list(history.base.values()), "acts": [_act(each) for each in history.acts]}


def decoded(stored: Mapping[str, Any]) -> SandboxHistory:
    """Read a history that was written."""
    return SandboxHistory(
        named(stored["base"]),
        tuple(
            Act(
                ActKind(each["kind"]),
                each["subject"],
                ObjectsChange(tuple(each["put"]), tuple(ObjectName(*name) for name in each["gone"])),
                tuple(
                    PodAttempt(number, pod, Outcome(outcome), node, message, tuple(victims))
                    for number, pod, outcome, node, message, victims in each["attempts"]
                ),
            )
            for each in stored["acts"]
        ),
    )


def _act(act: Act) -> dict[str, Any]:
    return {
        "kind": act.kind,
        "subject": act.subject,
        "put": list(act.change.put),
        "gone": [list(name) for name in act.change.gone],
        "attempts": [
            [each.number, each.pod, each.outcome, each.node, each.message, each.victims] for each in act.attempts
        ],
    }
