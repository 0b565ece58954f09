"""Pages of simulations read no column of megabytes that they do not show: all objects of a base, or a long order."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from clusters.models import RunBase, SimulationRun, Study
from clusters.services import runs, studies
from dashboard.consumers.progress import StudyProgress
from tests.clusters.dumps import node, pod
from tests.clusters.runs.test_spec import DEPLOYMENT, adding
from tests.support.mirrored import load

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from django.contrib.auth.models import User
    from django.test import Client

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

BASE = f'"{RunBase._meta.db_table}"."packed_objects"'
# As they stand in a query for whole rows.
ORDERS = [f'"title", "{model._meta.db_table}"."spec"' for model in (SimulationRun, Study)]


def read_by(look: Callable[[], object]) -> str:
    with CaptureQueriesContext(connection) as queries:
        look()
    return "\n".join(each["sql"] for each in queries.captured_queries)


def test_no_more_is_read_than_shown(
    signed_in_client: Client, user: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cluster = load(tmp_path, "prod", [node("n1"), node("n2"), pod("waiting")])
    spec = runs.read_spec(adding(DEPLOYMENT))
    run = runs.create_run(cluster=cluster, spec=spec, title="More", user=None)
    runs.work(run.pk)
    sweep = studies.create_sweep(cluster=cluster, spec=spec, variants=[{"kind": "as-is"}], title="", user=None)
    shapes = [{"mix": [{"text": DEPLOYMENT}]}]
    room = studies.create_headroom(cluster=cluster, spec=spec, shapes=shapes, title="", user=None)

    def get(path: str) -> None:
        assert signed_in_client.get(path).status_code == 200

    for path in (f"/simulations/{run.pk}/", f"/studies/{room.pk}/", f"/api/v1/runs/{run.pk}"):
        assert BASE not in read_by(partial(get, path))
    for path in ("/simulations/", "/api/v1/runs/", "/studies/"):
        read = read_by(partial(get, path))
        assert not [column for column in (BASE, *ORDERS) if column in read]
    assert ORDERS[0] not in read_by(partial(get, f"/studies/{sweep.pk}/"))
    monkeypatch.setattr(StudyProgress, "user", user)
    assert BASE not in read_by(partial(StudyProgress().fragment, room.pk))
