from __future__ import annotations

import pytest

from clusters.adapters.bad_input import BadInput
from clusters.engine.problems import NameExists, ReservedName
from clusters.models import StoredLesson
from clusters.problems.lessons import ManyStoredLessons
from clusters.services.lessons import storing
from clusters.services.lessons.library import (
    built_in_folders,
    built_in_lessons,
    lesson_named,
    stored_lesson,
    stored_lessons,
)
from clusters.services.lessons.reading import BadLesson
from clusters.services.lessons.storing import StoredUpload, delete_lesson, store_lesson
from tests.clusters.lessons.small_lesson import FILES, changed
from tests.clusters.lessons.test_lesson_files import zipped

pytestmark = pytest.mark.django_db


def stored(files: dict[str, str] = FILES, name: str = "small") -> StoredUpload:
    return store_lesson(data=zipped(files, f"{name}/"), file_name="upload.zip", uploaded_by="trainer")


def test_an_uploaded_lesson_is_stored_with_its_title_and_who_sent_it() -> None:
    found = stored()

    assert (found.lesson.name, found.lesson.title, found.lesson.uploaded_by) == ("small", "A small lesson", "trainer")
    assert [each.file for each in found.warnings] == ["texts/id.yaml", "texts/uk.yaml"]
    assert StoredLesson.objects.get().files == FILES


def test_a_stored_lesson_is_read_as_its_files_say() -> None:
    stored()
    lesson = stored_lesson("small")

    assert lesson is not None
    assert lesson is lesson_named("small")
    assert [step.name for step in lesson.steps] == ["where", "later"]


def test_a_lesson_that_is_uploaded_anew_is_read_anew() -> None:
    stored()
    before = stored_lesson("small")
    delete_lesson(name="small")
    stored(changed("texts/en.yaml", "A small lesson", "Another one"))
    after = stored_lesson("small")

    assert before is not None
    assert after is not None
    assert (before.texts["en"].title, after.texts["en"].title) == ("A small lesson", "Another one")


def test_lessons_that_come_with_berth_are_found_by_name() -> None:
    name = next(iter(built_in_lessons()))

    assert lesson_named(name) is built_in_lessons()[name]
    assert lesson_named("gone") is None


def test_lessons_are_listed_by_name_without_their_files() -> None:
    stored(name="second")
    stored(name="first")
    rows = list(stored_lessons())

    assert [row.name for row in rows] == ["first", "second"]
    assert all("packed_files" in row.get_deferred_fields() for row in rows)


def test_a_lesson_is_deleted() -> None:
    stored()

    assert delete_lesson(name="small")
    assert not delete_lesson(name="small")
    assert stored_lesson("small") is None


def test_a_name_is_given_once() -> None:
    stored()

    with pytest.raises(BadInput) as error:
        stored()
    assert error.value.problem == NameExists("small")
    comes_along = next(iter(built_in_folders()))
    with pytest.raises(BadInput) as error:
        stored(name=comes_along)
    assert error.value.problem == NameExists(comes_along)
    # The sandbox has its address among those of lessons.
    with pytest.raises(BadInput) as error:
        stored(name="sandbox")
    assert error.value.problem == ReservedName("sandbox")


def test_a_lesson_that_cannot_be_played_is_not_stored() -> None:
    with pytest.raises(BadLesson) as error:
        stored(changed("cluster.yaml", "nodeName: node-1", "nodeName: node-9"))

    assert [each.file for each in error.value.faults if not each.is_warning] == ["cluster.yaml"]
    assert not StoredLesson.objects.exists()


def test_no_more_lessons_are_stored_than_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storing, "MOST_STORED", 1)
    stored()

    with pytest.raises(BadInput) as error:
        stored(name="second")
    assert error.value.problem == ManyStoredLessons(1)


def test_a_title_is_in_a_language_that_there_is() -> None:
    files = {"texts/pt-br.yaml" if name == "texts/en.yaml" else name: text for name, text in FILES.items()}

    assert stored(files).lesson.title == "A small lesson"
