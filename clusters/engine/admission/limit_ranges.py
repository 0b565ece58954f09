"""LimitRanges of a namespace: defaults for containers, and bounds for containers, whole pods and claims.

Upstream: ``plugin/pkg/admission/limitranger/admission.go`` and ``SetDefaults_LimitRangeItem`` (v1.34.1).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from clusters.engine.admission import problems as refused
from clusters.engine.admission.amounts import comparable
from clusters.engine.admission.defaults import part
from clusters.engine.admission.draft import Refusal, SourceKind, ValueSource
from clusters.engine.objects import name_of, namespace_of
from clusters.engine.resources.quantity import canonical_text, milli_value
from clusters.engine.resources.requests import pod_quantities

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from clusters.engine.admission.draft import Draft
    from clusters.engine.objects import Document
    from clusters.engine.snapshot import Snapshot

LIMIT_RANGER: Final = "LimitRanger"
_POD_LEVEL: Final = ("cpu", "memory")


BoundProblem = refused.BelowMinimum | refused.AboveMaximum | refused.RatioOfNothing | refused.AboveRatio


class Breach(NamedTuple):
    """The path of a field, and the bound that it does not keep."""

    field: str
    problem: BoundProblem


class _Holder(NamedTuple):
    """What has requests and limits: a container, or the whole pod."""

    path: str
    what: str
    requests: Mapping[str, Any]
    limits: Mapping[str, Any]


def mutate(draft: Draft, snapshot: Snapshot) -> None:
    """Give containers the limits and requests that they do not name themselves."""
    for limit_range in ranges_of(draft.namespace, snapshot):
        source, limits = ValueSource(SourceKind.OBJECT, _named(limit_range)), _limits(limit_range)
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
    for limit_range in ranges_of(draft.namespace, snapshot):
        for breach in pod_breaches(draft.spec, limit_range):
            draft.refuse(LIMIT_RANGER, *breach)


def claim_refusals(claim: Document, snapshot: Snapshot) -> Iterator[Refusal]:
    """Yield every bound that a new PersistentVolumeClaim does not keep."""
    for limit_range in ranges_of(namespace_of(claim), snapshot):
        for breach in claim_breaches(claim, limit_range):
            yield Refusal(LIMIT_RANGER, *breach)


def ranges_of(namespace: str, snapshot: Snapshot) -> list[Document]:
    """The LimitRanges of a namespace by name."""
    return sorted(snapshot.objects("LimitRange", namespace), key=name_of)


def pod_breaches(spec: Document, limit_range: Document) -> Iterator[Breach]:
    """Yield every bound of a LimitRange that a pod does not keep, which has its defaults already."""
    for limit in _limits(limit_range):
        for holder in _holders(spec, str(limit.get("type"))):
            yield from _breaches(_named(limit_range), limit, holder)


def claim_breaches(claim: Document, limit_range: Document) -> Iterator[Breach]:
    """Yield every bound of a LimitRange that a PersistentVolumeClaim does not keep."""
    requests = ((claim.get("spec") or {}).get("resources") or {}).get("requests") or {}
    for limit in _limits(limit_range):
        if limit.get("type") == "PersistentVolumeClaim":
            yield from _claim_breaches(_named(limit_range), limit, requests)


def _claim_breaches(name: str, limit: Document, requests: Mapping[str, Any]) -> Iterator[Breach]:
    for bounds, beyond in (("min", refused.BelowMinimum), ("max", refused.AboveMaximum)):
        for resource, bound in _by_name(limit, bounds):
            request = requests.get(resource)
            pair = (request, bound) if bounds == "min" else (bound, request)
            if request is not None and not _less(*pair):
                continue
            amount = "" if request is None else str(request)
            problem = beyond(name, str(bound), resource, "PersistentVolumeClaim", "requests", amount)
            yield Breach(f"spec.resources.requests.{resource}", problem)


def _named(limit_range: Document) -> str:
    return f"LimitRange {name_of(limit_range)}"


def _limits(limit_range: Document) -> list[Document]:
    return list((limit_range.get("spec") or {}).get("limits") or ())


def _by_name(limit: Document, bounds: str) -> list[tuple[str, Any]]:
    return sorted((limit.get(bounds) or {}).items())


def _default(limits: list[Document], role: str) -> dict[str, Any]:
    """Return the defaults of one LimitRange, those filled in that the API server derives from its bounds."""
    found: dict[str, Any] = {}
    for limit in limits:
        if limit.get("type") == "Container":
            maxima = {**(limit.get("max") or {}), **(limit.get("default") or {})}
            requests = {**(limit.get("min") or {}), **maxima, **(limit.get("defaultRequest") or {})}
            found.update(maxima if role == "limits" else requests)
    return found


def _holders(spec: Document, kind: str) -> Iterator[_Holder]:
    if kind == "Container":
        for each in ("containers", "initContainers"):
            for number, container in enumerate(spec.get(each) or ()):
                resources = container.get("resources") or {}
                requests, limits = resources.get("requests") or {}, resources.get("limits") or {}
                yield _Holder(f"spec.{each}[{number}].resources", "container", requests, limits)
    elif kind == "Pod":
        yield _Holder("spec", "pod", _of_pod(spec, "requests"), _of_pod(spec, "limits"))


def _of_pod(spec: Document, role: str) -> dict[str, str]:
    """What a pod has altogether, without overhead; of its own resources only those that the plugin knows count."""
    own = {
        name: amount for name, amount in ((spec.get("resources") or {}).get(role) or {}).items() if name in _POD_LEVEL
    }
    kept = {kind: spec[kind] for kind in ("containers", "initContainers") if spec.get(kind)}
    found = pod_quantities({"spec": {**kept, "resources": {role: own}}}, role)
    return {name: canonical_text(amount.nano_units, amount.format) for name, amount in found.items()}


def _breaches(name: str, limit: Document, holder: _Holder) -> Iterator[Breach]:
    for resource, bound in _by_name(limit, "min"):
        request, upper = holder.requests.get(resource), holder.limits.get(resource)
        if request is None or _less(request, bound):
            yield _beyond(holder, name, refused.BelowMinimum, bound, resource, "requests", request)
        elif upper is not None and _less(upper, bound):
            yield _beyond(holder, name, refused.BelowMinimum, bound, resource, "limits", upper)
    for resource, bound in _by_name(limit, "max"):
        request, upper = holder.requests.get(resource), holder.limits.get(resource)
        if upper is None or _less(bound, upper):
            yield _beyond(holder, name, refused.AboveMaximum, bound, resource, "limits", upper)
        elif request is not None and _less(bound, request):
            yield _beyond(holder, name, refused.AboveMaximum, bound, resource, "requests", request)
    for resource, bound in _by_name(limit, "maxLimitRequestRatio"):
        yield from _ratio_breaches(name, resource, bound, holder)


def _ratio_breaches(name: str, resource: str, bound: Any, holder: _Holder) -> Iterator[Breach]:
    request, upper = holder.requests.get(resource, "0"), holder.limits.get(resource, "0")
    part_of_request, part_of_limit = comparable(request, upper)
    if not part_of_request or not part_of_limit:
        missing = "requests" if not part_of_request else "limits"
        problem = refused.RatioOfNothing(name, str(bound), resource, holder.what, missing.removesuffix("s"))
        yield Breach(f"{holder.path}.{missing}.{resource}", problem)
    elif part_of_limit / part_of_request * 1000 > milli_value(bound):
        times = float(part_of_limit / part_of_request)
        above = refused.AboveRatio(name, str(bound), resource, holder.what, times)
        yield Breach(f"{holder.path}.limits.{resource}", above)


def _beyond(
    holder: _Holder,
    name: str,
    beyond: type[refused.BelowMinimum | refused.AboveMaximum],
    bound: Any,
    resource: str,
    role: str,
    amount: Any,
) -> Breach:
    """A request or limit beyond a bound; ``amount`` is None for one that is missing."""
    found = "" if amount is None else str(amount)
    return Breach(f"{holder.path}.{role}.{resource}", beyond(name, str(bound), resource, holder.what, role, found))


def _less(one: Any, other: Any) -> bool:
    smaller, greater = comparable(one, other)
    return smaller < greater
