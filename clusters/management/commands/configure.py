"""Say how the scheduler of a cluster is configured."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from clusters.management.lazy import LazyCommand

if TYPE_CHECKING:
    from django.core.management.base import CommandParser


class Command(LazyCommand):
    """manage.py configure CLUSTER FILE, or --feature-gates."""

    work = "clusters.management.terminal.configuring.Configuring"
    help = (
        "Explain and judge a cluster's pods by another KubeSchedulerConfiguration than kube-scheduler's default one, "
        "or than the one that its dump brought along. A Policy, and versions before v1, are translated. "
        "Exit status: 0 when it was taken, 2 when the file was at fault."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("cluster", metavar="CLUSTER", help="the cluster's name")
        source = parser.add_mutually_exclusive_group(required=True)
        source.add_argument("path", nargs="?", type=Path, metavar="FILE", help="as kube-scheduler's --config takes it")
        source.add_argument(
            "--feature-gates",
            metavar="NAME=BOOL,…",
            help="feature gates that differ from the defaults of the cluster's Kubernetes, as kube-scheduler's flag of "
            "this name takes them; empty: the defaults",
        )
        source.add_argument(
            "--default-feature-gates",
            action="store_true",
            help="go back to the gates of the dump's kube-scheduler, or else to the defaults",
        )
        source.add_argument(
            "--default", action="store_true", help="go back to the dump's own, or else to kube-scheduler's defaults"
        )
