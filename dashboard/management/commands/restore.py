"""`manage.py restore`: read what `backup` wrote into an empty database."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from clusters.wording import backups as words
from dashboard import datadir
from dashboard.operations.backups import BackupError, restore
from dashboard.serving import installation


class Command(BaseCommand):
    """Nothing may run on the data directory meanwhile."""

    help = "Read a file that backup wrote into an empty database, of either kind, and take its secret key."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="the file that backup wrote")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            with installation.lock(datadir.private_folder(settings.BERTH_DATA_DIR)):
                manifest = restore(options["file"])
        except (BackupError, installation.NotPreparedError) as error:
            raise CommandError(str(error)) from None
        at = f"{manifest.made_at:%Y-%m-%d %H:%M %Z}"
        self.stdout.write(words.RESTORED(rows=manifest.rows, at=at, version=manifest.version))
