"""Whatever somebody writes into the files of a lesson is read, or refused with a reason."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import msgspec
import yaml
from hypothesis import given
from hypothesis import strategies as st

from clusters.adapters.schema.checking import check_struct
from clusters.documents.lessons import LessonManifest, LessonTextsManifest
from clusters.services.lessons.reading import BadLesson, read_lesson
from clusters.wording.problems import placed_sentence
from tests.clusters.lessons.small_lesson import FILES, LESSON, TEXTS

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
