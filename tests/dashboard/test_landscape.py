"""The score landscape: what it shows is the engine's answer, also with weights that nobody has configured."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from hypothesis import given, settings, strategies as st

from clusters.engine import SchedulerConfiguration, Snapshot, explain
from clusters.engine.configuration import rescored, spelled_out
from clusters.models import SimulationRun
from clusters.wording.decisions.verdict import rescored_sentence
from dashboard.pictures.landscape import RIBBON, ribbon, stack
from dashboard.pictures.specs import Key
from dashboard.pictures.verdict_map.spec import MapKey
from dashboard.presenters.decisions.landscape import COLUMNS, TOP, landscape
from tests.support.decision_cluster import node, objects, pod

if TYPE_CHECKING:
    from django.test import Client

    from clusters.engine import Explanation
    from clusters.models import Cluster

HTMX = {"HX-Request": "true"}
SCORES = "/clusters/shop/pods/shop/{}/scores/"
KEYS = (Key("a", "zone-1"), Key("b", "zone-2", "/"), Key("c", "zone-3"))


def configured(weights: dict[str, int], strategy: str) -> SchedulerConfiguration:
    """Return the configuration of a scheduler as its operator would write it down."""
    score = {
        "disabled": [{"name": plugin} for plugin in weights],
        "enabled": [{"name": plugin, "weight": weight} for plugin, weight in weights.items() if weight],
    }
    resources = [{"name": "cpu", "weight": 1}, {"name": "memory", "weight": 1}]
    fit = {"name": "NodeResourcesFit", "args": {"scoringStrategy": {"type": strategy, "resources": resources}}}
    profile = {"schedulerName": "default-scheduler", "plugins": {"score": score}, "pluginConfig": [fit]}
    return SchedulerConfiguration.from_dict(
        {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration", "profiles": [profile]}
    )


def judged(name: str, configuration: SchedulerConfiguration) -> Explanation:
    asked = next(each for each in objects() if each["kind"] == "Pod" and each["metadata"]["name"] == name)
    asked = {**asked, "spec": {key: part for key, part in asked["spec"].items() if key != "nodeName"}}
    return explain(Snapshot.from_objects(objects()), asked, configuration.profile_for(asked))


def test_other_weights_rank_as_a_scheduler_that_is_configured_so(signed_in_client: Client, cluster: Cluster) -> None:
    chance = random.Random(7)
    plugins = sorted(SchedulerConfiguration.default().profiles[0].weights)
    chosen = set()
    for _ in range(12):
        name, strategy = chance.choice(("plain", "web-1")), chance.choice(("LeastAllocated", "MostAllocated"))
        weights = {plugin: chance.choice((0, 1, 2, 7, 100)) for plugin in chance.sample(plugins, 3)}
        asked = {f"weight-{plugin}": str(weight) for plugin, weight in weights.items()}
        found = signed_in_client.get(SCORES.format(name), {**asked, "strategy": strategy}, headers=HTMX).context

        explanation = judged(name, configured(weights, strategy))
        names = explanation.snapshot.nodes.names
        assert [(row.node, row.total) for row in found["landscape"]["rows"]] == [
            (names[row], explanation.total_of(row)) for row in explanation.ranking().tolist()
        ]
        for row in found["landscape"]["rows"]:
            cells = {
                each.plugin: each.weighted for each in explanation.cells_of(explanation.snapshot.nodes.index[row.node])
            }
            assert dict(row.cells).items() <= cells.items()
            assert row.total == sum(points for _, points in row.cells) + sum(
                each.points for each in found["landscape"]["equal"]
            )
            assert row.is_choice == (row.node in explanation.best)
        if "configuration" in found:
            assert found["sentence"] == rescored_sentence(explanation)
            document = yaml.safe_load(found["configuration"])
            again = judged(name, SchedulerConfiguration.from_dict(document))
            assert again.cycle.totals.tolist() == explanation.cycle.totals.tolist()
        chosen.add(tuple(explanation.best))
    # The draws tell weights apart.
    assert len(chosen) > 2


@settings(max_examples=30, deadline=None)
@given(
    weights=st.dictionaries(
        st.sampled_from(sorted(SchedulerConfiguration.default().profiles[0].weights)), st.integers(0, 100)
    ),
    strategy=st.sampled_from((None, "LeastAllocated", "MostAllocated")),
)
def test_what_is_asked_for_can_be_written_down(weights: dict[str, int], strategy: Any) -> None:
    own = SchedulerConfiguration.default().profiles[0]
    changed = rescored(own, weights, strategy)

    assert changed.weights == {
        plugin: weights.get(plugin, weight) for plugin, weight in own.weights.items() if weights.get(plugin) != 0
    }
    document = spelled_out(
        SchedulerConfiguration(
            (changed,), (), 0, SchedulerConfiguration.default().release, SchedulerConfiguration.default().backoff, 16
        )
    )
    assert SchedulerConfiguration.from_dict(document).profiles == (changed,)


def test_what_nobody_can_have_is_not_found(signed_in_client: Client, cluster: Cluster) -> None:
    for query in [
        {"weight-NodeResourcesFit": "101"},
        {"weight-NodeResourcesFit": "-1"},
        {"weight-NodeResourcesFit": "1.5"},
        {"weight-NodeResourcesFit": "9" * 5000},
        {"strategy": "RequestedToCapacityRatio"},
        {"strategy": "Fullest"},
        {"first": "x"},
        {"last": "9" * 5000},
    ]:
        assert signed_in_client.get(SCORES.format("plain"), query).status_code == 404


def test_equals_are_said_as_equals(signed_in_client: Client, cluster: Cluster) -> None:
    plugins = SchedulerConfiguration.default().profiles[0].weights
    nothing = {f"weight-{plugin}": "0" for plugin in plugins if plugin != "TaintToleration"}
    found = signed_in_client.get(SCORES.format("plain"), nothing).context

    assert len({row.total for row in found["landscape"]["rows"]}) == 1
    assert (
        "would choose one of ash, birch, cedar and 1 more. The scheduler picks one of them at random."
        in found["sentence"]
    )


def test_every_part_keeps_the_weights(signed_in_client: Client, cluster: Cluster) -> None:
    shown = signed_in_client.get(SCORES.format("plain"), {"weight-NodeResourcesFit": "9"}).content.decode()
    links = re.findall(r'href="([^"]*/(?:compare|scores/NodeResourcesFit)/[^"]*)"', shown)

    assert links
    assert all("weight-NodeResourcesFit=9" in link for link in links)
    cell = next(link for link in links if "scores" in link)
    assert "× 9 =" in signed_in_client.get(cell).content.decode()


def test_all_pending_pods_are_simulated_with_what_is_asked_for(signed_in_client: Client, cluster: Cluster) -> None:
    asked = {"weight-NodeResourcesFit": "9", "strategy": "MostAllocated"}
    configuration = signed_in_client.get(SCORES.format("plain"), asked, headers=HTMX).context["configuration"]

    form = {"preset": "configuration", "pods": "pending", "configuration": configuration}
    answer = signed_in_client.post("/clusters/shop/configuration/what-if/", form)
    assert answer.status_code == 302
    specs = [run.spec for run in SimulationRun.objects.order_by("pk")]
    assert [spec["changes"] for spec in specs] == [[], []]
    read = SchedulerConfiguration.from_dict(specs[1]["configuration"])
    assert read.profiles[0] == rescored(
        SchedulerConfiguration.default().profiles[0],
        {"NodeResourcesFit": 9},
        "MostAllocated",  # type: ignore[arg-type]
    )


# -- many nodes --------------------------------------------------------------------------------------------------------


def many(count: int) -> list[dict[str, Any]]:
    nodes = [node(f"n-{number:04}", "abc"[number % 3], cpu=str(2 + number % 30)) for number in range(count)]
    return [*nodes, node("full", "a", cpu="0"), pod("plain")]


@pytest.mark.parametrize(("count", "stretch"), [(12, (0, None)), (700, (0, None)), (700, (650, 690)), (700, (0, 9999))])
def test_the_ribbon_has_a_column_for_every_node_or_for_as_many_as_are_seen(
    count: int, stretch: tuple[int, int | None]
) -> None:
    asked = pod("plain")
    explanation = explain(
        Snapshot.from_objects(many(count)), asked, SchedulerConfiguration.default().profile_for(asked)
    )
    first, last = stretch[0], min(stretch[1] or count, count)
    found = landscape(explanation, "n-0000", *stretch)
    names, ranking = explanation.snapshot.nodes.names, explanation.ranking().tolist()

    assert [row.node for row in found["rows"]][:TOP] == [names[row] for row in ranking[first : first + TOP]]
    assert found["rows"][-1].is_own
    columns = found["data"]["columns"]
    assert [names[ranking[place]] for place, _, _ in columns] == [name for _, name, _ in columns]
    assert len(columns) == min(last - first, COLUMNS)
    assert (columns[0][0], found["data"]["last"]) == (first, last)
    assert [(key.nodes, key.source) for _, key in found["rejected"]] == (
        [(1, "NodeResourcesFit")] if last == count else []
    )


COUNTS = st.lists(st.lists(st.integers(0, 300), min_size=3, max_size=3), min_size=1, max_size=6)


@settings(max_examples=30, deadline=None)
@given(values=COUNTS)
def test_bars_are_as_long_as_the_points(values: list[list[int]]) -> None:
    longest = max(map(sum, values))
    for each in values:
        drawn = stack(KEYS, each, longest)
        bars = re.findall(r'<rect x="([\d.]+)%" width="([\d.]+)%"', drawn)
        assert [float(width) for _, width in bars] == pytest.approx(
            [100 * value / longest for value in each if value], abs=0.01
        )
        assert all(float(left) + float(width) <= 100.01 for left, width in bars)


@settings(max_examples=30, deadline=None)
@given(values=COUNTS, rejected=st.lists(st.integers(1, 50), max_size=3), share=st.floats(0, 30))
def test_the_ribbon_is_as_high_as_the_points(values: list[list[int]], rejected: list[int], share: float) -> None:
    out = [MapKey("<i>", "", "zone-4", "x", nodes) for nodes in rejected]
    drawn = ribbon(KEYS, values, out, share if rejected else 0)
    highest = max(map(sum, values)) or 1
    below = [0.0] * len(values)
    for number, path in enumerate(re.findall(r'<path d="([^"]+)"', drawn)):
        heights = [RIBBON - float(each) for each in re.findall(r"V([\d.]+)", path)]
        tops, bottoms = heights[: len(values)], heights[len(values) :][::-1]
        assert bottoms == pytest.approx(below, abs=0.1)
        for column, (top, bottom) in enumerate(zip(tops, bottoms, strict=True)):
            assert top - bottom == pytest.approx(RIBBON * values[column][number] / highest, abs=0.15)
        below = tops
    widths = [float(each) for each in re.findall(r'<rect x="[\d.]+%" y="\d+" width="([\d.]+)%"', drawn)]
    assert widths == pytest.approx([share * nodes / sum(rejected) for nodes in rejected], abs=0.01)
    assert "<i>" not in drawn
