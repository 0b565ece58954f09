"""The web ring: settings, pages, websockets and the API over what `clusters` knows."""

from __future__ import annotations

# Tasks declared by shared_task find their application here, in every process that loads Django.
from dashboard.celery import app as celery_app

__all__ = ["celery_app"]
