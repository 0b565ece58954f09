"""`manage.py token`: make a token of the API for a pipeline."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError, CommandParser

from clusters.models import Cluster
from clusters.wording.access.administration import NO_CLUSTER
from clusters.wording.access.sign_in import DATABASE_NOT_MIGRATED, NO_TOKEN, NO_USER
from dashboard.access import audit
from dashboard.access.links import DEFAULT_USER
from dashboard.access.tokens import TokenError, make_token
from dashboard.models import ApiToken
from dashboard.operations.health import pending_migrations


class Command(BaseCommand):
    """Prints the token alone, so that it can be piped."""

    help = "Make a token of the API and print it, or revoke one. It is shown this once."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="what will use the token, such as ci")
        parser.add_argument("--user", default=DEFAULT_USER, help=f"in whose name (default: {DEFAULT_USER})")
        parser.add_argument("--write", action="store_true", help="let it upload, simulate and delete, too")
        parser.add_argument("--days", type=int, default=90, help="how long it lasts; 0: until it is revoked (90)")
        parser.add_argument("--cluster", action="append", help="open this cluster alone; several times for several")
        parser.add_argument("--revoke", action="store_true", help="revoke the token of this name instead")

    def handle(self, *args: Any, **options: Any) -> None:
        if pending_migrations():
            raise CommandError(DATABASE_NOT_MIGRATED(command=settings.BERTH_COMMAND))
        user = get_user_model()._default_manager.filter(username=options["user"], is_active=True).first()
        if user is None:
            raise CommandError(NO_USER(name=options["user"], command=settings.BERTH_COMMAND))
        if options["revoke"]:
            if not ApiToken.objects.filter(user=user, name=options["name"]).delete()[0]:
                raise CommandError(NO_TOKEN(user=user.get_username(), name=options["name"]))
            audit.note(None, audit.Action.TOKEN_REVOKED, subject=f"{user.get_username()}: {options['name']}")
            return
        try:
            _, text = make_token(
                user=user,
                name=options["name"],
                may_write=options["write"],
                days=options["days"] or None,
                clusters=[_cluster(name) for name in options["cluster"] or ()],
            )
        except TokenError as error:
            raise CommandError(str(error)) from None
        audit.note(None, audit.Action.TOKEN_MADE, subject=f"{user.get_username()}: {options['name']}")
        self.stdout.write(text)


def _cluster(name: str) -> Cluster:
    if (cluster := Cluster.objects.filter(name=name).first()) is None:
        raise CommandError(NO_CLUSTER(name=name))
    return cluster
