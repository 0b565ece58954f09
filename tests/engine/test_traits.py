"""What every plugin has to say of itself; whoever adds one is told here what is missing."""

from __future__ import annotations

import pytest

from clusters.engine.configuration import ExtensionPoint
from clusters.engine.plugin import ClusterEvent, Plugin
from clusters.engine.registry import PLUGINS, module_of, registered_events, requeue_events
from clusters.engine.versions import NEWEST, RELEASES, Gate

REJECTING = {ExtensionPoint.PRE_ENQUEUE, ExtensionPoint.PRE_FILTER, ExtensionPoint.FILTER}
COMPUTED = {"pre_filter": ExtensionPoint.PRE_FILTER, "filter": ExtensionPoint.FILTER, "score": ExtensionPoint.SCORE}


@pytest.mark.parametrize("name", PLUGINS)
def test_plugin_says_what_it_is(name: str) -> None:
    plugin = PLUGINS[name]

    missing = {"name", "reads", "colour"} - {trait for trait in ("name", "reads", "colour") if trait in vars(plugin)}
    assert not missing, f"{name}: state {', '.join(sorted(missing))} in clusters/engine/plugins/{module_of(name)}.py"
    assert plugin.name == name


@pytest.mark.parametrize("name", PLUGINS)
def test_plugin_that_rejects_pods_says_which_events_requeue_them(name: str) -> None:
    rejects = bool(NEWEST.points[name] & REJECTING)

    assert bool(PLUGINS[name].requeue_on) is rejects, (
        f"{name}: state in requeue_on the events that upstream's EventsToRegister lists, and none if it rejects no pod"
    )


@pytest.mark.parametrize("name", PLUGINS)
def test_plugin_computes_the_points_that_the_release_lists(name: str) -> None:
    overridden = {
        point for method, point in COMPUTED.items() if getattr(PLUGINS[name], method) is not getattr(Plugin, method)
    }

    assert overridden <= NEWEST.points[name], f"{name}: clusters/engine/versions.py lists other points"


def test_no_two_plugins_have_one_colour() -> None:
    colours = [plugin.colour for plugin in PLUGINS.values()]

    assert sorted(colours) == sorted(set(colours)), "choose a --plugin- token of static/css/tokens.css that is free"


# Those that not all releases register, by the release and the gates that are set there.
VARYING: dict[tuple[str, str, Gate | None, bool], set[ClusterEvent]] = {
    ("NodeResourcesFit", "1.34", Gate.DRA_EXTENDED_RESOURCE, True): set(),
    ("NodeResourcesFit", "1.35", None, True): set(),
    ("NodeResourcesFit", "1.35", Gate.DRA_EXTENDED_RESOURCE, True): {
        ClusterEvent.DEVICE_CLASS_ADD,
        ClusterEvent.DEVICE_CLASS_UPDATE,
    },
    ("NodeResourcesFit", "1.36", None, True): {ClusterEvent.DEVICE_CLASS_ADD, ClusterEvent.DEVICE_CLASS_UPDATE},
    ("NodeResourcesFit", "1.36", Gate.DRA_EXTENDED_RESOURCE, False): set(),
    ("NodeResourcesFit", "1.37", Gate.RESIZE_PREEMPTION, True): {
        ClusterEvent.DEVICE_CLASS_ADD,
        ClusterEvent.DEVICE_CLASS_UPDATE,
        ClusterEvent.POD_SCALE_UP,
    },
    ("DynamicResources", "1.36", None, True): set(),
    ("DynamicResources", "1.37", None, True): {ClusterEvent.RESOURCE_CLAIM_DELETE},
    ("GangScheduling", "1.35", None, True): {ClusterEvent.WORKLOAD_ADD},
    ("GangScheduling", "1.36", None, True): {ClusterEvent.POD_GROUP_ADD},
    ("GangScheduling", "1.37", None, True): {ClusterEvent.POD_GROUP_ADD, ClusterEvent.POD_GROUP_UPDATE},
}


@pytest.mark.parametrize(("plugin", "minor", "gate", "is_on"), VARYING)
def test_release_registers_the_events_of_its_own_scheduler(
    plugin: str, minor: str, gate: Gate | None, is_on: bool
) -> None:
    release = RELEASES[minor] if gate is None else RELEASES[minor].with_gates({gate: is_on})
    always = set.intersection(*(set(registered_events(plugin, each)) for each in RELEASES.values()))

    assert set(registered_events(plugin, release)) - always == VARYING[plugin, minor, gate, is_on]
    assert always


@pytest.mark.parametrize("plugin", PLUGINS)
def test_some_release_registers_each_event_of_a_plugin(plugin: str) -> None:
    all_on = [release.with_gates(dict.fromkeys(release.known_gates, True)) for release in RELEASES.values()]

    assert {event for release in all_on for event in registered_events(plugin, release)} == {*requeue_events(plugin)}
