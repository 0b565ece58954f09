"""The published schemas say of files what the reader says of them."""

from __future__ import annotations

from typing import Any

import jsonschema_rs
import pytest
import yaml

from clusters.adapters.schema.checking import check_struct
from clusters.documents.lessons import LessonManifest, LessonTextsManifest, lesson_schema, schema_names
from clusters.engine.lessons import QUESTIONS
from clusters.services.lessons.library import built_in_files
from clusters.services.lessons.reading import is_text_file
from tests.clusters.lessons.small_lesson import LESSON, TEXTS

TYPES: dict[str, type] = {"lesson": LessonManifest, "texts": LessonTextsManifest}
VALIDATORS = {name: jsonschema_rs.Draft202012Validator(lesson_schema(name)) for name in schema_names()}


def test_there_is_a_schema_for_each_type() -> None:
    assert set(schema_names()) == set(TYPES)


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


def test_the_reader_takes_what_is_valid() -> None:
    for schema, text in (("lesson", LESSON), ("texts", TEXTS)):
        assert VALIDATORS[schema].is_valid(yaml.safe_load(text))
        assert not list(check_struct(yaml.safe_load(text), TYPES[schema]))


def test_a_question_has_one_of_the_kinds() -> None:
    kinds = lesson_schema("lesson")["$defs"]["Question"]["properties"]

    assert set(kinds) == set(QUESTIONS)
    assert all(each["description"] for each in kinds.values())
    wrong: list[Any] = [{}, {"node": {}, "nodes": {}}, {"elsewhere": {}}, {"node": []}]
    for question in wrong:
        assert not VALIDATORS["lesson"].is_valid(edited(LESSON, ["steps", 0, "question"], question))
