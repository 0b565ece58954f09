"""The web ring: settings, pages, websockets and the API over what `clusters` knows."""

from __future__ import annotations

__version__ = "0.1.0"
