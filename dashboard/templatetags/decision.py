"""Addresses of the parts of a decision."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import template

if TYPE_CHECKING:
    from dashboard.explained_pods import ExplainedPod

register = template.Library()

_QUERY = "query_"


@register.simple_tag(takes_context=True)
def part(context: template.Context, name: str = "", page: int = 0, **values: Any) -> str:
    """Return the address of a part of the decision at hand; it keeps the profile that was asked for.

    A value whose name begins with `query_` goes into the query, the others into the path.
    """
    case: ExplainedPod = context["case"]
    asked = [(key.removeprefix(_QUERY), str(value)) for key, value in values.items() if key.startswith(_QUERY)]
    named = {key: value for key, value in values.items() if not key.startswith(_QUERY)}
    return case.part_address(name, [("page", str(page or "")), *asked], **named)
