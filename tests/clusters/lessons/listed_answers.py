"""Answers to the questions of lessons, as `answers/NAME.yaml` lists them by step.

An entry is a wrong ``answer`` with the key of the mistake that it ``gets``, or a ``right`` one. For a manifest ``edit``
may stand for the answer: paths of fields with what is written there, null to remove the field.
"""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from clusters.engine.lessons.asking import FieldPath
from clusters.engine.lessons.questions import ManifestQuestion

if TYPE_CHECKING:
    from clusters.engine.lessons import Question, Situation

ANSWERS = Path(__file__).parent / "answers"


def listed_answers(lesson: str) -> dict[str, list[dict[str, Any]]]:
    """Return the entries of a lesson by step."""
    found: dict[str, list[dict[str, Any]]] = yaml.safe_load((ANSWERS / f"{lesson}.yaml").read_text(encoding="utf-8"))
    return found


def wrong_ones(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [entry for entry in entries if "gets" in entry]


def right_ones(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [entry for entry in entries if "gets" not in entry]


def answer_of(entry: dict[str, Any], question: Question, situation: Situation) -> Any:
    """Return the answer of an entry, of an edit the changed object."""
    if "edit" not in entry:
        return entry["answer"] if "answer" in entry else entry["right"]
    assert isinstance(question, ManifestQuestion)
    document = deepcopy(dict(situation.written(question.name)))
    for path, value in entry["edit"].items():
        write(document, list(FieldPath.read(path, "edit").steps), value)
    return document


def write(document: Any, steps: list[str | int], value: Any) -> None:
    """Write a value at a path, and the maps that lead to it; None removes what is there."""
    *before, last = steps
    inner = document
    for step in before:
        inner = inner.setdefault(step, {}) if isinstance(inner, dict) else inner[step]
    if value is None:
        del inner[last]
    else:
        inner[last] = value
