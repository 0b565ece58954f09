from __future__ import annotations

from io import StringIO
from shutil import make_archive
from typing import TYPE_CHECKING

import pytest
from django.core.management import call_command

from clusters.models import StoredLesson
from tests.clusters.lessons.small_lesson import FILES

if TYPE_CHECKING:
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


def test_several_lessons_have_the_worst_status(folder: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "lesson.yaml").write_text("{}", encoding="utf-8")

    assert run("check", str(other), str(folder))[0] == 1
    status, out, err = run("check", str(tmp_path / "gone"), str(other), str(folder))
    assert status == 2
    assert "gone: It cannot be read" in err
    assert "small: 2 steps, nothing is wrong." in out


def test_a_folder_that_is_no_lesson_is_named(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    status, _, err = run("check", str(tmp_path / "empty"))

    assert status == 2
    assert "empty: There is no lesson.yaml." in err


def test_without_paths_those_that_come_with_berth_are_checked() -> None:
    status, out, _ = run("check")

    assert status == 0
    assert "filter-and-score: 4 steps, nothing is wrong." in out


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
