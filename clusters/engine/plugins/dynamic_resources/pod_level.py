"""Whether what a pod requests and limits as a whole covers its containers together with its devices.

Upstream: ``validatePodLevelResourcesCoverDRA`` of ``plugins/dynamicresources`` v1.37.2. Of several resources that are
not covered the scheduler names any; here the first by name.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from clusters.engine.devices.capacity import exact
from clusters.engine.resources.quantity import parsed
from clusters.engine.resources.requests import HUGE_PAGES, is_pod_level, pod_quantities

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clusters.engine.objects import Document

NOT_COVERED = "pod level "

Sums = dict[str, Fraction]


def uncovered_resource(pod: Document) -> str | None:
    """What the scheduler says of the first resource that is not covered; None where all are."""
    spec: Mapping[str, Any] = pod.get("spec") or {}
    whole: Mapping[str, Any] = spec.get("resources") or {}
    statuses: Sequence[Document] = (pod.get("status") or {}).get("nodeAllocatableResourceClaimStatuses") or ()
    requests, limits = (_read(whole.get(role)) for role in ("requests", "limits"))
    together = _containers(spec, "requests", statuses)
    for resource, amount in sorted(requests.items()):
        if is_pod_level(resource) and together.get(resource, Fraction()) > amount:
            return (
                f"pod level request for {resource} is insufficient to cover the aggregated container and "
                "node-allocatable DRA requests"
            )
    limited = _containers(spec, "limits", statuses) if limits else {}
    for resource, amount in sorted(limits.items()):
        if resource.startswith(HUGE_PAGES) and limited.get(resource, Fraction()) > amount:
            return (
                f"pod level limit for {resource} is insufficient to cover the aggregated container and "
                "node-allocatable DRA limits"
            )
    return _uncovered_limit(spec, limits, statuses)


def _uncovered_limit(spec: Mapping[str, Any], limits: Sums, statuses: Sequence[Document]) -> str | None:
    for container in spec.get("containers") or ():
        name = str(container.get("name"))
        own = _of_devices([each for each in statuses if name in each["containers"]], containers=1)
        for resource, amount in sorted(_read((container.get("resources") or {}).get("limits")).items()):
            if resource.startswith(HUGE_PAGES) or resource not in limits:
                continue
            if amount + own.get(resource, Fraction()) > limits[resource]:
                return (
                    f"pod level limit for {resource} is insufficient to cover the limit and DRA overhead for "
                    f"container {name}"
                )
    return None


def _containers(spec: Mapping[str, Any], role: str, statuses: Sequence[Document]) -> Sums:
    """What the containers and the devices of a pod request or limit together."""
    alone = {name: value for name, value in spec.items() if name not in ("resources", "overhead")}
    sums = {name: exact(amount) for name, amount in pod_quantities({"spec": alone}, role).items()}
    for name, amount in _of_devices(statuses).items():
        sums[name] = sums.get(name, Fraction()) + amount
    return sums


def _of_devices(statuses: Sequence[Document], containers: int | None = None) -> Sums:
    """What devices take in all; ``containers``: for so many of those that have each claim, None: for all of them."""
    sums: Sums = {}
    for each in statuses:
        count = len(each["containers"]) if containers is None else containers
        taken = [(held["name"], exact(parsed(held["quantity"]))) for held in each["mapping"]]
        for held in each["overhead"]:
            taken.append((held["name"], exact(parsed(held.get("perPod", 0)))))
            taken.append((held["name"], exact(parsed(held.get("perContainer", 0))) * count))
        for name, amount in taken:
            sums[name] = sums.get(name, Fraction()) + amount
    return sums


def _read(quantities: Mapping[str, Any] | None) -> Sums:
    return {name: exact(parsed(quantity)) for name, quantity in (quantities or {}).items()}
