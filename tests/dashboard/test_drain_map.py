"""The map of a plan of a drain against the plan itself: what becomes of nodes, and where their pods go."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from clusters.engine.disruption.drains import Batch, Block, DrainOptions
from clusters.services.disruption import drains_of
from clusters.wording import drains as words
from clusters.wording.drains import BLOCKS_OF, OUTLOOKS
from dashboard.pictures.verdict_map import drawing
from dashboard.pictures.verdict_map.tiles import swatch
from dashboard.presenters.drains.page import MOST_STEPS, outlook_map, plan_lines, plan_map
from tests.dashboard.test_drain import PAGE, ZONE, the_plan
from tests.support.decision_cluster import node
from tests.support.mirrored import load, text

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

    from clusters.engine.disruption.drains import Eviction, Plan
    from clusters.models import Cluster
    from dashboard.pictures.verdict_map.spec import MapKey, VerdictMap

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def the_map(cluster: Cluster, plan: Plan, *place: str) -> VerdictMap:
    return plan_map(drains_of(cluster=cluster).snapshot, plan, *place)


def evictions_of(plan: Plan) -> list[Eviction]:
    return [eviction for batch in plan.batches for eviction in batch.evictions]


def key_named(found: VerdictMap, label: object) -> MapKey:
    return next(key for key in found.keys if key.label == str(label))


def nodes_of(found: VerdictMap, label: object) -> set[str]:
    number = found.keys.index(key_named(found, label))
    return {name for name, key in zip(found.names, found.key_of, strict=True) if key == number}


def test_the_first_screen_draws_every_node_by_what_its_drain_meets_now(demo: Cluster, signed_in_client: Client) -> None:
    found = drains_of(cluster=demo)
    drawn = outlook_map(found)
    page = signed_in_client.get(PAGE).text

    assert dict(zip(drawn.names, (drawn.keys[key].label for key in drawn.key_of), strict=True)) == {
        name: str(OUTLOOKS[node.drain.outlook]) for name, node in found.nodes.items()
    }
    assert dict(zip(drawn.names, drawn.figures, strict=True)) == {
        name: str(node.drain.evicted or "") for name, node in found.nodes.items()
    }
    assert len({key.mark for key in drawn.keys}) == len(drawn.keys)
    # The legend has the tiles of the map, and its links lead to the list of their nodes.
    for key in filter(lambda key: key.nodes, drawn.keys):
        assert swatch(key) in page
        assert f"{key.label}: {key.nodes} nodes" in page
    assert page.index('role="img" aria-label="12 of 60 nodes can be drained now.') < page.index('id="results"')


def test_each_node_is_what_the_plan_makes_of_it(demo: Cluster) -> None:
    plan = the_plan(demo, zone=ZONE)
    found = the_map(demo, plan)
    evictions = evictions_of(plan)
    drained = {node.name for batch in plan.batches for node in batch.nodes}
    receiving = {each.landing.node for each in evictions if each.landing is not None}

    assert nodes_of(found, words.DRAINED) == drained
    assert nodes_of(found, words.RECEIVES) == receiving
    for block in (Block.TWO_BUDGETS, Block.NEVER, Block.NO_ROOM):
        blocked = {node.name: node for node in plan.blocked if node.kind is block}
        assert nodes_of(found, BLOCKS_OF[block]) == set(blocked)
        pods = sum(blocker.kind is block for node in plan.blocked for blocker in node.blockers)
        assert key_named(found, BLOCKS_OF[block]).together == f"{pods} pods"
    assert sum(key.nodes for key in found.keys) == len(found.names) == 60


def test_arrows_and_figures_count_the_plans_evictions(demo: Cluster) -> None:
    plan = the_plan(demo, zone=ZONE)
    found = the_map(demo, plan)
    evictions = evictions_of(plan)
    pairs = Counter((each.node, each.landing.node) for each in evictions if each.landing is not None)

    assert {(found.names[move.source], found.names[move.target]): move.pods for move in found.moves} == pairs
    figures = dict(zip(found.names, found.figures, strict=True))
    for name, pods in Counter(each.node for each in evictions).items():
        assert figures[name] == f"−{pods}"
    for name, pods in Counter(target for _, target in pairs.elements()).items():
        assert figures[name] == f"+{pods}"
    assert key_named(found, words.DRAINED).together == f"{len(evictions)} evictions"
    assert key_named(found, words.RECEIVES).together == f"{pairs.total()} replacements"


def test_a_node_says_where_its_pods_go_and_another_whence_they_come(demo: Cluster) -> None:
    plan = the_plan(demo, nodes=("spot-a-01",))
    evictions = evictions_of(plan)
    pairs = Counter(each.landing.node for each in evictions if each.landing is not None)
    target, pods = min(pairs.items())

    lines = dict(
        zip(("spot-a-01", target, "gpu-a-01"), plan_lines(plan, ("spot-a-01", target, "gpu-a-01")), strict=True)
    )

    assert lines["spot-a-01"].startswith(f"{len(evictions)} pods are evicted. Replacements are placed on ")
    assert f"{target} ({pods})" in lines["spot-a-01"]
    assert f"placed here, from spot-a-01 ({pods})." in lines[target]
    assert lines["gpu-a-01"] == ""


def test_a_blocked_node_says_which_pods_block_it(demo: Cluster) -> None:
    plan = the_plan(demo, nodes=("arm-a-02",))
    (node,) = plan.blocked
    assert len(node.evicted) > 1

    (line,) = plan_lines(plan, ["arm-a-02"])
    assert line.startswith(
        f"Blocked by shop/sessions-2. {len(node.evicted)} pods are evicted. Replacements are placed on "
    )


def test_what_budgets_refuse_at_first_is_a_mark_of_its_own(demo: Cluster) -> None:
    plan = the_plan(demo, nodes=("spot-a-01", "spot-a-02"))
    (batch,) = plan.batches
    first, second = batch.nodes
    assert len(first.evictions) > 1
    refused = replace(first, evictions=(*first.evictions[:-1], replace(first.evictions[-1], round=2)), rounds=2)
    plan = replace(plan, batches=(Batch((refused, second)),))
    found = the_map(demo, plan)

    assert nodes_of(found, words.DRAINED_LATER) == {first.name}
    assert nodes_of(found, words.DRAINED) == {second.name}
    late, soon = key_named(found, words.DRAINED_LATER), key_named(found, words.DRAINED)
    assert late.mark != soon.mark
    lines = plan_lines(plan, (first.name, second.name))
    assert ["Refused at first: 1." in line for line in lines] == [True, False]


def test_the_browser_asks_for_lines_in_the_maps_order(demo: Cluster, signed_in_client: Client) -> None:
    plan = the_plan(demo, zone=ZONE)
    found = the_map(demo, plan)

    lines = [
        *signed_in_client.get(f"{PAGE}map/lines/?zone={ZONE}&first=0").json()["lines"],
        *signed_in_client.get(f"{PAGE}map/lines/?zone={ZONE}&first=50").json()["lines"],
    ]

    assert lines == plan_lines(plan, found.names)


def test_a_pool_by_itself_has_its_own_moves_and_says_where_the_others_are(
    demo: Cluster, signed_in_client: Client
) -> None:
    plan = the_plan(demo, zone=ZONE)
    whole, part = the_map(demo, plan), the_map(demo, plan, ZONE, "spot")

    assert set(part.names) < set(whole.names)
    assert part.moves == ()
    assert str(words.OTHER_ENDS) in part.notes
    said = text(signed_in_client, f"{PAGE}map/?zone={ZONE}&in_zone={ZONE}&in_pool=spot")
    assert f"{ZONE}, pool spot" in said
    assert "The whole plan" in said
    assert signed_in_client.get(f"{PAGE}map/?zone={ZONE}&in_zone=nowhere").status_code == 404


def test_one_node_opens_to_its_pods(demo: Cluster, signed_in_client: Client) -> None:
    drained = the_plan(demo, zone=ZONE).batches[0].nodes[0]
    answer = signed_in_client.get(
        f"{PAGE}map/node/?zone={ZONE}&of={drained.name}", headers={"HX-Request": "true"}
    ).content.decode()

    assert "<html" not in answer
    for eviction in drained.evictions:
        namespace, _, name = eviction.pod.partition("/")
        assert f"/pods/{namespace}/{name}/" in answer
        assert eviction.landing is not None
        assert f"/nodes/{eviction.landing.node}/" in answer
    assert "Nothing changes here." in text(signed_in_client, f"{PAGE}map/node/?zone={ZONE}&of=burst-c-01")
    assert signed_in_client.get(f"{PAGE}map/node/?zone={ZONE}&of=nope").status_code == 404


# -- batch by batch ----------------------------------------------------------------------------------------------------

ONE_BY_ONE = DrainOptions(at_a_time=1)


def test_a_plan_of_several_batches_is_stepped_through_batch_by_batch(demo: Cluster) -> None:
    plan = the_plan(demo, zone=ZONE, options=ONE_BY_ONE)
    found = the_map(demo, plan)
    turns = found.turns

    assert turns is not None
    assert len(plan.batches) > 2
    assert [step.name for step in found.steps[:-1]] == [f"Batch {number + 1}" for number in range(len(plan.batches))]
    for number, batch in enumerate(plan.batches, 1):
        drained = {name for name, turn in zip(found.names, turns.turn_of, strict=True) if turn == number}
        assert drained == {node.name for node in batch.nodes}
        targets = [each.landing.node for each in batch.evictions if each.landing is not None and each.landing.node]
        assert {found.names[place] for place in turns.reached[number - 1]} == set(targets)
        assert sum(move.pods for move in found.moves if move.turn == number) == len(targets)
    # Those that are not drained look so all the time.
    blocked = {found.key_of[found.names.index(node.name)] for node in plan.blocked}
    assert blocked <= set(turns.kept)


def test_a_plan_of_one_batch_or_of_very_many_has_no_steps(demo: Cluster) -> None:
    plan = the_plan(demo, zone=ZONE, options=ONE_BY_ONE)

    one = the_map(demo, replace(plan, batches=plan.batches[:1]))
    many = the_map(demo, replace(plan, batches=plan.batches * (MOST_STEPS // len(plan.batches) + 1)))

    for found in (one, many):
        assert (found.turns, found.steps, found.scale) == (None, (), ())
    assert {move.turn for move in one.moves} == {0}


def test_a_batch_shows_which_pods_move_in_it(demo: Cluster, signed_in_client: Client) -> None:
    plan = the_plan(demo, zone=ZONE, options=ONE_BY_ONE)
    page = signed_in_client.get(f"{PAGE}?zone={ZONE}&parallel=1").text
    begin = json.loads(re.search(r'"stepAt": ("[^"]*")', page)[1])  # type: ignore[index]
    addresses = [f"{begin}{number}" for number in range(1, len(plan.batches) + 1)]
    parts = [signed_in_client.get(address, headers={"HX-Request": "true"}).text for address in addresses]

    assert len(parts) == len(plan.batches)
    for batch, part in zip(plan.batches, parts, strict=True):
        assert "<html" not in part
        shown = [
            each.removeprefix("/clusters/demo/pods/") for each in re.findall(r'<th scope="row"><a href="([^"]+)"', part)
        ]
        assert shown == [f"{each.pod}/" for each in batch.evictions][:50]
    # Without a script each is a page of its own, and one that there is not is said.
    assert "<html" in signed_in_client.get(addresses[0]).text
    assert signed_in_client.get(f"{begin}{len(plan.batches) + 1}").status_code == 404


@pytest.mark.parametrize("pools", [("web", "", "web", ""), ("", "", "", "")])
def test_every_bar_of_the_first_screen_opens_the_plan_of_its_own_nodes(
    signed_in_client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pools: tuple[str, ...]
) -> None:
    monkeypatch.setattr(drawing, "MOST_TILES", 2)
    nodes = [node(f"n{number}", "north" if number < 3 else "") for number in range(4)]
    for each, pool in zip(nodes, pools, strict=True):
        labels = {**each["metadata"]["labels"], "pool": pool}
        each["metadata"]["labels"] = {name: value for name, value in labels.items() if value}
    load(tmp_path, "bare", nodes)
    page = signed_in_client.get("/clusters/bare/drain/").text
    data = json.loads(re.search(r'<script type="application/json">(.*?)</script>', page)[1])  # type: ignore[index]

    opened = [text(signed_in_client, address) for _, address in data["pools"]]

    assert len(opened) == (3 if any(pools) else 2)
    titles = [re.search(r"Drain ((?:n\d(?:, | and )?)+)", said)[1] for said in opened]  # type: ignore[index]
    assert sorted(re.findall(r"n\d", " ".join(titles))) == ["n0", "n1", "n2", "n3"]
    assert all("No node is chosen" not in said for said in opened)
