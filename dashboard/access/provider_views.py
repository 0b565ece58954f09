"""Signing in at the identity provider: there, and back again."""

from __future__ import annotations

import json
import logging
import re
from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from django.contrib.auth import REDIRECT_FIELD_NAME, login
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.signals import user_login_failed
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render, resolve_url
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_safe

from dashboard.access import provider
from dashboard.access.backends import PROVIDER_BACKEND
from dashboard.access.identities import DisabledError, user_of
from dashboard.access.ways_in import ID_TOKEN, public_address, ways_in

if TYPE_CHECKING:
    from django.contrib.auth.models import User

_log = logging.getLogger(__name__)

# What a browser keeps while it is at the provider: a signed cookie for each sign-in that it began, by its state.
_COOKIE: Final = "berth_provider_"
# Seconds that somebody may take to sign in there.
_PATIENCE: Final = 600
_STATE: Final = re.compile(r"[A-Za-z0-9_-]{16,128}")


@login_not_required
@require_safe
def begin(request: HttpRequest) -> HttpResponse:
    """Send a browser to the provider; what it needs on its return it keeps itself."""
    _expect_provider()
    try:
        begun = provider.begin(_return_address(request))
    except provider.UnreachableError as error:
        return _unreachable(request, error)
    kept = {"nonce": begun["nonce"], "code_verifier": begun["code_verifier"], "next": _next(request)}
    response = HttpResponseRedirect(begun["url"])
    response.set_signed_cookie(
        f"{_COOKIE}{begun['state']}",
        json.dumps(kept),
        salt=_COOKIE,
        max_age=_PATIENCE,
        path=reverse("sign-in-provider"),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return response


@login_not_required
@require_safe
def come_back(request: HttpRequest) -> HttpResponse:
    """Sign in whom the provider vouches for, where this browser began to sign in there."""
    _expect_provider()
    state = request.GET.get("state", "")
    kept = _kept(request, state)
    if kept is None:
        _log.warning("A sign-in with the identity provider was not begun by this browser, or too long ago.")
        return _refused(request, "lost", status=403)
    response = _signed_in(request, kept)
    response.delete_cookie(f"{_COOKIE}{state}", path=reverse("sign-in-provider"))
    return response


def _signed_in(request: HttpRequest, kept: dict[str, Any]) -> HttpResponse:
    if "error" in request.GET:
        _log.warning("The identity provider refused a sign-in: %r.", request.GET["error"][:200])
        return _failed(request, "rejected")
    names: tuple[str, ...] = ()
    try:
        account = provider.finish(
            code=request.GET.get("code", ""),
            return_to=_return_address(request),
            nonce=kept["nonce"],
            code_verifier=kept["code_verifier"],
        )
        names = (*account.names, account.subject)
        user = user_of(settings.BERTH_OIDC_ISSUER, account)
    except provider.UnreachableError as error:
        return _unreachable(request, error)
    except (provider.RejectedError, ValueError) as error:
        _log.warning("A sign-in with the identity provider is rejected: %s", error)
        return _failed(request, "rejected")
    except provider.NotAdmittedError as error:
        _log.warning("A sign-in with the identity provider is not admitted: %s", error)
        return _failed(request, "not-admitted")
    except DisabledError:
        _log.warning("A sign-in with the identity provider is refused, as the user %r is disabled.", names[0])
        return _failed(request, "disabled", names[0])
    return _let_in(request, user, account.id_token, kept["next"])


def _let_in(request: HttpRequest, user: User, id_token: str, following: str) -> HttpResponse:
    login(request, user, backend=PROVIDER_BACKEND)
    request.session[ID_TOKEN] = id_token
    return HttpResponseRedirect(following if _is_ours(request, following) else resolve_url(settings.LOGIN_REDIRECT_URL))


def _expect_provider() -> None:
    if not settings.BERTH_OIDC_ISSUER:
        raise Http404


def _return_address(request: HttpRequest) -> str:
    return public_address(request, "sign-in-provider-return")


def _next(request: HttpRequest) -> str:
    following = request.GET.get(REDIRECT_FIELD_NAME, "")
    return following if _is_ours(request, following) else ""


def _is_ours(request: HttpRequest, address: str) -> bool:
    return url_has_allowed_host_and_scheme(
        address, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )


def _kept(request: HttpRequest, state: str) -> dict[str, Any] | None:
    """Return what this browser kept when it began the sign-in of a state."""
    if not _STATE.fullmatch(state):
        return None
    text = request.get_signed_cookie(f"{_COOKIE}{state}", default=None, salt=_COOKIE, max_age=_PATIENCE)
    kept: dict[str, Any] | None = json.loads(text) if text else None
    return kept


def _unreachable(request: HttpRequest, error: Exception) -> HttpResponse:
    _log.error("The identity provider cannot be asked: %s", error)
    return _refused(request, "unreachable", status=503)


def _failed(request: HttpRequest, reason: str, name: str = "") -> HttpResponse:
    credentials = {"username": name, "provider": settings.BERTH_OIDC_ISSUER}
    user_login_failed.send(sender=__name__, credentials=credentials, request=request)
    return _refused(request, reason, status=403)


def _refused(request: HttpRequest, reason: str, *, status: int) -> HttpResponse:
    return render(request, "registration/refused.html", {"reason": reason, **ways_in()}, status=status)
