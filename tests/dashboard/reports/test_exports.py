"""Reviews as Markdown, CSV and JSON, opened and read back."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from typing import TYPE_CHECKING, Any

import jsonschema_rs
import pytest

from clusters.documents.explanation import cause_document
from clusters.engine.analysis.causes import Cause, Kind
from clusters.engine.conclusion import UncomputedField
from clusters.models import KubeObject, Report
from clusters.services import reports, runs
from clusters.services.runs.starting import stored_run
from clusters.wording.requeues import cause_reason
from dashboard.lists.files import csv_text
from dashboard.pictures.specs import StackSpec
from dashboard.reports import words
from dashboard.reports.blocks import Findings, Table
from dashboard.reports.data_files import csv_zip_of, json_of, schema
from dashboard.reports.layout import blocks_of
from dashboard.reports.markdown import escaped, markdown_of
from dashboard.reports.pictures import charts_of
from tests.clusters.reports.review_cluster import node, pod, review_cluster, reviewed, section as section_of
from tests.dashboard.reports.documents import a_document
from tests.dashboard.reports.hostile import EVIL, hostile
from tests.support.mirrored import load

if TYPE_CHECKING:
    from pathlib import Path


pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
PRICES = {"currency": "EUR", "cpu_hour": "0.1", "memory_gib_hour": "0.01"}


@pytest.fixture
def document(tmp_path: Path) -> dict[str, Any]:
    review_cluster(tmp_path)
    order = {"cluster": "harbour", "title": "Spring", "notes": "First.\n\nSecond.", "prices": PRICES}
    report = reports.stored_report(order=order, user=None)
    reports.write(report.pk)
    report.refresh_from_db()
    assert report.state == Report.State.DONE, report.error
    found = report.document
    assert found is not None
    return found


def files(packed: bytes) -> dict[str, list[list[str]]]:
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        assert archive.testzip() is None
        return {
            name: list(csv.reader(io.StringIO(archive.read(name).decode(), newline=""))) for name in archive.namelist()
        }


def test_json_is_of_its_schema(document: dict[str, Any]) -> None:
    validator = jsonschema_rs.validator_for(json.loads(schema()))
    read = json.loads(json_of(document))

    assert read == document
    assert [error.message for error in validator.iter_errors(read)] == []
    assert [error.message for error in validator.iter_errors(hostile(document))] == []
    for change in ({"version": 1}, {"colour": "red"}, {"period": {"from": "yesterday", "to": "now"}}):
        assert not validator.is_valid({**read, **change})
    read["sections"][0]["facts"]["nodes"] = "four"
    assert not validator.is_valid(read)


def test_every_section_table_and_column_has_words(document: dict[str, Any]) -> None:
    for section in document["sections"]:
        assert words.section_title(section["key"])
        assert words.lead(section).endswith(".")
        assert all(text.endswith(".") for text in words.paragraphs(section))
        for table in section["tables"]:
            assert words.caption(table["name"])
            assert all(words.column_title(column) for column in table["columns"])
            assert all(set(row) >= {column["key"] for column in table["columns"]} for row in table["rows"])


def test_what_one_node_lacks_is_not_drawn_as_taken_from_others(tmp_path: Path) -> None:
    large = pod("shop", "web-0", "6", "1Gi", "n1")
    full = load(tmp_path, "full", [node("n1", "north", "web"), node("n2", "south", "web"), large])

    spec = charts_of(section_of(reviewed(full, "utilisation"), "utilisation"))[0].spec

    assert isinstance(spec, StackSpec)
    cpu = spec.rows[0]
    assert [part.value for part in cpu.parts] == [6_000, 4_000, 2_000]
    assert cpu.whole == 12_000


def test_csv_has_every_table_whole(document: dict[str, Any]) -> None:
    found = files(csv_zip_of(document))

    tables = {
        f"{section['key']}-{table['name']}.csv" for section in document["sections"] for table in section["tables"]
    }
    assert set(found) == {"review.csv", *tables}
    about = found["review.csv"]
    assert about[0] == ["what", "value"]
    assert ["title", "Spring"] in about
    assert [name for name, _ in about[7:12]] == ["period from", "period to", "state of", "made at", "made by"]
    header, north, south = found["utilisation-zones.csv"]
    assert header[:4] == ["Zone", "Nodes", "CPU allocatable (millicores)", "CPU requested (millicores)"]
    assert north[:5] == ["north", "2", "8000", "1600", "0.2"]
    assert south[0] == "south"
    assert found["stranded-taints.csv"][1] == ["dedicated", "gpu", "NoSchedule", "1", "8000", str(8 * 1024**3), "n3"]


def test_the_reason_of_an_uncertain_cause_is_said_in_words(document: dict[str, Any]) -> None:
    cause = Cause(Kind.UNCERTAIN, uncertainties=(UncomputedField("DynamicResources", "spec.resourceClaims"),))
    (pending,) = (section for section in document["sections"] if section["key"] == "pending")
    (table,) = (table for table in pending["tables"] if table["name"] == "causes")
    table["rows"][0] |= {"kind": "uncertain", "reason": cause.quoted, "cause": cause_document(cause)}

    reason = files(csv_zip_of(document))["pending-causes.csv"][1][2]
    assert reason == cause_reason(cause)
    assert "resource claims" in reason
    assert escaped(reason) in markdown_of(document)


def test_csv_is_the_same_bytes_each_time(document: dict[str, Any]) -> None:
    assert csv_zip_of(document) == csv_zip_of(document)


def test_csv_runs_no_formula(document: dict[str, Any]) -> None:
    bad = hostile(document)
    bad["sections"][0]["tables"][1]["columns"][0] = {
        "key": "zone",
        "kind": "name",
        "resource": "=1+1",
        "measure": "left",
    }

    cells = [cell for rows in files(csv_zip_of(bad)).values() for row in rows for cell in row]

    assert f"'{EVIL}" in cells
    assert "'=1+1 left" in cells
    assert not [cell for cell in cells if cell.startswith(FORMULA_STARTS)]


@pytest.mark.parametrize("start", [*FORMULA_STARTS, " ", "\u3000"])
def test_no_cell_begins_a_formula_however_it_is_written(start: str) -> None:
    [[read]] = csv.reader(io.StringIO(csv_text((), [(f"{start}=1+1",)]), newline=""))

    assert read == f"'{start}=1+1"


def test_markdown_says_what_the_review_says(document: dict[str, Any]) -> None:
    text = markdown_of(document)

    assert text.startswith("# Spring\n\n- **Cluster:** harbour\n")
    assert "> First.\n\n> Second." in text
    assert "## Stranded capacity" in text
    assert "| Why | Pods | Pending since | For example |" in text
    helps = "Replace maxUnavailable: 0 by maxUnavailable: 1."
    assert f"| shop/web | 2 | 2 | until a budget is changed | {helps} | n1, n2 |" in text
    assert text.count(helps) == 1
    assert "| north | 2 | 8 CPU | 1.6 CPU | 20 % |" in text
    assert "| --- | ---: | ---: |" in text
    for block in text.split("\n\n"):
        if block.startswith("|"):
            bars = {len(re.findall(r"(?<!\\)\|", line)) for line in block.splitlines()}
            assert len(bars) == 1, block


def test_markdown_of_hostile_names_is_text(document: dict[str, Any]) -> None:
    text = markdown_of(hostile(document))

    assert "<script" not in text
    assert "</td>" not in text
    # But for our own links within the text.
    assert not re.search(r"(?<!\\)\]\((?!#[a-z-]+\))", text)
    assert not re.search(r"@[a-z]", text)
    assert "`" not in re.sub(r"\\.", "", text)
    for block in text.split("\n\n"):
        if block.startswith("|"):
            assert len({len(re.findall(r"(?<!\\)\|", line)) for line in block.splitlines()}) == 1


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("plain text, 3.5 GiB (of 4)", "plain text, 3.5 GiB (of 4)"),
        ("1. one", "1\\. one"),
        ("- one", "\\- one"),
        ("a_b *c*", "a\\_b \\*c\\*"),
        ("two\nlines", "two lines"),
        ("a & b", "a & b"),
        ("&lt;", "&amp;lt;"),
        ("<b>", "&lt;b&gt;"),
        ("back\\slash", "back\\\\slash"),
        ("https://evil.example", "https:<!-- -->//evil.example"),
        ("FTP://evil.example", "FTP:<!-- -->//evil.example"),
        ("www.evil.example :smile:", "www.<!-- -->evil.example :<!-- -->smile:"),
    ],
)
def test_markdown_is_escaped(text: str, written: str) -> None:
    assert escaped(text) == written


@pytest.mark.django_db
def test_a_simulation_s_review_has_its_changes_in_words_and_a_row_a_cause(tmp_path: Path) -> None:
    cluster = review_cluster(tmp_path)
    # It would refuse the pods, which are to be pending here.
    KubeObject.objects.filter(cluster=cluster, kind="ResourceQuota").delete()
    cluster.refresh_from_db()
    more = {"change": "scale", "kind": "ReplicaSet", "namespace": "shop", "name": "web-1", "by": 30}
    spec = runs.read_spec({"version": 1, "base": {"kind": "cluster"}, "changes": [more]})
    run = stored_run(cluster=cluster, spec=spec, title="More", user=None)
    runs.work(run.pk)
    report = reports.stored_report(order={"run": run.pk, "sections": ["run", "pending"]}, user=None)
    reports.write(report.pk)
    report.refresh_from_db()

    assert report.document is not None
    text = markdown_of(report.document)
    facts = report.document["sections"][0]["facts"]
    left, newly, still = facts["pending"], facts["newly_pending"], facts["still_pending"]
    assert newly > 3
    assert newly + still == left
    (first,) = re.findall(r"^- \d+ pods placed.*", text, re.MULTILINE)
    assert f" {newly} newly pending. {still} still pending. Main cause: insufficient CPU (" in first
    assert first.endswith("[Simulation](#simulation)")
    assert "| 1 | Add 30 replicas to ReplicaSet shop/web-1 |" in text
    table = next(each for each in blocks_of(report.document) if getattr(each, "name", "") == "pending_causes")
    assert isinstance(table, Table)
    assert sum(int(row[0]) for row in table.rows) == left > len(table.rows)
    assert table.rows[0][1] == "insufficient CPU", "in words, as the simulation's page says it"


def test_the_worst_loss_is_said_and_rows_that_say_nothing_are_left_out() -> None:
    document = a_document()
    loss = {
        "shape": "small",
        "lost": "zone",
        "name": "b",
        "fits": 7,
        "displaced": 9,
        "newly_pending": 4,
        "is_capped": False,
    }
    (headroom,) = (section for section in document["sections"] if section["key"] == "headroom")
    headroom["tables"].append(
        {"name": "losses", "columns": [], "rows": [loss, {**loss, "name": "a", "newly_pending": 0}]}
    )
    heads = [{"key": "domain", "kind": "name"}, {"key": "excess", "kind": "number"}]
    rows = [{"domain": "full", "excess": 1}, {"domain": "fine", "excess": 0}]
    idle = [{"key": "resource", "kind": "name"}, {"key": "requested", "kind": "amount"}]
    tables = [
        {"name": "domains", "columns": heads, "rows": rows},
        {"name": "zones_other", "columns": idle, "rows": [{"resource": "x.io/y", "unit": "count", "requested": 0}]},
    ]
    document["sections"].append(
        {"key": "spread", "facts": {"groups": 0, "violated": 0, "blocking": 0, "unreadable": 0}, "tables": tables}
    )

    blocks = blocks_of(document)
    findings = next(block for block in blocks if isinstance(block, Findings))
    said = {finding.anchor: finding.text for finding in findings.items}
    assert said["section-headroom"].startswith(
        "If zone b is lost, 9 pods are recreated. 4 newly pending. Then 7 more of shape small fit, "
    )
    assert said["section-maintenance"].startswith("Budgets and controllers allow 14 of 20 drains now.")
    shown = {block.name: block.rows for block in blocks if isinstance(block, Table)}
    assert shown["domains"] == (("full", "1"),)
    assert "zones_other" not in shown
