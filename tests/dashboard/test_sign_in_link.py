from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission, User
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from dashboard.access import links
from dashboard.models import SignInLink
from dashboard.tasks import remove_expired

pytestmark = pytest.mark.django_db

ADDRESS = "/sign-in/link/"


def code(username: str = "operator") -> str:
    return links.make_link(username=username, base_url="http://testserver", create=True).partition("#")[2]


def is_signed_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def test_link_points_at_the_page_and_carries_its_code_where_no_log_sees_it() -> None:
    link = links.make_link(username="operator", base_url="https://berth.example.org/", create=True)

    address, _, token = link.partition("#")
    assert address == f"https://berth.example.org{reverse('sign-in-link')}"
    assert len(token) >= 43


def test_only_a_digest_is_stored() -> None:
    assert code() not in str(vars(SignInLink.objects.get()))


def test_looking_at_the_page_does_not_use_the_link_up(client: Client) -> None:
    token = code()

    assert client.get(ADDRESS).status_code == 200
    assert client.post(ADDRESS, {"code": token}).status_code == 302
    assert is_signed_in(client)


def test_link_signs_in_once(client: Client) -> None:
    token = code()
    client.post(ADDRESS, {"code": token})

    another = Client()
    response = another.post(ADDRESS, {"code": token})

    assert response.status_code == 403
    assert b"This link is not valid" in response.content
    assert not is_signed_in(another)


def test_link_signs_its_own_user_in(client: Client) -> None:
    client.post(ADDRESS, {"code": code("ada")})

    assert User.objects.get(pk=client.session["_auth_user_id"]).username == "ada"


def test_link_that_is_too_old_is_refused(client: Client) -> None:
    token = code()
    SignInLink.objects.update(expires_at=timezone.now() - timedelta(seconds=1))

    assert client.post(ADDRESS, {"code": token}).status_code == 403
    assert not is_signed_in(client)


def test_wrong_code_is_refused(client: Client) -> None:
    code()

    for wrong in ["", "x", "é", "a" * 201, "' OR 1=1 --"]:
        client.post(ADDRESS, {"code": wrong})
        assert not is_signed_in(client)
        assert SignInLink.objects.count() == 1


def test_link_of_a_disabled_user_is_refused(client: Client) -> None:
    token = code("ada")
    User.objects.update(is_active=False)

    assert client.post(ADDRESS, {"code": token}).status_code == 403
    assert not is_signed_in(client)


def test_post_without_csrf_token_is_refused() -> None:
    client = Client(enforce_csrf_checks=True)

    assert client.post(ADDRESS, {"code": code()}).status_code == 403
    assert not is_signed_in(client)
    assert SignInLink.objects.count() == 1


def test_page_is_never_cached(client: Client) -> None:
    assert "no-store" in client.get(ADDRESS)["Cache-Control"]


def test_default_user_cannot_sign_in_by_password() -> None:
    code()

    assert not User.objects.get(username="operator").has_usable_password()


def test_existing_user_keeps_the_password(user: User) -> None:
    code(user.username)

    user.refresh_from_db()
    assert user.check_password("correct horse battery")


def test_command_prints_a_link_that_works(client: Client, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("signin")

    client.post(ADDRESS, {"code": capsys.readouterr().out.strip().partition("#")[2]})
    assert is_signed_in(client)


def test_command_does_not_make_a_user_by_a_misspelt_name() -> None:
    with pytest.raises(CommandError, match=r"no active user named oprator.*--create"):
        call_command("signin", user="oprator")

    assert not User.objects.exists()


@pytest.mark.parametrize("command", [["signin"], ["token", "ci"]])
def test_commands_say_that_the_database_is_not_migrated(command: list[str]) -> None:
    MigrationRecorder(connection).record_unapplied("sessions", "0001_initial")

    with pytest.raises(CommandError, match=r"not migrated\. Run \S+ manage\.py migrate"):
        call_command(*command)


def test_command_says_that_permissions_are_not_there_yet() -> None:
    Permission.objects.all().delete()

    with pytest.raises(CommandError, match="not migrated"):
        call_command("signin")

    assert not User.objects.exists()


def test_expired_links_are_removed_by_the_task() -> None:
    code()
    SignInLink.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    code()

    remove_expired()

    assert SignInLink.objects.count() == 1
