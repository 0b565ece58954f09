"""`manage.py ingest` as it is run in a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.core.management import CommandError, call_command

from clusters.models import Cluster
from tests.clusters.dumps import as_json, listed, small_cluster

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.django_db


def test_summary_names_what_was_kept_and_what_lacks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "dump.json"
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}}
    path.write_bytes(as_json(listed([*small_cluster(), secret])))

    call_command("ingest", str(path), cluster="prod")

    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert lines[0] == "Cluster prod, revision 1, Kubernetes unknown"
    assert "2 Pod" in lines
    assert "Rows: 5 added, 0 changed, 0 removed." in lines
    assert "1 Secret: It may hold secrets and is never read." in lines
    assert any(line.startswith("PersistentVolume: ") for line in lines)


@pytest.mark.parametrize("name", ["prod", "Bad Name"])
def test_bad_input_ends_with_status_2_and_makes_no_cluster(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "dump.json"
    path.write_bytes(b'{"kind": ')

    with pytest.raises(SystemExit) as caught:
        call_command("ingest", str(path), cluster=name)

    assert caught.value.code == 2
    assert ("dump.json" if name == "prod" else "Bad Name") in capsys.readouterr().err
    assert not Cluster.objects.exists()


def test_cluster_must_be_named(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="--cluster"):
        call_command("ingest", str(tmp_path))
