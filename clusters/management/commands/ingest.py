"""Read a dump into the mirror from the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from clusters.management.lazy import LazyCommand

if TYPE_CHECKING:
    from django.core.management.base import CommandParser


class Command(LazyCommand):
    """manage.py ingest PATH --cluster NAME, with --log for a scheduler's log."""

    work = "clusters.management.terminal.ingesting.Ingesting"
    help = (
        "Read a dump (kubectl get -o json or yaml, a directory or archive of such files, a cluster-info dump, "
        "must-gather, a kube-scheduler-simulator export) and make it the state of a cluster; or keep what a "
        "kube-scheduler's log tells of scheduling attempts, or what metrics.k8s.io, kubelets or kubectl top tell of "
        "usage, beside the state of a cluster. "
        "Exit status: 0 when it was taken, 2 when the input was at fault."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("path", type=Path, metavar="PATH", help="file, directory or archive")
        parser.add_argument(
            "--log",
            action="store_true",
            help="take the file for a kube-scheduler's log, whatever it looks like; the cluster must have been read",
        )
        parser.add_argument(
            "--default-pods", action="store_true", help="complete pods written by hand, as admission would"
        )
        parser.add_argument("--cluster", required=True, metavar="NAME", help="the cluster's name; made if it is new")
