"""Load the built-in demo cluster."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from clusters.services.demo import DEMO_CLUSTER, DemoNameTaken, load_demo


class Command(BaseCommand):
    """manage.py demo."""

    help = (
        "Load the built-in demo cluster, which shows every kind of verdict; docs/demo.md is the guide. "
        "Doing so again changes nothing."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            ingest = load_demo()
        except DemoNameTaken as error:
            self.stderr.write(self.style.WARNING(str(error)))
            return
        if ingest is None:
            self.stdout.write(f"The cluster {DEMO_CLUSTER!r} is loaded already.")
            return
        kept = ingest.kept
        self.stdout.write(
            f"The cluster {DEMO_CLUSTER!r} is loaded: {kept['Node']:,} nodes, {kept['Pod']:,} pods, "
            f"revision {ingest.revision}."
        )
