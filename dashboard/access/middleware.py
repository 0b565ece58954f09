"""The gate before every view, and one header that Django has no setting for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.http import HttpResponse, JsonResponse
from django.shortcuts import resolve_url
from django.utils.deprecation import MiddlewareMixin

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

_PERMISSIONS_POLICY = ", ".join(
    f"{feature}=()" for feature in ("camera", "display-capture", "geolocation", "microphone", "payment", "usb")
)


class PermissionsPolicyMiddleware(MiddlewareMixin):
    """Tells the browser that no page needs a camera, a place or a purse."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        response["Permissions-Policy"] = _PERMISSIONS_POLICY
        return response


class SignInRequiredMiddleware(LoginRequiredMiddleware):
    """Turns a stranger away in the way that the asking client understands."""

    def process_view(
        self,
        request: HttpRequest,
        view_func: Callable[..., HttpResponseBase],
        view_args: tuple[Any, ...],
        view_kwargs: dict[str, Any],
    ) -> HttpResponseBase | None:
        refusal = super().process_view(request, view_func, view_args, view_kwargs)
        if refusal is None:
            return None
        if request.path.startswith("/api/"):
            error = {
                "what": "Nobody is signed in.",
                "where": request.path,
                "remedy": f"Sign in at {resolve_url(settings.LOGIN_URL)} and send the session's cookie.",
            }
            return JsonResponse({"error": error}, status=401)
        if request.headers.get("HX-Request"):
            # A redirect would put the sign-in page inside the fragment's place.
            return HttpResponse(status=401, headers={"HX-Redirect": resolve_url(settings.LOGIN_URL)})
        return refusal
