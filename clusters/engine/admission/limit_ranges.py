"""LimitRanges of a namespace: defaults for containers, and bounds for containers, whole pods and claims.

Upstream: ``plugin/pkg/admission/limitranger/admission.go`` and ``SetDefaults_LimitRangeItem`` (v1.34.1).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from clusters.engine.admission import problems as refused
from clusters.engine.admission.amounts import comparable, quantity_text, summed
from clusters.engine.admission.defaults import part
from clusters.engine.admission.draft import Refusal, SourceKind, ValueSource
from clusters.engine.objects import name_of, namespace_of
from clusters.engine.resources.quantity import milli_value

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from clusters.engine.admission.draft import Draft
    from clusters.engine.objects import Document
    from clusters.engine.snapshot import Snapshot

LIMIT_RANGER: Final = "LimitRanger"
_POD_LEVEL: Final = ("cpu", "memory")


class _Holder(NamedTuple):
    """What has requests and limits: a container, or the whole pod."""

    path: str
    what: str
    requests: Mapping[str, Any]
    limits: Mapping[str, Any]


def mutate(draft: Draft, snapshot: Snapshot) -> None:
    """Give containers the limits and requests that they do not name themselves."""
    for name, limits in _ranges(draft.namespace, snapshot):
        source = ValueSource(SourceKind.OBJECT, name)
        for role in ("limits", "requests"):
            for path, container in draft.containers():
                for resource, amount in _default(limits, role).items():
                    resources = container.get("resources") or {}
                    if resource not in (resources.get(role) or {}):
                        into = part(container, "resources", role)
                        draft.put(
                            LIMIT_RANGER,
                            f"{path}.resources.{role}",
                            into,
                            resource,
                            amount,
                            source,
                        )


def validate(draft: Draft, snapshot: Snapshot) -> None:
    """Note every bound that the pod does not keep."""
    for name, limits in _ranges(draft.namespace, snapshot):
        for limit in limits:
            for holder in _holders(draft, str(limit.get("type"))):
                _check(draft, name, limit, holder)


def claim_refusals(claim: Document, snapshot: Snapshot) -> Iterator[Refusal]:
    """Yield every bound that a new PersistentVolumeClaim does not keep."""
    requests = ((claim.get("spec") or {}).get("resources") or {}).get("requests") or {}
    for name, limits in _ranges(namespace_of(claim), snapshot):
        for limit in limits:
            if limit.get("type") == "PersistentVolumeClaim":
                yield from _claim_refusals(name, limit, requests)


def _claim_refusals(name: str, limit: Document, requests: Mapping[str, Any]) -> Iterator[Refusal]:
    for bounds, beyond in (("min", refused.BelowMinimum), ("max", refused.AboveMaximum)):
        for resource, bound in (limit.get(bounds) or {}).items():
            request = requests.get(resource)
            pair = (request, bound) if bounds == "min" else (bound, request)
            if request is not None and not _less(*pair):
                continue
            amount = "" if request is None else str(request)
            problem = beyond(name, str(bound), resource, "PersistentVolumeClaim", "requests", amount)
            yield Refusal(LIMIT_RANGER, f"spec.resources.requests.{resource}", problem)


def _ranges(namespace: str, snapshot: Snapshot) -> Iterator[tuple[str, list[Document]]]:
    for document in sorted(snapshot.objects("LimitRange", namespace), key=name_of):
        yield f"LimitRange {name_of(document)}", list((document.get("spec") or {}).get("limits") or ())


def _default(limits: list[Document], role: str) -> dict[str, Any]:
    """Return the defaults of one LimitRange, those filled in that the API server derives from its bounds."""
    found: dict[str, Any] = {}
    for limit in limits:
        if limit.get("type") == "Container":
            maxima = {**(limit.get("max") or {}), **(limit.get("default") or {})}
            requests = {**(limit.get("min") or {}), **maxima, **(limit.get("defaultRequest") or {})}
            found.update(maxima if role == "limits" else requests)
    return found


def _holders(draft: Draft, kind: str) -> Iterator[_Holder]:
    if kind == "Container":
        for path, container in draft.containers():
            resources = container.get("resources") or {}
            yield _Holder(
                f"{path}.resources", "container", resources.get("requests") or {}, resources.get("limits") or {}
            )
    elif kind == "Pod":
        own = draft.spec.get("resources") or {}
        requests, limits = (
            {
                **{name: quantity_text(name, amount) for name, amount in summed(draft.spec, role).items()},
                **{name: amount for name, amount in (own.get(role) or {}).items() if name in _POD_LEVEL},
            }
            for role in ("requests", "limits")
        )
        yield _Holder("spec", "pod", requests, limits)


def _check(draft: Draft, name: str, limit: Document, holder: _Holder) -> None:
    for resource, bound in (limit.get("min") or {}).items():
        request, upper = holder.requests.get(resource), holder.limits.get(resource)
        if request is None or _less(request, bound):
            _refuse(draft, holder, name, refused.BelowMinimum, bound, resource, "requests", request)
        elif upper is not None and _less(upper, bound):
            _refuse(draft, holder, name, refused.BelowMinimum, bound, resource, "limits", upper)
    for resource, bound in (limit.get("max") or {}).items():
        request, upper = holder.requests.get(resource), holder.limits.get(resource)
        if upper is None or _less(bound, upper):
            _refuse(draft, holder, name, refused.AboveMaximum, bound, resource, "limits", upper)
        elif request is not None and _less(bound, request):
            _refuse(draft, holder, name, refused.AboveMaximum, bound, resource, "requests", request)
    for resource, bound in (limit.get("maxLimitRequestRatio") or {}).items():
        _check_ratio(draft, name, resource, bound, holder)


def _check_ratio(draft: Draft, name: str, resource: str, bound: Any, holder: _Holder) -> None:
    request, upper = holder.requests.get(resource, "0"), holder.limits.get(resource, "0")
    part_of_request, part_of_limit = comparable(request, upper)
    if not part_of_request or not part_of_limit:
        missing = "requests" if not part_of_request else "limits"
        draft.refuse(
            LIMIT_RANGER,
            f"{holder.path}.{missing}.{resource}",
            refused.RatioOfNothing(name, str(bound), resource, holder.what),
        )
    elif part_of_limit / part_of_request * 1000 > milli_value(bound):
        draft.refuse(
            LIMIT_RANGER,
            f"{holder.path}.limits.{resource}",
            refused.AboveRatio(name, str(bound), resource, holder.what, float(part_of_limit / part_of_request)),
        )


def _refuse(
    draft: Draft,
    holder: _Holder,
    name: str,
    beyond: type[refused.BelowMinimum | refused.AboveMaximum],
    bound: Any,
    resource: str,
    role: str,
    amount: Any,
) -> None:
    """Note a request or limit beyond a bound; ``amount`` is None for one that is missing."""
    found = "" if amount is None else str(amount)
    problem = beyond(name, str(bound), resource, holder.what, role, found)
    draft.refuse(LIMIT_RANGER, f"{holder.path}.{role}.{resource}", problem)


def _less(one: Any, other: Any) -> bool:
    smaller, greater = comparable(one, other)
    return smaller < greater
