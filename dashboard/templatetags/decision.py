"""Addresses of the parts of a decision."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import template

if TYPE_CHECKING:
    from dashboard.explained import Case

register = template.Library()

_QUERY = "query_"


@register.simple_tag(takes_context=True)
def part(context: template.Context, name: str = "", page: int = 0, **values: Any) -> str:
    """Return the address of a part of the decision at hand; it keeps the profile that was asked for.

    A value whose name begins with `query_` goes into the query, the others into the path.
    """
    case: Case = context["case"]
    asked = [(key.removeprefix(_QUERY), str(value)) for key, value in values.items() if key.startswith(_QUERY)]
    named = {key: value for key, value in values.items() if not key.startswith(_QUERY)}
    return case.part_address(name, [("page", str(page or "")), *asked], **named)


@register.simple_tag(takes_context=True)
def node_page(context: template.Context, name: str) -> str:
    """Return where more about a node is than the decision at hand says."""
    case: Case = context["case"]
    return case.node_address(name)


@register.simple_tag(takes_context=True)
def pod_page(context: template.Context, namespace: str, name: str) -> str:
    """Return where the decision about another pod is."""
    case: Case = context["case"]
    return case.pod_address(namespace, name)
