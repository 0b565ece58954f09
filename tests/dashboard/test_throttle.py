"""Passwords cannot be guessed for long: failures of one name, and from one address, are counted, logged, answered."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from axes.models import AccessAttempt
from django.contrib.auth.models import User
from django.db.models import F
from django.test import Client

from dashboard.access.links import make_link
from dashboard.tasks import remove_expired

if TYPE_CHECKING:
    from pytest_django import Settings

pytestmark = pytest.mark.django_db

PASSWORD = "correct horse battery staple"
WRONG = "hunter2-hunter2"
LIMIT = 3
PROXY = "10.0.0.1"


@pytest.fixture(autouse=True)
def limit(settings: Settings) -> None:
    settings.AXES_FAILURE_LIMIT = LIMIT


@pytest.fixture
def ada() -> User:
    return User.objects.create_user("ada", password=PASSWORD)


def attempt(name: str, password: str = WRONG, *, address: str = "192.0.2.1", forwarded: str | None = None) -> Any:
    headers = {} if forwarded is None else {"X-Forwarded-For": forwarded}
    return Client(REMOTE_ADDR=address, headers=headers).post("/sign-in/", {"username": name, "password": password})


def statuses(*names: str, address: str = "192.0.2.1") -> list[int]:
    return [attempt(name, address=address).status_code for name in names]


def test_one_name_is_throttled_from_wherever(ada: User) -> None:
    assert [attempt("ada", address=f"192.0.2.{number}").status_code for number in range(LIMIT)] == [200, 200, 429]

    refused = attempt("ada", PASSWORD, address="192.0.2.99")

    assert refused.status_code == 429
    assert "Try again in <strong>15 minutes</strong>" in refused.text
    assert "manage.py signin" in refused.text
    assert 14 * 60 < int(refused["Retry-After"]) <= 15 * 60
    assert refused["Cache-Control"] == "no-store"


def test_one_address_is_throttled_whatever_the_name(ada: User) -> None:
    assert statuses("bob", "eve", "mallory", "ada") == [200, 200, 429, 429]

    assert attempt("ada", PASSWORD, address="192.0.2.2").status_code == 302


def test_who_mistypes_now_and_then_gets_in(ada: User) -> None:
    assert statuses("ada", "ada") == [200, 200]

    assert attempt("ada", PASSWORD).status_code == 302


def test_success_does_not_clear_the_address_for_guesses_at_other_names(ada: User) -> None:
    assert statuses("eve", "eve") == [200, 200]
    assert attempt("ada", PASSWORD).status_code == 302

    assert statuses("eve") == [429]


def test_the_wait_is_over_after_a_while_and_trying_does_not_prolong_it(ada: User) -> None:
    statuses(*["ada"] * LIMIT)
    AccessAttempt.objects.update(attempt_time=F("attempt_time") - timedelta(minutes=14))
    refused = attempt("ada")
    assert (refused.status_code, "Try again in <strong>1 minute</strong>" in refused.text) == (429, True)

    AccessAttempt.objects.update(attempt_time=F("attempt_time") - timedelta(minutes=1))

    assert attempt("ada", PASSWORD).status_code == 302


def test_a_link_works_meanwhile(ada: User) -> None:
    statuses(*["ada"] * LIMIT)
    code = make_link(username="ada", base_url="http://berth", create=False).partition("#")[2]

    assert Client().post("/sign-in/link/", {"code": code}).status_code == 302


def test_failures_are_logged_and_passwords_are_not(ada: User, caplog: pytest.LogCaptureFixture) -> None:
    for name in ("ada", "e\nve", "mallory"):
        attempt(name, "s3cret-guess")
    attempt("ada", "s3cret-guess")

    lines = [record.getMessage() for record in caplog.records]
    assert any("login failure by 'ada' from 192.0.2.1" in line for line in lines)
    assert any(r"login failure by 'e\nve' from 192.0.2.1" in line for line in lines)
    assert any("Sign-in as 'ada' from 192.0.2.1 is refused" in line for line in lines)
    assert "s3cret" not in caplog.text
    assert not any("s3cret" in str(row) for row in AccessAttempt.objects.values())


def test_behind_a_proxy_its_last_word_counts(ada: User, settings: Settings) -> None:
    settings.BERTH_BEHIND_PROXY = True

    spoofed = [attempt(f"u{i}", address=PROXY, forwarded=f"198.51.100.{i}, 192.0.2.7") for i in range(LIMIT)]

    assert [answer.status_code for answer in spoofed] == [200, 200, 429]
    assert attempt("ada", PASSWORD, address=PROXY, forwarded="192.0.2.8").status_code == 302
    assert attempt("ada", PASSWORD, address=PROXY, forwarded="192.0.2.7").status_code == 429


@pytest.mark.parametrize("address", ["", "unknown", "1.2.3.4:80", "x, \0"])
def test_odd_addresses_count_as_the_proxy_itself(address: str, settings: Settings) -> None:
    settings.BERTH_BEHIND_PROXY = True

    answer = attempt("ada", address=PROXY, forwarded=address)

    assert (answer.status_code, AccessAttempt.objects.get().ip_address) == (200, PROXY)


def test_nobody_believes_the_header_without_a_proxy(ada: User) -> None:
    answers = [attempt(f"u{i}", forwarded=f"198.51.100.{i}") for i in range(LIMIT)]

    assert answers[-1].status_code == 429


def test_attempts_that_do_not_count_any_more_are_removed_by_the_task(ada: User) -> None:
    attempt("ada")
    AccessAttempt.objects.update(attempt_time=F("attempt_time") - timedelta(minutes=16))
    # Another name and another address, as the next attempt of these would remove it, too.
    AccessAttempt.objects.create(username="eve", ip_address="192.0.2.9", failures_since_start=1)

    remove_expired()

    assert AccessAttempt.objects.get().username == "eve"
