"""Signing in with Dex, a real identity provider: its own login page, its own tokens, its own refusals."""

from __future__ import annotations

import re
import subprocess
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

import httpx2
import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from dashboard.access.tokens import make_token
from dashboard.live.open_sockets import living_sessions
from dashboard.models import AuditEntry, Identity
from tests.identity.build import program
from tests.support.issuer import CLIENT_ID, CLIENT_SECRET
from tests.support.live import free_port
from tests.support.waiting import wait_until

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_django import Settings

pytestmark = [pytest.mark.dex, pytest.mark.django_db]

RETURN = "http://testserver/sign-in/provider/return/"
ADA = {"id": "1", "email": "ada@example.org", "name": "ada", "password": "difference engine", "groups": ["platform"]}


class Dex:
    """A running Dex: where it is, and a door by which its users, keys and clock are changed."""

    def __init__(self, port: int) -> None:
        self._door = f"http://127.0.0.1:{port}"
        self.issuer = f"{self._door}/dex"

    def change(self, **wanted: Any) -> None:
        httpx2.post(f"{self._door}/change", json=wanted, timeout=10).raise_for_status()

    def answers(self) -> bool:
        try:
            return httpx2.get(f"{self.issuer}/keys", timeout=1).is_success
        except httpx2.HTTPError:
            return False

    def log_in(self, address: str, password: str = ADA["password"]) -> str:  # type: ignore[assignment]
        """Log in on Dex's page, as a browser does, and return where that is sent in the end."""
        with httpx2.Client(timeout=10) as browser:
            answer = browser.get(address)
            for _ in range(10):
                if answer.is_redirect:
                    address = urljoin(str(answer.url), answer.headers["Location"])
                    if address.startswith(RETURN):
                        return address
                    answer = browser.get(address)
                elif "Invalid" in answer.text:
                    return ""
                else:
                    (form,) = re.findall(r'<form method="post" action="([^"]*)"', answer.text)
                    address = urljoin(str(answer.url), form.replace("&amp;", "&"))
                    answer = browser.post(address, data={"login": ADA["email"], "password": password})
        raise AssertionError(f"Dex leads nowhere: {answer.text}")


@pytest.fixture(scope="session")
def dex_process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dex]:
    port = free_port()
    log: Path = tmp_path_factory.mktemp("dex") / "log"
    client = ["-id", CLIENT_ID, "-secret", CLIENT_SECRET, "-redirect", RETURN]
    command = [str(program()), "-address", f"127.0.0.1:{port}", *client]
    dex = Dex(port)
    with (
        log.open("w") as output,
        subprocess.Popen(command, stdout=output, stderr=output) as process,
    ):
        try:
            wait_until(dex.answers, seconds=30, otherwise="Dex does not answer")
            yield dex
        finally:
            process.terminate()


@pytest.fixture
def dex(dex_process: Dex, settings: Settings) -> Dex:
    settings.BERTH_OIDC_ISSUER, settings.BERTH_OIDC_NAME = dex_process.issuer, "Dex"
    settings.BERTH_OIDC_CLIENT_ID, settings.BERTH_OIDC_CLIENT_SECRET = CLIENT_ID, CLIENT_SECRET
    settings.BERTH_OIDC_SCOPES = ["openid", "profile", "email", "groups", "offline_access"]
    dex_process.change(user=ADA, ahead=0)
    return dex_process


def signed_in(dex: Dex) -> Client:
    client = Client()
    assert client.get(dex.log_in(client.get("/sign-in/provider/")["Location"]))["Location"] == "/"
    return client


def user_in(client: Client) -> str:
    answer = client.get("/account/tokens/")
    return answer.context["user"].username if answer.status_code == 200 else ""


def age() -> None:
    """Let it be time to ask Dex again."""
    Identity.objects.update(verified_at=timezone.now() - timedelta(minutes=16), asked_at=None)


def groups() -> set[str]:
    return {group.name for group in User.objects.get().groups.all()}


def test_who_logs_in_is_signed_in_with_groups(dex: Dex) -> None:
    client = signed_in(dex)

    assert (user_in(client), groups()) == ("ada", {"oidc:platform"})
    assert [(each.action, each.username) for each in AuditEntry.objects.all()] == [("signed-in", "ada")]
    assert Identity.objects.get().refresh_token


def test_who_does_not_log_in_comes_not_back(dex: Dex) -> None:
    assert dex.log_in(Client().get("/sign-in/provider/")["Location"], "wrong") == ""


def test_groups_follow_dex_while_somebody_is_signed_in(dex: Dex) -> None:
    client = signed_in(dex)
    dex.change(user={**ADA, "groups": ["storage", "sre"]})
    assert groups() == {"oidc:platform"}

    for _ in range(3):
        # Dex gives another refresh token each time.
        age()
        assert (user_in(client), groups()) == ("ada", {"oidc:storage", "oidc:sre"})


def test_who_is_removed_there_is_out(dex: Dex) -> None:
    client = signed_in(dex)
    session = ((str(client.session.session_key), None), User.objects.get().pk)
    _, text = make_token(user=User.objects.get(), name="ci", may_write=False, days=None)
    dex.change(remove=ADA["email"])
    assert user_in(client) == "ada"
    age()

    assert living_sessions([session]) == set()
    assert user_in(client) == ""
    assert dex.log_in(Client().get("/sign-in/provider/")["Location"]) == ""
    # As the documentation says, tokens outlast that, and an administrator's disabling the user does not.
    assert client.get("/api/v1/clusters/", headers={"Authorization": f"Bearer {text}"}).status_code == 200
    User.objects.update(is_active=False)
    assert client.get("/api/v1/clusters/", headers={"Authorization": f"Bearer {text}"}).status_code == 401


def test_somebody_else_with_that_address_is_somebody_else(dex: Dex) -> None:
    first = signed_in(dex)
    dex.change(user={**ADA, "id": "2"})
    second = signed_in(dex)

    assert (user_in(first), user_in(second)) == ("ada", "ada-2")


def test_keys_that_rotate_are_followed(dex: Dex) -> None:
    first = signed_in(dex)
    dex.change(rotate=True)
    second = signed_in(dex)
    age()

    assert user_in(first) == user_in(second) == "ada"


@pytest.mark.parametrize("ahead", [-2 * 3600, 3600], ids=["expired", "of the future"])
def test_a_token_of_another_time_is_not_believed(ahead: int, dex: Dex) -> None:
    dex.change(ahead=ahead)
    client = Client()

    answer = client.get(dex.log_in(client.get("/sign-in/provider/")["Location"]))

    assert (answer.status_code, user_in(client)) == (403, "")
    assert [each.action for each in AuditEntry.objects.all()] == ["sign-in-failed"]


def test_a_code_is_good_once_and_for_the_browser_that_began(dex: Dex) -> None:
    client, other = Client(), Client()
    address = dex.log_in(client.get("/sign-in/provider/")["Location"])
    state = re.search("state=([^&]+)", other.get("/sign-in/provider/")["Location"])
    assert state is not None

    assert other.get(address).status_code == 403
    # With the other browser's own state and nonce, for which Dex gave no such code: the verifier tells.
    assert other.get(re.sub("state=[^&]+", state[0], address)).status_code == 403
    assert user_in(other) == ""


def test_a_wrong_secret_is_the_installations_mistake(dex: Dex, settings: Settings) -> None:
    client = Client()
    address = dex.log_in(client.get("/sign-in/provider/")["Location"])
    settings.BERTH_OIDC_CLIENT_SECRET = "wrong"

    assert client.get(address).status_code == 503


def test_signing_out_ends_the_session(dex: Dex) -> None:
    client = signed_in(dex)

    # Dex has no address at which one signs out.
    assert client.post("/sign-out/")["Location"] == "/sign-in/"
    assert user_in(client) == ""
    assert AuditEntry.objects.filter(action="signed-out", username="ada").count() == 1
