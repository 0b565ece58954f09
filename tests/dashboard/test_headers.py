from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.routes import routes

if TYPE_CHECKING:
    from django.test import Client

pytestmark = [pytest.mark.django_db, pytest.mark.any_database, pytest.mark.unmeasured]


def directives(policy: str) -> dict[str, str]:
    return {name: rest for name, _, rest in (part.strip().partition(" ") for part in policy.split(";"))}


@pytest.mark.parametrize("address", ["/sign-in/", "/sign-in/link/", "/", "/readyz", "/nothing-here"])
def test_policy_allows_our_own_files_and_nothing_inline_and_other_headers_close_the_rest(
    signed_in_client: Client, address: str
) -> None:
    response = signed_in_client.get(address)
    policy = directives(response["Content-Security-Policy"])

    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == policy["form-action"] == "'self'"
    assert policy["base-uri"] == policy["frame-ancestors"] == "'none'"
    assert policy["require-trusted-types-for"] == "'script'"
    assert policy["trusted-types"] == "default berth-live"
    assert "unsafe-eval" not in str(policy)
    assert [name for name, rest in policy.items() if "unsafe-inline" in rest] == ["style-src-attr"]
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["X-Frame-Options"] == "DENY"
    assert response["Referrer-Policy"] == "same-origin"
    assert response["Cross-Origin-Opener-Policy"] == "same-origin"
    assert "camera=()" in response["Permissions-Policy"]


def test_cookies_stay_out_of_scripts_and_other_sites(client: Client) -> None:
    client.get("/sign-in/")

    cookie = client.cookies["berth_csrf"]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"


def test_foreign_host_name_is_refused(client: Client) -> None:
    assert client.get("/sign-in/", headers={"Host": "evil.example"}).status_code == 400


def test_no_cache_keeps_what_is_behind_an_address(signed_in_client: Client, client: Client) -> None:
    for route in routes():
        address = route.address(dict.fromkeys(route.parameters, "1"))
        for asking in (signed_in_client, client):
            policy = asking.get(address)["Cache-Control"]
            assert {"private", "no-store"} <= {part.strip() for part in policy.split(",")}, (address, policy)
