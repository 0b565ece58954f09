"""Addresses that the API does not have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.wording.api.errors import NO_ADDRESS
from dashboard.api.answering import speaks_json
from dashboard.api.errors import not_found

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@speaks_json
def unknown(request: HttpRequest, rest: str = "") -> HttpResponse:
    """Say so in JSON."""
    raise not_found(request, str(NO_ADDRESS))
