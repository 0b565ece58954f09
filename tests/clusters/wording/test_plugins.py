"""Every plugin that is registered has words; whoever adds one is told here which are missing."""

from __future__ import annotations

import pytest

from clusters.engine import SchedulerConfiguration
from clusters.engine.configuration import compare_profiles
from clusters.engine.plugin import ClusterEvent, Plugin
from clusters.engine.registry import PLUGINS
from clusters.engine.versions import NEWEST, RELEASES
from clusters.wording.plugins import PluginWords, argument, wording_of
from clusters.wording.plugins.words import WORDS
from clusters.wording.requeues import REQUEUES, requeues_of

WHERE = "clusters/wording/plugins/words.py"


def test_every_plugin_has_words_and_nobody_else() -> None:
    assert WORDS.keys() == PLUGINS.keys(), f"say in {WHERE} what each decides"


def test_words_are_there_for_every_event_that_requeues() -> None:
    assert sorted(event for requeue in REQUEUES for event in requeue.events) == sorted(ClusterEvent)


@pytest.mark.parametrize("plugin", [name for name, plugin in PLUGINS.items() if plugin.filter is not Plugin.filter])
def test_plugin_that_filters_says_what_lifts_it(plugin: str) -> None:
    assert wording_of(plugin).lifting_all() != PluginWords().lifting_all(), f"say in {WHERE} what lifts it"


DEFAULT = SchedulerConfiguration.default().profiles[0]
SETTINGS = [(each.plugin, each.name) for each in compare_profiles(DEFAULT, DEFAULT).settings if each.plugin]


@pytest.mark.parametrize(("plugin", "field"), SETTINGS)
def test_every_argument_of_a_plugin_says_what_it_is_about(plugin: str, field: str) -> None:
    assert argument(plugin, field), f"say in {WHERE} what {field} is about"
    assert argument(plugin, "noSuchField") == ""


def test_requeues_are_those_of_the_release() -> None:
    before, now = (
        {each.when() for each in requeues_of("DynamicResources", release)} for release in (RELEASES["1.36"], NEWEST)
    )

    assert now - before == {"a resource claim is deleted"}
    assert before <= now
