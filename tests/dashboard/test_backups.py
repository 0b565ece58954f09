"""Everything survives a backup, also in a database of the other kind; what cannot be restored leaves nothing behind."""

from __future__ import annotations

import json
import stat
from contextlib import contextmanager
from itertools import compress
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from clusters.models import Cluster, Decision, Ingest, Report, SimulationRun, StudyPart
from dashboard.access.tokens import make_token
from dashboard.models import ApiToken, Participant
from dashboard.operations.backups import back_up
from dashboard.serving import installation
from tests.clusters.journal.decisions import a_decision
from tests.dashboard.fuzz import world
from tests.dashboard.rows import a_cluster
from tests.support.live import database_url
from tests.support.managing import manage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

pytestmark = pytest.mark.django_db(transaction=True)

Members = dict[str, bytes]
DAMAGED = "is no backup of Berth, or is damaged or cut short"


# -- From one database into another -----------------------------------------------------------------------------------


@contextmanager
def another_like_ours(folder: Path) -> Iterator[str]:
    """Return the address of an empty database of the kind that the tests use."""
    if connection.vendor == "sqlite":
        yield f"sqlite:///{folder}/another.sqlite3"
        return
    name = f"{connection.settings_dict['NAME']}_restored"
    with connection.cursor() as cursor:
        cursor.execute(f'CREATE DATABASE "{name}"')
    try:
        yield urlsplit(database_url())._replace(path=f"/{name}").geturl()
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f'DROP DATABASE "{name}"')


def members(archive: Path) -> Members:
    with ZipFile(archive) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def rows(archive: Path) -> dict[str, list[Any]]:
    """Return all rows of a backup by the file of their table; databases give the keys of JSON in an order of theirs."""
    held = members(archive)
    return {name: [json.loads(line) for line in held[name].splitlines()] for name in held if name.startswith("rows/")}


@pytest.mark.unmeasured
def test_everything_survives_in_databases_of_both_kinds(tmp_path: Path) -> None:
    world.build(tmp_path)
    held = (Cluster, Decision, SimulationRun, StudyPart, Report, ApiToken, Participant)
    assert all(model._default_manager.exists() for model in held)
    first, second, third = tmp_path / "first", tmp_path / "second", tmp_path / "third"
    manifest = back_up(first)

    assert f"Restored {manifest.rows // 1000}" in manage(tmp_path / "lite", "", "restore", str(first))
    manage(tmp_path / "lite", "", "backup", str(second))
    assert rows(second) == rows(first)
    assert (tmp_path / "lite" / "secret-key").read_text(encoding="ascii") == settings.SECRET_KEY

    with another_like_ours(tmp_path) as database:
        manage(tmp_path / "ours", database, "restore", str(second))
        manage(tmp_path / "ours", database, "backup", str(third))
        assert rows(third) == rows(first)
        # A new row gets a key that is free.
        manage(tmp_path / "ours", database, "signin", "--user", "new", "--create")


# -- What cannot be written -------------------------------------------------------------------------------------------


def test_backup_is_for_its_owner_alone_and_overwrites_nothing(tmp_path: Path) -> None:
    path = tmp_path / "backup"
    call_command("backup", str(path))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600

    with pytest.raises(CommandError, match=r"backup already\. Name another file"):
        call_command("backup", str(path))
    with pytest.raises(CommandError, match=r"Berth cannot write .*: No such file or directory"):
        call_command("backup", str(tmp_path / "nowhere" / "backup"))
    assert [each.name for each in tmp_path.iterdir()] == ["backup"]


# -- What cannot be restored ------------------------------------------------------------------------------------------


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """Return a backup of a few rows, all of which are gone from the database again."""
    user = User.objects.create_user("ada", password="correct horse battery")
    make_token(user=user, name="ci", may_write=False, days=None)
    cluster = a_cluster("prod")
    a_decision(cluster, "web-1")
    Ingest.objects.create(cluster=cluster, file_name="d.json", upload="/elsewhere/uploads/d.json")
    path = tmp_path / "backup"
    back_up(path)
    call_command("flush", interactive=False, verbosity=0)
    return path


def rewritten(path: Path, change: Callable[[Members, dict[str, Any]], None]) -> Path:
    """Write a backup anew of which the files, or the manifest among them, have been changed."""
    held = members(path)
    manifest = json.loads(held["manifest.json"])
    change(held, manifest)
    held["manifest.json"] = json.dumps(manifest).encode()
    other = path.with_name("rewritten")
    with ZipFile(other, "w", ZIP_DEFLATED) as opened:
        for name, content in held.items():
            opened.writestr(name, content)
    return other


def refused(path: Path, *, because: str) -> None:
    with pytest.raises(CommandError, match=because):
        call_command("restore", str(path))
    assert not User.objects.exists()
    assert not Cluster.objects.exists()


def test_rows_come_back_as_they_were_and_uploads_are_looked_for_here(archive: Path) -> None:
    call_command("restore", str(archive))

    assert User.objects.get().check_password("correct horse battery")
    assert ApiToken.objects.get().user.username == "ada"
    assert Decision.objects.get().cluster.name == "prod"
    assert Ingest.objects.get().upload == str(settings.MEDIA_ROOT / "d.json")


def test_database_in_use_is_left_alone(archive: Path) -> None:
    User.objects.create_user("eve")

    with pytest.raises(CommandError, match=r"in use \(auth\.user\)\. Restore into an empty one"):
        call_command("restore", str(archive))

    assert User.objects.get().username == "eve"


@pytest.mark.parametrize("share", [0.0, 0.3, 0.99])
def test_file_that_was_cut_short_restores_nothing(archive: Path, share: float) -> None:
    whole = archive.read_bytes()
    archive.write_bytes(whole[: int(share * len(whole))])

    refused(archive, because=DAMAGED)


def test_damage_within_restores_nothing_and_a_whole_file_does_afterwards(archive: Path) -> None:
    whole = archive.read_bytes()
    with ZipFile(archive) as opened:
        decisions = opened.getinfo("rows/clusters.decision.jsonl")
    middle = decisions.header_offset + decisions.compress_size // 2 + 60
    archive.write_bytes(whole[:middle] + bytes([whole[middle] ^ 0xFF]) + whole[middle + 1 :])

    refused(archive, because=DAMAGED)

    archive.write_bytes(whole)
    call_command("restore", str(archive))
    assert User.objects.exists()


def _without_rows(held: Members, manifest: dict[str, Any]) -> None:
    held["rows/clusters.decision.jsonl"] = b""


def _of_nobody(held: Members, manifest: dict[str, Any]) -> None:
    held["rows/auth.user.jsonl"] = b""
    manifest["tables"]["auth.user"]["rows"] = 0


def _other_format(held: Members, manifest: dict[str, Any]) -> None:
    manifest.update(format=2, version="3.0.0", tables=None)


def _later_schema(held: Members, manifest: dict[str, Any]) -> None:
    manifest["version"] = "3.0.0"
    manifest["migrations"].append(["clusters", "9999_later"])


@pytest.mark.parametrize(
    ("change", "because"),
    [
        (_without_rows, DAMAGED),
        (_of_nobody, "The database refused what .* holds"),
        (_other_format, r"of Berth 3\.0\.0, and this is .*\. Install that version"),
        (_later_schema, r"of Berth 3\.0\.0, and this is .*\. Install that version"),
    ],
)
def test_what_does_not_fit_restores_nothing(
    archive: Path, change: Callable[[Members, dict[str, Any]], None], because: str
) -> None:
    refused(rewritten(archive, change), because=because)


def test_file_of_something_else_restores_nothing(archive: Path, tmp_path: Path) -> None:
    with ZipFile(tmp_path / "other.zip", "w") as opened:
        opened.writestr("readme", "hello")

    refused(tmp_path / "other.zip", because=DAMAGED)
    refused(tmp_path / "missing", because="cannot be read: No such file")


def test_nothing_is_restored_where_berth_runs(archive: Path) -> None:
    with installation.lock(settings.BERTH_DATA_DIR):
        refused(archive, because="Berth already runs on")


def _of_first_release(held: Members, manifest: dict[str, Any]) -> None:
    """Make of it what a Berth wrote that knew no more than its first migrations."""
    nodes = {tuple(each) for each in manifest["migrations"]}
    later = {node for node in nodes if node[0] in {"clusters", "dashboard"} and node[1] != "0001_initial"}
    assert later
    manifest["migrations"] = sorted(nodes - later)
    known = MigrationLoader(connection).project_state(sorted(nodes - later)).apps.all_models
    for label, table in list(manifest["tables"].items()):
        app, model = label.split(".")
        place = f"rows/{label}.jsonl"
        if model not in known[app]:
            del manifest["tables"][label], held[place]
            continue
        names = {field.attname for field in known[app][model]._meta.concrete_fields}
        kept = [name in names for name in table["fields"]]
        table["fields"] = list(compress(table["fields"], kept))
        lines = [list(compress(json.loads(line), kept)) for line in held[place].splitlines()]
        held[place] = b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def test_backup_of_an_earlier_berth_is_brought_up_to_date(archive: Path, tmp_path: Path) -> None:
    earlier = rewritten(archive, _of_first_release)
    assert len(members(earlier)) < len(members(archive))

    manage(tmp_path / "later", "", "restore", str(earlier))
    manage(tmp_path / "later", "", "backup", str(tmp_path / "again"))

    again, before = rows(tmp_path / "again"), rows(archive)
    for label in ("auth.user", "dashboard.apitoken", "clusters.cluster", "clusters.decision"):
        assert again[f"rows/{label}.jsonl"] == before[f"rows/{label}.jsonl"]
