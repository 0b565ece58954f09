"""The kubectl command that gives a workload's template the recommended requests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusters.engine.usage import quantity_text
from clusters.wording.usage import page as words
from dashboard.presenters.shared.kubectl import TEMPLATES, template_command

if TYPE_CHECKING:
    from clusters.engine.usage import WorkloadSizing

_BY_HAND = ("Pod", "Node")


def patch_command(sizing: WorkloadSizing) -> str:
    """Return the command, empty where nothing should change or where a command cannot do it."""
    lists: dict[str, list[dict[str, Any]]] = {}
    for container in sizing.containers:
        requests = {name: quantity_text(name, each) for name, each in sizing.changes.get(container.name, {}).items()}
        if requests:
            entry = {"name": container.name, "resources": {"requests": requests}}
            lists.setdefault("initContainers" if container.is_sidecar else "containers", []).append(entry)
    return template_command(sizing.workload, lists)


def without_command(sizing: WorkloadSizing) -> str:
    """Say what to do where a command cannot, empty where one can or nothing should change."""
    kind = sizing.workload.kind
    if not sizing.changes or kind in TEMPLATES:
        return ""
    if kind in _BY_HAND:
        return str(words.MADE_BY_HAND)
    return words.IMMUTABLE_TEMPLATE(kind=kind) if kind == "Job" else words.OTHER_CONTROLLER(kind=kind)
