"""What the API server refuses when a pod that exists is changed; what it takes needs no new pod.

Upstream: ``ValidatePodUpdate`` of ``pkg/apis/core/validation/validation.go`` and what the plugins Priority and
DefaultTolerationSeconds do on updates, v1.34.1; of the fields that the mirror keeps.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from clusters.engine.admission import tolerations
from clusters.engine.admission.defaults import fill_in
from clusters.engine.admission.draft import Draft
from clusters.engine.admission.pod_level import complete_pod_level
from clusters.engine.admission.problems import UpdateRefused
from clusters.engine.admission.validation.wrong import Wrong
from clusters.engine.resources.quantity import parsed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from clusters.engine.objects import Document

_REQUIRED: Final = "requiredDuringSchedulingIgnoredDuringExecution"
_LISTS: Final = ("containers", "initContainers")
# As the API server lists the fields of a spec that may change, whatever else it takes.
_UPDATABLE: Final = (
    "`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only "
    "additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was "
    "previously negative)"
)
# Kept from the pod as it is where the new one leaves them out: set by admission, or by the scheduler.
_CARRIED: Final = ("nodeName", "priority", "preemptionPolicy")


def update_refusals(old: Document, new: Document) -> Iterator[Wrong]:
    """Yield why the API server would not change a pod into another one, of the fields of the spec; nothing where it
    would. Raises QuantityError.

    A pod with scheduling gates may be restricted further: its node selector gains labels, its terms of required node
    affinity gain requirements, and gates go away. Any other keeps all that scheduling reads but for tolerations, which
    may be added, and how long they last.
    """
    was, spec = _defaulted(old), _defaulted(new)
    for field in _CARRIED:
        if was.get(field) is not None:
            spec.setdefault(field, was[field])
    for kind in _LISTS:
        if len(spec.get(kind) or ()) != len(was.get(kind) or ()):
            yield Wrong(f"spec.{kind}", UpdateRefused("pod updates may not add or remove containers"))
            return
    deadline = list(_deadline(was.get("activeDeadlineSeconds"), spec.get("activeDeadlineSeconds")))
    yield from deadline
    if deadline:
        return
    yield from _tolerations(was.get("tolerations") or (), spec.get("tolerations") or ())
    yield from _gates(was.get("schedulingGates") or (), spec.get("schedulingGates") or ())
    if was.get("schedulingGates"):
        yield from _node_selector(was.get("nodeSelector") or {}, spec.get("nodeSelector") or {})
        yield from _node_affinity(_terms(was), _terms(spec))
    changed = sorted(_fixed(was, spec, is_gated=bool(was.get("schedulingGates"))))
    if changed:
        yield Wrong(", ".join(changed), UpdateRefused(f"pod updates may not change fields other than {_UPDATABLE}"))


def _defaulted(pod: Document) -> dict[str, Any]:
    """A pod's spec with what every pod has that an API server stores, also one that was written by hand."""
    draft = Draft(pod)
    fill_in(draft)
    complete_pod_level(draft, derives_limits=False)
    tolerations.mutate(draft)
    return draft.spec


def _deadline(old: Any, new: Any) -> Iterator[Wrong]:
    field = "spec.activeDeadlineSeconds"
    if old is None:
        return
    if new is None:
        yield Wrong(field, UpdateRefused("must not update from a positive integer to nil value"))
    elif new > old:
        yield Wrong(field, UpdateRefused("must be less than or equal to previous value"))


def _tolerations(old: Sequence[Document], new: Sequence[Document]) -> Iterator[Wrong]:
    """Each toleration stays; only its seconds may be others."""
    there = [_plain({**each, "tolerationSeconds": None}) for each in new]
    if any(_plain({**each, "tolerationSeconds": None}) not in there for each in old):
        said = "existing toleration can not be modified except its tolerationSeconds"
        yield Wrong("spec.tolerations", UpdateRefused(said))


def _gates(old: Sequence[Document], new: Sequence[Document]) -> Iterator[Wrong]:
    there = {each.get("name") for each in old}
    for number, gate in enumerate(new):
        if gate.get("name") not in there:
            said = f"only deletion is allowed, but found new scheduling gate '{gate.get('name')}'"
            yield Wrong(f"spec.schedulingGates[{number}].name", UpdateRefused(said))


def _node_selector(old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[Wrong]:
    if any(new.get(key) != value for key, value in old.items()):
        said = "only additions to spec.nodeSelector are allowed (no mutations or deletions)"
        yield Wrong("spec.nodeSelector", UpdateRefused(said))


def _terms(spec: Document) -> Sequence[Document]:
    by_node = (spec.get("affinity") or {}).get("nodeAffinity") or {}
    terms: Sequence[Document] = (by_node.get(_REQUIRED) or {}).get("nodeSelectorTerms") or ()
    return terms


def _node_affinity(old: Sequence[Document], new: Sequence[Document]) -> Iterator[Wrong]:
    """Where nothing was required, anything may be; each term there was gains requirements behind those that it has."""
    path = f"spec.affinity.nodeAffinity.{_REQUIRED}.nodeSelectorTerms"
    if not old:
        return
    if len(old) != len(new):
        yield Wrong(path, UpdateRefused("no additions/deletions to non-empty NodeSelectorTerms list are allowed"))
        return
    for number, (before, after) in enumerate(zip(old, new, strict=True)):
        if not _only_gains(before, after):
            said = "only additions are allowed (no mutations or deletions)"
            yield Wrong(f"{path}[{number}]", UpdateRefused(said))


def _only_gains(before: Document, after: Document) -> bool:
    pairs = [(before.get(name) or [], after.get(name) or []) for name in ("matchExpressions", "matchFields")]
    if not any(old for old, _ in pairs):
        # A term without requirements selects nothing, and one with any would select something.
        return not any(new for _, new in pairs)
    return all(_plain(new[: len(old)]) == _plain(old) for old, new in pairs)


# -- all other fields --------------------------------------------------------------------------------------------------


def _fixed(old: Document, new: Document, *, is_gated: bool) -> Iterator[str]:
    """The paths of fields that differ and may not; containers are as many on both sides."""
    ours = {"activeDeadlineSeconds", "tolerations", "schedulingGates", *_LISTS}
    if is_gated:
        ours.add("nodeSelector")
        old, new = _without_node_affinity(old), _without_node_affinity(new)
    if (old.get("terminationGracePeriodSeconds") or 0) < 0 and new.get("terminationGracePeriodSeconds") == 1:
        ours.add("terminationGracePeriodSeconds")
    yield from _differing(old, new, ours, "spec")
    for kind in _LISTS:
        pairs = zip(old.get(kind) or (), new.get(kind) or (), strict=True)
        for number, (before, after) in enumerate(pairs):
            yield from _differing(before, after, {"image"}, f"spec.{kind}[{number}]")


def _without_node_affinity(spec: Document) -> Document:
    affinity = {kind: rules for kind, rules in (spec.get("affinity") or {}).items() if kind != "nodeAffinity"}
    return {**spec, "affinity": affinity}


def _differing(old: Document, new: Document, but: set[str], path: str) -> Iterator[str]:
    for field in dict.fromkeys(chain(old, new)):
        if field not in but and _plain(old.get(field), field) != _plain(new.get(field), field):
            yield f"{path}.{field}"


def _plain(value: Any, field: str = "") -> Any:
    """A value in which what is empty and what is missing are the same, and amounts are numbers."""
    if isinstance(value, dict):
        if field in ("requests", "limits", "overhead", "allocatedResources"):
            return {name: parsed(amount).nano_units for name, amount in value.items()} or None
        found = {name: plain for name, part in value.items() if (plain := _plain(part, name)) is not None}
        return found or None
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value] or None
    return None if value in ("", False) else value
