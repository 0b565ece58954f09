"""The workloads of a plan of a drain on its page: headline, key numbers, map and table say the same numbers."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from clusters.demo import demo_objects
from clusters.engine.disruption.drains import Block
from clusters.services.disruption import QUESTION, DrainChoice, PlannedDrain, drains_of, plan_of
from clusters.wording import drains as drains_words
from clusters.wording.drains import BLOCKS_OF
from dashboard.presenters.drains.page import plan_map
from dashboard.presenters.drains.plan import workload_tiles, workloads_view
from tests.support.answers import known
from tests.support.mirrored import load, text

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from django.test import Client

    from clusters.engine.disruption.drains import Plan
    from clusters.models import Cluster

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

PAGE = "/clusters/demo-drain/drain/"
ZONE = "eu-central-1a"


@cache
def objects() -> list[dict[str, Any]]:
    return list(demo_objects())


@pytest.fixture
def demo(tmp_path: Path) -> Cluster:
    return load(tmp_path, "demo-drain", objects())


def planned(cluster: Cluster, **choice: Any) -> tuple[Plan, Mapping[str, Any]]:
    found = plan_of(cluster=cluster, choice=DrainChoice(**choice))
    assert isinstance(found, PlannedDrain)
    assert found.plan is not None
    assert found.workloads is not None
    return found.plan, found.workloads


def test_one_number_for_one_question(demo: Cluster, signed_in_client: Client) -> None:
    plan, workloads = planned(demo, zone=ZONE)
    blockers = [blocker for node in plan.blocked for blocker in node.blockers]
    homeless = sum(blocker.kind is Block.NO_ROOM for blocker in blockers)
    tiles = dict(workload_tiles(workloads, plan))
    of_map = {key.label: key.together for key in plan_map(drains_of(cluster=demo).snapshot, plan).keys}
    view = known(workloads_view(workloads, demo))
    rows = (*view["rows"], *view["more"])

    said = text(signed_in_client, f"{PAGE}?zone={ZONE}")

    assert tiles["evictions"] == str(sum(row.workload["evicted"] for row in rows))
    assert of_map[str(drains_words.DRAINED)] == f"{tiles['evictions']} evictions"
    assert f"{tiles['evictions']} pods are evicted." in said
    assert (
        tiles["replacements unschedulable"] == str(homeless) == str(sum(row.workload["unschedulable"] for row in rows))
    )
    assert of_map[str(BLOCKS_OF[Block.NO_ROOM])] == f"{homeless} pods"
    assert tiles["evictions refused by budgets"] == str(len(blockers) - homeless)
    assert tiles["evictions refused by budgets"] == str(sum(row.workload["refused"] for row in rows))
    affected = sum(bool(row.workload["evicted"]) for row in rows)
    assert tiles["affected workloads"] == str(affected)
    assert 0 < affected < len(rows)
    assert f"0 of {affected} affected workloads run fewer pods." in said


def test_workloads_lead_to_their_pages_and_say_what_becomes_of_them(demo: Cluster, signed_in_client: Client) -> None:
    _, workloads = planned(demo, zone=ZONE)
    view = known(workloads_view(workloads, demo))

    page = signed_in_client.get(f"{PAGE}?zone={ZONE}").content.decode()

    assert {row.badge[0] for row in view["rows"]} <= {"Replacements unschedulable", "Evictions refused"}
    assert {row.badge for row in view["more"]} == {("Recreated in full", "good")}
    for row in view["rows"]:
        assert f'href="{row.url}"' in page
        assert row.workload["before"] or row.workload["evicted"]
    assert page.index("Where the pods go") < page.index('id="affected"') < page.index("Evictions in order")


def test_pods_that_nothing_recreates_are_named_in_the_headline(tmp_path: Path, signed_in_client: Client) -> None:
    bare = next(each for each in objects() if each["kind"] == "Pod" and each["spec"].get("nodeName") == "spot-a-01")
    alone = {**bare, "metadata": {"name": "alone", "namespace": "shop", "uid": "alone", "labels": {}}}
    alone["status"] = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}
    load(tmp_path, "demo-drain", [*objects(), alone])

    said = text(signed_in_client, f"{PAGE}?node=spot-a-01&flags=force")

    assert said.count("spot-a-01 can be drained.") == 1
    assert re.search(r"1 of \d+ affected workloads run fewer pods\. No pod left of Pod shop/ ?alone\.", said)


def test_workloads_are_kept_beside_their_plan(demo: Cluster) -> None:
    plan, workloads = planned(demo, nodes=("spot-a-01",))
    kept = known(QUESTION.last(demo, DrainChoice(nodes=("spot-a-01",)).text))
    assert (kept.answers[b""].plan, kept.answers[b""].workloads) == (plan, workloads)
