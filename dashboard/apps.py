"""The web ring as a Django app."""

from __future__ import annotations

from django.apps import AppConfig
from django.urls import register_converter

from dashboard.converters import NameConverter


class DashboardConfig(AppConfig):
    """Pages, live regions and sign-in."""

    name = "dashboard"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        register_converter(NameConverter, "name")
