"""Say how the scheduler of a cluster is configured."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError

from clusters.adapters.bad_input import BadInput
from clusters.models import Cluster
from clusters.services.ingest.configurations import configure, use_default_configuration

if TYPE_CHECKING:
    from django.core.management.base import CommandParser

_BAD_INPUT = 2


class Command(BaseCommand):
    """manage.py configure CLUSTER FILE."""

    help = (
        "Explain and judge a cluster's pods by another KubeSchedulerConfiguration than kube-scheduler's default one, "
        "or than the one that its dump brought along. Exit status: 0 when it was taken, 2 when the file was at fault."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("cluster", metavar="CLUSTER", help="the cluster's name")
        source = parser.add_mutually_exclusive_group(required=True)
        source.add_argument("path", nargs="?", type=Path, metavar="FILE", help="as kube-scheduler's --config takes it")
        source.add_argument(
            "--default", action="store_true", help="go back to the dump's own, or else to kube-scheduler's defaults"
        )

    def handle(self, *args: Any, cluster: str, path: Path | None, default: bool, **options: Any) -> None:
        found = Cluster.objects.filter(name=cluster).first()
        if found is None:
            raise CommandError(f"There is no cluster {cluster}. manage.py ingest and manage.py watch add one.")
        if path is None:
            use_default_configuration(cluster=found)
            whose = (
                "kube-scheduler's defaults" if found.scheduler_configuration is None else "what its dump brought along"
            )
            self.stdout.write(f"{cluster} is explained by {whose}.")
            return
        try:
            configuration = configure(cluster=found, path=path)
        except BadInput as error:
            self.stderr.write(self.style.ERROR(str(error)))
            sys.exit(_BAD_INPUT)
        names = ", ".join(profile.scheduler_name for profile in configuration.profiles)
        self.stdout.write(f"{cluster} is explained by the profiles {names} from {path}.")
