"""The demo's review: its numbers are those of simulations."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest

from clusters.engine.resources import CPU
from clusters.engine.simulation.losses import play_losses
from clusters.services import lanes as holds, runs
from clusters.services.reports.order import Shape
from clusters.services.reports.sections.losses import headroom_section
from clusters.services.reports.subject import subject_of_cluster
from clusters.services.runs.starting import stored_run
from dashboard.presenters.runs.summary import affected_headline, affected_tiles
from dashboard.reports.blocks import Paragraph, Table
from dashboard.reports.layout import blocks_of
from dashboard.reports.words import in_short
from tests.clusters.reports.review_cluster import rows
from tests.dashboard.reports.documents import a_document

if TYPE_CHECKING:
    from typing import Any

    from clusters.models import Cluster

pytestmark = [pytest.mark.django_db, pytest.mark.any_database, pytest.mark.unmeasured]


def test_the_loss_of_a_zone_has_the_numbers_of_its_simulation(demo: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    # No sign of life, which would wait for this test's own transaction.
    monkeypatch.setattr(holds, "_SECONDS_BETWEEN_BEATS", 3_600.0)
    # One node is enough here.
    monkeypatch.setattr(f"{subject_of_cluster.__module__}.play_losses", partial(play_losses, most_losses=1))
    subject = subject_of_cluster(demo)
    section = headroom_section(subject, [Shape("small", {CPU: 500})], lambda: None)
    document = {**a_document(), "sections": [section]}
    worst = section["facts"]["worst_zone"]
    zone = worst["zone"]
    run = simulated(demo, zone)
    affected = run.summary["affected"]

    # The table, and what it is made of, as the simulation's summary has it.
    assert {key: worst["affected"][key] for key in affected if key != "first"} == {
        key: affected[key] for key in affected if key != "first"
    }
    told = {(each["kind"], each["namespace"], each["name"]): each for each in affected["first"]}
    of_zone = [row for row in rows(document, "headroom", "zone_workloads") if row["zone"] == zone]
    assert len(of_zone) >= affected["fewer"] > 3
    for row in of_zone:
        kind, _, key = row["workload"].partition(" ")
        each = told[kind, *key.split("/")]
        assert (row["before"], row["after"], row["newly_pending"]) == (each["before"], each["after"], each["pending"])

    # The headline and the tiles of the simulation, and the review's first page and its section.
    headline = affected_headline(run.summary)
    assert headline in next(each.text for each in in_short(document) if each.anchor == "section-headroom")
    blocks = blocks_of(document)
    assert any(headline in block.text for block in blocks if isinstance(block, Paragraph) and block.is_lead)
    tiles = [text for _, text in affected_tiles(run.summary)]
    table = next(block for block in blocks if isinstance(block, Table) and block.name == "zone_effects")
    assert list(table.rows[0][3:]) == tiles


def simulated(cluster: Cluster, zone: str) -> Any:
    """Return the simulation of the loss of a zone at its end."""
    change = {"change": "lose-zone", "zone": zone, "how": "gone"}
    spec = runs.read_spec({"version": 1, "base": {"kind": "cluster"}, "changes": [change]})
    run = stored_run(cluster=cluster, spec=spec, title="Lost", user=None)
    runs.work(run.pk)
    run.refresh_from_db()
    return run


def test_a_recommended_request_is_written_as_on_the_page_about_usage() -> None:
    almost = 2_979_650_765
    columns = [{"key": "memory_recommended", "kind": "memory", "resource": "memory", "measure": "recommended"}]
    workload = {"kind": "Deployment", "namespace": "shop", "name": "web", "memory_recommended": almost}
    data = [workload | {"memory_capped": capped} for capped in (False, True)]
    table = {"name": "usage", "columns": columns, "rows": [*data, workload], "total": None}
    document = a_document() | {"sections": [{"key": "usage", "facts": {"usage": None}, "tables": [table]}]}

    (written,) = (block for block in blocks_of(document) if isinstance(block, Table) and block.name == "usage")

    requests = [row[-1] for row in written.rows]
    assert requests == ["2.8 GiB", "2.7 GiB", "2.8 GiB"], "never less, never more than a limit, and so if not known"
