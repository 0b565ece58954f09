"""docs/lessons.md: its example is a lesson as it stands, and its tables name all that there is."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec
import pytest
from django.conf import settings

from clusters.documents.lessons import (
    LONGEST_TEXT,
    LessonManifest,
    LessonTextsManifest,
    StepManifest,
    StepTextsManifest,
)
from clusters.engine.lessons import QUESTIONS, MistakeKind, Term
from clusters.engine.lessons.lesson import GOALS
from clusters.engine.lessons.values import VALUES
from clusters.services.lessons.reading import (
    LANGUAGES,
    MOST_FILES,
    MOST_NODES,
    MOST_PODS,
    check_lesson,
    read_folder,
    read_lesson,
)
from clusters.services.lessons.storing import MOST_STORED

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

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
    found = named([row[0] for row in rows_below(heading)])

    assert set(found) == set(known)


def test_the_arguments_of_numbers_are_named() -> None:
    found = {named([row[0]])[0]: set(named([row[1]])) for row in rows_below("### Numbers")}

    assert found == {name: set(value.arguments) for name, value in VALUES.items()}


def test_the_terms_are_named() -> None:
    text = PAGE.read_text(encoding="utf-8").partition("\n### Terms\n")[2].partition("\n#")[0]

    assert set(named([text])) == {"terms", "lessons check", *Term}


def test_the_limits_are_named() -> None:
    text = PAGE.read_text(encoding="utf-8").partition("\n## Limits\n")[2]

    for number in (MOST_FILES, MOST_STORED, MOST_NODES, MOST_PODS, LONGEST_TEXT):
        assert re.search(rf"\b{number:,}\b", text), number
