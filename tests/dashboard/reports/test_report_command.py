"""`manage.py report`: what it writes, what it keeps, and how it ends."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import jsonschema_rs
import pytest
from django.core.management import call_command

from clusters.models import Cluster, Report, SimulationRun
from dashboard.reports.data_files import schema
from dashboard.reports.markdown import markdown_of
from tests.clusters.reports.review_cluster import review_cluster

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.django_db


@pytest.fixture
def harbour(tmp_path: Path) -> Cluster:
    return review_cluster(tmp_path)


def run(*arguments: str | Path) -> int:
    """Return the exit status."""
    try:
        call_command("report", *map(str, arguments))
    except SystemExit as end:
        return int(end.code or 0)
    return 0


@pytest.mark.parametrize(
    ("form", "start"), [("html", b"<!doctype html>"), ("pdf", b"%PDF-"), ("md", b"# Harbour in spring"), ("csv", b"PK")]
)
def test_review_is_written_in_every_form(harbour: Cluster, tmp_path: Path, form: str, start: bytes) -> None:
    target = tmp_path / "review"
    order = tmp_path / "order.json"
    order.write_text(json.dumps({"cluster": "other", "title": "Harbour in spring", "sections": ["spread"]}))

    assert run("--order", order, "--cluster", harbour.name, "--format", form, "--output", target) == 0

    assert target.read_bytes().lower().startswith(start.lower())
    assert Report.objects.get().title == "Harbour in spring"


def test_options_are_the_order(harbour: Cluster, tmp_path: Path) -> None:
    target, notes = tmp_path / "review.json", tmp_path / "notes.txt"
    notes.write_text("Mind the gap.")
    options = ("--title", "Short", "--days", "7", "--section", "utilisation", "--notes", notes, "--discard")

    assert run("--cluster", harbour.name, *options, "--format", "json", "--output", target) == 0

    document = json.loads(target.read_text())
    assert (document["title"], document["notes"]) == ("Short", "Mind the gap.")
    assert [section["key"] for section in document["sections"]] == ["utilisation"]
    assert not Report.objects.exists()


def test_discarded_review_leaves_no_simulation(harbour: Cluster, tmp_path: Path) -> None:
    target = tmp_path / "review.json"
    arguments = ("--section", "recommendations", "--discard", "--format", "json", "--output", target)
    assert run("--cluster", harbour.name, *arguments) == 0
    assert not SimulationRun.objects.exists()
    document = json.loads(target.read_text())
    (section,) = document["sections"]
    assert {(made["run"], made["base_run"]) for made in section["facts"]["made"]} == {(None, None)}
    assert "in Berth" not in markdown_of(document)
    assert "Remove the taint" in markdown_of(document)
    assert jsonschema_rs.validator_for(json.loads(schema())).is_valid(document)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--cluster", "nowhere"), "There is no nowhere."),
        ((), "It needs exactly one of cluster or run."),
        (("--run", "12"), "There is no 12."),
        (("--order", "/nowhere.json"), "/nowhere.json cannot be read"),
        (("--cluster", "harbour", "--days", "0"), "0 is not a whole number from 1 to 3\u202f650."),
        (("--cluster", "harbour", "--section", "spread", "--output", "/nowhere/x"), "/nowhere/x cannot be written"),
    ],
)
def test_input_at_fault_ends_with_2(
    harbour: Cluster, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str
) -> None:
    assert run(*arguments) == 2
    assert said in capsys.readouterr().err


def test_order_that_is_no_json_ends_with_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    order = tmp_path / "order.json"
    for content, said in (("{", "is not JSON"), ("[]", "is not a map")):
        order.write_text(content)
        assert run("--order", order) == 2
        assert said in capsys.readouterr().err


def test_review_that_cannot_be_made_ends_with_1(harbour: Cluster, capsys: pytest.CaptureFixture[str]) -> None:
    Cluster.objects.filter(pk=harbour.pk).update(chosen_configuration={"profiles": 3})
    assert run("--cluster", "harbour") == 1
    assert "configuration.apiVersion: It is missing. Write kubescheduler.config.k8s.io/v1.\n" in capsys.readouterr().err
