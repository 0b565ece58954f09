"""Nothing but sign-in, joining a classroom, the two probes and static files answers a stranger."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.addresses import every_address

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from django.test import Client

pytestmark = [pytest.mark.django_db, pytest.mark.any_database, pytest.mark.unmeasured]

OPEN_TO_STRANGERS = {
    *("sign-in/", "sign-in/link/", "sign-in/provider/", "sign-in/provider/return/"),
    *("join/", "join/x/", "livez", "readyz"),
}
ROUTES = every_address()
CLOSED = [route for route in ROUTES if route not in OPEN_TO_STRANGERS]


def test_the_open_addresses_exist() -> None:
    assert set(ROUTES) >= OPEN_TO_STRANGERS


@pytest.mark.parametrize("method", ["get", "post"])
def test_stranger_is_turned_away(client: Client, method: str) -> None:
    for route in CLOSED:
        response = getattr(client, method)(f"/{route}")

        if route.startswith("api/"):
            assert response.status_code == 401, route
            assert response.json()["error"]["what"] == "The request is not authenticated."
        elif route == "metrics":
            # A program asks, which has no use for the sign-in page.
            assert response.status_code == (401 if method == "get" else 405)
        elif route == "sign-out/":
            # Django's own view signs nobody out, and only by POST.
            assert response.status_code in {302, 405}
        else:
            assert response.status_code == 302, route
            leads_to = "/join/" if route.startswith("seat/") else "/sign-in/?next="
            assert response["Location"].startswith(leads_to), route


def test_fragment_sends_the_whole_page_to_sign_in(client: Client) -> None:
    route = next(route for route in CLOSED if route != "sign-out/" and not route.startswith("api/"))

    response = client.get(f"/{route}", headers={"HX-Request": "true"})

    assert response.status_code == 401
    assert response["HX-Redirect"] == "/sign-in/"


def test_password_signs_in(client: Client, user: User) -> None:
    response = client.post("/sign-in/", {"username": user.username, "password": "correct horse battery"})

    assert response.status_code == 302
    assert client.session["_auth_user_id"] == str(user.pk)


def test_wrong_password_says_so_and_signs_nobody_in(client: Client, user: User) -> None:
    response = client.post("/sign-in/", {"username": user.username, "password": "wrong"})

    assert "The name or the password is wrong." in response.content.decode()
    assert "_auth_user_id" not in client.session


def test_sign_in_does_not_lead_to_another_site(client: Client, user: User) -> None:
    form = {"username": user.username, "password": "correct horse battery", "next": "https://evil.example/"}

    assert client.post("/sign-in/", form)["Location"] == "/"


def test_signing_out_needs_a_post(signed_in_client: Client) -> None:
    assert signed_in_client.get("/sign-out/").status_code == 405
    assert "_auth_user_id" in signed_in_client.session

    signed_in_client.post("/sign-out/")
    assert "_auth_user_id" not in signed_in_client.session
