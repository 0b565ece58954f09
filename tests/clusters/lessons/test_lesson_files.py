from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from typing import TYPE_CHECKING

import pytest

from clusters.adapters.bad_input import BadInput
from clusters.problems.inputs import ByteNotUtf8, DamagedArchive, LeadsOutOfArchive, LinkInArchive, UnreadableFile
from clusters.problems.lessons import LargeLesson, ManyLessonFiles, NeitherFolderNorArchive, NotALesson, NotALessonName
from clusters.services.lessons.reading import MOST_BYTES, MOST_FILES, read_archive, read_folder, read_lesson_files
from tests.clusters.lessons.small_lesson import FILES

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from clusters.engine.problems import Problem


def zipped(files: Mapping[str, str | bytes], within: str = "") -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(f"{within}{name}", content)
    return written.getvalue()


def tarred(files: Mapping[str, str], within: str = "", mode: str = "w:gz") -> bytes:
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode=mode) as archive:  # type: ignore[call-overload]
        for name, content in files.items():
            member = tarfile.TarInfo(f"{within}{name}")
            member.size = len(content.encode())
            archive.addfile(member, io.BytesIO(content.encode()))
    return written.getvalue()


def problem_of(data: bytes, name: str = "small.zip") -> Problem:
    with pytest.raises(BadInput) as error:
        read_archive(data, name)
    return error.value.problem


@pytest.mark.parametrize(
    ("data", "file_name", "lesson"),
    [
        (zipped(FILES, "small/"), "anything.zip", "small"),
        (zipped(FILES), "small-one.zip", "small-one"),
        (tarred(FILES, "small/"), "anything.tgz", "small"),
        (tarred(FILES, "./"), "small-one.tar.gz", "small-one"),
        (tarred(FILES, mode="w"), "C:\\lessons\\small-one.tar", "small-one"),
        (zipped({**FILES, "__MACOSX/._lesson.yaml": "x", ".git/a.yaml": "x", "notes.txt": "x"}), "small.zip", "small"),
    ],
)
def test_archives_of_every_sort_are_read(data: bytes, file_name: str, lesson: str) -> None:
    assert read_archive(data, file_name) == (lesson, FILES)


def test_a_folder_is_read(tmp_path: Path) -> None:
    folder = tmp_path / "small"
    for name, text in {**FILES, "README.md": "no part of it", ".hidden/a.yaml": "nor this"}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "link.yaml").symlink_to(folder / "lesson.yaml")

    assert read_folder(folder) == ("small", FILES) == read_lesson_files(folder)


def test_an_archive_on_disk_is_read(tmp_path: Path) -> None:
    (tmp_path / "small.zip").write_bytes(zipped(FILES))

    assert read_lesson_files(tmp_path / "small.zip") == ("small", FILES)


def test_a_file_that_is_not_there_is_said_to_be_unreadable(tmp_path: Path) -> None:
    with pytest.raises(BadInput) as error:
        read_lesson_files(tmp_path / "small.zip")

    assert isinstance(error.value.problem, UnreadableFile)


def test_what_is_no_lesson_is_refused() -> None:
    without = {name: text for name, text in FILES.items() if name != "lesson.yaml"}

    assert problem_of(zipped(without)) == NotALesson("lesson.yaml")
    assert problem_of(b"apiVersion: v1") == NeitherFolderNorArchive()
    assert problem_of(zipped({"a.txt": "a"})) == NotALesson("lesson.yaml")
    assert problem_of(zipped(FILES), "My lesson.zip") == NotALessonName("'My lesson'")
    assert problem_of(zipped(FILES, "My lesson/")) == NotALessonName("'My lesson'")
    assert isinstance(problem_of(zipped({**FILES, "cluster.yaml": b"\xff"})), ByteNotUtf8)


def test_what_could_do_harm_is_refused() -> None:
    link = io.BytesIO()
    with tarfile.open(fileobj=link, mode="w") as archive:
        member = tarfile.TarInfo("lesson.yaml")
        member.type, member.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(member)

    assert isinstance(problem_of(link.getvalue(), "small.tar"), LinkInArchive)
    assert isinstance(problem_of(zipped({"../lesson.yaml": "a"})), LeadsOutOfArchive)
    assert isinstance(problem_of(zipped(FILES)[:200]), DamagedArchive)


def test_a_lesson_has_bounds(tmp_path: Path) -> None:
    many = {f"{number}.yaml": "" for number in range(MOST_FILES)}
    large = {"large.yaml": "#" * MOST_BYTES}
    for name, text in {**FILES, **large}.items():
        (tmp_path / "small" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "small" / name).write_text(text, encoding="utf-8")

    assert problem_of(zipped({**FILES, **many})) == ManyLessonFiles(MOST_FILES)
    assert problem_of(zipped({**FILES, **large})) == LargeLesson(MOST_BYTES)
    assert problem_of(tarred({**FILES, **large})) == LargeLesson(MOST_BYTES)
    assert problem_of(gzip.compress(bytes(64 * MOST_BYTES))) == NeitherFolderNorArchive()
    assert problem_of(b"PK\x03\x04" + bytes(MOST_BYTES)) == LargeLesson(MOST_BYTES)
    with pytest.raises(BadInput) as error:
        read_folder(tmp_path / "small")
    assert error.value.problem == LargeLesson(MOST_BYTES)
