"""One question, one outcome: terminal, API and page are asked about every case, and say the same."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from html import unescape
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command

from clusters.models import Cluster, SimulationRun
from clusters.services import runs
from clusters.services.ingest.ingest import ingest_path
from tests.support.field_cases import ADVISED, FIELD
from tests.support.mirrored import without_tags
from tests.support.outcome_cases import DOES_NOT_FIT, FITS, OWN, REFUSED, SHARED, UNCERTAIN, Question, Row, question
from tests.support.told_cases import TOLD, Told

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

CASES = settings.BASE_DIR.parent / "shared" / "cases"
STATUS = {0: FITS, 1: DOES_NOT_FIT, 2: REFUSED, 3: UNCERTAIN}
MARKS = {"fits": FITS, "chosen": FITS, "rejected": DOES_NOT_FIT, "preemptible": DOES_NOT_FIT, "uncertain": UNCERTAIN}
_MARK = re.compile(r'<span class="verdict verdict-(\w+)"')


def terminal(row: Row, asked: Question, folder: Path, capsys: pytest.CaptureFixture[str]) -> tuple[str, str]:
    """Ask in the terminal; returns the outcome by the exit status, and all that was said."""
    if row.pod:
        arguments = ["explain", str(asked.dump), "--pod", row.pod]
        arguments += ["--config", str(asked.configuration)] if asked.configuration else []
    elif row.change:
        arguments = ["simulate", "--dump", str(asked.dump), "--change", json.dumps(row.change)]
    else:
        manifest = folder / "manifest.yaml"
        manifest.write_text(asked.manifest, encoding="utf-8")
        arguments = ["simulate", "--dump", str(asked.dump), "--manifest", str(manifest)]
    status = 0
    try:
        call_command(*arguments)
    except SystemExit as end:
        status = int(end.code or 0)
    said = capsys.readouterr()
    return STATUS[status], said.out + said.err


def ordered(client: Client, row: Row, asked: Question) -> SimulationRun | str:
    """Order a run with the manifest or change and work on it; returns the refusal where the API takes no such thing."""
    if row.change:
        spec = {"base": {"kind": "cluster"}, "changes": [row.change]}
        body = {"cluster": "case", "title": row.name, "spec": spec}
        response = client.post("/api/v1/runs/", body, content_type="application/json")
    else:
        file = SimpleUploadedFile("manifest.yaml", asked.manifest.encode())
        response = client.post("/api/v1/clusters/case/runs/manifests", {"manifests": file})
    if response.status_code == 400:
        return response.text
    assert response.status_code == 201, response.text
    run: SimulationRun = SimulationRun.objects.get(pk=response.json()["id"])
    runs.work(run.pk)
    return run


def api(client: Client, row: Row, run: SimulationRun | str) -> tuple[str, str]:
    """Ask the API; returns the outcome by its fields, and the answer's text."""
    if isinstance(run, str):
        return REFUSED, run
    if not row.pod:
        response = client.get(f"/api/v1/runs/{run.pk}/fits")
        if response.status_code == 409:
            return REFUSED, response.text
        found = response.json()
    else:
        response = client.get(f"/api/v1/clusters/case/pods/{row.pod}/explanation")
        found = response.json()["explanation"]
    assert response.status_code == 200, response.text
    assert found["fits"] == {FITS: True, DOES_NOT_FIT: False, UNCERTAIN: None}[found["conclusion"]]
    return found["conclusion"], response.text


def page(client: Client, row: Row, asked: Question, run: SimulationRun | str) -> tuple[str, str]:
    """Look at the page; returns the outcome by the mark beside the headline, and the page's words."""
    if isinstance(run, str):
        form = {"changes": "", "add": "manifest", "manifest-manifest": asked.manifest}
        response = client.post("/clusters/case/simulations/new", form)
        assert "errorlist" in response.text
        return REFUSED, words(response.text)
    address = f"/simulations/{run.pk}/" if not row.pod else f"/clusters/case/pods/{row.pod}/"
    response = client.get(address)
    assert response.status_code == 200
    if not row.pod and SimulationRun.objects.get(pk=run.pk).state == SimulationRun.State.FAILED:
        return REFUSED, words(response.text)
    mark = _MARK.search(response.text)
    assert mark is not None, "no mark beside the headline"
    return MARKS[mark.group(1)], words(response.text)


def words(html: str) -> str:
    return unescape(without_tags(html))


def plain(text: str) -> str:
    return re.sub(r"\s+", " ", text.replace("\\u00a0", " ")).lower()


def is_said(row: Row, text: str) -> bool:
    found = plain(text)
    return all(each.lower() in found for each in (row.says, *row.also)) and not any(
        each.lower() in found for each in row.never
    )


def mirror(asked: Question) -> Cluster:
    cluster = Cluster.objects.create(name="case")
    ingest_path(cluster=cluster, path=asked.dump)
    return cluster


def ask_everywhere(row: Row, client: Client, folder: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    asked = question(row, folder, CASES)
    found = {"terminal": terminal(row, asked, folder, capsys)}
    cluster = mirror(asked)
    if asked.configuration is not None:
        call_command("configure", cluster.name, str(asked.configuration))
    run = ordered(client, row, asked) if not row.pod else SimulationRun()
    found["API"] = api(client, row, run)
    found["page"] = page(client, row, asked, run)
    return found


def check(row: Row, found: dict[str, Any]) -> None:
    assert {where: outcome for where, (outcome, _) in found.items()} == dict.fromkeys(found, row.expected)
    assert [where for where, (_, text) in found.items() if not is_said(row, text)] == []


@pytest.mark.parametrize("row", OWN, ids=str)
def test_all_say_the_same(
    row: Row, signed_in_client: Client, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    check(row, ask_everywhere(row, signed_in_client, tmp_path, capsys))


@pytest.mark.skipif(not CASES.is_dir(), reason="there is no directory of cases beside the project")
@pytest.mark.parametrize("row", [*SHARED, *FIELD], ids=str)
def test_all_say_the_same_of_the_cases_beside(
    row: Row, signed_in_client: Client, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    check(row, ask_everywhere(row, signed_in_client, tmp_path, capsys))


@pytest.mark.skipif(not CASES.is_dir(), reason="there is no directory of cases beside the project")
@pytest.mark.parametrize("row", ADVISED, ids=str)
def test_all_have_the_same_ways_in_the_same_order(
    row: Row, signed_in_client: Client, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = question(row, tmp_path, CASES)
    mirror(asked)
    _, said = terminal(row, asked, tmp_path, capsys)
    response = signed_in_client.get(f"/api/v1/clusters/case/pods/{row.pod}/explanation")
    shown = words(signed_in_client.get(f"/clusters/case/pods/{row.pod}/").text)

    ways = [plain(each) for each in response.json()["words"]["ways"]]
    assert ways
    for text in (said, shown):
        # A headline has the first way once more, before the list.
        places = [plain(text).find(ways[0]), *(plain(text).rfind(each) for each in ways[1:])]
        assert -1 not in places
        assert places == sorted(places)


@pytest.mark.skipif(not CASES.is_dir(), reason="there is no directory of cases beside the project")
@pytest.mark.parametrize("told", TOLD, ids=str)
def test_all_tell_the_same_of_what_is_not_pending(
    told: Told, signed_in_client: Client, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = question(Row(told.name, FITS, dump=told.dump), tmp_path, CASES)
    with suppress(SystemExit):
        call_command("explain", str(asked.dump), *told.arguments)
    mirror(asked)
    found = {"terminal": capsys.readouterr().out}
    for address in told.addresses:
        found[address] = words(signed_in_client.get(address).text)
    assert [
        (where, said) for where, text in found.items() for said in told.says if said.lower() not in plain(text)
    ] == []
