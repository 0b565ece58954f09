"""The data ring as a Django app."""

from __future__ import annotations

from django.apps import AppConfig


class ClustersConfig(AppConfig):
    """Models, adapters and services of the clusters that Berth mirrors."""

    name = "clusters"
    default_auto_field = "django.db.models.BigAutoField"
