"""Every websocket. The gate in dashboard.asgi lets only signed-in users of our own origin through to here."""

from __future__ import annotations

from typing import Any

# Channels wants a subtype of URLPattern that no public function returns.
websocket_urlpatterns: list[Any] = []
