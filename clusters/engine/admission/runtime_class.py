"""RuntimeClass: what a runtime costs on top of the containers, and where it can run.

Upstream: ``plugin/pkg/admission/runtimeclass/admission.go`` (v1.34.1).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from clusters.engine.admission import problems as refused
from clusters.engine.admission.defaults import part
from clusters.engine.admission.draft import SourceKind, ValueSource
from clusters.engine.admission.tolerations import merged
from clusters.engine.objects import name_of
from clusters.engine.resources.quantity import milli_value

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.admission.draft import Draft
    from clusters.engine.snapshot import Snapshot

RUNTIME_CLASS: Final = "RuntimeClass"


def mutate(draft: Draft, snapshot: Snapshot) -> None:
    """Add overhead, node selector and tolerations of the pod's RuntimeClass."""
    name = str(draft.spec.get("runtimeClassName") or "")
    document = snapshot.object("RuntimeClass", name) if name else None
    if name and document is None:
        known = tuple(sorted(name_of(each) for each in snapshot.objects("RuntimeClass")))
        draft.refuse(RUNTIME_CLASS, "spec.runtimeClassName", refused.NoRuntimeClass(name, known))
        return
    fixed = ((document or {}).get("overhead") or {}).get("podFixed") or {}
    _overhead(draft, fixed, name)
    scheduling = (document or {}).get("scheduling") or {}
    if scheduling:
        _node_selector(draft, scheduling.get("nodeSelector") or {}, name)
        _tolerations(draft, scheduling.get("tolerations") or [], name)


def _source(name: str) -> ValueSource:
    return ValueSource(SourceKind.OBJECT, f"RuntimeClass {name}")


def _overhead(draft: Draft, fixed: Mapping[str, Any], name: str) -> None:
    given = draft.spec.get("overhead") or {}
    if given and _amounts(given) != _amounts(fixed):
        other = refused.NotTheClassOverhead() if fixed else refused.OverheadWithoutClass()
        draft.refuse(RUNTIME_CLASS, "spec.overhead", other)
    elif fixed and not given:
        draft.put(RUNTIME_CLASS, "spec", draft.spec, "overhead", dict(fixed), _source(name))


def _amounts(given: Mapping[str, Any]) -> dict[str, int]:
    return {resource: milli_value(amount) for resource, amount in given.items()}


def _node_selector(draft: Draft, wanted: Mapping[str, str], name: str) -> None:
    for key, value in wanted.items():
        given = (draft.spec.get("nodeSelector") or {}).get(key)
        if given is None:
            into = part(draft.spec, "nodeSelector")
            draft.put(RUNTIME_CLASS, "spec.nodeSelector", into, key, value, _source(name))
        elif given != value:
            other = refused.NotTheClassSelector(str(given), name, value)
            draft.refuse(RUNTIME_CLASS, f"spec.nodeSelector.{key}", other)


def _tolerations(draft: Draft, wanted: list[Mapping[str, Any]], name: str) -> None:
    given = list(draft.spec.get("tolerations") or ())
    result = merged(given, wanted)
    for each in result:
        if each not in given:
            draft.note(RUNTIME_CLASS, "spec.tolerations", dict(each), _source(name))
    for number, each in enumerate(given):
        if each not in result:
            draft.note(RUNTIME_CLASS, f"spec.tolerations[{number}]", None, ValueSource(SourceKind.OTHER_TOLERATION))
    if result != given:
        draft.spec["tolerations"] = result
