"""Free experiments: the objects of a situation changed one after another, and what would become of the pod then."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from clusters.engine.lessons import Situation, SituationError, SituationParts, build_situation, object_name
from clusters.engine.objects import Document, Pod
from clusters.problems.lessons import ManyInSituation
from clusters.services.lessons.reading import FILE, MOST_NODES, MOST_PODS, BadLesson, LessonFault, documents_in, written
from dashboard.lessons.progress import MOST_CHARACTERS, MOST_EDITS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


# What an edit is about that takes the place of all objects, and one that adds some.
WHOLE: Final = ""
NEW: Final = "new"
_BOUNDS: Final = {"Node": MOST_NODES, "Pod": MOST_PODS}


@dataclass(frozen=True, slots=True)
class Edit:
    """An object, by the name that lessons have for it, and the text in its place; an empty text takes it away."""

    name: str
    text: str


def edits_of(stored: Iterable[Sequence[str]]) -> list[Edit]:
    """Return edits as they are stored."""
    return [Edit(name, text) for name, text in stored]


def has_room(edits: Sequence[Edit], edit: Edit) -> bool:
    """Tell whether one more edit can be kept."""
    return len(edits) < MOST_EDITS and sum(len(each.text) for each in (*edits, edit)) <= MOST_CHARACTERS


def is_known(parts: SituationParts, edits: Iterable[Edit], edit: Edit) -> bool:
    """Tell whether what an edit is about is there after the ones before. Raises BadLesson."""
    there = {written(object_name(each)) for each in changed(parts, edits).objects}
    return edit.name in {WHOLE, NEW, *there}


def changed(parts: SituationParts, edits: Iterable[Edit]) -> SituationParts:
    """Return what a situation is made of after some edits. Raises BadLesson for a text that cannot be taken."""
    objects = {written(object_name(each)): each for each in parts.objects}
    for edit in edits:
        objects = {} if edit.name == WHOLE else {name: each for name, each in objects.items() if name != edit.name}
        found = documents_in(edit.text)
        if not found and (gone := edit.name.removeprefix("Node/")) != edit.name:
            # The pods of a node go with it.
            objects = {name: each for name, each in objects.items() if not _is_on(each, gone)}
        objects |= {written(object_name(each)): each for each in found}
    for kind, most in _BOUNDS.items():
        number = sum(each.get("kind") == kind for each in objects.values())
        if number > most:
            raise BadLesson([LessonFault(FILE, 0, "", ManyInSituation(kind, number, most))])
    # Who takes the pod in question away has no question any more, and may still look at the cluster.
    has_pod = f"Pod/{parts.pod}" in objects
    return replace(parts, objects=tuple(objects.values()), pod=parts.pod if has_pod else "")


def _is_on(document: Document, node: str) -> bool:
    return document.get("kind") == "Pod" and Pod(document).node_name == node


def experiment(parts: SituationParts, edits: Sequence[Edit]) -> Situation:
    """Build the situation after some edits. Raises BadLesson, also where the cluster cannot be."""
    try:
        return build_situation(changed(parts, edits))
    except SituationError as error:
        name = "" if error.subject is None else written(error.subject)
        raise BadLesson([LessonFault(FILE, 0, " ".join(filter(None, (name, error.field))), error.problem)]) from None
