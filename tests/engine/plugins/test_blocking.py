"""What each requirement rejects by itself is what the filter rejects when all others are lifted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.engine.objects import Pod
from clusters.engine.plugin import Context, Plugin
from clusters.engine.registry import PLUGINS
from clusters.engine.scheduling.cycle import nominated_world
from clusters.engine.world import World, no_changes
from tests.engine.builders import HOSTNAME, ZONE, Document, a_node, a_pod

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from clusters.engine.status import Mask


KEYS = (HOSTNAME, ZONE, "rack")
APPS = ("web", "db", "cache")


@st.composite
def selectors(draw: st.DrawFn) -> Document:
    apps = draw(st.lists(st.sampled_from(APPS), min_size=1, max_size=2, unique=True))
    operator = draw(st.sampled_from(("In", "NotIn")))
    return {"matchExpressions": [{"key": "app", "operator": operator, "values": apps}]}


@st.composite
def affinities(draw: st.DrawFn) -> Document:
    terms = st.builds(
        lambda selector, key: {"labelSelector": selector, "topologyKey": key}, selectors(), st.sampled_from(KEYS)
    )
    rule = "requiredDuringSchedulingIgnoredDuringExecution"
    return {kind: {rule: draw(st.lists(terms, max_size=3))} for kind in ("podAffinity", "podAntiAffinity")}


@st.composite
def clusters(draw: st.DrawFn) -> tuple[Snapshot, Pod]:
    """Five nodes with pods, bound and nominated, that have host ports and affinity, and one pod that has both too."""
    objects: list[Document] = []
    for number in range(5):
        rack = {"rack": draw(st.sampled_from("rs"))} if draw(st.booleans()) else {}
        objects.append(a_node(f"n{number}", labels=rack, zone=draw(st.sampled_from(("a", "b", None)))))

    def pod(name: str, **where: Any) -> Document:
        spread = [
            {"maxSkew": 1, "topologyKey": key, "whenUnsatisfiable": "DoNotSchedule", "labelSelector": draw(selectors())}
            for key in draw(st.lists(st.sampled_from(KEYS), max_size=2, unique=True))
        ]
        made = a_pod(
            name,
            labels={"app": draw(st.sampled_from(APPS))},
            affinity=draw(affinities()),
            topologySpreadConstraints=spread,
            **where,
        )
        ports = draw(st.lists(st.sampled_from((80, 81, 82)), max_size=3))
        addresses = st.sampled_from(("", "10.0.0.1", "10.0.0.2"))
        made["spec"]["containers"][0]["ports"] = [{"hostPort": port, "hostIP": draw(addresses)} for port in ports]
        return made

    for number in range(draw(st.integers(0, 6))):
        node = f"n{draw(st.integers(0, 4))}"
        objects.append(
            pod(f"p{number}", **draw(st.sampled_from(({"node": node}, {"node": node}, {"nominated": node}))))
        )
    return Snapshot.from_objects(objects), Pod(pod("incoming"))


def as_it_is(snapshot: Snapshot, pod: Pod) -> World | None:
    return None


def with_nominated(snapshot: Snapshot, pod: Pod) -> World | None:
    return nominated_world(snapshot, pod, SchedulerConfiguration.default().profiles[0])


def without_half(snapshot: Snapshot, pod: Pod) -> World | None:
    """Every other bound pod is gone, and one of those came back."""
    bound = np.flatnonzero(snapshot.pods.node >= 0)
    return no_changes().removing(snapshot.pods, bound[::2], bound[1::4])


@pytest.mark.parametrize("name", ["InterPodAffinity", "NodePorts", "PodTopologySpread"])
@pytest.mark.parametrize("world_of", [as_it_is, with_nominated, without_half])
@settings(max_examples=30, deadline=None)
@given(case=clusters())
def test_blocking_is_filtering_with_the_others_lifted(
    name: str, world_of: Callable[[Snapshot, Pod], World | None], case: tuple[Snapshot, Pod]
) -> None:
    snapshot, pod = case
    plugin = PLUGINS[name](Context(snapshot, pod, SchedulerConfiguration.default().profiles[0].args))
    world = world_of(snapshot, pod)

    def listed(masks: Iterable[Mask]) -> list[list[bool]]:
        return [mask.tolist() for mask in masks]

    assert listed(plugin.blocking(world)) == listed(Plugin.blocking(plugin, world))
