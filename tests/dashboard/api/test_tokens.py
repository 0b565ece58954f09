"""Tokens: made once, good for what they say, and for no longer than they say."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from clusters.models import Cluster
from dashboard.access.tokens import MOST_PER_USER, TokenError, make_token
from dashboard.limits.bodies import bound_of
from dashboard.models import ApiToken
from tests.dashboard.rows import a_cluster, allow_changes

pytestmark = pytest.mark.django_db

CLUSTERS, RUNS = "/api/v1/clusters/", "/api/v1/runs/"
EMPTY_RUN = {
    "spec": {"base": {"kind": "empty"}, "changes": [{"change": "add-nodes", "count": 1, "cpu": "4", "memory": "8Gi"}]}
}


def asked(text: str, path: str = CLUSTERS) -> Any:
    return Client(enforce_csrf_checks=True).get(path, headers={"Authorization": f"Bearer {text}"})


def ordered(text: str) -> Any:
    careful = Client(enforce_csrf_checks=True)
    headers = {"Authorization": f"Bearer {text}"}
    return careful.post(RUNS, EMPTY_RUN, content_type="application/json", headers=headers)


def test_a_token_answers_for_its_user_and_only_its_digest_is_kept(user: User) -> None:
    token, text = make_token(user=user, name="ci", may_write=False, days=30)

    assert asked(text).status_code == 200
    assert text not in str(ApiToken.objects.values().get())
    token.refresh_from_db()
    assert token.last_used_on == timezone.now().date()


def test_a_reading_token_changes_nothing(user: User) -> None:
    _, reading = make_token(user=user, name="reads", may_write=False, days=None)
    _, writing = make_token(user=user, name="writes", may_write=True, days=None)

    refused = ordered(reading)

    assert (refused.status_code, refused.json()["error"]["where"]) == (403, "Authorization")
    assert ordered(writing).status_code == 201


def test_no_longer_good(user: User) -> None:
    expired, old = make_token(user=user, name="old", may_write=False, days=1)
    ApiToken.objects.filter(pk=expired.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    revoked, gone = make_token(user=user, name="gone", may_write=False, days=None)
    revoked.delete()
    other = User.objects.create_user("left")
    _, disabled = make_token(user=other, name="left", may_write=False, days=None)
    User.objects.filter(pk=other.pk).update(is_active=False)

    for text in (old, gone, disabled, "berth_", "berth_é", "x" * 10_000):
        answer = asked(text)
        assert answer.status_code == 401
        assert answer.json()["error"]["what"] == "The token is not valid."
        assert answer["WWW-Authenticate"] == "Bearer"
        assert "no-store" in answer["Cache-Control"]


def test_a_token_opens_the_api_and_no_page(user: User) -> None:
    _, text = make_token(user=user, name="ci", may_write=True, days=None)

    assert asked(text, "/account/tokens/").status_code == 302


def test_a_session_writes_only_with_its_csrf_token(user: User) -> None:
    careful = Client(enforce_csrf_checks=True)
    careful.force_login(user)

    refused = careful.post(RUNS, EMPTY_RUN, content_type="application/json")
    careful.get("/account/tokens/")
    token = careful.cookies[settings.CSRF_COOKIE_NAME].value
    taken = careful.post(RUNS, EMPTY_RUN, content_type="application/json", headers={"X-CSRFToken": token})

    assert (refused.status_code, refused.json()["error"]["where"]) == (403, "X-CSRFToken")
    assert taken.status_code == 201


def test_rights_are_the_users(user: User) -> None:
    a_cluster()
    _, text = make_token(user=user, name="ci", may_write=True, days=None)
    headers = {"Authorization": f"Bearer {text}"}
    file = SimpleUploadedFile("dump.yaml", b"kind: Node")

    response = Client().post("/api/v1/clusters/prod/dumps/", {"file": file}, headers=headers)

    assert (response.status_code, response.json()["error"]["what"]) == (
        403,
        "Your account may not change this. Ask an administrator of this Berth to let you change clusters.",
    )


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("may_write", "may_change", "most"), [(True, True, True), (True, False, False), (False, True, False)]
)
async def test_a_dump_is_let_in_for_a_token_that_may_send_one(may_write: bool, may_change: bool, most: bool) -> None:
    def prepared() -> str:
        user = User.objects.create_user("robot")
        if may_change:
            allow_changes(user)
        return make_token(user=user, name="ci", may_write=may_write, days=None)[1]

    text = await sync_to_async(prepared)()

    bound = await bound_of({"headers": [(b"authorization", f"Bearer {text}".encode())]})

    assert (bound.most > settings.BERTH_UPLOAD_LIMIT_BYTES) is most


def test_page_shows_a_token_once_and_revokes_it(signed_in_client: Client, user: User) -> None:
    page = signed_in_client.post("/account/tokens/", {"name": "ci", "scope": "write", "days": "30"})
    text = page.content.decode().partition('id="new-token">')[2].partition("<")[0]

    assert asked(text).status_code == 200
    assert text not in signed_in_client.get("/account/tokens/").content.decode()
    again = signed_in_client.post("/account/tokens/", {"name": "ci", "scope": "read", "days": ""})
    assert (again.status_code, "There is a token ci" in again.content.decode()) == (400, True)
    stranger = Client()
    stranger.force_login(User.objects.create_user("stranger"))
    address = f"/account/tokens/{ApiToken.objects.get().pk}/revoke"
    assert stranger.post(address).status_code == 404
    assert signed_in_client.post(address).status_code == 302
    assert asked(text).status_code == 401


def test_a_token_opens_the_clusters_it_names(user: User) -> None:
    allow_changes(user)
    prod, _ = (Cluster.objects.create(name=name) for name in ("prod", "staging"))
    token, text = make_token(user=user, name="ci", may_write=True, days=None, clusters=[prod])

    assert [each["name"] for each in asked(text, "/api/v1/clusters/").json()["clusters"]] == ["prod"]
    assert asked(text, "/api/v1/clusters/staging/pods/").status_code == 404
    file = SimpleUploadedFile("dump.yaml", b"kind: Node")
    headers = {"Authorization": f"Bearer {text}"}
    new = Client().post("/api/v1/clusters/new/dumps/", {"file": file}, headers=headers)
    assert new.status_code == 403

    prod.delete()
    assert asked(text, "/api/v1/clusters/").json()["clusters"] == []
    assert ApiToken.objects.get().clusters == [token.clusters[0]]  # type: ignore[index]


def test_page_makes_tokens_of_clusters_one_views(signed_in_client: Client, user: User) -> None:
    Cluster.objects.create(name="prod")

    page = signed_in_client.post(
        "/account/tokens/", {"name": "ci", "scope": "read", "days": "30", "clusters": ["prod"]}
    )
    unknown = {"name": "x", "scope": "read", "days": "30", "clusters": ["no"]}
    wrong = signed_in_client.post("/account/tokens/", unknown)

    assert '<td data-column="Clusters">prod</td>' in page.content.decode()
    assert (wrong.status_code, ApiToken.objects.count()) == (400, 1)


def test_page_rotates_a_token(signed_in_client: Client, user: User) -> None:
    token, old = make_token(user=user, name="ci", may_write=False, days=30)
    made = timezone.now() - timedelta(days=20)
    ApiToken.objects.update(created_at=made, expires_at=made + timedelta(days=30))

    page = signed_in_client.post(f"/account/tokens/{token.pk}/rotate")

    new = page.content.decode().partition('id="new-token">')[2].partition("<")[0]
    assert (asked(old).status_code, asked(new).status_code) == (401, 200)
    left = ApiToken.objects.get().expires_at - timezone.now()  # type: ignore[operator]
    assert timedelta(days=29) < left <= timedelta(days=30)
    stranger = Client()
    stranger.force_login(User.objects.create_user("stranger"))
    assert stranger.post(f"/account/tokens/{token.pk}/rotate").status_code == 404


def test_there_are_not_too_many(user: User) -> None:
    for number in range(MOST_PER_USER):
        make_token(user=user, name=str(number), may_write=False, days=None)

    with pytest.raises(TokenError, match="Revoke one"):
        make_token(user=user, name="more", may_write=False, days=None)


def test_command_prints_the_token_alone(user: User, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("token", "ci", "--user", "operator", "--write", "--days", "7")
    text = capsys.readouterr().out.strip()

    assert ordered(text).status_code == 201
    with pytest.raises(CommandError, match="There is a token ci"):
        call_command("token", "ci")
    call_command("token", "ci", "--revoke")
    assert asked(text).status_code == 401
    call_command("token", "soon")
    assert ApiToken.objects.get().expires_at is not None
    with pytest.raises(CommandError, match="There is no cluster none"):
        call_command("token", "x", "--cluster", "none")
    with pytest.raises(CommandError, match="no active user named nobody"):
        call_command("token", "ci", "--user", "nobody")


def test_reference_names_every_operation(signed_in_client: Client) -> None:
    document = signed_in_client.get("/api/v1/openapi.json").json()
    page = signed_in_client.get("/api/v1/docs").content.decode()

    names = {each["operationId"] for found in document["paths"].values() for each in found.values()}
    assert {name for name in names if f'id="{name}"' not in page} == set()
    assert '<script src="http' not in page


def error(response: Any) -> tuple[int, str]:
    parts = response.json()["error"]
    assert set(parts) == {"code", "what", "where", "remedy"}
    return response.status_code, parts["code"]


def test_what_is_not_there_and_what_is_not_taken_have_codes_of_kubernetes_api(signed_in_client: Client) -> None:
    assert error(signed_in_client.get("/api/v1/nowhere")) == (404, "NotFound")
    assert error(signed_in_client.get("/api/v1/runs/7")) == (404, "NotFound")
    assert error(signed_in_client.delete("/api/v1/clusters/")) == (405, "MethodNotAllowed")
    assert error(signed_in_client.get("/api/v1/runs/?limit=many")) == (400, "Invalid")


def test_who_is_refused_is_told_why_in_a_code(user: User) -> None:
    program = Client()
    assert error(program.get("/api/v1/clusters/")) == (401, "Unauthorized")
    assert error(program.get("/api/v1/clusters/", headers={"Authorization": "Bearer berth_x"})) == (401, "InvalidToken")
    _, text = make_token(user=user, name="ci", may_write=False, days=None)
    headers = {"Authorization": f"Bearer {text}"}
    assert error(program.post("/api/v1/runs/", headers=headers)) == (403, "ReadOnlyToken")
