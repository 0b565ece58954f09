"""The section of a review about an upgrade, and its sentences, chart and files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import jsonschema_rs
import pytest

from clusters.models import Cluster
from clusters.services.ingest.configurations import set_feature_gates
from clusters.services.reports.making import document_of
from clusters.services.reports.order import OrderError, read_order
from clusters.services.reports.sections import maintenance
from dashboard.forms.reviews import ReviewForm
from dashboard.reports.blocks import Callout, Chart
from dashboard.reports.data_files import json_of, schema
from dashboard.reports.layout import blocks_of
from dashboard.reports.markdown import markdown_of
from dashboard.reports.words import in_short
from tests.clusters.reports.review_cluster import NOW, review_cluster, rows, section
from tests.support.answers import error_of
from tests.support.gangs import gang_that_preempts
from tests.support.mirrored import load

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

pytestmark = pytest.mark.django_db


@pytest.fixture
def harbour(tmp_path: Path) -> Cluster:
    cluster = review_cluster(tmp_path)
    Cluster.objects.filter(pk=cluster.pk).update(kube_version="v1.34.1")
    cluster.refresh_from_db()
    return cluster


def reviewed(cluster: Cluster, **order: Any) -> dict[str, Any]:
    return document_of(
        cluster=cluster,
        run=None,
        order=read_order({"cluster": cluster.name, "sections": ["upgrade"], "title": "Review", **order}),
        now=NOW,
        user=None,
        alive=lambda: None,
        written=lambda _: None,
    )


def test_the_section_has_the_preview_and_its_tables(harbour: Cluster) -> None:
    found = reviewed(harbour, upgrade_to="1.37")

    facts = section(found, "upgrade")["facts"]
    assert (facts["before"], facts["after"], facts["preview"]["after"]) == ("1.34", "1.37", "1.37")
    assert facts["preview"]["pendingPods"] == 1
    releases = rows(found, "upgrade", "upgrade_releases")
    assert [row["release"] for row in releases] == ["1.35", "1.36", "1.37"]
    differences = rows(found, "upgrade", "upgrade_differences")
    assert sum(row["messages"] for row in releases) == sum(
        row["pods"] for row in differences if row["difference"] == "message"
    )
    assert {"rule:names_taints", "rule:says_what_devices_lack"} <= {row["rules"] for row in differences}
    # Messages are counted by rule.
    counted = section(found, "upgrade")["facts"]["messages"]
    assert sum(each["pods"] for each in counted) == sum(row["messages"] for row in releases) > 0
    (finding,) = in_short(found)
    assert (finding.anchor, finding.section) == ("section-upgrade", "Upgrade preview")
    pools = {row["pool"]: row["nodes"] for row in rows(found, "upgrade", "upgrade_pools")}
    assert sum(pools.values()) == 4
    assert jsonschema_rs.validator_for(json.loads(schema())).is_valid(json.loads(json_of(found)))


def test_a_minor_that_is_not_later_any_more_is_said(harbour: Cluster) -> None:
    found = reviewed(harbour, upgrade_to="1.34")

    assert section(found, "upgrade")["tables"] == []
    assert "Kubernetes 1.34 is not later than 1.34." in markdown_of(found)


def test_differences_are_kept_up_to_a_bound(harbour: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = reviewed(harbour, upgrade_to="1.37")
    monkeypatch.setattr(maintenance, "MOST_DIFFERENCES", 1)

    found = reviewed(harbour, upgrade_to="1.37")

    assert len(rows(found, "upgrade", "upgrade_differences")) == 1
    assert rows(found, "upgrade", "upgrade_releases") == rows(whole, "upgrade", "upgrade_releases")


def test_pod_groups_that_are_placed_otherwise_are_counted_and_worded(tmp_path: Path) -> None:
    cluster = load(tmp_path, "gangs", gang_that_preempts())
    set_feature_gates(cluster=cluster, settings="GenericWorkload=true,GangScheduling=true,WorkloadAwarePreemption=true")

    found = reviewed(cluster, upgrade_to="1.37")

    (row,) = rows(found, "upgrade", "upgrade_pod_groups")
    assert (row["release"], row["pod_group"], row["before"], row["after"]) == (
        "1.37", "shop/train", "uncertain", "preempts",
    )  # fmt: skip
    assert [each["pod_groups"] for each in rows(found, "upgrade", "upgrade_releases")] == [1]
    said = markdown_of(found)
    assert "1 of 1 pod group with pending pods would be placed otherwise." in said
    assert "Fits by preemption of shop/low-0 and shop/low-1." in said
    assert jsonschema_rs.validator_for(json.loads(schema())).is_valid(json.loads(json_of(found)))


def test_a_review_without_a_minor_has_no_such_section(harbour: Cluster) -> None:
    refused = error_of(OrderError, read_order, {"cluster": "harbour", "sections": ["upgrade"]})
    assert refused.field == "sections"
    assert "upgrade" not in read_order({"cluster": "harbour"}).applying
    assert "upgrade" in read_order({"cluster": "harbour", "upgrade_to": "1.37"}).applying


@pytest.mark.parametrize("minor", ["1.99", 1.37, None, ["1.37"], {}])
def test_a_minor_that_is_not_known_is_refused(minor: Any) -> None:
    refused = error_of(OrderError, read_order, {"cluster": "harbour", "upgrade_to": minor})

    assert refused.field == "upgrade_to"


def test_the_form_offers_later_minors_and_orders_the_section(harbour: Cluster, signed_in_client: Client) -> None:
    page = signed_in_client.get(f"/clusters/{harbour.name}/reviews/new").text
    assert '<option value="1.37">1.37</option>' in page
    assert '<option value="1.34">1.34</option>' not in page
    given = {
        "about": "cluster",
        "title": "Spring",
        "period": 28,
        "sections": ["utilisation"],
        "weekday": 0,
        "hour": 6,
        "keep_days": 365,
    }
    form = ReviewForm(harbour, {**given, "upgrade_to": "1.36"})
    assert form.is_valid(), form.errors

    order = read_order(form.order())

    assert (order.upgrade_to, order.applying) == ("1.36", ("utilisation", "upgrade"))
    without = ReviewForm(harbour, given)
    assert without.is_valid()
    assert "upgrade_to" not in without.order()


def test_the_section_says_what_the_page_says_and_draws_it(harbour: Cluster) -> None:
    found = reviewed(harbour, upgrade_to="1.37")

    said = markdown_of(found)
    assert "Upgrade to 1.37: " in said
    assert "TaintToleration names no taint in its message (from 1.34.2)." in said
    assert "default-scheduler: DynamicResources in" in said
    (chart,) = [block for block in blocks_of(found) if isinstance(block, Chart)]
    assert chart.anchor == "upgrade-releases"


def test_gates_with_which_the_later_scheduler_does_not_start_stand_out(harbour: Cluster) -> None:
    set_feature_gates(cluster=harbour, settings="DRAAdminAccess=false")

    found = reviewed(harbour, upgrade_to="1.36")

    (callout,) = [block for block in blocks_of(found) if isinstance(block, Callout)]
    assert "DRAAdminAccess is locked to true" in callout.text
