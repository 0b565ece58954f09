"""`manage.py signin`: print a fresh one-time sign-in link."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Permission
from django.core.management.base import BaseCommand, CommandError, CommandParser

from clusters.wording.access.sign_in import DATABASE_NOT_MIGRATED, LINKS_OFF, NO_USER
from dashboard.access import audit
from dashboard.access.links import DEFAULT_USER, make_link
from dashboard.operations.health import pending_migrations


class Command(BaseCommand):
    """Prints the link alone, so that it can be piped."""

    help = "Print a link that signs one user in once."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--user", default=DEFAULT_USER, help=f"whom the link signs in (default: {DEFAULT_USER})")
        parser.add_argument("--create", action="store_true", help="make the user if there is none of that name")
        parser.add_argument("--teach", action="store_true", help="let the user open classrooms from now on")
        parser.add_argument("--base-url", default="", help="the address people open (default: BERTH_BASE_URL)")

    def handle(self, *args: Any, **options: Any) -> None:
        base_url = (
            options["base_url"] or settings.BERTH_BASE_URL or f"http://{settings.BERTH_HOST}:{settings.BERTH_PORT}"
        )
        name = options["user"]
        if not settings.BERTH_SIGNIN_LINKS:
            raise CommandError(str(LINKS_OFF))
        if pending_migrations():
            raise CommandError(DATABASE_NOT_MIGRATED(command=settings.BERTH_COMMAND))
        try:
            link = make_link(
                username=name,
                base_url=base_url,
                create=options["create"] or name == DEFAULT_USER,
                teach=options["teach"],
            )
        except get_user_model().DoesNotExist:
            raise CommandError(NO_USER(name=name, command=settings.BERTH_COMMAND)) from None
        except Permission.DoesNotExist:
            # They are made after the last migration.
            raise CommandError(DATABASE_NOT_MIGRATED(command=settings.BERTH_COMMAND)) from None
        audit.note(None, audit.Action.LINK_MADE, subject=name)
        self.stdout.write(link)
