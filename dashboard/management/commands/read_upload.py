"""`manage.py read_upload`: what a worker starts to read one upload."""

from __future__ import annotations

import os
import signal
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from clusters.services.ingest.uploads import OUT_OF_MEMORY, ingest_upload, limit_memory
from dashboard.operations import tether


class Command(BaseCommand):
    """Reads one upload within its bounds, and ends with the worker that started it."""

    help = "Read one upload for a worker; not meant to be called by hand."
    # Loading every page to check them would take longer than reading most dumps.
    requires_system_checks = []  # noqa: RUF012 - as Django declares it

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("ingest", type=int)
        parser.add_argument("worker", type=int)
        parser.add_argument("--memory-mib", type=int, required=True)

    def handle(self, *args: Any, ingest: int, worker: int, memory_mib: int, **options: Any) -> None:
        tether.die_with(worker, signal.SIGKILL)
        limit_memory(memory_mib)
        try:
            ingest_upload(ingest_id=ingest)
        except MemoryError:
            # At once: an orderly end takes memory too.
            os._exit(OUT_OF_MEMORY)
