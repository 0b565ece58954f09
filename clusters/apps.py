"""The data ring as a Django app."""

from __future__ import annotations

from django.apps import AppConfig

from clusters.adapters.cel import compiled_selector
from clusters.engine.devices import install


class ClustersConfig(AppConfig):
    """Models, adapters and services of the clusters that Berth mirrors."""

    name = "clusters"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Let the engine evaluate CEL expressions, which it leaves to an adapter."""
        install(compiled_selector)
