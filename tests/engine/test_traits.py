"""What every plugin has to say of itself; whoever adds one is told here what is missing."""

from __future__ import annotations

import pytest

from clusters.engine.plugin import Plugin
from clusters.engine.registry import PLUGINS, module_of, requeue_events
from clusters.engine.traits import ClusterEvent
from clusters.engine.versions import NEWEST, ExtensionPoint

REJECTING = {ExtensionPoint.PRE_ENQUEUE, ExtensionPoint.PRE_FILTER, ExtensionPoint.FILTER}
COMPUTED = {"pre_filter": ExtensionPoint.PRE_FILTER, "filter": ExtensionPoint.FILTER, "score": ExtensionPoint.SCORE}


@pytest.mark.parametrize("name", PLUGINS)
def test_plugin_says_what_it_is(name: str) -> None:
    plugin = PLUGINS[name]
    stated = {trait for trait in ("name", "reads", "colour") if trait in vars(plugin)}

    missing = {"name", "reads", "colour"} - stated
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

    assert overridden <= NEWEST.points[name], f"{name}: clusters/engine/versions/minors.py lists other points"


def test_no_two_plugins_have_one_colour() -> None:
    colours = [plugin.colour for plugin in PLUGINS.values()]

    assert sorted(colours) == sorted(set(colours)), "choose a --plugin- token of static/css/tokens.css that is free"


def test_what_is_read_says_how_long_an_answer_lasts() -> None:
    assert all(PLUGINS[name].is_fixed() for name in ("NodeName", "NodeAffinity", "TaintToleration", "ImageLocality"))
    for name in ("NodeResourcesFit", "NodeResourcesBalancedAllocation"):
        assert PLUGINS[name].is_local()
        assert not PLUGINS[name].is_fixed()
    assert not any(PLUGINS[name].is_local() for name in ("NodePorts", "PodTopologySpread", "VolumeZone"))


def test_foreign_plugins_are_requeued_by_nothing_that_is_known() -> None:
    assert requeue_events("OurOwnPlugin") == ()
    assert requeue_events("NodeName") == (ClusterEvent.NODE_ADD,)
