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


class ProviderBackend(BaseBackend):
    """Lets in who signed in at the identity provider, on pages and websockets, while that vouches for the user."""

    def get_user(self, user_id: int) -> User | None:
        active = Identity.objects.select_related("user").filter(user__is_active=True)
        identity = active.filter(user=user_id, issuer=settings.BERTH_OIDC_ISSUER).first()
        if identity is None:
            return None
        identity = renewed(identity)
        is_let_in = not identity.is_refused and is_recent(identity, settings.BERTH_OIDC_SESSION)
        return identity.user if is_let_in else None
