"""docs/lessons.md: its example is a lesson as it stands."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from django.conf import settings

from clusters.services.lessons.checking import check_lesson
from clusters.services.lessons.files import read_folder
from clusters.services.lessons.reading import read_lesson
from clusters.services.lessons.texts import LANGUAGES

if TYPE_CHECKING:
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
