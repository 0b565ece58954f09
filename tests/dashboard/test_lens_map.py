"""A cluster's map: every lens shows the same nodes, each with what the services answer of it."""

from __future__ import annotations

import re
from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import pytest
from django.http import QueryDict

from clusters.adapters.usage import UsageFound
from clusters.engine.devices import DeviceState
from clusters.engine.nodes import NodeState
from clusters.engine.resources import CPU, MEMORY
from clusters.engine.spreading import HOSTNAME, ZONE
from clusters.engine.usage import UsedAmounts
from clusters.models import Cluster, Decision, Departure, NodeChange, UsageHour
from clusters.services.disruption import drains_of
from clusters.services.mirror.past import as_it_was
from clusters.services.mirror.snapshots import last_moment
from clusters.services.mirror.state import devices_of, spread_of, utilisation_of
from clusters.services.pending.pods import pending_of
from clusters.services.usage.history import usage_of
from clusters.services.usage.keeping import keep_usage
from dashboard.moments import recorded
from dashboard.pictures.verdict_map.drawing import MOST_TILES
from dashboard.presenters.drains.page import node_row
from dashboard.views import map as views
from dashboard.views.lenses import LENSES
from dashboard.views.map import map_context
from tests.support.decision_cluster import node, pod
from tests.support.mirrored import load

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

    from dashboard.pictures.verdict_map.drawing import DrawnMap
    from dashboard.pictures.verdict_map.spec import VerdictMap

HOUR = timedelta(hours=1)
HTMX = {"HX-Request": "true"}

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def drawn(cluster: Cluster, query: str = "") -> DrawnMap:
    found = map_context(cluster, QueryDict(query))["map"]
    assert found is not None
    return found  # type: ignore[no-any-return]


def by_key(cluster: Cluster, query: str) -> dict[str, set[str]]:
    found = drawn(cluster, query).found
    return {
        key.label: {name for name, of in zip(found.names, found.key_of, strict=True) if of == number}
        for number, key in enumerate(found.keys)
        if key.nodes
    }


def test_nodes_keep_their_places_from_lens_to_lens(demo_of_day: Cluster) -> None:
    found = {lens: drawn(demo_of_day, f"lens={lens}").found for lens in LENSES}

    assert len({(each.names, each.pools) for each in found.values()}) == 1
    for each in found.values():
        assert sum(key.nodes for key in each.keys) == len(each.names) == 60


@pytest.mark.parametrize("resource", [CPU, MEMORY, "pods"])
def test_requested_is_relative_to_what_there_is(demo: Cluster, resource: str) -> None:
    state = utilisation_of(cluster=demo)
    shares = dict(zip(state.snapshot.nodes.names, state.amounts[resource].shares.tolist(), strict=True))
    found = drawn(demo, f"lens=requested&resource={resource}").found

    for name, key, shade in zip(found.names, found.key_of, found.shade_of, strict=True):
        assert key == (0 if shares[name] > 1 else 1 if shares[name] > 0.9 else 2 if shares[name] else 3)
        assert (shade > 0) == (key == 2)
    usual = sorted((shares[name], shade) for name, shade in zip(found.names, found.shade_of, strict=True) if shade)
    assert [shade for _, shade in usual] == sorted(shade for _, shade in usual)
    assert (usual[0][1], usual[-1][1]) == (1, 5)


def test_drains_stranded_capacity_and_health_are_the_services_own(demo: Cluster) -> None:
    state, drains = utilisation_of(cluster=demo), drains_of(cluster=demo)
    names = state.snapshot.nodes.names
    stranded = {names[row] for each in state.stranded for row in each.rows.tolist()}
    unready = {names[row] for row, of in enumerate(state.health.states.tolist()) if of == NodeState.NOT_READY}

    assert sorted(map(len, by_key(demo, "lens=drain").values())) == sorted(drains.outlooks.values())
    of_stranded = by_key(demo, "lens=stranded")
    assert set.union(*(nodes for key, nodes in of_stranded.items() if "idle" in key)) == stranded
    closed = {names[row] for row, is_usable in enumerate(state.health.usable.tolist()) if not is_usable}
    assert of_stranded["accept no pods"] == closed >= {"general-b-09"}
    assert by_key(demo, "lens=health")["NotReady"] == unready == {"general-b-09"}


@pytest.mark.parametrize(
    ("lens", "numbers"),
    [
        ("requested&resource=pods", 2),
        ("drain", 2),
        ("stranded", 2),
        ("health", 2),
        ("devices&resource=nvidia.com/gpu", 2),
        ("usage", 0),
        ("changed", 0),
        ("spread", 0),
        ("pending", 0),
    ],
)
def test_pools_that_are_opened_are_told_by_themselves(demo_of_day: Cluster, lens: str, numbers: int) -> None:
    whole = drawn(demo_of_day, f"lens={lens}").found
    pools = [
        drawn(demo_of_day, f"lens={lens}&{urlencode({'zone': each.zone, 'pool': each.name})}").found
        for each in whole.pools
    ]

    def said(found: VerdictMap) -> list[int]:
        return [int(each) for each in re.findall(r"\d+", found.sentence.replace("\u202f", ""))][:numbers]

    assert [sum(each.nodes for each in keys) for keys in zip(*(pool.keys for pool in pools), strict=True)] == [
        key.nodes for key in whole.keys
    ]
    assert [sum(each) for each in zip(*map(said, pools), strict=True)] == said(whole)
    assert len(said(whole)) == numbers


@pytest.mark.parametrize("topology_key", [ZONE, HOSTNAME])
def test_spread_is_that_of_a_constraint_by_domain(demo: Cluster, topology_key: str) -> None:
    spread = spread_of(cluster=demo)
    names = spread.snapshot.nodes.names
    of_key = {each: group for each, group in spread.groups.items() if group.constraint.topology_key == topology_key}
    for identity, group in of_key.items():
        look = map_context(demo, QueryDict(f"lens=spread&constraint={identity}"))["look"]
        domains = {each.value: each for each in group.domains() if each.is_eligible}
        fewest, most = (end((each.pods for each in domains.values()), default=0) for end in (min, max))
        column = spread.snapshot.nodes.label(topology_key)
        assert (look.chosen, dict(look.choices).keys() <= spread.groups.keys()) == (identity, True)
        for name, key in zip(look.found.names, look.found.key_of, strict=True):
            row = names.index(name)
            domain = domains.get(column.values[column.codes[row]]) if group.eligibility.mask[row] else None
            if domain is None:
                assert key == 3
            elif domain.excess:
                assert key == 0
            else:
                assert key == (2 if domain.pods == fewest < most else 1)


@pytest.mark.parametrize("resource", [CPU, MEMORY])
def test_usage_is_the_newest_sample_of_each_node(demo: Cluster, resource: str) -> None:
    usage, state = usage_of(cluster=demo), utilisation_of(cluster=demo)
    assert usage is not None
    found = drawn(demo, f"lens=usage&resource={resource}").found

    for name, key, shade, figure in zip(found.names, found.key_of, found.shade_of, found.figures, strict=True):
        latest = usage.nodes[name].latest
        used = latest.cpu_milli if resource == CPU else latest.memory_bytes
        share = used / int(state.amounts[resource].allocatable[state.snapshot.nodes.index[name]])
        assert (key, shade > 0) == ((0, False) if share > 0.9 else (1, True))
        assert abs(int(figure.removesuffix(" %")) - 100 * share) <= 1


def test_usage_that_is_not_known_is_told_apart(tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "shop", [node("ash", "north"), node("oak", "north")])
    shop = Cluster.objects.get(name="shop")
    bare = signed_in_client.get("/clusters/shop/?lens=usage").text
    sample = UsageFound()
    sample.add_node(datetime(2026, 3, 1, 9, 30, tzinfo=UTC), "oak", UsedAmounts(3_900, 2**30))
    keep_usage(cluster=shop, found=sample, source=UsageHour.Source.METRICS)

    assert "No sample of usage." in bare
    assert "/clusters/shop/usage/" in bare
    assert by_key(shop, "lens=usage") == {"more than 90 % full": {"oak"}, "not known": {"ash"}}
    found = drawn(shop, "lens=usage").found
    assert found.lines == ("", "CPU: 3.9 CPU used (98 %), 0 CPU of 4 CPU requested.")
    assert found.notes == ("Newest sample: 2026-03-01 09:30.",)

    # A reading that lacks a node: what it used before is not what it uses.
    later = UsageFound()
    later.add_node(datetime(2026, 3, 1, 10, 30, tzinfo=UTC), "ash", UsedAmounts(1_000, 2**30))
    keep_usage(cluster=shop, found=later, source=UsageHour.Source.METRICS)
    assert by_key(shop, "lens=usage") == {"partly full": {"ash"}, "not known": {"oak"}}
    found = drawn(shop, "lens=usage").found
    assert found.sentence == "CPU: 1 CPU used (25 %), 0 CPU of 4 CPU requested."
    assert (found.lines[1], found.figures[1]) == ("Newest sample: 2026-03-01 09:30.", "")
    assert found.notes == ("Newest sample: 2026-03-01 10:30.",)
    # One that began before the hour and ended after it is one reading.
    sample = UsageFound()
    for name, moment in (("oak", (11, 59)), ("ash", (12, 1))):
        sample.add_node(datetime(2026, 3, 1, *moment, tzinfo=UTC), name, UsedAmounts(1_000, 2**30))
    keep_usage(cluster=shop, found=sample, source=UsageHour.Source.METRICS)
    assert by_key(shop, "lens=usage") == {"partly full": {"ash", "oak"}}


def test_devices_are_those_of_a_class_or_an_extended_resource(demo: Cluster) -> None:
    found = devices_of(cluster=demo)
    nodes = found.snapshot.nodes
    column = nodes.resources.index("nvidia.com/gpu")
    plugged = {
        name: (max(0, int(nodes.allocatable[row, column] - nodes.requested[row, column])), has)
        for row, name in enumerate(nodes.names)
        if (has := int(nodes.allocatable[row, column]))
    }
    assert plugged
    for choice, selected in {
        "*": None,
        **{each.name: {device.id for device in each.devices} for each in found.classes},
    }.items():
        expected: dict[str, tuple[int, int]] = {}
        for state in found.pools.values():
            some = [each for each in state.devices if selected is None or each.id in selected]
            for row in state.rows if some else ():
                free, every = expected.get(nodes.names[row], (0, 0))
                free += sum(each.state is DeviceState.FREE for each in some)
                expected[nodes.names[row]] = free, every + len(some)
        assert_devices(demo, choice, expected)
    assert_devices(demo, "nvidia.com/gpu", plugged)


def assert_devices(cluster: Cluster, choice: str, expected: dict[str, tuple[int, int]]) -> None:
    found = drawn(cluster, f"lens=devices&{urlencode({'resource': choice})}").found
    for name, key, figure in zip(found.names, found.key_of, found.figures, strict=True):
        free, every = expected.get(name, (0, 0))
        assert figure == (str(free) if every else "")
        assert key == (3 if not every else 0 if not free else 2 if free == every else 1)


def test_changed_is_what_the_journal_recorded_of_a_day(demo_of_day: Cluster) -> None:
    known = recorded(demo_of_day)
    assert known is not None
    for cluster, end in (
        (demo_of_day, known.until),
        (as_it_was(demo_of_day, known.until - 6 * HOUR), known.until - 6 * HOUR),
    ):
        found = drawn(cluster, "lens=changed").found
        span = {"cluster": demo_of_day, "heard_at__gt": end - 24 * HOUR, "heard_at__lte": end}
        bound = Counter(Decision.objects.filter(kind="bound", **span).values_list("node_name", flat=True))
        gone = Counter(Departure.objects.filter(kind="Pod", **span).values_list("node_name", flat=True))
        gone.pop("", None)
        changed = set(NodeChange.objects.filter(**span).values_list("node_name", flat=True))
        assert found.sentence == f"In 24 h {bound.total()} pods arrived, {gone.total()} left."
        for name, key, figure in zip(found.names, found.key_of, found.figures, strict=True):
            moved = bound[name] + gone[name]
            assert figure == (str(moved) if moved else "")
            assert name in changed or key == (5 if moved else 6)
        shaded = [(int(each), shade) for each, shade in zip(found.figures, found.shade_of, strict=True) if shade]
        assert [shade for _, shade in sorted(shaded)] == sorted(shade for _, shade in shaded)
        assert {min(shaded)[1], max(shaded)[1]} == {1, 5}
    now = by_key(demo_of_day, "lens=changed")
    assert (now["NotReady"], now["cordoned"]) == ({"general-b-09"}, {"general-a-09"})


def test_what_became_of_a_node_counts_until_it_is_taken_back(tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "shop", [node(name, "north") for name in ("ash", "elm", "oak", "yew")])
    shop = Cluster.objects.get(name="shop")
    assert "recorded only while" in signed_in_client.get("/clusters/shop/map/?lens=changed", headers=HTMX).text
    until = last_moment(shop)
    assert until is not None
    shop.departures_since = until - 9 * HOUR
    shop.save()
    for hours, name, kind in (
        *((8, "ash", "cordoned"), (7, "ash", "uncordoned"), (6, "oak", "cordoned"), (5, "oak", "not-ready")),
        *((4, "oak", "ready"), (3, "elm", "removed"), (2, "elm", "added"), (1, "fir", "removed")),
    ):
        NodeChange.objects.create(cluster=shop, node_name=name, kind=kind, heard_at=until - hours * HOUR)

    found = drawn(shop, "lens=changed").found
    assert by_key(shop, "lens=changed") == {
        "cordoned": {"oak"}, "added": {"elm"}, "schedulable again": {"ash"}, "unchanged": {"yew"},
    }  # fmt: skip
    assert found.lines[found.names.index("elm")] == "elm was removed, elm was added"
    assert found.notes[0] == "fir was removed"
    assert found.notes[1].startswith("Removed pods are recorded since")


def test_the_pod_of_the_map_would_fit_on_the_node_that_the_advice_adds(demo: Cluster) -> None:
    others = 0
    for group in pending_of(cluster=demo).groups.values():
        way = group.way
        if not group.is_unschedulable or way is None or way.change.more is None:
            continue
        others += group.example != group.pods[0]
        assert group.example.key in way.placed
        found = drawn(demo, f"lens=pending&cause={group.identity}").found
        key = found.keys[found.key_of[found.names.index(way.change.more.like)]]
        assert key.source not in ("NodeAffinity", "TaintToleration"), group.example.key
    assert others


def test_pods_of_one_controller_are_judged_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alike = [pod(f"web-{number}", cpu="99") for number in range(9)]
    for each in alike:
        each["metadata"]["ownerReferences"] = [{"kind": "ReplicaSet", "name": "web", "controller": True}]
    cluster = load(tmp_path, "shop", [node("ash", "north"), *alike])
    assert cluster.last_sync is not None
    Cluster.objects.update(departures_since=cluster.last_sync - HOUR)
    cluster.refresh_from_db()
    monkeypatch.setattr(views, "QUICK_PAIRS", 1)

    for state in (cluster, as_it_was(cluster, cluster.last_sync)):
        assert [str(words) for _, words, *_ in map_context(state, QueryDict())["causes"]] == ["9"]


def test_the_map_is_a_fragment_and_without_scripts_a_page(demo: Cluster, signed_in_client: Client) -> None:
    address = "/clusters/demo/map/?lens=drain"
    plain, whole = signed_in_client.get(address), signed_in_client.get(address, headers=HTMX).text
    of_part = {**HTMX, "HX-Target": "map-part"}
    pool = "lens=drain&zone=eu-central-1a&pool=gpu"
    opened = signed_in_client.get(f"/clusters/demo/map/?{pool}", headers=of_part)
    part, there = opened.text, opened.headers["HX-Push-Url"]
    kept = signed_in_client.get("/live/overview.map/", {"cluster": f"{demo.pk}", "page": f"{there}"}, headers=HTMX).text

    assert there == f"/clusters/demo/?{pool}"
    assert plain.headers["Location"] == "/clusters/demo/?lens=drain"
    assert "zone=" not in whole.partition("data-verdict-map")[0]
    assert "gpu-a-01" in part
    # As the page of that address has it from the start, and stays while the cluster changes; other lenses lead to it.
    assert opened.headers["HX-Retarget"] == "#map-card"
    for page in (part, signed_in_client.get(there).text, kept):
        assert 'class="padded map-place"' in page
        for looked in ("lens=health", "lens=pending&amp;cause=[0-9a-f]+", "lens=usage"):
            assert re.search(f'href="/clusters/demo/\\?{looked}&amp;zone=eu-central-1a&amp;pool=gpu"', page), looked
    for page in ("map/", ""):
        assert signed_in_client.get(f"/clusters/demo/{page}?zone=nowhere&pool=none", headers=HTMX).status_code == 404


def test_a_node_says_what_blocks_its_drain_through_that_lens(demo: Cluster, signed_in_client: Client) -> None:
    address = "/clusters/demo/map/node/?node=general-a-01"
    told, plain = (signed_in_client.get(f"{address}{lens}", headers=HTMX).text for lens in ("&lens=drain", ""))
    row = node_row(drains_of(cluster=demo).nodes["general-a-01"])

    assert row.obstacles
    for obstacle in row.obstacles:
        assert obstacle.budget is not None
        assert f'href="/clusters/demo/budgets/{"/".join(obstacle.budget)}/"' in told
        assert obstacle.text in told
    assert row.state in told
    assert row.state not in plain
    # What is asked of it leads back to the lens.
    assert "?lens=drain&amp;change=" in told


def test_one_node_says_how_it_is_and_what_may_be_asked(demo: Cluster, signed_in_client: Client) -> None:
    address = "/clusters/demo/map/node/?node="
    told = signed_in_client.get(f"{address}general-a-09", headers=HTMX).text

    assert "Cordoned" in told
    assert 'href="/clusters/demo/drain/?node=general-a-09"' in told
    assert {"remove-nodes", "add-nodes"} <= set(re.findall(r"[a-z]+-nodes", told))
    assert signed_in_client.get(f"{address}general-a-09").headers["Location"] == "/clusters/demo/nodes/general-a-09/"
    assert signed_in_client.get(f"{address}nobody", headers=HTMX).status_code == 404


def test_a_cluster_without_pending_pods_or_nodes_says_so(tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "shop", [node("ash", "north"), pod("web", nodeName="ash")])
    load(tmp_path, "bare", [pod("web")])

    assert "No pod is unschedulable." in signed_in_client.get("/clusters/shop/map/?lens=pending", headers=HTMX).text
    assert "No nodes yet." in signed_in_client.get("/clusters/bare/map/", headers=HTMX).text


def test_a_bar_of_nodes_that_name_no_zone_opens_to_them(tmp_path: Path, signed_in_client: Client) -> None:
    many = [node(f"n{number}", "a") for number in range(MOST_TILES + 2)]
    for bare in many[:2]:
        del bare["metadata"]["labels"][ZONE]
    load(tmp_path, "many", many)
    found = drawn(Cluster.objects.get(name="many"))
    opened = [signed_in_client.get(address, headers=HTMX) for address, _ in found.openings]

    assert sorted(each.context["map"].found.names for each in opened if len(each.context["map"].found.names) < 3) == [
        ("n0", "n1")
    ]
