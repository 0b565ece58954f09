"""Signing in by a proxy in front of Berth, which says in a header whom it has signed in; nobody else is believed."""

from __future__ import annotations

import logging
import time
from ipaddress import IPv6Address, ip_address
from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, login
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.signals import user_login_failed
from django.core.exceptions import MiddlewareNotUsed
from django.shortcuts import render
from django.utils import timezone
from django.utils.deprecation import MiddlewareMixin
from msgspec import Struct

from clusters.wording.access import sign_in as words
from dashboard.access.backends import PROXY, PROXY_BACKEND
from dashboard.access.identities import Account, DisabledError, follow_groups, user_of
from dashboard.http import ApiError
from dashboard.models import Identity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from django.http import HttpRequest, HttpResponse
    from django.http.response import HttpResponseBase

_log = logging.getLogger(__name__)

# In the session: whom the proxy named when it began, in which groups, and when that was noted last.
_CLAIM: Final = "proxy_claim"
_LONGEST: Final = 255


class ProxyClaim(Struct, frozen=True):
    """Whom a trusted proxy says that it has signed in, and in which groups."""

    name: str
    groups: tuple[str, ...]


def claim_of(address: str, user: str, groups: str) -> ProxyClaim | None:
    """Return what the headers of a request say; None where they come from elsewhere, or name nobody.

    ``address``: of whoever sent it, which is not what other headers say. A user's name with a comma is none: so do
    two headers arrive, one of which the proxy has not sent.
    """
    if not user or not _is_trusted(address):
        return None
    name = _text(user).strip()
    if not 0 < len(name) <= _LONGEST or "," in name or not name.isprintable():
        _log.warning("The proxy at %s names the user %r, which cannot be one.", address, name[:100])
        return None
    return ProxyClaim(name, tuple(filter(None, (each.strip() for each in _text(groups).split(",")))))


def _is_trusted(address: str) -> bool:
    try:
        found = ip_address(address)
    except ValueError:
        return False
    if isinstance(found, IPv6Address) and found.ipv4_mapped is not None:
        found = found.ipv4_mapped
    return any(found in network for network in settings.BERTH_TRUSTED_PROXIES)


def _text(header: str) -> str:
    """Return a header, which arrives as latin-1, as the UTF-8 that proxies send."""
    try:
        return header.encode("latin-1").decode()
    except UnicodeError:
        return header


def claim_of_handshake(scope: Any) -> ProxyClaim | None:
    """Return what the handshake of a websocket says."""
    client = scope.get("client")
    user, groups = (
        _joined(scope["headers"], name)
        for name in (settings.BERTH_PROXY_USER_HEADER, settings.BERTH_PROXY_GROUPS_HEADER)
    )
    return claim_of(client[0] if client else "", user, groups)


def _joined(headers: Iterable[tuple[bytes, bytes]], wanted: str) -> str:
    return ",".join(value.decode("latin-1") for name, value in headers if name.decode("latin-1") == wanted.lower())


def is_let_through(scope: Any) -> bool:
    """Tell whether the proxy names, with a websocket's handshake, whose session it is; others' sessions it need not."""
    session = scope["session"]
    if session.get(BACKEND_SESSION_KEY) != PROXY_BACKEND:
        return True
    claim = claim_of_handshake(scope)
    return claim is not None and claim.name == session[_CLAIM][0]


class ProxyUserMiddleware(MiddlewareMixin):
    """Signs in whom the proxy names, for as long as it does; who signed in otherwise, or has a token, stays that."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        if not settings.BERTH_PROXY_USER_HEADER:
            raise MiddlewareNotUsed
        super().__init__(get_response)

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        began_by = request.session.get(BACKEND_SESSION_KEY)
        is_ours = began_by == PROXY_BACKEND
        if hasattr(request, "api_token") or (request.user.is_authenticated and not is_ours):
            return None
        claim = _claim_of_request(request)
        if claim is None:
            # The session may be another browser's, or the proxy's may be over.
            request.user = AnonymousUser()
            return None
        if is_ours and request.user.is_authenticated and request.session[_CLAIM][0] == claim.name:
            _note(request, claim)
            return None
        return _signed_in(request, claim)


def _claim_of_request(request: HttpRequest) -> ProxyClaim | None:
    user, groups = (
        request.headers.get(name, "") for name in (settings.BERTH_PROXY_USER_HEADER, settings.BERTH_PROXY_GROUPS_HEADER)
    )
    return claim_of(request.META.get("REMOTE_ADDR", ""), user, groups)


def _signed_in(request: HttpRequest, claim: ProxyClaim) -> HttpResponse | None:
    try:
        user = user_of(PROXY, Account(subject=claim.name, names=(claim.name,), groups=claim.groups))
    except DisabledError:
        request.user = AnonymousUser()
        credentials = {"username": claim.name, "provider": PROXY}
        user_login_failed.send(sender=__name__, credentials=credentials, request=request)
        if request.path.startswith("/api/"):
            return ApiError(403, what=str(words.ACCOUNT_DISABLED), where=request.path, remedy="").response()
        return render(request, "registration/refused.html", {"reason": "disabled"}, status=403)
    login(request, user, backend=PROXY_BACKEND)
    request.session[_CLAIM] = [claim.name, list(claim.groups), time.time()]
    return None


def _note(request: HttpRequest, claim: ProxyClaim) -> None:
    """Note now and then that the proxy still names a user, and at once that it names other groups."""
    _, groups, noted_at = request.session[_CLAIM]
    if groups != list(claim.groups):
        follow_groups(request.user, claim.groups)  # type: ignore[arg-type] # who is signed in
    elif time.time() - noted_at < settings.BERTH_OIDC_RENEWAL.total_seconds():
        return
    Identity.objects.filter(user=request.user.pk).update(verified_at=timezone.now())
    request.session[_CLAIM] = [claim.name, list(claim.groups), time.time()]
