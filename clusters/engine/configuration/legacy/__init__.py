"""Configurations that only earlier kube-schedulers read, as today's: a Policy, and former versions of the API."""

from __future__ import annotations

from clusters.engine.configuration.legacy.policy import translate_policy
from clusters.engine.configuration.legacy.translation import LegacyNote, PluginRole, TranslatedEntry, Translation
from clusters.engine.configuration.legacy.versions import FORMER_VERSIONS, translate_version

__all__ = [
    "FORMER_VERSIONS",
    "LegacyNote",
    "PluginRole",
    "TranslatedEntry",
    "Translation",
    "translate_policy",
    "translate_version",
]
