"""The web ring as a Django app."""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.apps import AppConfig
from django.db.backends.signals import connection_created
from django.urls import register_converter

from clusters.signals import snapshot_ready
from dashboard.converters import AnythingConverter, NameConverter, PathNameConverter

if TYPE_CHECKING:
    from django.db.backends.base.base import BaseDatabaseWrapper


class DashboardConfig(AppConfig):
    """Pages, live regions and sign-in."""

    name = "dashboard"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        # Hears who signs in and out.
        import_module("dashboard.access.audit")
        snapshot_ready.connect(_announce, dispatch_uid="dashboard.announce")
        register_converter(NameConverter, "name")
        register_converter(PathNameConverter, "path_name")
        register_converter(AnythingConverter, "anything")
        connection_created.connect(_keep_private, dispatch_uid="dashboard.private_database")


def _announce(**change: Any) -> None:
    """Tell open pages of a change of a mirror; only a process that makes one loads what tells them."""
    from dashboard.live import broadcast

    broadcast.announce(**change)


def _keep_private(connection: BaseDatabaseWrapper, **_: object) -> None:
    """Let nobody else read a database of files; what SQLite adds beside it later gets the same mode."""
    if connection.vendor == "sqlite" and not connection.is_in_memory_db():  # type: ignore[attr-defined]
        for beside in ("", "-wal", "-shm"):
            with suppress(OSError):
                Path(f"{connection.settings_dict['NAME']}{beside}").chmod(0o600)
