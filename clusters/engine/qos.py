"""The quality-of-service class of a pod.

Upstream: ``pkg/apis/core/v1/helper/qos`` v1.34.1. As there, a class that the status reports counts."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING

from clusters.engine.resources import CPU, MEMORY, Amounts, base_amount

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine.objects import Document

_READ = (CPU, MEMORY)


class QualityOfService(enum.StrEnum):
    """How firmly a pod's CPU and memory are promised, the least first."""

    BEST_EFFORT = "BestEffort"
    BURSTABLE = "Burstable"
    GUARANTEED = "Guaranteed"


def quality_of_service(pod: Document) -> QualityOfService:
    """The class that is reported, or else the one that follows from requests and limits."""
    reported = (pod.get("status") or {}).get("qosClass")
    return QualityOfService(reported) if reported in set(QualityOfService) else _computed(pod.get("spec") or {})


def _computed(spec: Document) -> QualityOfService:
    of_pod = spec.get("resources") or {}
    levels = (
        [of_pod]
        if of_pod.get("requests") or of_pod.get("limits")
        else [
            container.get("resources") or {}
            for kind in ("containers", "initContainers")
            for container in spec.get(kind) or ()
        ]
    )
    requests, limits = (_sum(level.get(kind) or {} for level in levels) for kind in ("requests", "limits"))
    if not requests and not limits:
        return QualityOfService.BEST_EFFORT
    limited = all(
        base_amount(name, (level.get("limits") or {}).get(name) or 0) > 0 for level in levels for name in _READ
    )
    return QualityOfService.GUARANTEED if limited and requests == limits else QualityOfService.BURSTABLE


def _sum(quantities: Iterable[Document]) -> Amounts:
    """The positive amounts of CPU and memory, added up."""
    total: Amounts = {}
    for each in quantities:
        for name in _READ:
            number = base_amount(name, each.get(name) or 0)
            if number > 0:
                total[name] = total.get(name, 0) + number
    return total
