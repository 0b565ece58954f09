"""How users sign in to this installation, which its settings say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urljoin

from django.conf import settings
from django.urls import reverse

if TYPE_CHECKING:
    from django.http import HttpRequest

# In the session of whoever signed in at the identity provider: what tells it whom to sign out.
ID_TOKEN: Final = "provider_id_token"  # noqa: S105 - the name of a field


def ways_in() -> dict[str, Any]:
    """Return for templates which ways there are, and the identity provider's name."""
    return {
        "by_link": settings.BERTH_SIGNIN_LINKS,
        "by_password": settings.BERTH_SIGNIN_PASSWORDS,
        "provider": settings.BERTH_OIDC_ISSUER and settings.BERTH_OIDC_NAME,
    }


def public_address(request: HttpRequest, name: str) -> str:
    """Return where a page is for others, such as the identity provider: below the address that people open."""
    return urljoin(settings.BERTH_BASE_URL or request.build_absolute_uri("/"), reverse(name))
