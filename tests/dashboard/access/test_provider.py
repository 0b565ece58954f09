"""Signing in with an identity provider: whom it lets in and as whom, what is refused, and how long it lasts."""

from __future__ import annotations

import logging
import re
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

import pytest
from axes.models import AccessAttempt
from django.contrib.auth.models import Group, User
from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.core import signing
from django.test import Client
from django.utils import timezone
from joserfc.jwk import ECKey, Key, OctKey

from dashboard.access import provider, provider_views
from dashboard.access.renewal import renewed
from dashboard.access.sealing import opened
from dashboard.access.tokens import make_token
from dashboard.live.open_sockets import living_sessions
from dashboard.models import Identity
from tests.support.issuer import CLIENT_ID, CLIENT_SECRET, Issuer, running_issuer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytest_django import Settings

    from dashboard.access.identities import Account

pytestmark = pytest.mark.django_db

BEGIN = "/sign-in/provider/"
MINUTE = timedelta(minutes=1)


@pytest.fixture
def issuer(settings: Settings) -> Iterator[Issuer]:
    with running_issuer() as running:
        settings.BERTH_OIDC_ISSUER = running.url
        settings.BERTH_OIDC_NAME = "Example"
        settings.BERTH_OIDC_CLIENT_ID, settings.BERTH_OIDC_CLIENT_SECRET = CLIENT_ID, CLIENT_SECRET
        yield running


@pytest.fixture
def signals() -> Iterator[list[tuple[str, str]]]:
    """What an audit would note: each act, and who it names."""
    noted: list[tuple[str, str]] = []

    def signed_in(user: User, **_: Any) -> None:
        noted.append(("in", user.username))

    def signed_out(user: User, **_: Any) -> None:
        noted.append(("out", user.username))

    def failed(credentials: dict[str, Any], **_: Any) -> None:
        noted.append(("failed", credentials["username"]))

    receivers = ((user_logged_in, signed_in), (user_logged_out, signed_out), (user_login_failed, failed))
    for signal, receiver in receivers:
        signal.connect(receiver)
    yield noted
    for signal, receiver in receivers:
        signal.disconnect(receiver)


def sign_in(issuer: Issuer, client: Client | None = None, *, following: str = "") -> Any:
    """Return Berth's answer to a browser that comes back from the provider."""
    client = client or Client()
    begun = client.get(BEGIN, {"next": following} if following else {})
    assert begun.status_code == 302
    return client.get(issuer.authorize(begun["Location"]))


def user_in(client: Client) -> str:
    """Return who Berth takes a client for."""
    answer = client.get("/account/tokens/")
    return answer.context["user"].username if answer.status_code == 200 else ""


def groups_of(username: str) -> set[str]:
    return set(User.objects.get(username=username).groups.values_list("name", flat=True))


def age(by: timedelta) -> None:
    """Let the provider have vouched for everybody so long ago."""
    Identity.objects.update(verified_at=timezone.now() - by, asked_at=None)


def test_who_signs_in_is_made_a_user_in_the_groups_of_the_provider(
    client: Client, issuer: Issuer, signals: list[tuple[str, str]]
) -> None:
    answer = sign_in(issuer, client, following="/clusters/?sort=name")

    assert (answer.status_code, answer["Location"]) == (302, "/clusters/?sort=name")
    assert user_in(client) == "ada"
    assert groups_of("ada") == {"oidc:platform"}
    assert not User.objects.get(username="ada").has_usable_password()
    assert signals == [("in", "ada")]


def test_what_is_asked_of_the_provider(client: Client, issuer: Issuer, settings: Settings) -> None:
    settings.BERTH_BASE_URL = "https://berth.example.org"
    settings.BERTH_OIDC_SCOPES = ["openid", "offline_access"]

    asked = parse_qs(urlsplit(client.get(BEGIN)["Location"]).query)

    assert asked["redirect_uri"] == ["https://berth.example.org/sign-in/provider/return/"]
    assert asked["scope"] == ["openid offline_access"]
    assert all(len(asked[name][0]) >= 20 for name in ("state", "nonce", "code_challenge"))
    assert CLIENT_SECRET not in str(asked)
    cookie = client.cookies[f"berth_provider_{asked['state'][0]}"]
    assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "Lax", BEGIN)


def test_a_user_is_known_by_subject_and_not_by_name_or_address(issuer: Issuer) -> None:
    sign_in(issuer)
    issuer.user |= {"preferred_username": "ada.lovelace", "email": "countess@example.org"}
    sign_in(issuer)
    issuer.user |= {"sub": "eve-1", "preferred_username": "ada"}
    sign_in(issuer)

    assert list(User.objects.order_by("pk").values_list("username", flat=True)) == ["ada", "ada-2"]
    assert [each.subject for each in Identity.objects.order_by("pk")] == ["ada-1", "eve-1"]


def test_nobody_becomes_a_local_user_by_a_name(client: Client, issuer: Issuer, user: User) -> None:
    issuer.user["preferred_username"] = user.username
    sign_in(issuer, client)

    assert user_in(client) == "operator-2"
    user.delete()
    issuer.user["sub"] = "eve-1"
    sign_in(issuer, client)
    # The name of links that no --user is given for is left to them.
    assert user_in(client) == "operator-3"


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ({"preferred_username": None}, "ada@example.org"),
        ({"preferred_username": None, "email": None}, "ada-1"),
        ({"preferred_username": "Ada <script>\0"}, "Ada-script"),
        ({"preferred_username": "/"}, "ada@example.org"),
        ({"preferred_username": 7, "email": ["x"]}, "ada-1"),
        ({"preferred_username": "x" * 500}, "x" * 140),
    ],
)
def test_names_are_taken_from_what_the_provider_says(
    said: dict[str, Any], name: str, client: Client, issuer: Issuer
) -> None:
    issuer.user |= said
    sign_in(issuer, client)

    assert user_in(client) == name


def test_groups_follow_the_provider_and_others_are_left_alone(issuer: Issuer) -> None:
    sign_in(issuer)
    User.objects.get().groups.add(Group.objects.create(name="reviewers"), Group.objects.create(name="OIDC:x"))
    issuer.user["groups"] = ["storage", "", "x" * 200, "line\nbreak", 7]
    sign_in(issuer)

    assert groups_of("ada") == {"oidc:storage", "reviewers", "OIDC:x"}
    issuer.user["groups"] = "storage"
    sign_in(issuer)
    assert groups_of("ada") == {"oidc:storage", "reviewers", "OIDC:x"}
    del issuer.user["groups"]
    sign_in(issuer)
    assert groups_of("ada") == {"reviewers", "OIDC:x"}


def test_groups_that_the_token_leaves_out_are_asked_for(issuer: Issuer, settings: Settings) -> None:
    settings.BERTH_OIDC_GROUPS_CLAIM = "teams"
    issuer.userinfo = {"teams": ["platform"]}
    sign_in(issuer)
    assert groups_of("ada") == {"oidc:platform"}

    issuer.userinfo["sub"] = "eve-1"
    sign_in(issuer)
    assert groups_of("ada") == set()


ELSEWHERE = ECKey.generate_key("P-256", {"kid": "elsewhere"})


@pytest.mark.parametrize(
    ("key", "header", "claims"),
    [
        pytest.param(ELSEWHERE, {}, {}, id="another key"),
        pytest.param(ELSEWHERE, {"kid": "elsewhere"}, {}, id="an unknown key"),
        pytest.param(None, {"alg": "none"}, {}, id="no signature"),
        pytest.param(OctKey.import_key(CLIENT_SECRET), {"alg": "HS256"}, {}, id="signed with the secret"),
        pytest.param(None, {}, {"iss": "https://evil.example"}, id="another issuer"),
        pytest.param(None, {}, {"aud": "another-client"}, id="another client"),
        pytest.param(None, {}, {"aud": ["other", CLIENT_ID], "azp": "other"}, id="made for another client"),
        pytest.param(None, {}, {"aud": None}, id="no audience"),
        pytest.param(None, {}, {"exp": 1}, id="expired"),
        pytest.param(None, {}, {"exp": None}, id="without end"),
        pytest.param(None, {}, {"iat": 33_000_000_000}, id="from the future"),
        pytest.param(None, {}, {"nonce": "of-another-sign-in"}, id="wrong nonce"),
        pytest.param(None, {}, {"nonce": None}, id="no nonce"),
        pytest.param(None, {}, {"sub": None}, id="no subject"),
        pytest.param(None, {}, {"sub": 7}, id="a number as subject"),
        pytest.param(None, {}, {"sub": "x" * 300}, id="a long subject"),
        pytest.param(None, {}, {"sub": "a\0b"}, id="NUL in the subject"),
    ],
)
def test_a_token_that_cannot_be_believed_signs_nobody_in(
    key: Key | None,
    header: dict[str, Any],
    claims: dict[str, Any],
    client: Client,
    issuer: Issuer,
    signals: list[tuple[str, str]],
) -> None:
    issuer.forged, issuer.header, issuer.claims = key, header, claims

    answer = sign_in(issuer, client)

    assert answer.status_code == 403
    assert "Sign-in with Example failed" in answer.text
    assert user_in(client) == ""
    assert not User.objects.exists()
    assert [act for act, _ in signals] == ["failed"]
    # It guessed no password, and makes nobody else at this address wait.
    assert not AccessAttempt.objects.exists()


def test_a_key_that_the_provider_took_since_is_fetched(client: Client, issuer: Issuer) -> None:
    sign_in(issuer)
    issuer.rotate()
    sign_in(issuer, client)

    assert user_in(client) == "ada"
    # What is known of the provider's addresses is known for a while.
    assert issuer.asked.count("/.well-known/openid-configuration") == 1


@pytest.mark.parametrize("methods", [["client_secret_post"], ["client_secret_basic"], None])
def test_the_secret_is_sent_as_the_provider_takes_it(methods: list[str] | None, client: Client, issuer: Issuer) -> None:
    if methods:
        issuer.document["token_endpoint_auth_methods_supported"] = methods
    sign_in(issuer, client)

    assert user_in(client) == "ada"


def test_only_the_browser_that_began_comes_back(client: Client, issuer: Issuer) -> None:
    address = issuer.authorize(client.get(BEGIN)["Location"])

    refused = Client().get(address)
    assert (refused.status_code, "began in another browser" in refused.text) == (403, True)
    assert client.get(address.replace("state=", "state=x")).status_code == 403
    assert client.get(re.sub("state=[^&]+", "state=a/b;c", address)).status_code == 403
    assert client.get("/sign-in/provider/return/").status_code == 403
    assert client.get(address).status_code == 302
    # Neither the code nor what the browser kept is good twice.
    assert client.get(address).status_code == 403


def test_what_a_browser_keeps_is_of_one_sign_in_and_cannot_be_changed(client: Client, issuer: Issuer) -> None:
    first, second = (client.get(BEGIN)["Location"] for _ in range(2))
    states = [parse_qs(urlsplit(each).query)["state"][0] for each in (first, second)]
    cookies = [client.cookies[f"berth_provider_{state}"] for state in states]
    values = [each.value for each in cookies]
    client.cookies[cookies[0].key] = values[1]
    assert client.get(issuer.authorize(first)).status_code == 403

    client.cookies[cookies[0].key] = signing.dumps({"nonce": "x", "code_verifier": "x", "next": ""}, salt="x")
    assert client.get(issuer.authorize(first)).status_code == 403
    assert client.get(issuer.authorize(second)).status_code == 302


def test_who_takes_too_long_starts_again(client: Client, issuer: Issuer, monkeypatch: pytest.MonkeyPatch) -> None:
    address = issuer.authorize(client.get(BEGIN)["Location"])
    monkeypatch.setattr(provider_views, "_PATIENCE", -1)

    assert client.get(address).status_code == 403


def test_who_is_refused_there_is_told_so(client: Client, issuer: Issuer, signals: list[tuple[str, str]]) -> None:
    state = parse_qs(urlsplit(client.get(BEGIN)["Location"]).query)["state"][0]

    answer = client.get("/sign-in/provider/return/", {"state": state, "error": "access_denied", "code": "x"})

    assert (answer.status_code, signals) == (403, [("failed", "")])
    assert "/token" not in issuer.asked


def test_a_disabled_user_is_told_so(client: Client, issuer: Issuer, signals: list[tuple[str, str]]) -> None:
    sign_in(issuer)
    User.objects.update(is_active=False)

    answer = sign_in(issuer, client)

    assert (answer.status_code, "Your account is disabled" in answer.text) == (403, True)
    assert (user_in(client), signals) == ("", [("in", "ada"), ("failed", "ada")])


@pytest.mark.parametrize(
    ("setting", "value", "said", "admitted"),
    [
        ("GROUPS", ["platform", "sre"], {}, True),
        ("GROUPS", ["sre"], {}, False),
        ("GROUPS", ["sre"], {"groups": None}, False),
        ("DOMAINS", ["example.org"], {}, True),
        ("DOMAINS", ["example.org"], {"email": "ada@EXAMPLE.org"}, True),
        ("DOMAINS", ["example.org"], {"email": "ada@evil-example.org"}, False),
        ("DOMAINS", ["example.org"], {"email": "ada@example.org@evil.example"}, False),
        ("DOMAINS", ["example.org"], {"email_verified": False}, False),
        ("DOMAINS", ["example.org"], {"email_verified": None}, False),
        ("DOMAINS", ["example.org"], {"email": None}, False),
    ],
)
def test_groups_and_domains_say_who_is_admitted(
    setting: str,
    value: list[str],
    said: dict[str, Any],
    admitted: bool,
    client: Client,
    issuer: Issuer,
    settings: Settings,
) -> None:
    setattr(settings, f"BERTH_OIDC_ALLOWED_{setting}", value)
    issuer.user |= said

    answer = sign_in(issuer, client)

    assert answer.status_code == (302 if admitted else 403)
    assert User.objects.exists() == admitted
    assert admitted or "may not use this Berth" in answer.text


@pytest.mark.parametrize(
    "following", ["https://evil.example/", "//evil.example", "javascript:alert(1)", "/\\evil.example"]
)
def test_signing_in_does_not_lead_to_another_site(following: str, client: Client, issuer: Issuer) -> None:
    assert sign_in(issuer, client, following=following)["Location"] == "/"


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ({"issuer": "https://login.example.org/"}, "the provider there is 'https://login.example.org/'"),
        ({"issuer": None}, "the provider there is None"),
    ],
)
def test_a_provider_that_is_another_one_is_not_asked(
    document: dict[str, Any], said: str, client: Client, issuer: Issuer, caplog: pytest.LogCaptureFixture
) -> None:
    issuer.document = document

    answer = client.get(BEGIN)

    assert (answer.status_code, "Example does not answer" in answer.text) == (503, True)
    assert said in caplog.text


def test_a_provider_that_is_away_is_said_so(client: Client, settings: Settings) -> None:
    with running_issuer() as gone:
        pass
    settings.BERTH_OIDC_ISSUER, settings.BERTH_OIDC_CLIENT_ID = gone.url, CLIENT_ID

    assert client.get(BEGIN).status_code == 503


def test_one_that_goes_away_meanwhile_too(client: Client, issuer: Issuer, signals: list[tuple[str, str]]) -> None:
    address = issuer.authorize(client.get(BEGIN)["Location"])
    issuer.document = {"token_endpoint": "http://127.0.0.1:1/token"}
    provider._client.cache_clear()

    assert (client.get(address).status_code, signals) == (503, [])


def test_signing_out_says_where_to_sign_out_there(
    client: Client, issuer: Issuer, signals: list[tuple[str, str]]
) -> None:
    sign_in(issuer, client)

    answer = client.post("/sign-out/")

    (address,) = re.findall(rf'href="({issuer.url}/end[^"]*)"', answer.text)
    asked = parse_qs(urlsplit(address.replace("&amp;", "&")).query)
    assert asked["post_logout_redirect_uri"] == ["http://testserver/sign-in/"]
    assert asked["id_token_hint"][0].count(".") == 2
    assert (user_in(client), signals) == ("", [("in", "ada"), ("out", "ada")])


def test_signing_out_leads_to_the_sign_in_where_the_provider_has_no_such_address(
    client: Client, issuer: Issuer
) -> None:
    issuer.document = {"end_session_endpoint": None}
    sign_in(issuer, client)

    assert client.post("/sign-out/")["Location"] == "/sign-in/"


def test_no_secret_is_logged(client: Client, issuer: Issuer, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    # As the settings have it, whatever the level of the rest.
    logging.getLogger("authlib").setLevel(logging.INFO)
    begun = client.get(BEGIN)["Location"]
    kept = client.cookies[f"berth_provider_{parse_qs(urlsplit(begun).query)['state'][0]}"].value
    client.get(issuer.authorize(begun))
    issuer.claims["nonce"] = "wrong"
    sign_in(issuer)
    age(20 * MINUTE)
    issuer.refusal = 400, {"error": "invalid_grant"}
    user_in(client)

    verifier = re.findall(r'"code_verifier": ?"([^"]+)"', kept.encode().decode("unicode_escape"))[0]
    tokens = [Identity.objects.get().refresh_token, issuer._refresh_token, verifier, CLIENT_SECRET]
    assert not [token for token in tokens if token and token in caplog.text]


def test_a_user_who_is_still_there_notices_nothing(client: Client, issuer: Issuer) -> None:
    sign_in(issuer, client)
    before = len(issuer.asked)
    age(14 * MINUTE)
    assert user_in(client) == "ada"
    assert len(issuer.asked) == before

    issuer.user["groups"] = ["storage"]
    for _ in range(3):
        age(16 * MINUTE)
        assert user_in(client) == "ada"

    assert issuer.asked[before:].count("/token") == 3
    assert groups_of("ada") == {"oidc:storage"}


@pytest.mark.parametrize(
    "refusal",
    [
        (400, {"error": "invalid_grant"}),
        # As Dex answers when a user is gone.
        (500, {"error": "invalid_request"}),
    ],
)
def test_a_user_who_is_gone_is_out_on_every_page_and_websocket(
    refusal: tuple[int, Any], client: Client, issuer: Issuer
) -> None:
    sign_in(issuer, client)
    other = Client()
    sign_in(issuer, other)
    user = User.objects.get()
    sessions = [((str(each.session.session_key), None), user.pk) for each in (client, other)]
    assert living_sessions(sessions) == {key for key, _ in sessions}
    issuer.refusal = refusal
    age(16 * MINUTE)

    assert living_sessions(sessions) == set()
    assert user_in(client) == user_in(other) == ""
    asked = issuer.asked.count("/token")
    assert client.get("/clusters/")["Location"] == "/sign-in/?next=/clusters/"
    assert issuer.asked.count("/token") == asked
    # One who is there again signs in again.
    issuer.refusal = None
    sign_in(issuer, client)
    assert user_in(client) == "ada"


def test_a_refusal_that_is_older_than_a_sign_in_ends_nothing(
    client: Client, issuer: Issuer, monkeypatch: pytest.MonkeyPatch
) -> None:
    sign_in(issuer, client)
    age(16 * MINUTE)
    renew = provider.renew

    def slowly(refresh_token: str, subject: str) -> Account:
        sign_in(issuer)
        issuer.refusal = 400, {"error": "invalid_grant"}
        return renew(refresh_token, subject)

    monkeypatch.setattr(provider, "renew", slowly)

    assert user_in(client) == "ada"
    assert Identity.objects.get().refresh_token


@pytest.mark.parametrize(
    "said",
    [
        lambda issuer: issuer.user.update(sub="eve-1"),
        lambda issuer: issuer.claims.update(exp=1),
        lambda issuer: issuer.user.update(groups=["storage"]),
    ],
    ids=["somebody else", "an expired token", "no longer in an allowed group"],
)
def test_what_could_not_sign_in_does_not_renew(
    said: Callable[[Issuer], object], client: Client, issuer: Issuer, settings: Settings
) -> None:
    settings.BERTH_OIDC_ALLOWED_GROUPS = ["platform"]
    sign_in(issuer, client)
    said(issuer)
    age(16 * MINUTE)

    assert user_in(client) == ""


@pytest.mark.parametrize(
    "trouble", [(503, "no JSON"), (429, "wait"), (401, {"error": "invalid_client"}), (500, {"error": "server_error"})]
)
def test_while_the_provider_has_trouble_sessions_last_for_some_hours(
    trouble: tuple[int, Any], client: Client, issuer: Issuer
) -> None:
    sign_in(issuer, client)
    issuer.refusal = trouble
    age(16 * MINUTE)
    before = issuer.asked.count("/token")

    assert user_in(client) == user_in(client) == "ada"
    # It is asked again after a minute, not with every request.
    assert issuer.asked.count("/token") == before + 1
    age(11 * 60 * MINUTE)
    assert user_in(client) == "ada"
    age(12 * 60 * MINUTE)
    assert user_in(client) == ""


def test_what_the_provider_is_asked_with_is_kept_sealed(client: Client, issuer: Issuer, settings: Settings) -> None:
    sign_in(issuer, client)
    kept = Identity.objects.get().refresh_token
    assert issuer._refresh_token not in kept
    assert opened(kept) == issuer._refresh_token

    settings.SECRET_KEY = "another key than the one that it was sealed with, and long enough"
    assert opened(kept) == ""
    before = issuer.asked.count("/token")
    age(16 * MINUTE)
    renewed(Identity.objects.get())

    assert issuer.asked.count("/token") == before
    assert Identity.objects.get().refresh_token == ""


def test_where_the_provider_gives_nothing_to_ask_with_sessions_end_after_some_hours(
    client: Client, issuer: Issuer
) -> None:
    issuer.gives_refresh_tokens = False
    sign_in(issuer, client)
    before = len(issuer.asked)
    age(11 * 60 * MINUTE)
    assert user_in(client) == "ada"
    age(12 * 60 * MINUTE)
    assert user_in(client) == ""
    assert len(issuer.asked) == before


def test_a_session_ends_with_the_provider_it_is_from(client: Client, issuer: Issuer, settings: Settings) -> None:
    sign_in(issuer, client)
    settings.BERTH_OIDC_ISSUER = ""

    assert user_in(client) == ""


def test_tokens_of_the_api_last_for_some_days_after_the_provider_last_vouched(client: Client, issuer: Issuer) -> None:
    sign_in(issuer)
    _, text = make_token(user=User.objects.get(), name="ci", may_write=False, days=None)

    def status() -> int:
        return client.get("/api/v1/clusters/", headers={"Authorization": f"Bearer {text}"}).status_code

    assert status() == 200
    issuer.refusal = 400, {"error": "invalid_grant"}
    age(16 * MINUTE)
    assert status() == 200
    age(timedelta(days=30))
    assert status() == 401


def test_a_token_in_use_asks_the_provider_too(client: Client, issuer: Issuer) -> None:
    sign_in(issuer)
    _, text = make_token(user=User.objects.get(), name="ci", may_write=False, days=None)
    age(timedelta(days=31))

    answer = client.get("/api/v1/clusters/", headers={"Authorization": f"Bearer {text}"})

    assert (answer.status_code, issuer.asked.count("/token")) == (200, 2)


def test_the_sign_in_shows_the_provider_and_keeps_where_one_was_going(client: Client, issuer: Issuer) -> None:
    page = client.get("/sign-in/", {"next": "/clusters/?a=b&c=d"}).text

    assert "Sign in with Example" in page
    assert 'href="/sign-in/provider/?next=%2Fclusters%2F%3Fa%3Db%26c%3Dd"' in page
    assert "id_password" in page


def test_without_a_provider_there_is_none(client: Client) -> None:
    assert "/sign-in/provider/" not in client.get("/sign-in/").text
    for address in (BEGIN, f"{BEGIN}return/"):
        assert client.get(address).status_code == 404
