"""Signing in by a proxy's header: believed of trusted addresses alone, on pages, the API and websockets."""

from __future__ import annotations

from datetime import timedelta
from ipaddress import ip_network
from typing import TYPE_CHECKING, Any

import pytest
from asgiref.sync import sync_to_async
from channels.auth import AuthMiddlewareStack
from django.contrib.auth.models import Group, User
from django.test import Client
from django.utils import timezone

from dashboard import env
from dashboard.access.proxy import claim_of
from dashboard.access.tokens import make_token
from dashboard.access.websocket import SignedInOnly
from dashboard.live.open_sockets import living_sessions
from dashboard.models import AuditEntry, Identity
from tests.support.websocket import WebsocketClient

if TYPE_CHECKING:
    from pytest_django import Settings

PROXY, ELSEWHERE = "10.0.0.7", "192.0.2.1"


@pytest.fixture(autouse=True)
def proxy(settings: Settings) -> None:
    settings.BERTH_PROXY_USER_HEADER, settings.BERTH_PROXY_GROUPS_HEADER = "X-Forwarded-User", "X-Forwarded-Groups"
    settings.BERTH_TRUSTED_PROXIES = [ip_network(PROXY), ip_network("2001:db8::/32")]


def asked(client: Client, user: str | None, *, groups: str = "", address: str = PROXY, page: str = "/clusters/") -> Any:
    headers = {} if user is None else {"X-Forwarded-User": user, "X-Forwarded-Groups": groups}
    return client.get(page, headers=headers, REMOTE_ADDR=address)


def user_in(client: Client, user: str | None, **options: str) -> str:
    """Return who Berth takes a request for."""
    answer = asked(client, user, **options)
    return answer.context["user"].username if answer.status_code == 200 else ""


@pytest.mark.django_db
def test_whom_the_proxy_names_is_signed_in_once(client: Client) -> None:
    assert user_in(client, "ada", groups="platform, sre") == "ada"
    assert user_in(client, "ada", groups="platform, sre") == "ada"

    names = {group.name for group in User.objects.get().groups.all()}
    assert names == {"oidc:platform", "oidc:sre"}
    assert [(each.action, each.username) for each in AuditEntry.objects.all()] == [("signed-in", "ada")]


@pytest.mark.django_db
@pytest.mark.parametrize("address", [ELSEWHERE, "10.0.0.70", "127.0.0.1", "", "unknown", "::ffff:192.0.2.1"])
def test_nobody_else_is_believed(address: str, client: Client) -> None:
    assert asked(client, "ada", address=address)["Location"] == "/sign-in/?next=/clusters/"
    assert not User.objects.exists()
    assert asked(client, "ada", address=address, page="/api/v1/clusters/").status_code == 401


@pytest.mark.django_db
@pytest.mark.parametrize("address", [PROXY, "::ffff:10.0.0.7", "2001:db8::7"])
def test_trusted_are_addresses_and_networks(address: str, client: Client) -> None:
    assert user_in(client, "ada", address=address) == "ada"


@pytest.mark.django_db
def test_the_address_is_not_what_another_header_says(client: Client, settings: Settings) -> None:
    settings.BERTH_BEHIND_PROXY = True
    headers = {"X-Forwarded-User": "ada", "X-Forwarded-For": PROXY, "X-Real-Ip": PROXY, "Forwarded": f"for={PROXY}"}

    assert client.get("/clusters/", headers=headers, REMOTE_ADDR=ELSEWHERE).status_code == 302


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["", " ", "root,ada", "ada,", "x" * 256, "a\tb"])
def test_a_name_that_cannot_be_one_is_nobody(name: str, client: Client) -> None:
    assert asked(client, name).status_code == 302
    assert not User.objects.exists()


def test_names_are_read_as_proxies_send_them() -> None:
    names = ("Олена", "ada")
    claims = [claim_of(PROXY, name.encode().decode("latin-1"), "") for name in names]

    assert [claim and claim.name for claim in claims] == list(names)
    assert claim_of(PROXY, "\xff", "") is not None


@pytest.mark.django_db
def test_a_stolen_session_is_of_no_use_past_the_proxy(client: Client) -> None:
    user_in(client, "ada")

    assert user_in(client, "ada", address=ELSEWHERE) == ""
    assert user_in(client, None) == ""
    assert user_in(client, "ada") == "ada"


@pytest.mark.django_db
def test_whom_the_proxy_names_now_is_who_it_is(client: Client) -> None:
    user_in(client, "ada")

    assert user_in(client, "eve") == "eve"
    assert list(User.objects.order_by("pk").values_list("username", flat=True)) == ["ada", "eve"]


@pytest.mark.django_db
def test_nobody_becomes_a_local_user_by_a_name(client: Client) -> None:
    User.objects.create_superuser("root")

    assert user_in(client, "root") == "root-2"
    assert user_in(client, "operator") == "operator-2"


@pytest.mark.django_db
def test_other_groups_are_followed_at_once_and_own_ones_left_alone(client: Client) -> None:
    user_in(client, "ada", groups="platform")
    User.objects.get().groups.add(Group.objects.create(name="reviewers"))
    user_in(client, "ada", groups="storage")

    assert {group.name for group in User.objects.get().groups.all()} == {"oidc:storage", "reviewers"}


@pytest.mark.django_db
def test_who_signed_in_otherwise_stays_that(signed_in_client: Client) -> None:
    assert user_in(signed_in_client, "ada") == "operator"
    assert user_in(signed_in_client, "ada", address=ELSEWHERE) == "operator"


@pytest.mark.django_db
def test_a_token_says_who_a_program_is(client: Client, user: User) -> None:
    _, text = make_token(user=user, name="ci", may_write=False, days=None)
    headers = {"X-Forwarded-User": "ada", "Authorization": f"Bearer {text}"}

    assert client.get("/api/v1/clusters/", headers=headers, REMOTE_ADDR=PROXY).status_code == 200
    assert list(User.objects.values_list("username", flat=True)) == ["operator"]


@pytest.mark.django_db
def test_a_disabled_user_is_told_so(client: Client) -> None:
    user_in(client, "ada")
    User.objects.update(is_active=False)

    page, program = asked(client, "ada"), asked(client, "ada", page="/api/v1/clusters/")

    assert (page.status_code, "Your account is disabled" in page.text) == (403, True)
    assert (program.status_code, program["Content-Type"]) == (403, "application/json")
    assert AuditEntry.objects.filter(action="sign-in-failed", username="ada").count() == 2


@pytest.mark.django_db
def test_signing_out_leads_to_the_proxy(client: Client, settings: Settings) -> None:
    settings.BERTH_PROXY_SIGN_OUT = "/oauth2/sign_out"
    user_in(client, "ada")

    answer = client.post("/sign-out/", headers={"X-Forwarded-User": "ada"}, REMOTE_ADDR=PROXY)

    assert answer["Location"] == "/oauth2/sign_out"
    assert "_auth_user_id" not in client.session


@pytest.mark.django_db
def test_without_the_setting_the_header_says_nothing(client: Client, settings: Settings) -> None:
    user_in(client, "ada")
    settings.BERTH_PROXY_USER_HEADER = ""

    assert user_in(client, "ada") == ""
    again = Client()
    again.cookies = client.cookies
    assert user_in(again, "ada") == ""


@pytest.mark.django_db
def test_an_open_page_lasts_for_some_hours_after_the_proxy_named_its_user(client: Client) -> None:
    user_in(client, "ada")
    key = ((str(client.session.session_key), None), User.objects.get().pk)
    assert living_sessions([key]) == {key[0]}
    Identity.objects.update(verified_at=timezone.now() - timedelta(hours=13))
    assert living_sessions([key]) == set()

    # It is noted now and then that the proxy still does.
    session = client.session
    session["proxy_claim"][2] -= 16 * 60
    session.save()
    user_in(client, "ada")
    assert living_sessions([key]) == {key[0]}


def session_of(name: str) -> str:
    client = Client()
    assert user_in(client, name) == name
    return client.cookies["berth_session"].value


async def let_in(session: str, address: str, *headers: tuple[bytes, bytes]) -> bool:
    async def accept(_: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})

    application = AuthMiddlewareStack(SignedInOnly(accept))
    cookie = (b"cookie", f"berth_session={session}".encode())
    client = WebsocketClient(application, "/ws/", headers=[cookie, *headers], client=(address, 1))
    return await client.connect()


@pytest.mark.django_db(transaction=True)
async def test_websockets_need_the_proxy_too() -> None:
    session = await sync_to_async(session_of)("ada")
    ada, eve = ((b"x-forwarded-user", name) for name in (b"ada", b"eve"))

    assert await let_in(session, PROXY, ada)
    assert not await let_in(session, ELSEWHERE, ada)
    assert not await let_in(session, PROXY)
    assert not await let_in(session, PROXY, eve)
    assert not await let_in(session, PROXY, ada, eve)
    assert not await let_in(session, PROXY, (b"x_forwarded_user", b"ada"))
    # A handshake alone signs nobody in.
    assert not await let_in("", PROXY, ada)


@pytest.mark.django_db(transaction=True)
async def test_websockets_of_who_signed_in_otherwise_need_it_not(signed_in_client: Client) -> None:
    assert await let_in(signed_in_client.cookies["berth_session"].value, ELSEWHERE)


@pytest.mark.parametrize(
    ("read", "value", "said"),
    [
        (env.header, "X_Forwarded_User", "name of a header"),
        (env.header, "X-User: ada", "name of a header"),
        (env.networks, "10.0.0.0/33", "cannot be used"),
        (env.networks, "proxy.example.org", "cannot be used"),
        (env.networks, "10.0.0.7,10.0.0.7/16", "has host bits set"),
        (env.networks, "0.0.0.0/0", "network of all addresses"),
        (env.networks, "::/0", "network of all addresses"),
        (env.path, "//evil.example", "such as /oauth2/sign_out"),
        (env.path, "https://evil.example", "such as /oauth2/sign_out"),
        (env.path, "/\\evil.example", "such as /oauth2/sign_out"),
    ],
)
def test_settings_that_cannot_be_right_are_refused(
    read: Any, value: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BERTH_X", value)

    with pytest.raises(env.SettingError, match=said):
        read("BERTH_X")


def test_settings_that_are_right_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BERTH_X", "10.0.0.7, 2001:db8::/32")
    assert env.networks("BERTH_X") == [ip_network("10.0.0.7/32"), ip_network("2001:db8::/32")]
    monkeypatch.setenv("BERTH_X", "/oauth2/sign_out?rd=/")
    assert env.path("BERTH_X") == "/oauth2/sign_out?rd=/"
