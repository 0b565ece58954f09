"""What earlier releases wrote, this one reads: each of their databases is migrated, and every page of it opens."""

from __future__ import annotations

import gzip
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from clusters.models import Decision, Departure, Report, SimulationRun, StoredLesson, StudyPart
from clusters.services.mirror.snapshots import forget_snapshots
from dashboard.models import ApiToken, Classroom, LessonProgress
from dashboard.sandbox.storing import sandbox_of
from tests.dashboard.fuzz.harvest import gather
from tests.dashboard.fuzz.world import STARTS
from tests.support.managing import manage
from tests.support.mirrored import text

if TYPE_CHECKING:
    from pathlib import Path

# `tests/dashboard/upgrading/making.py` writes one.
RELEASES = sorted((settings.BASE_DIR / "tests" / "data" / "releases").glob("*.sqlite3.gz"))
MORE = ("/lessons/", "/lessons/sandbox/", "/agreement/", "/clusters/small/reviews/", "/clusters/demo/journal/?at=now")

pytestmark = [pytest.mark.long, pytest.mark.unmeasured, pytest.mark.django_db(transaction=True)]


@pytest.fixture(params=RELEASES, ids=lambda path: path.name.removesuffix(".sqlite3.gz"))
def operator(request: pytest.FixtureRequest, tmp_path: Path) -> Client:
    """Bring a release's database up to date as an installation does, and into the one that the tests use."""
    folder = tmp_path / "installation"
    folder.mkdir()
    (folder / "berth.sqlite3").write_bytes(gzip.decompress(request.param.read_bytes()))
    manage(folder, "", "migrate")
    manage(folder, "", "backup", str(tmp_path / "backup"))
    call_command("restore", str(tmp_path / "backup"))
    # Of other clusters by the same keys.
    forget_snapshots()
    Classroom.objects.update(expires_at=timezone.now() + timedelta(hours=1))
    client = Client()
    client.force_login(User.objects.get(username="operator"))
    return client


def test_there_is_one_of_the_first_release() -> None:
    assert RELEASES[0].name == "0.1.0.sqlite3.gz"


def test_everything_is_there_and_every_page_opens(operator: Client) -> None:
    runs = SimulationRun.objects.filter(state=SimulationRun.State.DONE)
    assert runs.count() >= 4
    assert StudyPart.objects.filter(state=StudyPart.State.DONE).count() == 3
    assert Departure.objects.exists()
    assert all(decision.explanation for decision in Decision.objects.exclude(packed_explanation=None).iterator())
    assert Decision.objects.exclude(packed_explanation=None).count() > 300
    assert all(report.document for report in Report.objects.filter(state=Report.State.DONE))
    assert LessonProgress.objects.count() == 3
    assert sandbox_of(User.objects.get(username="operator")).history.objects
    assert ApiToken.objects.get().name == "reads"

    lesson = StoredLesson.objects.get()
    found = gather(operator, (*STARTS, *MORE, f"/lessons/{lesson.name}/"))

    # Of what no page leads to, STARTS has some.
    assert {route: codes for route, codes in found.answered.items() if codes - {200, 302, 405}} == {}
    assert len(found.answered) > 90
    for run in runs:
        assert run.title in text(operator, f"/simulations/{run.pk}/")
    for report in Report.objects.filter(state=Report.State.DONE):
        assert report.title in text(operator, f"/reviews/{report.pk}/")
    assert lesson.title in text(operator, "/lessons/")
