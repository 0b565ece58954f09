"""Show in the terminal what is used of the ResourceQuotas of a cluster or a dump, and what fits next."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from clusters.management.lazy import LazyCommand

if TYPE_CHECKING:
    from django.core.management.base import CommandParser


class Command(LazyCommand):
    """manage.py quotas DUMP, or --cluster NAME."""

    work = "clusters.management.terminal.counting_quotas.CountingQuotas"
    help = (
        "Show what is used of each ResourceQuota, the fullest first, by which workloads, and how many further pods "
        "like theirs the API server creates. With a dump no database is needed. Exit status: 0 something is left of "
        "every resource, 1 a quota is exhausted, 2 the input is at fault, 4 the cluster changes too fast."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        base = parser.add_mutually_exclusive_group(required=True)
        base.add_argument(
            "dump", nargs="?", type=Path, metavar="DUMP", help="file, directory or archive; - is standard input"
        )
        base.add_argument("--cluster", metavar="NAME", help="the present state of a cluster")
        parser.add_argument("-n", "--namespace", metavar="NAME", help="only the quotas of this namespace")
        parser.add_argument("-o", "--output", choices=("table", "json"), default="table", help="how to print (table)")
