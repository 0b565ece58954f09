"""Which nodes and pods went, as the journal keeps them: with what they were when they were last seen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from clusters.engine.objects import name_of, namespace_of
from clusters.models import Departure

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from clusters.models import Cluster

KINDS: Final = ("Node", "Pod")


def departure_of(
    cluster: Cluster, kind: str, document: Mapping[str, Any], at: datetime, *, is_late: bool = False
) -> Departure:
    """Return what is stored of an object that went."""
    row = Departure(
        cluster=cluster,
        kind=kind,
        uid=str((document.get("metadata") or {}).get("uid") or ""),
        namespace=namespace_of(document) if kind == "Pod" else "",
        name=name_of(document),
        node_name=str((document.get("spec") or {}).get("nodeName") or "") if kind == "Pod" else "",
        heard_at=at,
        is_late=is_late,
    )
    row.document = document
    return row
