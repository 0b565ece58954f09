"""Every plugin that is registered has words; whoever adds one is told here which are missing."""

from __future__ import annotations

import pytest

from clusters.engine import SchedulerConfiguration
from clusters.engine.configuration import compare_profiles
from clusters.engine.plugin import Plugin
from clusters.engine.registry import PLUGINS, module_of
from clusters.engine.versions import NEWEST, RELEASES
from clusters.wording.plugins import PluginWords, argument, requeues_of, wording_of
from clusters.wording.plugins.words import WORDS

WHERE = "clusters/wording/plugins/words.py"


def test_every_plugin_has_words_and_nobody_else() -> None:
    assert WORDS.keys() == PLUGINS.keys(), f"say in {WHERE} what each decides"


@pytest.mark.parametrize("plugin", PLUGINS)
def test_words_are_there_for_every_event_that_requeues(plugin: str) -> None:
    said = [event for requeue in wording_of(plugin).requeued_when for event in requeue.events]

    assert sorted(said) == sorted(PLUGINS[plugin].requeue_on), (
        f"{plugin}: requeued_when of {WHERE} and requeue_on of clusters/engine/plugins/{module_of(plugin)}.py "
        "name other events"
    )


@pytest.mark.parametrize("plugin", [name for name, plugin in PLUGINS.items() if plugin.skips_for_good])
def test_plugin_that_skips_says_why(plugin: str) -> None:
    foreign = PluginWords().nothing_to_filter()

    assert wording_of(plugin).nothing_to_filter() != foreign, f"say in {WHERE} when {plugin} has nothing to check"


@pytest.mark.parametrize("plugin", [name for name, plugin in PLUGINS.items() if plugin.filter is not Plugin.filter])
def test_plugin_that_filters_says_what_lifts_it(plugin: str) -> None:
    assert wording_of(plugin).lifting_all() != PluginWords().lifting_all(), f"say in {WHERE} what lifts it"


DEFAULT = SchedulerConfiguration.default().profiles[0]
SETTINGS = [(each.plugin, each.name) for each in compare_profiles(DEFAULT, DEFAULT).settings if each.plugin]


@pytest.mark.parametrize(("plugin", "field"), SETTINGS)
def test_every_argument_of_a_plugin_says_what_it_is_about(plugin: str, field: str) -> None:
    assert argument(plugin, field), f"say in {WHERE} what {field} is about"
    assert argument(plugin, "noSuchField") == ""


def test_foreign_plugin_is_spoken_of_as_one() -> None:
    said = wording_of("OurOwnPlugin")

    assert said.decides() == "not part of Kubernetes"
    assert said.nothing_to_filter() == "Nothing to check: its PreFilter returns Skip for this pod."
    assert said.requeued_when == ()


def test_requeues_are_those_of_the_release() -> None:
    before, now = (
        {each.when() for each in requeues_of("DynamicResources", release)} for release in (RELEASES["1.36"], NEWEST)
    )

    assert now - before == {"a resource claim is deleted"}
    assert before <= now
