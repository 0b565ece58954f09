"""Write a capacity review from the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from clusters.management.lazy import LazyCommand
from clusters.wording.reviews.document import SECTIONS

if TYPE_CHECKING:
    from django.core.management.base import CommandParser


class Command(LazyCommand):
    """manage.py report --cluster NAME --format pdf --output FILE."""

    work = "dashboard.management.reporting.Reporting"
    help = (
        "Write a capacity review of a cluster, or of a finished simulation, to a file. The review is also kept, with "
        "the simulations that back its recommendations, unless --discard is given. "
        "Exit status: 0 it was written, 1 it could not be made, 2 the input is at fault."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        about = parser.add_mutually_exclusive_group()
        about.add_argument("--cluster", metavar="NAME", help="the cluster that the review is about")
        about.add_argument("--run", type=int, metavar="NUMBER", help="the finished simulation that it is about")
        parser.add_argument("--order", type=Path, metavar="FILE", help="an order as JSON; options go before it")
        parser.add_argument("--title", metavar="TEXT")
        parser.add_argument("--days", type=int, metavar="N", help="the last N days, 28 by default")
        parser.add_argument("--section", action="append", choices=tuple(SECTIONS), help="only this section; repeatable")
        parser.add_argument("--upgrade-to", metavar="MINOR", help="with the upgrade preview to a minor, such as 1.37")
        parser.add_argument("--notes", type=Path, metavar="FILE", help="the reviewer's notes, plain text")
        parser.add_argument(
            "--format", choices=("html", "pdf", "md", "csv", "json"), default="md", help="md by default; csv is a zip"
        )
        parser.add_argument("--output", type=Path, metavar="FILE", default=Path("-"), help="- is standard output")
        parser.add_argument("--discard", action="store_true", help="keep neither the review nor its simulations")
