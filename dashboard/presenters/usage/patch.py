"""The kubectl command that gives a workload's template the recommended requests."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

import orjson

from clusters.engine.usage.workload_sizing import quantity_text
from clusters.wording.usage import page as words

if TYPE_CHECKING:
    from clusters.engine.usage.workload_sizing import WorkloadSizing

# Where a kind has its pods' spec. The template of a Job cannot be changed.
_TEMPLATES = {
    "Deployment": ("spec", "template", "spec"),
    "StatefulSet": ("spec", "template", "spec"),
    "DaemonSet": ("spec", "template", "spec"),
    "ReplicaSet": ("spec", "template", "spec"),
    "ReplicationController": ("spec", "template", "spec"),
    "CronJob": ("spec", "jobTemplate", "spec", "template", "spec"),
}
_BY_HAND = ("Pod", "Node")


def patch_command(sizing: WorkloadSizing) -> str:
    """Return the command, empty where nothing should change or where a command cannot do it."""
    path = _TEMPLATES.get(sizing.workload.kind)
    if path is None or not sizing.changes:
        return ""
    lists: dict[str, list[dict[str, Any]]] = {}
    for container in sizing.containers:
        requests = {name: quantity_text(name, each) for name, each in sizing.changes.get(container.name, {}).items()}
        if requests:
            entry = {"name": container.name, "resources": {"requests": requests}}
            lists.setdefault("initContainers" if container.is_sidecar else "containers", []).append(entry)
    patch: dict[str, Any] = lists
    for step in reversed(path):
        patch = {step: patch}
    workload = sizing.workload
    # Names come from whoever wrote the dump, and the command is for a shell.
    words_of_command = ["kubectl", "-n", workload.namespace, "patch", workload.kind.lower(), workload.name]
    return shlex.join([*words_of_command, "--type=strategic", "-p", orjson.dumps(patch).decode()])


def without_command(sizing: WorkloadSizing) -> str:
    """Say what to do where a command cannot, empty where one can or nothing should change."""
    kind = sizing.workload.kind
    if not sizing.changes or kind in _TEMPLATES:
        return ""
    if kind in _BY_HAND:
        return words.made_by_hand()
    return words.immutable_template(kind) if kind == "Job" else words.other_controller(kind)
