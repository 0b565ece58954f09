"""Rules about labels of nodes that NodeLabel checked, as the node affinity that every pod of a profile has.

Upstream: ``pkg/scheduler/framework/plugins/nodelabel``, v1.22.17; its predicate looked at keys alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable


def added_affinity(present: Iterable[str], absent: Iterable[str]) -> dict[str, Any]:
    """Return the affinity that nodes match which have all labels of ``present`` and none of ``absent``."""
    expressions = [
        *({"key": key, "operator": "Exists"} for key in present),
        *({"key": key, "operator": "DoesNotExist"} for key in absent),
    ]
    required = {"nodeSelectorTerms": [{"matchExpressions": expressions}]}
    return {"requiredDuringSchedulingIgnoredDuringExecution": required}
