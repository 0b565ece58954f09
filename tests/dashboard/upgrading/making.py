"""Write a database as this Berth does, with something of everything: for the next one to read.

Run it in a checkout of a release, and keep the file for those that come after it:
``python -m tests.dashboard.upgrading.making tests/data/releases/0.1.0.sqlite3.gz``
"""

from __future__ import annotations

import gzip
import os
import shutil
import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django.test import Client

SANDBOX = "/lessons/sandbox/"
TAKE = "/lessons/_take/pod/shop/shop/huge/"


def main(target: Path) -> None:
    """Fill a database of its own, and write it compressed."""
    import django

    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    os.environ.pop("DATABASE_URL", None)
    django.setup()

    from django.conf import settings
    from django.core.management import call_command
    from django.db import connection
    from django.test.utils import setup_test_environment

    from tests.dashboard.fuzz import world

    setup_test_environment()
    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    with tempfile.TemporaryDirectory() as folder:
        _add(world.build(Path(folder)))
        connection.close()
        whole = Path(folder) / "whole.sqlite3"
        # Without what is deleted, and without files beside it.
        with closing(sqlite3.connect(settings.DATABASES["default"]["NAME"])) as database:
            database.execute("VACUUM INTO ?", (str(whole),))
        with whole.open("rb") as source, gzip.GzipFile(target, "wb", mtime=0) as packed:
            shutil.copyfileobj(source, packed)


def _add(client: Client) -> None:
    """What an upgrade needs besides: a day's journal, a sweep, sandboxes, a lesson with progress, a review."""
    from django.contrib.auth.models import User

    from clusters.demo import demo_objects
    from clusters.models import Cluster, SimulationRun, StoredLesson
    from clusters.services.ingest.demo import DEMO_CLUSTER, keep_day
    from clusters.services.reports.making import stored_report, write
    from clusters.services.runs.working import work
    from dashboard.lessons import progress
    from dashboard.lessons.learners import Learner
    from dashboard.models import SharedSandbox

    keep_day(Cluster.objects.get(name=DEMO_CLUSTER), list(demo_objects()))
    for run in SimulationRun.objects.filter(state=SimulationRun.State.QUEUED, study__isnull=False):
        work(run.pk)
    user = User.objects.get(username="operator")
    client.post(SANDBOX, {"act": "start:gpu-nodes"})
    client.post(SANDBOX, {"act": "next"})
    client.post(SANDBOX, {"act": "share"})
    client.post(TAKE)
    lesson = StoredLesson.objects.get()
    assert SharedSandbox.objects.exists()
    progress.answered(Learner(user=user), lesson.name, "outcome", "unschedulable", is_right=True)
    report = stored_report(order={"cluster": "small"}, user=user)
    assert write(report.pk)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
