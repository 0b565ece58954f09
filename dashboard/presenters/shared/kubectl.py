"""Commands for kubectl that make a change, to be copied."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any, Final

import orjson

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from clusters.engine.edits import Edit
    from clusters.engine.owners import Workload

# Where a kind has its pods' spec. The template of a Job cannot be changed.
TEMPLATES: Final = {
    "Deployment": ("spec", "template", "spec"),
    "StatefulSet": ("spec", "template", "spec"),
    "DaemonSet": ("spec", "template", "spec"),
    "ReplicaSet": ("spec", "template", "spec"),
    "ReplicationController": ("spec", "template", "spec"),
    "CronJob": ("spec", "jobTemplate", "spec", "template", "spec"),
}
# The API server adds these to every pod: no template has them.
_DEFAULT_TOLERATIONS: Final = ("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable")
_DEFAULT_SECONDS: Final = 300
_CONTAINERS: Final = ("containers", "initContainers")
# Maps and lists that a patch replaces by field, or as a whole.
_PLAIN: Final = ("nodeSelector", "affinity", "tolerations")
_SPREAD: Final = "topologySpreadConstraints"


def template_command(workload: Workload, spec: Mapping[str, Any]) -> str:
    """Return the command that patches a workload's template; empty where a command cannot do it."""
    path = TEMPLATES.get(workload.kind)
    if path is None or not spec:
        return ""
    patch: Mapping[str, Any] = spec
    for step in reversed(path):
        patch = {step: patch}
    # Names come from whoever wrote the dump, and the command is for a shell.
    command = ["kubectl", "-n", workload.namespace, "patch", workload.kind.lower(), workload.name]
    return shlex.join([*command, "--type=strategic", "-p", orjson.dumps(patch).decode()])


def edit_command(workload: Workload, pod: Mapping[str, Any], edits: Iterable[Edit]) -> str:
    """Return the command that makes edits of a pod in its workload's template.

    Empty where the template cannot be changed, or where a patch would have to name more than what is edited.
    """
    changed: Mapping[str, Any] = pod
    for edit in edits:
        changed = edit.apply(changed)
    patch = spec_patch(pod.get("spec") or {}, changed.get("spec") or {})
    return "" if patch is None else template_command(workload, patch)


def uncordon_command(nodes: Iterable[str]) -> str:
    """Return the command that lets nodes accept pods again."""
    return shlex.join(["kubectl", "uncordon", *nodes])


def spec_patch(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the strategic merge patch from one pod's spec to another; None for what such a patch cannot say safely."""
    patch: dict[str, Any] = {}
    for field in sorted(before.keys() | after.keys()):
        old, new = before.get(field), after.get(field)
        if old == new:
            continue
        if field in _PLAIN:
            patch[field] = _merge(_without_defaults(old), _without_defaults(new))
        elif field == _SPREAD:
            # Entries are told apart by their topologyKey alone, which several may share.
            patch[field] = [{"$patch": "replace"}, *(new or ())]
        elif field in _CONTAINERS:
            found = _resources(old or (), new or ())
            if found is None:
                return None
            patch[field] = found
        else:
            return None
    return patch


def _merge(old: Any, new: Any) -> Any:
    """What takes one value to another, in maps field by field: null removes."""
    if not isinstance(old, dict) or not isinstance(new, dict):
        return new
    return {
        key: _merge(old.get(key), new.get(key))
        for key in sorted(old.keys() | new.keys())
        if old.get(key) != new.get(key)
    }


def _without_defaults(value: Any) -> Any:
    if not isinstance(value, list):
        return value
    return [
        each
        for each in value
        if not (each.get("key") in _DEFAULT_TOLERATIONS and each.get("tolerationSeconds") == _DEFAULT_SECONDS)
    ]


def _resources(old: Iterable[Mapping[str, Any]], new: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]] | None:
    """Containers whose resources differ, each by name; None where anything else differs."""
    found = []
    for before, after in zip(old, new, strict=True):
        if {**before, "resources": None} != {**after, "resources": None}:
            return None
        changed = _merge(before.get("resources") or {}, after.get("resources") or {})
        if changed:
            found.append({"name": after.get("name"), "resources": changed})
    return found
