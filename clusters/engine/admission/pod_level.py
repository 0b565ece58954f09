"""Defaults for what a pod requests and is limited to as a whole, where it has something at its own level.

Upstream, with the feature gate PodLevelResources on, as it is by default: ``defaultHugePagePodLimits`` and
``defaultPodRequests`` in ``pkg/apis/core/v1/defaults.go`` (v1.34.1); ``DefaultPodLevelResources`` in
``pkg/api/pod/util.go`` (v1.37.2), which comes after the admission plugins.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from clusters.engine.admission.amounts import comparable, quantity_text, summed
from clusters.engine.admission.defaults import DEFAULTS, part
from clusters.engine.admission.draft import SourceKind, ValueSource
from clusters.engine.resources.quantity import NANO, QuantityFormat, canonical_text
from clusters.engine.resources.requests import HUGE_PAGES

if TYPE_CHECKING:
    from clusters.engine.admission.draft import Draft

_OVERCOMMITTED: Final = ("cpu", "memory")
_PATH: Final = "spec.resources"


def complete_pod_level(draft: Draft, *, derives_limits: bool) -> None:
    """Give pod-level requests and huge pages their values.

    ``derives_limits``: limits too (from 1.37), and requests also where there are no limits.
    """
    resources = draft.spec.get("resources") or {}
    if not resources.get("limits") and not resources.get("requests"):
        return
    _limit_huge_pages(draft, resources)
    if derives_limits or resources.get("limits"):
        _request(draft, resources)
    if derives_limits:
        _limit(draft, resources)


def _limit_huge_pages(draft: Draft, resources: dict[str, Any]) -> None:
    for name, amount in summed(draft.spec, "limits").items():
        known = name in (resources.get("limits") or {}) or name in (resources.get("requests") or {})
        if name.startswith(HUGE_PAGES) and not known:
            into = part(resources, "limits")
            source = ValueSource(SourceKind.LIMITS_OF_CONTAINERS)
            draft.put(DEFAULTS, f"{_PATH}.limits", into, name, str(amount), source)


def _request(draft: Draft, resources: dict[str, Any]) -> None:
    """Request what the containers request, else what the pod is limited to."""
    asked = summed(draft.spec, "requests")
    found = {name: _text(name, asked[name]) for name in _OVERCOMMITTED if name in asked}
    for name, amount in {**(resources.get("limits") or {}), **found}.items():
        if _is_supported(name) and name not in (resources.get("requests") or {}):
            kind = SourceKind.REQUESTS_OF_CONTAINERS if name in found else SourceKind.LIMIT
            draft.put(DEFAULTS, f"{_PATH}.requests", part(resources, "requests"), name, amount, ValueSource(kind))


def _limit(draft: Draft, resources: dict[str, Any]) -> None:
    """Limit the pod to what its containers are limited to where all of them are, and to no less than it requests."""
    bounded = summed(draft.spec, "limits")
    limits = [(container.get("resources") or {}).get("limits") or {} for _, container in draft.containers()]
    for name, requested in (resources.get("requests") or {}).items():
        is_known = name in (resources.get("limits") or {})
        if is_known or not _is_supported(name) or not all(name in each for each in limits):
            continue
        amount = _text(name, bounded[name])
        more, most = comparable(requested, amount)
        into, source = part(resources, "limits"), ValueSource(SourceKind.LIMITS_OF_CONTAINERS)
        draft.put(DEFAULTS, f"{_PATH}.limits", into, name, requested if more > most else amount, source)


def _text(name: str, amount: int) -> str:
    """Write what was added up, as the API server does of amounts with binary suffixes."""
    return quantity_text(name, amount) if name == "cpu" else canonical_text(amount * 10**NANO, QuantityFormat.BINARY_SI)


def _is_supported(name: str) -> bool:
    return name in _OVERCOMMITTED or name.startswith(HUGE_PAGES)
