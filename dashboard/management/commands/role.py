"""`manage.py role`: who has which role, and giving and taking them where nobody can sign in to do it."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth.models import Group, User
from django.core.management.base import BaseCommand, CommandError, CommandParser

from clusters.models import Cluster
from clusters.wording.access import administration as words
from clusters.wording.access.sign_in import DATABASE_NOT_MIGRATED, NO_USER
from dashboard.access import audit
from dashboard.access.roles import RoleError, give, take
from dashboard.models import RoleGrant
from dashboard.operations.health import pending_migrations


class Command(BaseCommand):
    """Lists roles, one a line: role, user or group, its name, cluster (* for all)."""

    help = "List roles, give one to a user or group, or take it away. They hold where BERTH_ROLES is 1."

    def add_arguments(self, parser: CommandParser) -> None:
        acts = parser.add_subparsers(dest="act", required=True)
        acts.add_parser("list", help="print every role, who has it and of which cluster")
        giving = acts.add_parser("give", help="give a role to a user or a group")
        taking = acts.add_parser("take", help="take a role away")
        for given in (giving, taking):
            given.add_argument("role", choices=RoleGrant.Role.values)
            given.add_argument("holder", help="the user's name, or with --group the group's")
            given.add_argument(
                "--group", action="store_true", help="a group, such as oidc:platform; made where missing"
            )
            given.add_argument("--cluster", default="", help="of this cluster alone (default: of all clusters)")

    def handle(self, *args: Any, **options: Any) -> None:
        if pending_migrations():
            raise CommandError(str(DATABASE_NOT_MIGRATED))
        if options["act"] == "list":
            for grant in RoleGrant.objects.select_related("user", "group", "cluster"):
                kind, name = ("group", grant.group.name) if grant.group else ("user", str(grant.user))
                self.stdout.write("\t".join((grant.role, kind, name, grant.cluster.name if grant.cluster else "*")))
            return
        role, holder, cluster = options["role"], _holder(options), _cluster(options["cluster"])
        is_given = options["act"] == "give"
        try:
            if is_given:
                give(role, holder, cluster)
            else:
                take(_held(role, holder, cluster))
        except RoleError as error:
            raise CommandError(str(error)) from None
        action = audit.Action.ROLE_GIVEN if is_given else audit.Action.ROLE_TAKEN
        audit.note(None, action, cluster=options["cluster"], subject=f"{holder}: {role}")


def _held(role: str, holder: User | Group, cluster: Cluster | None) -> RoleGrant:
    held = holder.role_grants.filter(role=role, cluster=cluster).first()
    if held is None:
        raise CommandError(words.NOT_HELD(holder=str(holder)))
    return held


def _holder(options: dict[str, Any]) -> User | Group:
    name = options["holder"]
    if options["group"]:
        if options["act"] == "give":
            return Group.objects.get_or_create(name=name)[0]
        if (group := Group.objects.filter(name=name).first()) is None:
            raise CommandError(words.NO_GROUP(name=name))
        return group
    if (user := User.objects.filter(username=name, is_active=True).first()) is None:
        raise CommandError(NO_USER(name=name, command=settings.BERTH_COMMAND))
    return user


def _cluster(name: str) -> Cluster | None:
    if not name:
        return None
    if (cluster := Cluster.objects.filter(name=name).first()) is None:
        raise CommandError(words.NO_CLUSTER(name=name))
    return cluster
