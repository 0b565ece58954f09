"""Links to sandboxes: a copy for who is signed in, not guessable, and withdrawn by their owners alone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from dashboard.models import SharedSandbox
from dashboard.sandbox import storing
from dashboard.sandbox.storing import objects_of, sandbox_of

if TYPE_CHECKING:
    from django.contrib.auth.models import User

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

HERE = "/lessons/sandbox/"


@pytest.fixture
def other() -> User:
    """Return another user."""
    return get_user_model().objects.create_user("somebody")


@pytest.fixture
def other_client(other: User) -> Client:
    """Return a client that is signed in as that user."""
    client = Client()
    client.force_login(other)
    return client


def shared_by(client: Client) -> str:
    """Share the sandbox of a user, and return the address of the link."""
    client.post(HERE, {"act": "share"})
    found = re.search(rf'href="({HERE}shared/[^"]+)"', client.get(HERE).text)
    assert found
    return found[1]


def test_a_link_opens_a_copy_and_the_owners_stays_as_it_is(
    signed_in_client: Client, user: User, other_client: Client, other: User
) -> None:
    signed_in_client.post(HERE, {"act": "start:gpu-nodes"})
    address = shared_by(signed_in_client)
    # Later changes are no part of it.
    signed_in_client.post(HERE, {"act": "remove:Node/cpu-1"})
    other_client.post(HERE, {"act": "next"})
    own = sandbox_of(other).history.objects

    page = other_client.get(address).text
    assert "Sandbox of operator" in page
    assert "4 nodes and 8 pods" in page
    assert sandbox_of(other).history.objects == own
    assert other_client.post(address).headers["Location"] == HERE
    assert "cpu-1" in {name.name for name in sandbox_of(other).history.objects}
    assert "Copy of the sandbox of operator" in other_client.get(HERE).text

    other_client.post(HERE, {"act": "remove:Node/gpu-1"})
    assert "gpu-1" in {name.name for name in sandbox_of(user).history.objects}
    assert "gpu-1" in {name.name for name in objects_of(SharedSandbox.objects.get())}
    # What one had before comes back.
    other_client.post(HERE, {"act": "undo"})
    other_client.post(HERE, {"act": "undo"})
    assert sandbox_of(other).history.objects == own


def test_a_link_is_not_guessable_and_shown_to_its_owner_alone(signed_in_client: Client, other_client: Client) -> None:
    address = shared_by(signed_in_client)
    token = address.removeprefix(f"{HERE}shared/").strip("/")
    assert len(token) >= 40
    assert token not in other_client.get(HERE).text
    assert Client().get(address).headers["Location"].startswith("/sign-in/")
    assert other_client.get(f"{HERE}shared/{token[:-1]}x/").status_code == 404
    assert other_client.post(f"{HERE}shared/unknown/").status_code == 404


def test_its_owner_withdraws_a_link_and_nobody_else(signed_in_client: Client, other_client: Client) -> None:
    address = shared_by(signed_in_client)
    token = address.removeprefix(f"{HERE}shared/").strip("/")
    other_client.post(HERE, {"act": f"withdraw:{token}"})
    assert other_client.get(address).status_code == 200
    signed_in_client.post(HERE, {"act": f"withdraw:{token}"})
    assert other_client.get(address).status_code == 404
    assert not SharedSandbox.objects.exists()


def test_a_link_of_who_may_not_sign_in_any_more_leads_nowhere(
    signed_in_client: Client, user: User, other_client: Client
) -> None:
    address = shared_by(signed_in_client)
    user.is_active = False
    user.save()
    assert other_client.get(address).status_code == 404


def test_so_many_links_are_kept_of_a_user(
    signed_in_client: Client, other_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storing, "MOST_LINKS", 1)
    shared_by(signed_in_client)
    response = signed_in_client.post(HERE, {"act": "share"})
    assert response.status_code == 400
    assert "Withdraw one first" in response.text
    assert SharedSandbox.objects.count() == 1
    shared_by(other_client)
    assert SharedSandbox.objects.count() == 2
