"""`manage.py demo`: loaded once, left alone afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING

import orjson
import pytest
from django.core.management import call_command

from clusters.demo import demo_objects
from clusters.models import Cluster, Node
from clusters.services.files import read_dump
from clusters.services.ingest.ingest import ingest_path
from tests.clusters.dumps import as_json, listed, small_cluster

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.django_db


def test_leaves_a_cluster_of_that_name_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "own.json"
    path.write_bytes(as_json(listed(small_cluster())))
    cluster = Cluster.objects.create(name="demo")
    ingest_path(cluster=cluster, path=path)

    call_command("demo")

    assert "is not the demo" in capsys.readouterr().err
    assert Node.objects.count() == 2


@pytest.mark.unmeasured
def test_is_written_as_one_list(tmp_path: Path) -> None:
    path = tmp_path / "demo.json"

    call_command("demo", "--write", path)

    written = orjson.loads(path.read_bytes())
    assert (written["kind"], len(written["items"])) == ("List", len(demo_objects()))
    assert len(read_dump(path).snapshot.nodes) == 60
