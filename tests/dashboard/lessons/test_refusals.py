"""What is refused on pages of lessons and classrooms: in the language of who asks, with the way back."""

from __future__ import annotations

from html import unescape
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Permission
from django.test import Client

from tests.dashboard.classrooms.rooms import open_room, seated
from tests.dashboard.lessons.learners import LESSON
from tests.support.untranslated import readable, untranslated

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.contrib.auth.models import User

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

# All catalogues translate the same messages.
LANGUAGE = "uk"


def strict(client: Client) -> Client:
    """Return a browser with the same cookies, none of whose forms has the right token."""
    found = Client(enforce_csrf_checks=True)
    found.cookies.update(client.cookies)
    return found


def refusals(user: User, language: str, change: pytest.MonkeyPatch) -> Iterator[tuple[str, int, str, Any]]:
    """Yield what was asked, which status that has, where the page leads, and the answer."""
    learner, trainer, stranger = Client(), Client(), Client()
    learner.force_login(user)
    teaching = get_user_model().objects.create_user("trainer")
    teaching.user_permissions.add(Permission.objects.get(codename="teach"))
    trainer.force_login(teaching)
    participant = seated(open_room(user))
    for client in (learner, trainer, stranger, participant):
        client.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    for path in (
        "/lessons/no-such/",
        f"/lessons/{LESSON}/no-such/",
        "/lessons/sandbox/shared/gone/",
        "/lessons/a/b/c/d/",
    ):
        yield path, 404, "/lessons/", learner.get(path)
    for path in ("/lessons/upload/", "/classrooms/", "/classrooms/1/"):
        yield path, 403, "/lessons/", learner.get(path)
    yield "/classrooms/9999/", 404, "/classrooms/", trainer.get("/classrooms/9999/")
    yield "/join/a/b/", 404, "/join/", stranger.get("/join/a/b/")
    yield "/seat/quotas/", 404, "/seat/", participant.get("/seat/quotas/")
    for path, client, back in (
        ("/lessons/_language/", learner, "/lessons/"),
        ("/lessons/sandbox/", learner, "/lessons/"),
        ("/classrooms/new/", trainer, "/classrooms/"),
        ("/join/", stranger, "/join/"),
        ("/seat/_language/", participant, "/seat/"),
    ):
        yield f"a forged form to {path}", 403, back, strict(client).post(path, {"language": "uk"})
    yield "another language of /join/", 400, "/join/", stranger.post("/join/", {"language": "tlh"})
    for path, client, back in (("/lessons/", learner, "/lessons/"), ("/seat/", participant, "/seat/")):
        unreadable = client.post(f"{path}_language/", {"language": "tlh"})
        yield f"another language of {path}", 400, back, unreadable
        with change.context() as patch:
            patch.setattr(settings, "BERTH_COMPUTING_SECONDS", -1)
            yield f"too much of {path}", 429, back, client.get(path)


def test_what_is_refused_says_what_to_do_in_the_language_of_who_asks(
    user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    # With the first request forms are imported, which asks for some words.
    Client().get("/join/")
    shown = ""
    with untranslated(LANGUAGE) as found:
        for asked, status, back, answer in refusals(user, LANGUAGE, monkeypatch):
            assert answer.status_code == status, asked
            assert f'<html lang="{LANGUAGE}"' in answer.text, asked
            shown += unescape(answer.text)
            main = answer.text.partition("<main")[2].partition("</main>")[0]
            assert f'href="{back}"' in main, asked
            assert 'href="/"' not in main, asked
    # Django has more to say of forged forms than our page shows.
    assert [each for each in readable(found.messages) if each in shown or "%(" in each] == []
