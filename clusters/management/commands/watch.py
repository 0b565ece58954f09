"""Follow one live cluster until asked to stop."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from clusters.management.lazy import LazyCommand

if TYPE_CHECKING:
    from django.core.management.base import CommandParser


class Command(LazyCommand):
    """manage.py watch CLUSTER."""

    work = "clusters.management.terminal.watching.Watching"
    help = (
        "Mirror a live cluster: list and watch it, write what changes, until SIGTERM or Ctrl-C. One watcher mirrors a "
        "cluster at a time; another one waits until the first is gone. With --kubeconfig or --in-cluster the cluster "
        "is added first if it is new."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("cluster", metavar="CLUSTER", help="the live cluster's name")
        source = parser.add_mutually_exclusive_group()
        source.add_argument("--kubeconfig", type=Path, metavar="PATH", help="where a new cluster's credentials are")
        source.add_argument("--in-cluster", action="store_true", help="use the service account of this process's pod")
        parser.add_argument(
            "--context", default="", metavar="NAME", help="the kubeconfig's context; default: its only one"
        )
