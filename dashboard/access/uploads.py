"""The gate before large bodies: Django keeps a whole body on disk before its first middleware asks who sends it."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from channels.db import database_sync_to_async
from django.conf import settings
from django.contrib.auth import get_user
from django.http import HttpRequest, parse_cookie

from clusters.wording.access.sign_in import UPLOAD_REFUSED
from dashboard.access.permissions import may_change_clusters
from dashboard.access.tokens import token_of
from dashboard.forms.uploads import body_too_large
from dashboard.limits.bodies import Bound

# What a form adds to the file that it sends.
_FORM_BYTES = 1024 * 1024


async def bound_of(scope: Any) -> Bound:
    """Return what the sender of a request may send: a dump, or for whom may not, a form without one."""
    if await _may_upload(scope):
        return Bound(settings.BERTH_UPLOAD_LIMIT_BYTES + _FORM_BYTES, body_too_large())
    return Bound(settings.DATA_UPLOAD_MAX_MEMORY_SIZE, str(UPLOAD_REFUSED))


@database_sync_to_async
def _may_upload(scope: Any) -> bool:
    kind, _, text = dict(scope["headers"]).get(b"authorization", b"").decode("latin-1").partition(" ")
    if kind.lower() == "bearer":
        token = token_of(text.strip())
        return token is not None and token.may_write and may_change_clusters(token.user)
    cookies = parse_cookie("; ".join(value.decode("latin-1") for name, value in scope["headers"] if name == b"cookie"))
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(cookies.get(settings.SESSION_COOKIE_NAME))
    return may_change_clusters(get_user(request))
