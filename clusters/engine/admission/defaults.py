"""Defaults of the API itself, which come before every plugin.

Upstream: ``SetDefaults_Pod`` and ``SetDefaults_PodSpec`` in ``pkg/apis/core/v1/defaults.go`` (v1.34.1); those of a pod
as a whole are in `pod_level`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from clusters.engine.admission.draft import SourceKind, ValueSource

if TYPE_CHECKING:
    from clusters.engine.admission.draft import Draft

DEFAULTS: Final = "API defaults"


def fill_in(draft: Draft) -> None:
    """Fill in what a pod does not say: requests, host ports, the scheduler's name."""
    for path, container in draft.containers():
        resources = container.get("resources") or {}
        for name, amount in (resources.get("limits") or {}).items():
            if name not in (resources.get("requests") or {}):
                into = part(container, "resources", "requests")
                draft.put(DEFAULTS, f"{path}.resources.requests", into, name, amount, ValueSource(SourceKind.LIMIT))
    if not draft.spec.get("schedulerName"):
        draft.put(DEFAULTS, "spec", draft.spec, "schedulerName", "default-scheduler")
    if draft.spec.get("hostNetwork"):
        for path, container in draft.containers():
            for number, port in enumerate(container.get("ports") or ()):
                if not port.get("hostPort") and port.get("containerPort"):
                    draft.put(
                        DEFAULTS,
                        f"{path}.ports[{number}]",
                        port,
                        "hostPort",
                        port["containerPort"],
                        ValueSource(SourceKind.FIELD, "hostNetwork"),
                    )


def part(owner: dict[str, Any], *steps: str) -> dict[str, Any]:
    """Return a map within maps, made where there is none."""
    for step in steps:
        if not isinstance(owner.get(step), dict):
            owner[step] = {}
        owner = owner[step]
    return owner
