"""Load the built-in demo cluster."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from clusters.services.ingest.demo import DEMO_CLUSTER, DemoNameTaken, demo_list, load_demo, record_demo_day
from clusters.wording.terminal import commands as words


class Command(BaseCommand):
    """manage.py demo."""

    help = (
        "Load the built-in demo cluster, which shows every kind of verdict; docs/demo.md is the guide. "
        "Its last day is simulated into its journal. Doing so again changes nothing."
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
            self.stderr.write(self.style.WARNING(words.DEMO_NAME_TAKEN(cluster=DEMO_CLUSTER)))
            return
        if ingest is None:
            self.stdout.write(words.DEMO_IS_LOADED(cluster=DEMO_CLUSTER))
        else:
            nodes, pods = ingest.kept["Node"], ingest.kept["Pod"]
            self.stdout.write(
                words.demo_was_loaded(cluster=DEMO_CLUSTER, nodes=nodes, pods=pods, revision=ingest.revision)
            )
        decisions = record_demo_day(again=ingest is not None)
        if decisions is not None:
            self.stdout.write(words.demo_day_was_recorded(decisions))
