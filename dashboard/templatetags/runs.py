"""Links that begin a simulation with a change in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import template

if TYPE_CHECKING:
    from collections.abc import Mapping

register = template.Library()


@register.simple_tag
def simulate(cluster: str, change: str, **fields: Any) -> str:
    """Return the address of the map on which one change is asked; a single node may be given for `nodes`."""
    # Django loads all template tags before the first page; what they write is loaded with the pages that do.
    from dashboard.presenters.runs.listing import asked_url

    nodes = fields.get("nodes")
    if isinstance(nodes, str):
        fields["nodes"] = [nodes]
    return asked_url(cluster, {"change": change, **fields})


@register.simple_tag
def simulate_pod(cluster: str, document: Mapping[str, Any] | None) -> str:
    """Return the address of the form that adds a pod like this one; empty for one too long for an address."""
    from dashboard.presenters.runs.listing import like_pod, simulate_url

    return "" if document is None else simulate_url(cluster, {"change": "add-workload", "manifest": like_pod(document)})
