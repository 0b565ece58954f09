"""Load the built-in demo cluster."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from clusters.management.lazy import LazyCommand

if TYPE_CHECKING:
    from django.core.management.base import CommandParser


class Command(LazyCommand):
    """manage.py demo."""

    work = "clusters.management.terminal.loading_demo.LoadingDemo"
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
