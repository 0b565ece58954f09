"""Who is let in by a session whose user somebody else vouches for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.contrib.auth.backends import BaseBackend

from dashboard.access.renewal import is_recent, renewed
from dashboard.models import Identity

if TYPE_CHECKING:
    from django.contrib.auth.models import User

PROVIDER_BACKEND: Final = "dashboard.access.backends.ProviderBackend"
PROXY_BACKEND: Final = "dashboard.access.backends.ProxyBackend"
# Who vouches for those whom a proxy signs in.
PROXY: Final = "proxy"


class ProviderBackend(BaseBackend):
    """Lets in who signed in at the identity provider, on pages and websockets, while that vouches for the user."""

    def get_user(self, user_id: int) -> User | None:
        identity = _identity(user_id, settings.BERTH_OIDC_ISSUER)
        if identity is None:
            return None
        identity = renewed(identity)
        is_let_in = not identity.is_refused and is_recent(identity, settings.BERTH_OIDC_SESSION)
        return identity.user if is_let_in else None


class ProxyBackend(BaseBackend):
    """Knows whom a proxy signed in; dashboard.access.proxy looks whether it says so with each request."""

    def get_user(self, user_id: int) -> User | None:
        identity = _identity(user_id, PROXY) if settings.BERTH_PROXY_USER_HEADER else None
        return None if identity is None else identity.user


def _identity(user_id: int, issuer: str) -> Identity | None:
    active = Identity.objects.select_related("user").filter(user__is_active=True)
    return active.filter(user=user_id, issuer=issuer).first()


def is_vouched_for(user_id: int, backend: str | None) -> bool:
    """Tell whether a session of a user is still good while nothing but its websockets is open."""
    if backend == PROVIDER_BACKEND:
        return ProviderBackend().get_user(user_id) is not None
    if backend == PROXY_BACKEND:
        identity = _identity(user_id, PROXY)
        return identity is not None and is_recent(identity, settings.BERTH_OIDC_SESSION)
    return True
