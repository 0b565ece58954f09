"""`manage.py backup`: write everything that Berth keeps into one file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from clusters.wording import backups as words
from clusters.wording.access.sign_in import DATABASE_NOT_MIGRATED
from clusters.wording.amounts import size
from dashboard.operations.backups import BackupError, back_up
from dashboard.operations.health import pending_migrations


class Command(BaseCommand):
    """Berth may go on running: what is written is of one moment."""

    help = "Write all rows of the database and the secret key into one file, also while Berth runs."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="the file to write, which is not there yet")

    def handle(self, *args: Any, **options: Any) -> None:
        file: Path = options["file"]
        if pending_migrations():
            raise CommandError(DATABASE_NOT_MIGRATED(command=settings.BERTH_COMMAND))
        try:
            manifest = back_up(file)
        except BackupError as error:
            raise CommandError(str(error)) from None
        self.stdout.write(words.BACKED_UP(rows=manifest.rows, file=str(file), size=size(file.stat().st_size)))
