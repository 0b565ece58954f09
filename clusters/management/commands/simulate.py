"""Ask in the terminal whether it fits: a cluster or a dump, changes, and a scheduler."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from clusters.management.lazy import LazyCommand

if TYPE_CHECKING:
    from django.core.management.base import CommandParser


class Command(LazyCommand):
    """manage.py simulate --dump FILE --manifest FILE --replicas N, and more."""

    work = "clusters.management.terminal.simulating.Simulating"
    help = (
        "Simulate pods being placed on a cluster, a dump or an empty cluster after changes to it. With --dump and "
        "--empty no database is needed. Exit status: 0 everything fits, 1 something does not, 2 the input is at fault, "
        "3 whether everything fits is uncertain. Of 1 and 3 the reason is the last line on standard error."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        base = parser.add_mutually_exclusive_group(required=True)
        base.add_argument("--cluster", metavar="NAME", help="begin with the present state of a cluster")
        base.add_argument(
            "--dump", type=Path, metavar="FILE", help="begin with a dump, which is not stored; - is standard input"
        )
        parser.add_argument(
            "--default-pods", action="store_true", help="with --dump: complete pods written by hand, as admission would"
        )
        base.add_argument("--empty", action="store_true", help="begin with a cluster without nodes")
        parser.add_argument(
            "--change",
            action="append",
            default=[],
            metavar="JSON|@FILE",
            help="a change, or a list of them; repeatable",
        )
        parser.add_argument(
            "--manifest",
            action="append",
            default=[],
            type=Path,
            metavar="FILE",
            help="add what a YAML or JSON file holds",
        )
        parser.add_argument("--replicas", type=int, metavar="N", help="replicas of each workload of the manifests")
        parser.add_argument("--trace", type=Path, metavar="CSV", help="pods that come and go, in the openb format")
        parser.add_argument("--trace-nodes", type=Path, metavar="CSV", help="with --trace: its nodes")
        parser.add_argument("--configuration", type=Path, metavar="FILE", help="a KubeSchedulerConfiguration")
        parser.add_argument("--seed", type=int, default=0, metavar="N", help="decides among equally good nodes (0)")
        parser.add_argument(
            "--samples", action="store_true", help="end the search for nodes early, as the scheduler does"
        )
        parser.add_argument("--batch", action="store_true", help="place all pods at once, by min-cost flow")
        parser.add_argument("--reschedules", action="store_true", help="with --batch: pods that run may be moved")
        parser.add_argument(
            "--gangs", action="store_true", help="with --batch: pod groups are placed whole or not at all"
        )
        parser.add_argument("--store", action="store_true", help="with --cluster or --empty: keep it as a run")
        parser.add_argument("--title", default="", metavar="TEXT", help="with --store: what the run is called")
        parser.add_argument("--format", choices=("text", "json"), default="text", help="how to print (text)")
        parser.add_argument(
            "--fail-if-pending",
            action="store_true",
            help="pods that were pending before count for the exit status, too",
        )
