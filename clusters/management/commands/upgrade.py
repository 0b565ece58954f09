"""Show in the terminal what an upgrade of Kubernetes changes in scheduling."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from clusters.management.lazy import LazyCommand

if TYPE_CHECKING:
    from django.core.management.base import CommandParser


class Command(LazyCommand):
    """manage.py upgrade --dump PATH --to MINOR, or --cluster NAME."""

    work = "clusters.management.terminal.upgrading.Upgrading"
    help = (
        "Show what kube-scheduler of a later Kubernetes minor decides otherwise: for each pending pod and the next pod "
        "of each workload, and for the drain of each node pool, with the release and the rule that bring each "
        "difference. With a dump no database is "
        "needed. Exit status: 0 nothing changes, 1 something does, 2 the input is at fault, 4 the cluster changes too "
        "fast."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        base = parser.add_mutually_exclusive_group(required=True)
        base.add_argument("--dump", type=Path, metavar="PATH", help="file, directory or archive; - is standard input")
        base.add_argument("--cluster", metavar="NAME", help="the present state of a cluster")
        parser.add_argument("--to", required=True, metavar="MINOR", help="the later Kubernetes minor, such as 1.37")
        parser.add_argument("-o", "--output", choices=("table", "json"), default="table", help="how to print (table)")
