"""Priority: the number and the preemption policy that a PriorityClass stands for.

Upstream: ``plugin/pkg/admission/priority/admission.go`` (v1.34.1).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from clusters.engine.admission import problems as refused
from clusters.engine.admission.draft import SourceKind, ValueSource
from clusters.engine.objects import name_of

if TYPE_CHECKING:
    from clusters.engine.admission.draft import Draft
    from clusters.engine.snapshot import Snapshot

PRIORITY: Final = "Priority"
# The API server makes these two itself; a dump without PriorityClasses has them all the same.
BUILT_IN: Final = {"system-cluster-critical": 2_000_000_000, "system-node-critical": 2_000_001_000}
_PREEMPTS: Final = "PreemptLowerPriority"
_MOST_NAMED: Final = 8


class _Class(NamedTuple):
    """What a pod gets, and from where."""

    name: str
    value: int
    policy: str
    source: ValueSource


def mutate(draft: Draft, snapshot: Snapshot) -> None:
    """Resolve the pod's priority class, or the cluster's default one, or none."""
    spec = draft.spec
    asked = str(spec.get("priorityClassName") or "")
    found = _named(asked, snapshot) if asked else _default(snapshot)
    if found is None:
        # Every API server has two classes at least: where none is mirrored, the pod's own number is all that is known.
        if spec.get("priority") is not None and not snapshot.objects("PriorityClass"):
            return
        draft.refuse(
            PRIORITY,
            "spec.priorityClassName",
            refused.NoPriorityClass(asked, _names(snapshot)),
        )
        return
    given = spec.get("priority")
    if given is not None and given != found.value:
        draft.refuse(
            PRIORITY,
            "spec.priority",
            refused.NotTheClassPriority(given, found.name, found.value)
            if found.name
            else refused.PriorityWithoutClass(given, found.value),
        )
        return
    if found.name and not asked:
        draft.put(
            PRIORITY, "spec", spec, "priorityClassName", found.name, ValueSource(SourceKind.DEFAULT_PRIORITY_CLASS)
        )
    if given is None:
        draft.put(PRIORITY, "spec", spec, "priority", found.value, found.source)
    _preemption(draft, found)


def _preemption(draft: Draft, found: _Class) -> None:
    given = draft.spec.get("preemptionPolicy")
    if given == found.policy:
        return
    if given is None:
        draft.put(PRIORITY, "spec", draft.spec, "preemptionPolicy", found.policy, found.source)
        return
    draft.refuse(PRIORITY, "spec.preemptionPolicy", refused.NotTheClassPolicy(str(given), found.policy))


def _named(name: str, snapshot: Snapshot) -> _Class | None:
    document, source = snapshot.object("PriorityClass", name), ValueSource(SourceKind.OBJECT, f"PriorityClass {name}")
    if document is not None:
        # A stored class has its policy filled in; one that was written by hand may not.
        policy = document.get("preemptionPolicy") or _PREEMPTS
        return _Class(name, int(document.get("value") or 0), str(policy), source)
    if name in BUILT_IN:
        return _Class(name, BUILT_IN[name], _PREEMPTS, source)
    return None


def _default(snapshot: Snapshot) -> _Class:
    """Return the class that is marked as default, of several the lowest, or what there is without any."""
    marked = [document for document in snapshot.objects("PriorityClass") if document.get("globalDefault")]
    if marked:
        chosen = min(marked, key=lambda document: int(document.get("value") or 0))
        found = _named(name_of(chosen), snapshot)
        if found is not None:
            return found
    return _Class("", 0, _PREEMPTS, ValueSource(SourceKind.NO_PRIORITY_CLASS))


def _names(snapshot: Snapshot) -> tuple[str, ...]:
    names = {name_of(document) for document in snapshot.objects("PriorityClass")} | set(BUILT_IN)
    return tuple(sorted(names)[:_MOST_NAMED])
