"""What people read about each plugin: one module for each, named as the plugin's own, with a class ``Wording``."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from clusters.engine.registry import PLUGINS, module_of, registered_events
from clusters.wording.plugins.plugin_wording import PluginWording, Reason, Requeue

if TYPE_CHECKING:
    from clusters.engine.versions import Release

__all__ = ["PluginWording", "Reason", "Requeue", "requeues_of", "wording_of", "wording_of_reason"]

_FOREIGN = PluginWording()


def _wording(name: str) -> PluginWording:
    wording: PluginWording = import_module(f"{__name__}.{module_of(name)}").Wording()
    return wording


_WORDINGS = {name: _wording(name) for name in PLUGINS}


def wording_of(plugin: str) -> PluginWording:
    """Return how Berth speaks of a plugin."""
    return _WORDINGS.get(plugin, _FOREIGN)


def requeues_of(plugin: str, release: Release) -> tuple[Requeue, ...]:
    """Return what requeues a pod in a release that a plugin rejected, with the events that stand for it there."""
    events = registered_events(plugin, release)
    found = (
        each._replace(events=tuple(event for event in each.events if event in events))
        for each in wording_of(plugin).requeued_when()
    )
    return tuple(each for each in found if each.events)


def wording_of_reason(reason: str) -> PluginWording | None:
    """Return how Berth speaks of the plugin that rejects nodes for a reason; None where no plugin's words know it."""
    return next((wording for wording in _WORDINGS.values() if wording.reason(reason, 1)), None)
