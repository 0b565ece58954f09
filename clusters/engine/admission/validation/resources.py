"""Requests and limits: which resources there are, whole devices, and what has to be equal.

Upstream: ``validateResourceRequirements``, ``validatePodResources`` and ``validateOverhead``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusters.engine.admission import problems as refused
from clusters.engine.admission.amounts import comparable, quantity_text, summed
from clusters.engine.admission.validation.wrong import Wrong
from clusters.engine.matching.selectors import key_fault
from clusters.engine.problems import NotALabelKey
from clusters.engine.resources.quantity import QuantityError, milli_value, value
from clusters.engine.resources.requests import CPU, EPHEMERAL_STORAGE, HUGE_PAGES, MEMORY, NATIVE_DOMAIN
from clusters.engine.showing import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from clusters.engine.objects import Document

_COMPUTE = (CPU, MEMORY)
_OF_CONTAINERS = (CPU, MEMORY, EPHEMERAL_STORAGE)


def check(spec: Document, *, is_admitted: bool) -> Iterator[Wrong]:
    """Yield what is refused of the resources of containers, of the pod as a whole and of its overhead."""
    claims = {claim.get("name") for claim in spec.get("resourceClaims") or ()}
    for kind in ("containers", "initContainers"):
        for number, container in enumerate(spec.get(kind) or ()):
            path, resources = f"spec.{kind}[{number}].resources", container.get("resources") or {}
            yield from _check_level(resources, path, is_of_pod=False, is_admitted=is_admitted)
            yield from _check_claims(resources, path, claims)
    if spec.get("resources"):
        yield from _check_level(spec["resources"], "spec.resources", is_of_pod=True, is_admitted=is_admitted)
        yield from _check_consistency(spec)
    overhead = {"limits": spec.get("overhead") or {}}
    for wrong in _check_level(overhead, "", is_of_pod=False, is_admitted=is_admitted):
        yield wrong._replace(field=wrong.field.replace(".limits", "spec.overhead", 1))


def _check_level(resources: Document, path: str, *, is_of_pod: bool, is_admitted: bool) -> Iterator[Wrong]:
    """Check the requests and limits of a container or of the pod as a whole."""
    requests, limits = resources.get("requests") or {}, resources.get("limits") or {}
    for role, amounts in (("limits", limits), ("requests", requests)):
        for name, amount in amounts.items():
            yield from _check_name(name, f"{path}.{role}.{name}", is_of_pod=is_of_pod)
            yield from _check_amount(name, amount, f"{path}.{role}.{name}")
    for name, amount in requests.items():
        limit = limits.get(name)
        if limit is None:
            if is_admitted and not _may_overcommit(name):
                yield Wrong(
                    f"{path}.limits.{name}",
                    refused.NoLimit(name, str(amount)),
                )
        elif (order := _compared(amount, limit)) and not _may_overcommit(name):
            yield Wrong(
                f"{path}.requests.{name}",
                refused.RequestIsNotLimit(name, str(amount), str(limit)),
            )
        elif order > 0:
            yield Wrong(
                f"{path}.requests.{name}",
                refused.RequestExceedsLimit(str(amount), str(limit)),
            )
    named = {*requests, *limits}
    if is_admitted and not named.intersection(_COMPUTE) and any(name.startswith(HUGE_PAGES) for name in named):
        huge = next(name for name in sorted(named) if name.startswith(HUGE_PAGES))
        yield Wrong(path, refused.HugePagesAlone(huge))


def _check_name(name: str, path: str, *, is_of_pod: bool) -> Iterator[Wrong]:
    is_huge = name.startswith(HUGE_PAGES)
    if is_of_pod:
        if name not in _COMPUTE and not is_huge:
            yield Wrong(path, refused.NotAPodResource(name))
    elif "/" not in name:
        if name not in _OF_CONTAINERS and not is_huge:
            yield Wrong(path, refused.UnknownResource(name))
    elif key_fault(name):
        yield Wrong(path, NotALabelKey(shown(name)))
    elif NATIVE_DOMAIN not in name and name.startswith("requests."):
        yield Wrong(path, refused.QuotaName(name, name.removeprefix("requests.")))


def _check_amount(name: str, amount: Any, path: str) -> Iterator[Wrong]:
    if str(amount).startswith("-") and value(amount):
        yield Wrong(path, refused.NegativeQuantity(str(amount)))
    elif _is_extended(name) and milli_value(amount) % 1000:
        whole = max(1, -(-milli_value(amount) // 1000))
        yield Wrong(path, refused.NotWholeDevices(name, str(amount), whole))
    elif name.startswith(HUGE_PAGES):
        try:
            size = value(name.removeprefix(HUGE_PAGES))
        except QuantityError:
            size = 0
        if size <= 0:
            yield Wrong(path, refused.NoPageSize(name))
        elif value(amount) % size:
            page = name.removeprefix(HUGE_PAGES)
            yield Wrong(path, refused.NotWholePages(str(amount), page))


def _check_claims(resources: Document, path: str, known: set[Any]) -> Iterator[Wrong]:
    for number, claim in enumerate(resources.get("claims") or ()):
        if claim.get("name") not in known:
            yield Wrong(
                f"{path}.claims[{number}].name",
                refused.NoResourceClaim(str(claim.get("name"))),
            )


def _check_consistency(spec: Document) -> Iterator[Wrong]:
    """Check that the pod as a whole has as much as its containers together, and no container more than the pod."""
    own = spec["resources"]
    for role in ("requests", "limits"):
        asked = summed(spec, role)
        for name, amount in (own.get(role) or {}).items():
            counts = role == "requests" or name.startswith(HUGE_PAGES)
            together = quantity_text(name, asked.get(name, 0))
            if counts and _compared(together, amount) > 0:
                yield Wrong(
                    f"spec.resources.{role}.{name}",
                    refused.ContainersExceedPod(str(together), str(amount)),
                )
    limits: Mapping[str, Any] = own.get("limits") or {}
    for number, container in enumerate(spec.get("containers") or ()):
        for name, amount in ((container.get("resources") or {}).get("limits") or {}).items():
            if name in limits and _compared(amount, limits[name]) > 0:
                yield Wrong(
                    f"spec.containers[{number}].resources.limits.{name}",
                    refused.LimitExceedsPod(str(amount), str(limits[name])),
                )


def _is_extended(name: str) -> bool:
    return "/" in name and NATIVE_DOMAIN not in name


def _may_overcommit(name: str) -> bool:
    return not _is_extended(name) and not name.startswith(HUGE_PAGES)


def _compared(one: Any, other: Any) -> int:
    """Return 1 where one amount is more than another, -1 where it is less, 0 where they are the same."""
    first, second = comparable(one, other)
    return (first > second) - (first < second)
