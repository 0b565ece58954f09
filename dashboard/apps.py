"""The web ring as a Django app."""

from __future__ import annotations

from django.apps import AppConfig
from django.urls import register_converter

from dashboard.converters import NameConverter, PathNameConverter


class DashboardConfig(AppConfig):
    """Pages, live regions and sign-in."""

    name = "dashboard"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # Not before the models are there, which the signal's sender is one of.
        from dashboard.live import broadcast

        broadcast.connect()
        register_converter(NameConverter, "name")
        register_converter(PathNameConverter, "path_name")
