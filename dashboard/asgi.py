"""The ASGI application: pages by Django, websockets by Channels."""

from __future__ import annotations

import os

from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import AllowedHostsOriginValidator
from channels.sessions import CookieMiddleware
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dashboard.settings")
# Django's apps are loaded here; consumers import models, so routing can only be imported afterwards.
_pages = get_asgi_application()

from django.conf import settings  # noqa: E402
from django.db import connection  # noqa: E402

from dashboard.access.websocket import Gates, ParticipantsOnly, SameOriginOnly, SignedInOnly  # noqa: E402
from dashboard.limits.bodies import LimitedBody, bound_of  # noqa: E402
from dashboard.routing import SEAT_SOCKET, seat_consumer, websocket_urlpatterns  # noqa: E402

# Seconds. Workers wait longer for another writer; whoever waits for a page is told to try again.
_PATIENCE = 5
if connection.vendor == "sqlite":
    settings.DATABASES["default"]["OPTIONS"]["timeout"] = _PATIENCE

application = ProtocolTypeRouter(
    {
        "http": LimitedBody(_pages, anybody=settings.DATA_UPLOAD_MAX_MEMORY_SIZE, bound_of=bound_of),
        # Ours first: Channels refuses hosts by a consumer, which opens the channel layer.
        "websocket": SameOriginOnly(
            AllowedHostsOriginValidator(
                Gates(
                    {SEAT_SOCKET: CookieMiddleware(ParticipantsOnly(seat_consumer))},
                    others=AuthMiddlewareStack(SignedInOnly(URLRouter(websocket_urlpatterns))),
                )
            )
        ),
    }
)
