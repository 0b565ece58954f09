"""Addresses that the API does not have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dashboard.api.errors import answers_json, not_found

if TYPE_CHECKING:
    from django.http import HttpResponse

    from dashboard.http import PageRequest


@answers_json
def unknown(request: PageRequest, rest: str = "") -> HttpResponse:
    """Say so in JSON."""
    raise not_found(request, "The API has no such address.")
