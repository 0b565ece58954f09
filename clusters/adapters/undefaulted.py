"""Pods that never passed an API server: what admission would add to them, and which answers that would change.

An API server gives every pod the name of its scheduler, so that a pod without one was written by hand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from clusters.adapters.rows import OBJECT
from clusters.engine import Snapshot
from clusters.engine.admission import admit
from clusters.engine.admission.tolerations import DEFAULT_TOLERATIONS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from clusters.adapters.rows import Row
    from clusters.engine.admission import Addition

# As canonical JSON writes keys.
_ADMITTED = '"schedulerName":'
# Of a pod without any of these admission changes nothing that scheduling reads, unless a class or LimitRange says so.
_DEFAULTED = ('"limits":', '"priorityClassName":', '"runtimeClassName":')
_CLASSES = ("LimitRange", "PriorityClass", "RuntimeClass")
_WITHOUT_EFFECT = frozenset({"spec.schedulerName", "spec.preemptionPolicy"})


def undefaulted_pods(
    rows: Mapping[str, Mapping[tuple[str, str], Row]],
) -> Iterator[tuple[tuple[str, str], dict[str, Any]]]:
    """Yield the pods of which admission would change what scheduling reads: namespace and name, and as admitted."""
    shelf = Snapshot.from_objects(orjson.loads(row[OBJECT]) for kind in _CLASSES for row in rows.get(kind, {}).values())
    ranged = {namespace for namespace, _ in rows.get("LimitRange", {})}
    has_default = any(each.get("globalDefault") for each in shelf.objects("PriorityClass"))
    for key, row in rows.get("Pod", {}).items():
        text = row[OBJECT]
        if _ADMITTED in text:
            continue
        if has_default or key[0] in ranged or any(part in text for part in _DEFAULTED):
            admission = admit(orjson.loads(text), shelf)
            if any(map(_has_effect, admission.additions)):
                yield key, admission.pod


def _has_effect(addition: Addition) -> bool:
    if addition.by == DEFAULT_TOLERATIONS or addition.field in _WITHOUT_EFFECT:
        return False
    return (addition.field, addition.value) != ("spec.priority", 0)
