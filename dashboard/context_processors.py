"""What every template may use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.functional import SimpleLazyObject

from dashboard.nav import site_of

if TYPE_CHECKING:
    from django.http import HttpRequest


def site(request: HttpRequest) -> dict[str, object]:
    """Offer the page frame as `site`; a fragment that never mentions it costs no query."""
    return {"site": SimpleLazyObject(lambda: site_of(request.resolver_match))}
