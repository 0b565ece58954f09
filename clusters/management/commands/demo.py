"""Load the built-in demo cluster."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand

from clusters.services.ingest.demo import DEMO_CLUSTER, DemoNameTaken, demo_list, load_demo
from clusters.wording.terminal import commands as words

if TYPE_CHECKING:
    from django.core.management.base import CommandParser


class Command(BaseCommand):
    """manage.py demo."""

    help = (
        "Load the built-in demo cluster, which shows every kind of verdict; docs/demo.md is the guide. "
        "Doing so again changes nothing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--write",
            type=Path,
            metavar="PATH",
            help="write the cluster into a file instead, as one List",
        )

    def handle(self, *args: Any, write: Path | None, **options: Any) -> None:
        if write is not None:
            write.write_bytes(demo_list())
            return
        try:
            ingest = load_demo()
        except DemoNameTaken:
            self.stderr.write(self.style.WARNING(words.demo_name_taken(DEMO_CLUSTER)))
            return
        if ingest is None:
            self.stdout.write(words.demo_is_loaded(DEMO_CLUSTER))
            return
        kept = ingest.kept
        self.stdout.write(
            words.demo_was_loaded(cluster=DEMO_CLUSTER, nodes=kept["Node"], pods=kept["Pod"], revision=ingest.revision)
        )
