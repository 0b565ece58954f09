"""The pages of administrators: accounts and groups with their roles, and what was done."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

from clusters.models import Cluster, SimulationRun
from dashboard.access.tokens import make_token, token_of
from dashboard.models import ApiToken, AuditEntry, RoleGrant

if TYPE_CHECKING:
    from pytest_django.fixtures import Settings

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

Role, Action = RoleGrant.Role, AuditEntry.Action


@pytest.fixture(autouse=True)
def _roles(settings: Settings) -> None:
    settings.BERTH_ROLES = True


@pytest.fixture
def root() -> User:
    user = User.objects.create_user("root")
    RoleGrant.objects.create(user=user, role=Role.ADMINISTRATOR)
    return user


@pytest.fixture
def admin(root: User) -> Client:
    client = Client()
    client.force_login(root)
    return client


def done() -> list[tuple[str, str, str]]:
    """What is written down, oldest first, but for signing in."""
    entries = AuditEntry.objects.exclude(action=Action.SIGNED_IN).order_by("pk")
    return list(entries.values_list("action", "cluster", "subject"))


def test_a_colleague_is_let_in(admin: Client) -> None:
    prod = Cluster.objects.create(name="prod")
    page = admin.post("/administration/users/new/", {"username": "ada"}, follow=True)
    ada = User.objects.get(username="ada")
    assert page.redirect_chain == [(f"/administration/users/{ada.pk}/", 302)]

    admin.post(f"/administration/users/{ada.pk}/role/", {"role": "viewer", "cluster": "prod"})
    html = admin.post(f"/administration/users/{ada.pk}/link/").content.decode()

    code = html.split('id="sign-in-link">')[1].split("#")[1].split("<")[0]
    guest = Client()
    assert guest.post("/sign-in/link/", {"code": code}).status_code == 302
    assert guest.get("/clusters/prod/").status_code == 200
    assert guest.get("/administration/").status_code == 403
    assert list(ada.role_grants.values_list("role", "cluster")) == [("viewer", prod.pk)]
    assert done() == [("user-added", "", "ada"), ("role-given", "prod", "ada: viewer"), ("link-made", "", "ada")]


def test_the_list_shows_who_has_what(admin: Client, root: User) -> None:
    group = Group.objects.create(name="oidc:platform")
    RoleGrant.objects.create(group=group, role=Role.OPERATOR, cluster=Cluster.objects.create(name="prod"))
    root.groups.add(group)

    html = admin.get("/administration/").content.decode()

    assert "Administrator" in html
    assert "Operator · prod" in html
    assert admin.get("/administration/?q=nobody").content.decode().count("/administration/users/1/") == 0
    assert "root" in admin.get(f"/administration/groups/{group.pk}/").content.decode()


def test_more_accounts_ask_no_more_of_the_database(admin: Client, django_assert_max_num_queries: object) -> None:
    for number in range(20):
        user = User.objects.create_user(f"user-{number}")
        RoleGrant.objects.create(user=user, role=Role.VIEWER, cluster=Cluster.objects.create(name=f"c-{number}"))

    with django_assert_max_num_queries(14):  # type: ignore[operator]
        admin.get("/administration/")


def test_a_group_gets_a_role_before_anybody_of_it_signs_in(admin: Client) -> None:
    page = admin.post("/administration/groups/new/", {"name": "oidc:platform"}, follow=True)
    group = Group.objects.get()
    assert "Nobody of this group" in page.content.decode()

    admin.post(f"/administration/groups/{group.pk}/role/", {"role": "viewer", "cluster": "*"})

    user = User.objects.create_user("ada")
    user.groups.add(group)
    client = Client()
    client.force_login(user)
    Cluster.objects.create(name="prod")
    assert client.get("/clusters/prod/").status_code == 200


def test_a_group_is_made_once(admin: Client) -> None:
    Group.objects.create(name="team")

    html = admin.post("/administration/groups/new/", {"name": "team"}, follow=True).content.decode()

    assert "already exists" in html


@pytest.mark.parametrize("act", ["take", "disable"])
def test_somebody_always_administers(admin: Client, root: User, act: str) -> None:
    grant = RoleGrant.objects.get()
    taken, disabled = f"/administration/roles/{grant.pk}/take/", f"/administration/users/{root.pk}/enable/"

    html = admin.post(taken if act == "take" else disabled, follow=True).content.decode()

    assert "Make somebody else administrator first." in html
    assert User.objects.get(pk=root.pk).is_active
    assert list(RoleGrant.objects.values_list("pk", flat=True)) == [grant.pk]
    assert done() == []


def test_a_role_is_taken_away(admin: Client, root: User) -> None:
    ada = User.objects.create_user("ada")
    grant = RoleGrant.objects.create(user=ada, role=Role.ADMINISTRATOR)

    admin.post(f"/administration/roles/{grant.pk}/take/")

    assert list(RoleGrant.objects.values_list("user", flat=True)) == [root.pk]
    assert done() == [("role-taken", "", "ada: administrator")]


def test_a_trainer_trains_everywhere(admin: Client) -> None:
    Cluster.objects.create(name="prod")
    ada = User.objects.create_user("ada")

    address = f"/administration/users/{ada.pk}/role/"
    html = admin.post(address, {"role": "trainer", "cluster": "prod"}, follow=True).content.decode()

    assert "Leave the cluster out." in html
    assert not ada.role_grants.exists()


def test_a_disabled_user_is_out_at_once(admin: Client) -> None:
    ada = User.objects.create_user("ada")
    _, text = make_token(user=ada, name="ci", may_write=False, days=None)
    theirs = Client()
    theirs.force_login(ada)
    assert theirs.get("/clusters/").status_code == 200

    admin.post(f"/administration/users/{ada.pk}/enable/")

    assert theirs.get("/clusters/").status_code == 302
    assert token_of(text) is None
    admin.post(f"/administration/users/{ada.pk}/enable/", {"enabled": ""})
    assert token_of(text) is not None
    assert done() == [("user-disabled", "", "ada"), ("user-enabled", "", "ada")]


def test_a_user_is_signed_out_everywhere(admin: Client) -> None:
    ada = User.objects.create_user("ada")
    phone, laptop = Client(), Client()
    for each in (phone, laptop):
        each.force_login(ada)
    assert "<dt>Sessions</dt><dd>2</dd>" in admin.get(f"/administration/users/{ada.pk}/").content.decode()

    admin.post(f"/administration/users/{ada.pk}/sign-out/")

    assert [each.get("/clusters/").status_code for each in (phone, laptop, admin)] == [302, 302, 200]


def test_the_token_of_another_is_revoked(admin: Client) -> None:
    ada = User.objects.create_user("ada")
    token, text = make_token(user=ada, name="ci", may_write=False, days=None)

    admin.post(f"/administration/tokens/{token.pk}/revoke/")

    assert token_of(text) is None
    assert not ApiToken.objects.exists()
    assert done() == [("token-revoked", "", "ada: ci")]


def test_the_audit_log_is_searched_and_exported(admin: Client) -> None:
    ada = User.objects.create_user("ada")
    for role in ("viewer", "trainer"):
        admin.post(f"/administration/users/{ada.pk}/role/", {"role": role, "cluster": "*"})

    html = admin.get("/administration/audit/?action=role-given&user=root").content.decode()
    lines = b"".join(admin.get("/administration/audit.jsonl?action=role-given")).decode().splitlines()

    assert "2 of 3 entries shown." in html
    assert [json.loads(line)["subject"] for line in lines] == ["ada: trainer", "ada: viewer"]
    assert set(json.loads(lines[0])) == {"at", "username", "address", "request_id", "action", "cluster", "subject"}
    assert done()[-1] == ("audit-exported", "", "")
    assert "No entry matches" in admin.get("/administration/audit/?until=2001-01-01T00:00").content.decode()


def test_the_section_is_there_for_administrators_alone(admin: Client, settings: Settings) -> None:
    viewer = Client()
    viewer.force_login(User.objects.create_user("ada"))

    assert "/administration/" in admin.get("/clusters/").content.decode()
    assert "/administration/" not in viewer.get("/clusters/").content.decode()
    settings.BERTH_ROLES = False
    assert "/administration/" not in admin.get("/clusters/").content.decode()


def test_an_account_says_what_is_kept_of_its_work(admin: Client, settings: Settings) -> None:
    settings.BERTH_RUN_PODS_PER_USER = 5_000
    ada = User.objects.create_user("ada")
    for pods in (1_000, 200):
        SimulationRun.objects.create(title="", spec={}, pods_done=pods, created_by=ada)

    html = admin.get(f"/administration/users/{ada.pk}/").content.decode()

    assert "1\u202f200 of at most 5\u202f000 pods kept" in html


def test_a_role_is_given_where_both_are_chosen(admin: Client) -> None:
    ada = User.objects.create_user("ada")
    for chosen in ({}, {"role": "viewer"}, {"role": "viewer", "cluster": ""}, {"role": "viewer", "cluster": "none"}):
        html = admin.post(f"/administration/users/{ada.pk}/role/", chosen, follow=True).content.decode()
        assert "alert" in html

    assert not ada.role_grants.exists()


def test_who_has_no_role_reads_so(settings: Settings) -> None:
    Cluster.objects.create(name="prod")
    client = Client()
    client.force_login(User.objects.create_user("ada"))

    assert "You have no role for one." in client.get("/clusters/").content.decode()


def test_a_refusal_is_a_line_of_the_log(caplog: pytest.LogCaptureFixture) -> None:
    client = Client()
    client.force_login(User.objects.create_user("ada"))

    client.get("/administration/")

    records = [record for record in caplog.records if record.name == "django.request"]
    assert [(record.exc_info, record.status_code) for record in records] == [(None, 403)]  # type: ignore[attr-defined]
