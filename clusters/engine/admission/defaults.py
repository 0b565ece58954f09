"""Defaults of the API itself, which come before every plugin.

Upstream: ``SetDefaults_Pod`` and ``SetDefaults_PodSpec`` in ``pkg/apis/core/v1/defaults.go`` (v1.34.1), with the
feature gate PodLevelResources on, as it is by default.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from clusters.engine.admission.amounts import quantity_text, summed
from clusters.engine.admission.draft import SourceKind, ValueSource
from clusters.engine.resources.requests import HUGE_PAGES

if TYPE_CHECKING:
    from clusters.engine.admission.draft import Draft

DEFAULTS: Final = "API defaults"
_OVERCOMMITTED: Final = ("cpu", "memory")


def fill_in(draft: Draft) -> None:
    """Fill in what a pod does not say: requests, host ports, the scheduler's name."""
    for path, container in draft.containers():
        resources = container.get("resources") or {}
        for name, amount in (resources.get("limits") or {}).items():
            if name not in (resources.get("requests") or {}):
                into = part(container, "resources", "requests")
                draft.put(DEFAULTS, f"{path}.resources.requests", into, name, amount, ValueSource(SourceKind.LIMIT))
    _pod_level(draft)
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


def _pod_level(draft: Draft) -> None:
    """Give pod-level requests and huge pages their values, where the pod has something at its own level."""
    resources = draft.spec.get("resources") or {}
    path = "spec.resources"
    if not resources.get("limits") and not resources.get("requests"):
        return
    for name, amount in summed(draft.spec, "limits").items():
        known = name in (resources.get("limits") or {}) or name in (resources.get("requests") or {})
        if name.startswith(HUGE_PAGES) and not known:
            into = part(resources, "limits")
            draft.put(DEFAULTS, f"{path}.limits", into, name, str(amount), ValueSource(SourceKind.LIMITS_OF_CONTAINERS))
    limits = resources.get("limits") or {}
    if not limits:
        return
    asked = summed(draft.spec, "requests")
    found = {name: quantity_text(name, asked[name]) for name in _OVERCOMMITTED if name in asked}
    for name, amount in {**limits, **found}.items():
        supported = name in _OVERCOMMITTED or name.startswith(HUGE_PAGES)
        if supported and name not in (resources.get("requests") or {}):
            kind = SourceKind.REQUESTS_OF_CONTAINERS if name in found else SourceKind.LIMIT
            draft.put(DEFAULTS, f"{path}.requests", part(resources, "requests"), name, amount, ValueSource(kind))
