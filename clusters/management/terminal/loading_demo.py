"""Load the built-in demo cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand

from clusters.services.ingest.demo import DEMO_CLUSTER, DemoNameTaken, demo_list, load_demo, record_demo_day
from clusters.wording import counts
from clusters.wording.terminal import commands as words

if TYPE_CHECKING:
    from pathlib import Path


class LoadingDemo(BaseCommand):
    """manage.py demo."""

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
            self.stdout.write(
                words.DEMO_WAS_LOADED(
                    cluster=DEMO_CLUSTER,
                    nodes=counts.NODES(number=ingest.kept["Node"]),
                    pods=counts.PODS(number=ingest.kept["Pod"]),
                    revision=str(ingest.revision),
                )
            )
        decisions = record_demo_day(again=ingest is not None)
        if decisions is not None:
            self.stdout.write(words.DEMO_DAY_WAS_RECORDED(decisions=counts.DECISIONS(number=decisions)))
