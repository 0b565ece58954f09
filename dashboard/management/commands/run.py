"""`manage.py run`: become one of the processes of a grown installation, in the foreground."""

from __future__ import annotations

import os
import sys
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from dashboard import datadir
from dashboard.serving import processes


class Command(BaseCommand):
    """Replaces itself by the process, to which signals then go directly."""

    # A worker and beat answer no pages, and `web` checks the site once it serves.
    requires_system_checks = ()

    help = (
        "Run one process of an installation whose processes run apart, until SIGTERM. DATABASE_URL, REDIS_URL and "
        "BERTH_SECRET_KEY have to be the same for all of them, and the database has to be migrated."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        which = parser.add_subparsers(dest="process", required=True)
        which.add_parser("web", help="serve pages, on BERTH_HOST and BERTH_PORT")
        which.add_parser("beat", help="start what runs by the clock; one of these only")
        worker = which.add_parser("worker", help="run tasks")
        queues = sorted(settings.CELERY_TASK_QUEUES)
        worker.add_argument(
            "--queues", nargs="+", choices=queues, default=queues, help="whose tasks it runs (default: all)"
        )
        worker.add_argument(
            "--concurrency", type=int, default=settings.BERTH_WORKERS, help="how many at the same time (BERTH_WORKERS)"
        )

    def handle(self, *args: Any, process: str, **options: Any) -> None:
        # Whatever it writes is its user's alone.
        os.umask(0o077)
        datadir.private_folder(settings.BERTH_DATA_DIR)
        log_level = settings.BERTH_LOG_LEVEL
        match process:
            case "web":
                # It loads much that the others do not need.
                from dashboard.serving.installation import collect_static

                collect_static()
                command = processes.web(host=settings.BERTH_HOST, port=settings.BERTH_PORT, log_level=log_level)
            case "beat":
                command = processes.beat(schedule=settings.BERTH_DATA_DIR / "beat-schedule", log_level=log_level)
            case _:
                concurrency = options["concurrency"]
                command = processes.worker_of(options["queues"], concurrency=concurrency, log_level=log_level)
        # Where Python looks for what it runs.
        os.chdir(settings.BASE_DIR)
        os.execv(sys.executable, command)  # noqa: S606 - a command line of our own
