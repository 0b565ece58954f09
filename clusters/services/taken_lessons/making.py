"""From a decision to the files of a lesson about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from clusters.adapters.anonymous import anonymised
from clusters.adapters.anonymous.expressions import NamesReadInPartsError
from clusters.adapters.prune import KINDS
from clusters.documents.lessons import LESSONS_API_VERSION
from clusters.documents.taken_lessons import lesson_texts
from clusters.engine.lessons.asking import TERMS, steps_for
from clusters.engine.lessons.errors import SituationError
from clusters.engine.lessons.lesson import SituationParts
from clusters.engine.lessons.problems import AnswerIsUncertain
from clusters.engine.lessons.question import UnsolvableError
from clusters.engine.lessons.questions import read_question
from clusters.engine.lessons.situation import build_situation, certain
from clusters.problems.taken_lessons import TooMuchForALesson
from clusters.services.computing import deadlines
from clusters.services.decisions.what_if import as_text
from clusters.services.lessons.checking import check_lesson
from clusters.services.lessons.faults import BadLesson
from clusters.services.lessons.files import LESSON_FILE, MOST_BYTES
from clusters.services.lessons.situations import MOST_NODES, MOST_PODS
from clusters.services.lessons.texts import LANGUAGES, text_file
from clusters.services.taken_lessons.objects import objects_of
from clusters.services.taken_lessons.part import part_of
from clusters.services.taken_lessons.states import NotTakenError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from clusters.engine.lessons.asking import AskedStep
    from clusters.engine.objects import Document
    from clusters.services.taken_lessons.part import Part
    from clusters.services.taken_lessons.states import TakenState

OBJECTS_FILE: Final = "cluster.yaml"
_CONFIGURATION_FILE: Final = "scheduler.yaml"
_MINUTES: Final = 5
# What the texts and the file of the lesson take beside the objects.
_BYTES_OF_TEXTS: Final = 64 * 1024
_FEWEST_NODES: Final = 4
# For the check; the lesson has its name when it is stored.
_NAME: Final = "situation"


@dataclass(frozen=True, slots=True)
class TakenLesson:
    """A lesson that was made of a decision: its files, what it asks, and how much of the cluster it shows."""

    files: Mapping[str, str]
    steps: tuple[AskedStep, ...]
    part: Part
    pods: int


def lesson_of(state: TakenState) -> TakenLesson:
    """Make a lesson of a decision; everything in it has a neutral name.

    Raises NotTakenError where the decision cannot be computed from objects, BadLesson where the lesson could not be
    played, and OverTimeError.
    """
    _hold_certain(state)
    most_nodes = MOST_NODES
    while True:
        deadlines.check()
        part = part_of(state.explanation, most_nodes=most_nodes, most_pods=MOST_PODS - 1)
        made = _made(state, part)
        if sum(len(text.encode()) for text in made.files.values()) <= MOST_BYTES - _BYTES_OF_TEXTS:
            break
        if most_nodes <= _FEWEST_NODES:
            raise NotTakenError(TooMuchForALesson(MOST_BYTES))
        most_nodes //= 2
    faults = [each for each in check_lesson(_NAME, made.files) if not each.is_warning]
    if faults:
        raise BadLesson(faults)
    return made


def _hold_certain(state: TakenState) -> None:
    """Raise NotTakenError where something had a part in the decision that no lesson has: extenders, for one."""
    explanation = state.explanation
    if explanation.calls:
        raise NotTakenError(AnswerIsUncertain(explanation.pod.key, ("extender",)))
    if explanation.held_back is None:
        try:
            certain(explanation)
        except UnsolvableError as error:
            raise NotTakenError(error.problem) from None


def _made(state: TakenState, part: Part) -> TakenLesson:
    objects, subject = objects_of(state, part), state.explanation.pod
    try:
        names = anonymised(map(_pruned, objects), state.configuration)
    except NamesReadInPartsError as error:
        raise NotTakenError(error.problem) from None
    pod = names.pod(subject.namespace, subject.name)
    release = state.explanation.snapshot.release
    version = release.first_version if release.patch else release.minor
    parts = SituationParts(objects=names.objects, pod=pod, kubernetes=version, configuration=names.configuration)
    steps = _solvable(parts)
    lesson: dict[str, Any] = {
        "apiVersion": LESSONS_API_VERSION,
        "kind": "Lesson",
        "kubernetes": version,
        "minutes": _MINUTES,
        "steps": [
            {"name": str(step.kind), "terms": terms, "pod": pod, "question": step.question}
            for step, terms in zip(steps, _new_terms(steps), strict=True)
        ],
    }
    lesson["steps"][0]["objects"] = [OBJECTS_FILE]
    files = {LESSON_FILE: "", OBJECTS_FILE: "---\n".join(map(as_text, names.objects))}
    if names.configuration is not None:
        lesson["steps"][0]["configuration"] = _CONFIGURATION_FILE
        files[_CONFIGURATION_FILE] = as_text(names.configuration)
    files[LESSON_FILE] = as_text(lesson)
    for language in LANGUAGES:
        texts = lesson_texts(language, steps, pod=pod, nodes=len(part.nodes), nodes_in_all=part.nodes_in_all)
        files[text_file(language)] = as_text(texts)
    pods = sum(each["kind"] == "Pod" for each in names.objects)
    return TakenLesson(dict(sorted(files.items())), steps, part, pods)


def _new_terms(steps: Sequence[AskedStep]) -> Iterator[list[str]]:
    """Yield for each step the words that it is the first to use."""
    known: set[str] = set()
    for step in steps:
        new = [str(term) for term in TERMS[step.kind] if term not in known]
        known.update(new)
        yield new


def _pruned(document: Document) -> Document:
    """Return an object as lessons are read, so that nothing is written that a reader would leave out."""
    kind = KINDS[str(document["kind"])]
    return {"apiVersion": document["apiVersion"], "kind": kind.name, **kind.prune(dict(document))}


def _solvable(parts: SituationParts) -> tuple[AskedStep, ...]:
    """Return the steps whose questions have a certain answer. Raises NotTakenError where the first one has none."""
    try:
        situation = build_situation(parts)
        steps: Sequence[AskedStep] = steps_for(situation.explanation)
    except (SituationError, UnsolvableError) as error:
        raise NotTakenError(error.problem) from None
    found: list[AskedStep] = []
    for step in steps:
        try:
            read_question(step.question, "").check(situation)
        except UnsolvableError as error:
            if not found:
                raise NotTakenError(error.problem) from None
        else:
            found.append(step)
    return tuple(found)
