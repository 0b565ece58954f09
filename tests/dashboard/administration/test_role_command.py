"""`manage.py role`: roles at a terminal."""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from clusters.models import Cluster
from dashboard.access.links import DEFAULT_USER, make_link
from dashboard.access.rights import rights_of
from dashboard.models import AuditEntry, RoleGrant

if TYPE_CHECKING:
    from pytest_django.fixtures import Settings

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def role(*arguments: str) -> str:
    written = StringIO()
    call_command("role", *arguments, stdout=written)
    return written.getvalue()


def test_roles_are_given_listed_and_taken() -> None:
    User.objects.create_user("ada")
    Cluster.objects.create(name="prod")

    role("give", "administrator", "ada")
    role("give", "viewer", "oidc:team", "--group", "--cluster", "prod")
    assert role("list") == "administrator\tuser\tada\t*\nviewer\tgroup\toidc:team\tprod\n"
    role("take", "viewer", "oidc:team", "--group", "--cluster", "prod")

    assert role("list") == "administrator\tuser\tada\t*\n"
    entries = AuditEntry.objects.order_by("pk").values_list("action", "subject", "cluster")
    assert list(entries) == [
        ("role-given", "ada: administrator", ""),
        ("role-given", "oidc:team: viewer", "prod"),
        ("role-taken", "oidc:team: viewer", "prod"),
    ]
    assert AuditEntry.objects.filter(username__endswith=" (terminal)", address=None).count() == 3


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("give", "viewer", "nobody"), "no active user named nobody"),
        (("give", "viewer", "ada", "--cluster", "prod"), "no cluster prod"),
        (("take", "viewer", "ada"), "ada has no such role"),
        (("take", "viewer", "team", "--group"), "no group team"),
        (("take", "administrator", "ada"), "Make somebody else administrator first"),
    ],
)
def test_what_cannot_be_done_is_said(arguments: tuple[str, ...], error: str) -> None:
    RoleGrant.objects.create(user=User.objects.create_user("ada"), role="administrator")

    with pytest.raises(CommandError, match=error):
        role(*arguments)

    assert role("list") == "administrator\tuser\tada\t*\n"
    assert not AuditEntry.objects.exists()


def test_the_first_link_makes_an_administrator(settings: Settings) -> None:
    settings.BERTH_ROLES = True
    make_link(username=DEFAULT_USER, base_url="http://berth", create=True)
    make_link(username="ada", base_url="http://berth", create=True, teach=True)

    assert rights_of(User.objects.get(username=DEFAULT_USER)).administers
    actions = AuditEntry.objects.order_by("pk").values_list("action", "subject")
    assert list(actions) == [
        ("user-added", DEFAULT_USER),
        ("role-given", "operator: administrator"),
        ("user-added", "ada"),
    ]
    ada = rights_of(User.objects.get(username="ada"))
    assert (ada.administers, ada.teaches) == (False, True)


def test_an_operator_does_not_take_over_from_administrators(settings: Settings) -> None:
    settings.BERTH_ROLES = True
    RoleGrant.objects.create(user=User.objects.create_user("ada"), role="administrator")

    make_link(username=DEFAULT_USER, base_url="http://berth", create=True)

    assert not rights_of(User.objects.get(username=DEFAULT_USER)).administers
