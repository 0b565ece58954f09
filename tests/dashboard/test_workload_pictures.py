"""The pictures of a workload: growth, rollout, spread, and what the loss of a zone leaves."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from clusters.engine.owners import Workload
from clusters.models import Cluster
from clusters.services.workloads import workloads_of
from clusters.services.workloads.growth import growth_of, plan_for, update_of
from clusters.services.workloads.owners import sample_of
from dashboard.pictures.specs import BarsSpec, TrendSpec
from dashboard.presenters.workloads.changes import growth_figure, loss_figure, rollout_figure
from tests.clusters.test_workloads import deployed, zones
from tests.dashboard.test_workloads import WEB, spread
from tests.support.answers import known
from tests.support.mirrored import load

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
DEPLOYED = Workload("shop", "Deployment", "web")


@pytest.fixture
def shop(tmp_path: Path) -> Cluster:
    """A Deployment that lies 2–1–0 over three zones."""
    load(tmp_path, "shop", [*zones(), *deployed({"a1": 2, "b1": 1}, topologySpreadConstraints=[spread()])])
    return Cluster.objects.get(name="shop")


def test_bars_of_growth_add_up_to_the_pods_and_those_that_fit(shop: Cluster) -> None:
    found = workloads_of(cluster=shop)
    state, sample = found.states[DEPLOYED], sample_of(shop, found, DEPLOYED)
    assert sample is not None
    growth = growth_of(cluster=shop, found=found, workload=DEPLOYED, sample=sample, more=4)
    figure = known(growth_figure(found, state, growth))
    assert isinstance(figure.spec, BarsSpec)

    assert sum(row.values[0] for row in figure.spec.rows) == state.placed == 3
    assert sum(row.values[1] for row in figure.spec.rows) == len(growth.landings) == 4
    assert figure.summary == "4 of 4 fit"


def test_without_a_zone_the_pods_of_the_others_are_left(shop: Cluster) -> None:
    found = workloads_of(cluster=shop)
    figure = known(loss_figure(found, found.states[DEPLOYED]))
    assert isinstance(figure.spec, BarsSpec)

    assert [(row.label, row.values) for row in figure.spec.rows] == [("without a", (1, 2)), ("without b", (2, 1))]
    assert all(sum(row.values) == 3 for row in figure.spec.rows)
    assert figure.summary == "Losing a leaves 1 of 3, until pods are recreated elsewhere."


def test_lines_of_a_rollout_begin_with_the_pods_of_now_and_end_with_new_ones(shop: Cluster) -> None:
    found = workloads_of(cluster=shop)
    plan, sample = plan_for(found, DEPLOYED), sample_of(shop, found, DEPLOYED)
    assert plan is not None
    assert sample is not None
    update = known(update_of(cluster=shop, found=found, workload=DEPLOYED, sample=sample, plan=plan))
    figure = known(rollout_figure(update))
    assert isinstance(figure.spec, TrendSpec)
    old, new, fewest = (series.values for series in figure.spec.series)

    assert (old[0], new[0], old[-1], new[-1]) == (3, 0, 0, 3)
    assert min(each for each in fewest if each is not None) == min(each.fewest for each in update.rounds)
    assert len(figure.rows) == len(update.rounds) + 1


def test_the_page_shows_them_and_the_spread(shop: Cluster, signed_in_client: Client) -> None:
    page = signed_in_client.get(f"{WEB}?more=4&update=1").text

    assert {"growth", "rollout", "zone-loss"} <= set(re.findall(r'<figure class="figure" id="([a-z-]+)"', page))
    assert re.search(r'<figure class="figure" id="spread-[0-9a-f]+"', page)
    plain = signed_in_client.get(WEB).text
    assert 'id="zone-loss"' in plain
    assert 'id="growth"' not in plain
