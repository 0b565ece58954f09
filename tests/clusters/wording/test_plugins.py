"""Every plugin that is registered has words; whoever adds one is told here which are missing."""

from __future__ import annotations

import sys

import pytest
from django.conf import settings

from clusters.engine import SchedulerConfiguration
from clusters.engine.configuration import compare_profiles
from clusters.engine.plugin import Plugin
from clusters.engine.registry import PLUGINS, module_of
from clusters.engine.versions import NEWEST, RELEASES
from clusters.wording.plugins import PluginWording, requeues_of, wording_of, wording_of_reason


def where(plugin: str) -> str:
    return f"clusters/wording/plugins/{module_of(plugin)}.py"


@pytest.mark.parametrize("plugin", PLUGINS)
def test_plugin_has_words(plugin: str) -> None:
    path = settings.BASE_DIR / where(plugin)
    assert path.exists(), f"{plugin} has no words: write class Wording(PluginWording) in {where(plugin)}"

    assert wording_of(plugin).decides() != PluginWording().decides(), f"say in {where(plugin)} what {plugin} decides"


@pytest.mark.parametrize("plugin", PLUGINS)
def test_words_are_there_for_every_event_that_requeues(plugin: str) -> None:
    said = [event for requeue in wording_of(plugin).requeued_when() for event in requeue.events]

    assert sorted(said) == sorted(PLUGINS[plugin].requeue_on), (
        f"{plugin}: requeued_when of {where(plugin)} and requeue_on of clusters/engine/plugins/{module_of(plugin)}.py "
        "name other events"
    )


@pytest.mark.parametrize("plugin", [name for name, plugin in PLUGINS.items() if plugin.skips_for_good])
def test_plugin_that_skips_says_why(plugin: str) -> None:
    foreign = PluginWording().nothing_to_filter()

    assert wording_of(plugin).nothing_to_filter() != foreign, (
        f"say in {where(plugin)} when {plugin} has nothing to check"
    )


@pytest.mark.parametrize("plugin", [name for name, plugin in PLUGINS.items() if plugin.filter is not Plugin.filter])
def test_plugin_that_filters_says_what_lifts_it(plugin: str) -> None:
    assert wording_of(plugin).lifting_all() != PluginWording().lifting_all(), f"say in {where(plugin)} what lifts it"


def reasons_of(plugin: str) -> list[str]:
    """Return every constant reason of a plugin's module for rejecting a node."""
    values = vars(sys.modules[PLUGINS[plugin].__module__]).values()
    return sorted({value for value in values if isinstance(value, str) and value.startswith(("node(s) ", "Too many "))})


REASONS = [(plugin, reason) for plugin in PLUGINS for reason in reasons_of(plugin)]


@pytest.mark.parametrize(("plugin", "reason"), REASONS)
def test_every_reason_of_a_plugin_has_words(plugin: str, reason: str) -> None:
    one, several = wording_of(plugin).reason(reason, 1), wording_of(plugin).reason(reason, 12)

    assert one is not None, f"say in reason() of {where(plugin)} what this means: {reason}"
    assert several is not None
    assert one.counted.startswith("1 node ")
    assert several.counted.startswith("12 nodes ")
    assert one.phrase
    assert wording_of(plugin).cause([reason]) == one.cause != ""


@pytest.mark.parametrize("plugin", [name for name, plugin in PLUGINS.items() if plugin.filter is not Plugin.filter])
def test_reason_of_nobody_has_no_words(plugin: str) -> None:
    assert wording_of(plugin).reason("of a plugin unheard of", 1) is None


@pytest.mark.parametrize(("plugin", "reason"), REASONS)
def test_reason_is_worded_by_its_own_plugin(plugin: str, reason: str) -> None:
    assert wording_of_reason(reason) is wording_of(plugin)


DEFAULT = SchedulerConfiguration.default().profiles[0]
SETTINGS = [(each.plugin, each.name) for each in compare_profiles(DEFAULT, DEFAULT).settings if each.plugin]


@pytest.mark.parametrize(("plugin", "field"), SETTINGS)
def test_every_argument_of_a_plugin_says_what_it_is_about(plugin: str, field: str) -> None:
    assert wording_of(plugin).argument(field), f"say in {where(plugin)} what {field} is about"
    assert wording_of(plugin).argument("noSuchField") == ""


def test_module_of_words_belongs_to_a_plugin() -> None:
    modules = {path.stem for path in (settings.BASE_DIR / "clusters/wording/plugins").glob("*.py")}

    assert modules == {*map(module_of, PLUGINS), "__init__", "plugin_wording"}


def test_foreign_plugin_is_spoken_of_as_one() -> None:
    said = wording_of("OurOwnPlugin")

    assert said.decides() == "not part of Kubernetes"
    assert said.nothing_to_filter() == "Nothing to check: its PreFilter returns Skip for this pod."
    assert said.requeued_when() == ()


def test_requeues_are_those_of_the_release() -> None:
    before, now = (
        {each.when for each in requeues_of("DynamicResources", release)} for release in (RELEASES["1.36"], NEWEST)
    )

    assert now - before == {"a resource claim is deleted"}
    assert before <= now
