"""Which ways to sign in there are, as the settings say; by default links and passwords."""

from __future__ import annotations

import os
import runpy
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings as of_tests
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from dashboard import env
from dashboard.access.links import make_link

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client
    from pytest_django import Settings

PROVIDER = {"BERTH_OIDC_ISSUER": "https://login.example.org", "BERTH_OIDC_CLIENT_ID": "berth"}


@pytest.mark.django_db
def test_links_can_be_off(client: Client, settings: Settings, user: User) -> None:
    code = make_link(username="operator", base_url="http://berth", create=True).partition("#")[2]
    settings.BERTH_SIGNIN_LINKS = False

    assert client.post("/sign-in/link/", {"code": code}).status_code == 404
    assert client.get("/sign-in/link/").status_code == 404
    assert "signin" not in client.get("/sign-in/").text
    client.force_login(User.objects.create_superuser("root"))
    assert client.post(f"/administration/users/{user.pk}/link/").status_code == 404
    assert "sign-in link" not in client.get(f"/administration/users/{user.pk}/").text
    with pytest.raises(CommandError, match="BERTH_SIGNIN_LINKS"):
        call_command("signin")

    settings.BERTH_SIGNIN_LINKS = True
    assert client.post("/sign-in/link/", {"code": code}).status_code == 302


@pytest.mark.django_db
def test_passwords_can_be_off(client: Client, settings: Settings, user: User) -> None:
    settings.BERTH_SIGNIN_PASSWORDS = False

    answer = client.post("/sign-in/", {"username": user.username, "password": "correct horse battery"})

    assert (answer.status_code, "_auth_user_id" in client.session) == (405, False)
    assert "id_password" not in client.get("/sign-in/").text
    assert "with a password" not in client.get("/sign-in/link/").text


def read(variables: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Return the settings as they are with these variables and no others."""
    for name in [name for name in os.environ if name.startswith("BERTH_")]:
        monkeypatch.delenv(name)
    for name, value in {"BERTH_DATA_DIR": str(tmp_path), **variables}.items():
        monkeypatch.setenv(name, value)
    return runpy.run_path(str(of_tests.BASE_DIR / "dashboard" / "settings.py"))


def test_a_provider_needs_little(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = read({**PROVIDER, "BERTH_SIGNIN_LINKS": "0", "BERTH_SIGNIN_PASSWORDS": "0"}, tmp_path, monkeypatch)

    assert (found["BERTH_OIDC_NAME"], found["BERTH_OIDC_CLIENT_SECRET"]) == ("login.example.org", "")
    assert found["BERTH_OIDC_SCOPES"] == ["openid", "profile", "email"]


@pytest.mark.parametrize(
    ("variables", "said"),
    [
        ({"BERTH_SIGNIN_LINKS": "0", "BERTH_SIGNIN_PASSWORDS": "0"}, "nobody could sign in"),
        ({"BERTH_OIDC_ISSUER": "https://login.example.org"}, "BERTH_OIDC_ISSUER is set, and BERTH_OIDC_CLIENT_ID not"),
        ({"BERTH_OIDC_CLIENT_ID": "berth"}, "BERTH_OIDC_CLIENT_ID is set, and BERTH_OIDC_ISSUER not"),
        ({**PROVIDER, "BERTH_OIDC_SCOPES": "profile,email"}, "no openid"),
        ({**PROVIDER, "BERTH_OIDC_ISSUER": "https://accounts.google.com"}, "BERTH_OIDC_ALLOWED_DOMAINS"),
        ({**PROVIDER, "BERTH_OIDC_RENEWAL_MINUTES": "0"}, "from 1 to"),
        ({"BERTH_PROXY_USER_HEADER": "X-Forwarded-User"}, "and BERTH_TRUSTED_PROXIES not"),
        ({"BERTH_TRUSTED_PROXIES": "10.0.0.7"}, "and BERTH_PROXY_USER_HEADER not"),
    ],
)
def test_settings_that_cannot_be_right_are_refused(
    variables: dict[str, str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(env.SettingError, match=said):
        read(variables, tmp_path, monkeypatch)


@pytest.mark.parametrize(
    "value", ["https://login.example.org/realms/staff/", "http://127.0.0.1:5556/dex", "http://localhost"]
)
def test_an_issuer_is_taken_to_the_letter(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BERTH_X", value)

    assert env.issuer("BERTH_X") == value


@pytest.mark.parametrize(
    "value",
    [
        "login.example.org",
        "http://login.example.org",
        "https://me:secret@x",
        "https://x?y",
        "https://x#y",
        "https://",
        "https://[",
    ],
)
def test_an_issuer_is_an_address_with_tls(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BERTH_X", value)

    with pytest.raises(env.SettingError, match="begins with https://"):
        env.issuer("BERTH_X")
