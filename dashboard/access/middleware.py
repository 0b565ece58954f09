"""The gate before every view, for users, participants and programs, and headers that Django has no setting for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import resolve_url
from django.urls import reverse
from django.utils.deprecation import MiddlewareMixin

from clusters.wording import api_answers as words
from dashboard.access.participants import SEAT, is_seat, participant_with
from dashboard.access.rules import API, SAFE_METHODS, check
from dashboard.access.tokens import token_of
from dashboard.http import ApiError

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http.response import HttpResponseBase

_CACHE_CONTROL = "private, no-store"
_PERMISSIONS_POLICY = ", ".join(
    f"{feature}=()" for feature in ("camera", "display-capture", "geolocation", "microphone", "payment", "usb")
)


def _stranger(**error: str) -> HttpResponse:
    """Refuse a program, and say how it is let in."""
    response = ApiError(401, **error).response()
    response["WWW-Authenticate"] = "Bearer"
    return response


def _seated(request: HttpRequest) -> HttpResponseBase | None:
    """Let a participant to the seat's addresses, and send everybody else to where one joins."""
    participant = participant_with(request.COOKIES)
    if participant is not None:
        request.participant = participant  # type: ignore[attr-defined]
        # Links of the player lead to the seat's addresses, also where the address itself is none of the player's.
        request.current_app = SEAT
        return None
    return _sent_to(request, reverse("join"))


def _sent_to(request: HttpRequest, address: str) -> HttpResponseBase:
    """Lead a browser somewhere else; a redirect alone would put that page inside the place of a fragment."""
    if request.headers.get("HX-Request"):
        return HttpResponse(status=401, headers={"HX-Redirect": address})
    return HttpResponseRedirect(address)


class PermissionsPolicyMiddleware(MiddlewareMixin):
    """Tells the browser that no page needs a camera, a place or a purse."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        response["Permissions-Policy"] = _PERMISSIONS_POLICY
        return response


class CacheControlMiddleware(MiddlewareMixin):
    """Keeps answers out of every cache, the browser's own included, unless a view decides otherwise.

    What is mirrored changes by the second, and is for nobody to see who goes back after somebody signed out.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        response.headers.setdefault("Cache-Control", _CACHE_CONTROL)
        return response


class TokenMiddleware(MiddlewareMixin):
    """Lets a program into the API in its user's name, by the token that it sends."""

    def process_request(self, request: HttpRequest) -> HttpResponseBase | None:
        kind, _, text = request.headers.get("Authorization", "").partition(" ")
        if not request.path.startswith("/api/") or kind.lower() != "bearer":
            return None
        token = token_of(text.strip())
        if token is None:
            return _stranger(
                what=str(words.TOKEN_REJECTED), where="Authorization", remedy=str(words.MAKE_TOKEN), code="InvalidToken"
            )
        if request.method not in SAFE_METHODS and not token.may_write:
            return ApiError(
                403,
                code="ReadOnlyToken",
                what=words.READ_ONLY_TOKEN(token=token.name),
                where="Authorization",
                remedy=str(words.MAKE_WRITE_TOKEN),
            ).response()
        request.user = token.user
        # Who knows a token needs no second secret against requests that a foreign page forges.
        request._dont_enforce_csrf_checks = True  # type: ignore[attr-defined]
        request.api_token = token  # type: ignore[attr-defined]
        return None


class SignInRequiredMiddleware(LoginRequiredMiddleware):
    """Turns a stranger away in the way that the asking client understands, and a user from what is not theirs.

    Participants of a classroom are no users: their token opens the addresses of their seat, and a user is none of them.
    """

    def process_view(
        self,
        request: HttpRequest,
        view_func: Callable[..., HttpResponseBase],
        view_args: tuple[Any, ...],
        view_kwargs: dict[str, Any],
    ) -> HttpResponseBase | None:
        if is_seat(request):
            return _seated(request)
        refusal = super().process_view(request, view_func, view_args, view_kwargs)
        if refusal is None:
            match = request.resolver_match
            # Operations of the API ask by themselves, and refuse in JSON.
            if match is not None and match.namespace != API and getattr(view_func, "login_required", True):
                check(match, request.user, acts=request.method not in SAFE_METHODS)
            return None
        if request.path.startswith("/api/"):
            return _stranger(
                what=str(words.NOT_SIGNED_IN),
                where=request.path,
                remedy=words.SIGN_IN_AT(address=resolve_url(settings.LOGIN_URL)),
            )
        if request.headers.get("HX-Request"):
            return _sent_to(request, resolve_url(settings.LOGIN_URL))
        return refusal
