"""The data ring as a Django app."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.apps import AppConfig

from clusters.engine.expressions import install

if TYPE_CHECKING:
    from clusters.engine.devices import Selector
    from clusters.engine.versions import Dialect


def _compiled_selector(expression: str, dialect: Dialect) -> Selector:
    # Few clusters have devices that are selected by expressions.
    from clusters.adapters.cel import compiled_selector

    return compiled_selector(expression, dialect)


class ClustersConfig(AppConfig):
    """Models, adapters and services of the clusters that Berth mirrors."""

    name = "clusters"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Let the engine evaluate CEL expressions, which it leaves to an adapter."""
        install(_compiled_selector)
