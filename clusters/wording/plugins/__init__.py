"""What people read about each plugin: one module for each, named as the plugin's own, with a class ``Wording``."""

from __future__ import annotations

from importlib import import_module

from clusters.engine.registry import PLUGINS, module_of
from clusters.wording.plugins.plugin_wording import PluginWording, Reason, Requeue

__all__ = ["PluginWording", "Reason", "Requeue", "wording_of", "wording_of_reason"]

_FOREIGN = PluginWording()


def _wording(name: str) -> PluginWording:
    wording: PluginWording = import_module(f"{__name__}.{module_of(name)}").Wording()
    return wording


_WORDINGS = {name: _wording(name) for name in PLUGINS}


def wording_of(plugin: str) -> PluginWording:
    """Return how Berth speaks of a plugin."""
    return _WORDINGS.get(plugin, _FOREIGN)


def wording_of_reason(reason: str) -> PluginWording | None:
    """Return how Berth speaks of the plugin that rejects nodes for a reason; None where no plugin's words know it."""
    return next((wording for wording in _WORDINGS.values() if wording.reason(reason, 1)), None)
