"""The maps of two simulations: every pod that ended elsewhere is on them, and one workload by itself."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from clusters.engine.simulation.comparison import PodEnding
from clusters.services.runs.comparing import compare_runs, pods_moved
from dashboard.presenters.runs import compare
from dashboard.presenters.runs.compare import moves_view
from tests.clusters.test_workloads import deployed, zones
from tests.dashboard.test_runs import LOST, MORE, done
from tests.support.answers import known
from tests.support.decision_cluster import pod
from tests.support.mirrored import load

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

    from clusters.models import SimulationRun
    from dashboard.presenters.runs.compare import MovesView

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


@pytest.fixture
def pair(tmp_path: Path, signed_in_client: Client) -> tuple[SimulationRun, SimulationRun]:
    """Return two simulations: forty more pods, and the same after a zone was lost, with a pod that nothing controls."""
    load(tmp_path, "shop", [*zones(), *deployed({"a1": 2}), pod("alone", nodeName="b1")])
    return done(signed_in_client, MORE), done(signed_in_client, MORE, LOST)


def view(pair: tuple[SimulationRun, SimulationRun], workload: str = "") -> MovesView:
    return known(moves_view(pods_moved(*pair), ("first", "second"), workload))


def address(pair: tuple[SimulationRun, SimulationRun], part: str = "", **more: str) -> str:
    left, right = pair
    return f"/simulations/compare/{part}?left={left.pk}&right={right.pk}" + "".join(
        f"&{k}={v}" for k, v in more.items()
    )


def test_every_pod_that_ended_elsewhere_is_part_of_an_arrow(pair: tuple[SimulationRun, SimulationRun]) -> None:
    placements = compare_runs(*pair)["placements"]
    maps = view(pair).pair
    count = len(maps.left.names)

    assert sum(move.pods for move in maps.moves) == len(placements) > 0
    from_node = Counter((each["left"], each["right"]) for each in placements if each["left"] and each["right"])
    drawn = {
        (maps.left.names[move.source], maps.right.names[move.target]): move.pods
        for move in maps.moves
        if move.source < count and move.target < count
    }
    assert drawn == from_node
    for side, sides_map in (("left", maps.left), ("right", maps.right)):
        figures = {name: figure for name, figure in zip(sides_map.names, sides_map.figures, strict=True) if figure}
        assert figures == {name: str(pods) for name, pods in Counter(each[side] for each in placements).items() if name}


def test_pods_that_are_pending_on_one_side_only_are_those_of_the_comparison(
    pair: tuple[SimulationRun, SimulationRun],
) -> None:
    pending = compare_runs(*pair)["pending"]
    found = pods_moved(*pair)
    maps = view(pair).pair

    for side, only in (("left_end", "only_left"), ("right_end", "only_right")):
        mine = [each.pod for each in found.pods if getattr(each, side) is PodEnding.PENDING]
        assert sorted(mine) == pending[only]
    assert pending["only_right"]
    assert maps.boxes[0].right == f"Pending here only: {len(pending['only_right'])} pods"
    assert maps.boxes[0].left == "Pending here only: 0 pods"


def test_a_node_that_one_side_has_not_got_is_said_to_be_missing(pair: tuple[SimulationRun, SimulationRun]) -> None:
    maps = view(pair).pair

    assert maps.left.names == maps.right.names
    missing = next(number for number, key in enumerate(maps.right.keys) if key.label == "only in the other")
    assert {name for name, key in zip(maps.right.names, maps.right.key_of, strict=True) if key == missing} == {"b1"}
    assert missing not in maps.left.key_of


def test_one_workload_keeps_its_arrows_alone(pair: tuple[SimulationRun, SimulationRun]) -> None:
    every = view(pair)
    counted = {each.value: int(each.pods) for each in every.workloads}
    assert set(counted) == {"shop/Deployment/web", "shop/Pod/alone"}
    assert list(counted.values()) == sorted(counted.values(), reverse=True)
    assert sum(counted.values()) == sum(move.pods for move in every.pair.moves)

    for workload, pods in counted.items():
        alone = view(pair, workload)
        assert sum(move.pods for move in alone.pair.moves) == pods
        assert [each.value for each in alone.workloads if each.is_chosen] == [workload]
        assert alone.pair.left.pools == every.pair.left.pools
    assert view(pair, "shop/Deployment/nothing").pair == every.pair


def test_workloads_beyond_the_first_can_be_chosen_by_name(
    pair: tuple[SimulationRun, SimulationRun], signed_in_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compare, "_MOST_OFFERED", 1)

    found = view(pair)
    assert [each.value for each in (*found.workloads, *found.others)] == ["shop/Deployment/web", "shop/Pod/alone"]
    assert found.more == "1 more workload with 1 pod"
    page = signed_in_client.get(address(pair)).text
    assert '<option value="shop/Pod/alone">Pod shop/alone: 1</option>' in page
    # One that is chosen is offered as a link, too.
    chosen = view(pair, "shop/Pod/alone")
    assert [each.value for each in chosen.workloads] == ["shop/Deployment/web", "shop/Pod/alone"]
    assert chosen.others == ()


def test_the_page_begins_with_the_maps_and_a_workload_has_an_address(
    pair: tuple[SimulationRun, SimulationRun], signed_in_client: Client
) -> None:
    placements = compare_runs(*pair)["placements"]
    page = signed_in_client.get(address(pair)).text
    assert f"All workloads: {len(placements)} pods" in page

    chosen = signed_in_client.get(address(pair, workload="shop%2FPod%2Falone")).text
    assert 'aria-current="true">Pod shop/alone</a>' in chosen
    part = signed_in_client.get(address(pair, "moves/", workload="shop%2FPod%2Falone")).text
    assert "<html" not in part
    assert part.count("data-from=") == 1
    assert signed_in_client.get("/simulations/compare/moves/?left=999&right=998").status_code == 302
