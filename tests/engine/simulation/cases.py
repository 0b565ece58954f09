"""Small random cases for property tests: pods of a few kinds that come to a small cluster, and perhaps leave it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.engine.simulation import Case, Wanted
from clusters.engine.versions import ASSUMED, NEWEST, Release
from tests.engine.strategies import NODE_NAMES, Document, nodes, pods

if TYPE_CHECKING:
    from collections.abc import Mapping


_RESOURCES = [{"name": "cpu", "weight": 1}, {"name": "memory", "weight": 2}]
_SHAPE = {"shape": [{"utilization": 0, "score": 2}, {"utilization": 60, "score": 10}, {"utilization": 100, "score": 0}]}
_STRATEGIES: tuple[Mapping[str, Any], ...] = (
    {"type": "LeastAllocated", "resources": _RESOURCES},
    {"type": "MostAllocated", "resources": _RESOURCES},
    {"type": "RequestedToCapacityRatio", "resources": _RESOURCES, "requestedToCapacityRatio": _SHAPE},
)


def scheduling_by(strategy: Mapping[str, Any], release: Release = ASSUMED) -> SchedulerConfiguration:
    """The default profile with a scoring strategy of NodeResourcesFit."""
    return SchedulerConfiguration.from_dict(
        {
            "apiVersion": "kubescheduler.config.k8s.io/v1",
            "kind": "KubeSchedulerConfiguration",
            "profiles": [{"pluginConfig": [{"name": "NodeResourcesFit", "args": {"scoringStrategy": strategy}}]}],
        },
        release,
    )


def named(pod: Document, name: str) -> Document:
    """The same pod under another name."""
    return {**pod, "metadata": {**pod["metadata"], "name": name}}


@st.composite
def cases(draw: st.DrawFn, *, plain: bool = False, disrupted: bool = False) -> Case:
    """A cluster and pods that want to be there; ``plain`` ones look at nothing but each node by itself.

    ``disrupted``: nodes may be drained, or stop answering.
    """
    cluster = {each["metadata"]["name"]: each for each in draw(st.lists(nodes(), min_size=1, max_size=5))}
    there = {each["metadata"]["name"]: each for each in draw(st.lists(pods(placed=True), max_size=0 if plain else 8))}
    kinds = draw(st.lists(pods(placed=False), min_size=1, max_size=4))
    if plain:
        for kind in kinds:
            del kind["spec"]["affinity"]
            kind["spec"].pop("topologySpreadConstraints", None)
            kind["spec"]["containers"][0]["ports"] = []
    wanted = []
    for number in range(draw(st.integers(1, 14))):
        at = draw(st.integers(0, 2))
        until = draw(st.one_of(st.none(), st.integers(at, 4)))
        wanted.append(Wanted(named(draw(st.sampled_from(kinds)), f"wanted-{number}"), at, until))
    some = st.lists(st.sampled_from(sorted(cluster)), max_size=2, unique=True)
    bound = {f"shop/{name}": each for name, each in there.items() if each["spec"].get("nodeName") in NODE_NAMES}
    release = draw(st.sampled_from((ASSUMED, NEWEST)))
    return Case(
        Snapshot.from_objects([*cluster.values(), *there.values()], release),
        scheduling_by(draw(st.sampled_from(_STRATEGIES)), release),
        wanted,
        samples=draw(st.booleans()),
        seed=draw(st.integers(0, 5)),
        placed=bound,
        drained=draw(some) if disrupted else (),
        unreachable=draw(some) if disrupted else (),
    )
