"""Changes to a pod that need no YAML: which edits of its manifest a page offers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from clusters.engine.relaxing.edits import (
    RemoveGates,
    RemoveHostPorts,
    RemoveNodeAffinity,
    RemoveNodeSelector,
    RemovePodAffinity,
    RemovePodAntiAffinity,
    RemoveSpread,
    SetPriorityClass,
)
from clusters.engine.relaxing.entries import digest
from clusters.engine.relaxing.request_edits import DoubleRequests, HalveRequests

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine import Explanation
    from clusters.engine.relaxing.edits import Edit

_MOST_CLASSES: Final = 3
_MOST_ADDITIONS: Final = 4


def offered(document: dict[str, Any], explanation: Explanation) -> Iterator[Edit]:
    """Yield the changes that would change something about a pod as the explanation found it, the gentlest first."""
    for change in _all(document.get("spec") or {}, explanation):
        if change.apply(document) != document:
            yield change


def _all(spec: dict[str, Any], explanation: Explanation) -> Iterator[Edit]:
    yield from _by_field(spec)
    classes = sorted(
        (int(each.get("value") or 0), str((each.get("metadata") or {}).get("name")))
        for each in explanation.snapshot.objects("PriorityClass")
    )
    higher = [name for value, name in classes if value > explanation.pod.priority and not name.startswith("system-")]
    yield from (SetPriorityClass(name) for name in higher[-_MOST_CLASSES:])
    yield from _additions(explanation)


def _by_field(spec: dict[str, Any]) -> Iterator[Edit]:
    yield RemoveGates()
    yield RemoveNodeSelector()
    yield RemoveNodeAffinity()
    names = dict.fromkeys(digest(each) for each in spec.get("topologySpreadConstraints") or ())
    yield from (RemoveSpread(name) for name in names)
    yield RemovePodAffinity()
    yield RemovePodAntiAffinity()
    yield RemoveHostPorts()
    yield HalveRequests()
    yield DoubleRequests()


def _additions(explanation: Explanation) -> Iterator[Edit]:
    """Yield the first few entries that the manifest lacks and that each lift one requirement: tolerations."""
    cycle = explanation.cycle
    for name in cycle.filters:
        plugin = cycle.plugins[name]
        if plugin.is_lifted_by_adding:
            edits = [each.edit for each in plugin.constraints() if not each.is_fixed][:_MOST_ADDITIONS]
            yield from (edit for edit in edits if edit is not None)
