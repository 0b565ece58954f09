"""The audit log: what is written there, and that nothing changes it."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from dashboard.access import audit
from dashboard.models import ApiToken, AuditEntry
from tests.clusters.dumps import as_json, listed, node

if TYPE_CHECKING:
    from django.contrib.auth.models import User
    from django.test import Client

    from clusters.models import Cluster

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

Action = AuditEntry.Action


def entries() -> list[tuple[str, str, str, str]]:
    """Return who did what, oldest first, without the sign-in that every test begins with."""
    rows = AuditEntry.objects.exclude(action=Action.SIGNED_IN).order_by("pk")
    return list(rows.values_list("username", "action", "cluster", "subject"))


def test_signing_in_and_out_is_written_down(client: Client, user: User) -> None:
    client.post("/sign-in/", {"username": "eve", "password": "wrong"}, headers={"X-Request-ID": "abc-1"})
    client.post("/sign-in/", {"username": user.username, "password": "correct horse battery"}, REMOTE_ADDR="192.0.2.7")
    client.post("/sign-out/")

    rows = AuditEntry.objects.order_by("pk")
    assert [(row.username, row.action) for row in rows] == [
        ("eve", Action.SIGN_IN_FAILED),
        (user.username, Action.SIGNED_IN),
        (user.username, Action.SIGNED_OUT),
    ]
    assert rows[0].request_id == "abc-1"
    assert rows[1].address == "192.0.2.7"
    assert len({row.request_id for row in rows}) == 3


def test_what_is_done_to_clusters_is_written_down(operator_client: Client, user: User, cluster: Cluster) -> None:
    name = cluster.name
    file = SimpleUploadedFile("dump.json", as_json(listed([node("n1")])))

    operator_client.post(f"/clusters/{name}/upload/", {"file": file})
    operator_client.post(f"/clusters/{name}/configuration/", {"default": ""})
    operator_client.post(f"/clusters/{name}/rename/", {"name": "other"})
    operator_client.post("/clusters/other/delete/")

    assert [entry[:3] for entry in entries()] == [
        (user.username, Action.UPLOADED, name),
        (user.username, Action.CONFIGURED, name),
        (user.username, Action.RENAMED, name),
        (user.username, Action.DELETED, "other"),
    ]


def test_what_was_refused_is_not_written_down(signed_in_client: Client, cluster: Cluster) -> None:
    assert signed_in_client.post(f"/clusters/{cluster.name}/delete/").status_code == 403

    assert entries() == []


def test_tokens_are_written_down_without_their_text(signed_in_client: Client, user: User) -> None:
    signed_in_client.post("/account/tokens/", {"name": "ci", "scope": "read", "days": "30"})
    signed_in_client.post(f"/account/tokens/{ApiToken.objects.get().pk}/revoke")

    assert entries() == [
        (user.username, Action.TOKEN_MADE, "", "ci"),
        (user.username, Action.TOKEN_REVOKED, "", "ci"),
    ]


def test_an_entry_is_never_changed(signed_in_client: Client) -> None:
    entry = AuditEntry.objects.get()
    entry.username = "somebody else"

    with pytest.raises(TypeError):
        entry.save()
    with pytest.raises(TypeError):
        entry.delete()


@pytest.mark.parametrize("given", ["", "x" * 65, "tab\tinside", "naïve"])
def test_an_unusable_request_id_is_replaced(client: Client, user: User, given: str) -> None:
    client.post(
        "/sign-in/",
        {"username": user.username, "password": "correct horse battery"},
        HTTP_X_REQUEST_ID=given,
    )

    assert len(AuditEntry.objects.get().request_id) == 32


def test_old_entries_are_removed(signed_in_client: Client) -> None:
    assert audit.prune(before=timezone.now() - timedelta(days=1)) == 0
    assert audit.prune(before=timezone.now() + timedelta(days=1)) == 1
