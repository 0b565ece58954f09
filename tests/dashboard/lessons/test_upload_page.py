"""The page on which lessons are uploaded, downloaded and removed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.contrib.auth.models import Permission
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from clusters.models import StoredLesson
from clusters.services.lessons.reading import MOST_BYTES, read_archive
from clusters.services.lessons.storing import store_lesson
from tests.clusters.lessons.small_lesson import FILES
from tests.clusters.lessons.test_lesson_files import zipped
from tests.support.decision_cluster import text

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from django.test.client import _MonkeyPatchedWSGIResponse as Response

pytestmark = pytest.mark.django_db

UPLOAD = "/lessons/upload/"


@pytest.fixture
def trainer(user: User, signed_in_client: Client) -> Client:
    """Return the client of a user who may write lessons."""
    user.user_permissions.add(Permission.objects.get(codename="add_storedlesson"))
    return signed_in_client


def sent(client: Client, data: bytes, name: str = "upload.zip") -> Response:
    return client.post(UPLOAD, {"file": SimpleUploadedFile(name, data)}, follow=True)


def test_an_archive_is_stored_listed_and_played(trainer: Client) -> None:
    response = sent(trainer, zipped(FILES, "small/"))

    shown = text(response)
    assert "small is among the lessons" in shown
    assert "texts/id.yaml" in shown
    assert StoredLesson.objects.get().uploaded_by == "operator"
    assert 'href="/lessons/small/"' in response.text
    assert trainer.get("/lessons/small/where/").status_code == 200


def test_what_is_wrong_is_said_with_file_line_and_remedy(trainer: Client) -> None:
    wrong = FILES | {"lesson.yaml": FILES["lesson.yaml"].replace("which: feasible", "which: fesible")}

    response = sent(trainer, zipped(wrong, "small/"))

    assert response.status_code == 400
    shown = text(response)
    assert "The lesson cannot be played yet. Nothing was stored." in shown
    assert "lesson.yaml" in shown
    assert "Line 16" in shown
    assert "feasible" in shown
    assert not StoredLesson.objects.exists()


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "neither a folder nor an archive"),
        (b"PK nonsense", "archive"),
        (b"x" * (MOST_BYTES + 10), "more than 1 MiB"),
        (zipped({"cluster.yaml": "{}"}, "small/"), "no lesson.yaml"),
        (zipped(FILES, "Not A Name/"), "is not valid here"),
        (zipped(FILES, "upload/"), "upload is reserved"),
    ],
)
def test_what_is_no_archive_of_a_lesson_is_refused(trainer: Client, data: bytes, said: str) -> None:
    response = sent(trainer, data)

    assert response.status_code == 400
    assert said in text(response)
    assert not StoredLesson.objects.exists()


def test_a_form_without_a_file_says_what_to_choose(trainer: Client) -> None:
    response = trainer.post(UPLOAD, {})

    assert response.status_code == 400
    assert "Choose an archive" in text(response)


def test_a_download_can_be_uploaded_again(trainer: Client) -> None:
    sent(trainer, zipped(FILES, "small/"))

    response = trainer.get("/lessons/upload/small/download/")

    assert response["Content-Disposition"] == 'attachment; filename="small.zip"'
    assert read_archive(response.content, "small.zip") == ("small", FILES)


def test_a_lesson_is_removed_once_that_is_confirmed(trainer: Client) -> None:
    sent(trainer, zipped(FILES, "small/"))

    assert "Remove small?" in text(trainer.get("/lessons/upload/small/remove/"))
    assert StoredLesson.objects.exists()

    assert "small is removed" in text(trainer.post("/lessons/upload/small/remove/", follow=True))
    assert not StoredLesson.objects.exists()
    assert trainer.get("/lessons/small/").status_code == 404


def test_a_built_in_lesson_is_neither_downloaded_nor_removed_here(trainer: Client) -> None:
    for rest in ("download/", "remove/"):
        assert trainer.get(f"/lessons/upload/filter-and-score/{rest}").status_code == 404
    assert trainer.post("/lessons/upload/filter-and-score/remove/").status_code == 404


def test_without_the_permission_nothing_can_be_done(signed_in_client: Client) -> None:
    store_lesson(data=zipped(FILES, "small/"), file_name="small.zip", uploaded_by="trainer")

    assert UPLOAD not in signed_in_client.get("/lessons/").text
    for address in (UPLOAD, f"{UPLOAD}small/download/", f"{UPLOAD}small/remove/"):
        assert signed_in_client.get(address).status_code == 403
    assert sent(signed_in_client, zipped(FILES, "other/")).status_code == 403
    assert signed_in_client.post(f"{UPLOAD}small/remove/").status_code == 403
    assert list(StoredLesson.objects.values_list("name", flat=True)) == ["small"]


def test_whoever_may_add_clusters_may_not_write_lessons(user: User, signed_in_client: Client) -> None:
    user.user_permissions.add(Permission.objects.get(codename="add_cluster"))

    assert signed_in_client.get(UPLOAD).status_code == 403


def test_the_forms_are_protected_from_other_sites(user: User) -> None:
    user.is_staff = True
    user.save()
    client = Client(enforce_csrf_checks=True)
    client.force_login(user)

    assert client.post(UPLOAD, {}).status_code == 403
    assert client.post("/lessons/upload/small/remove/").status_code == 403
