"""Why LimitRanges keep a pod or a claim from being created, in the API server's words.

Upstream: ``plugin/pkg/admission/limitranger/admission.go`` (v1.34.1), of which only the first LimitRange that is not
kept answers. The API server takes LimitRanges and resources in no certain order; here both are in that of their names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from clusters.engine.admission import limit_ranges
from clusters.engine.admission import problems as refused
from clusters.engine.admission.amounts import canonical
from clusters.engine.admission.creation.problems import InvalidDefaults, LimitRangeRefusal
from clusters.engine.admission.validation import resources
from clusters.engine.objects import name_of, namespace_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clusters.engine.admission.creation.problems import CreationRefusal
    from clusters.engine.admission.limit_ranges import Breach
    from clusters.engine.objects import Document
    from clusters.engine.snapshot import Snapshot

    _AboveLimit = refused.RequestExceedsLimit | refused.RequestIsNotLimit

_REQUESTS: Final = ".resources.requests."


def pod_refusal(pod: Document, snapshot: Snapshot) -> CreationRefusal | None:
    """Why the API server would not create a pod, on account of LimitRanges; None where it would. Raises QuantityError.

    The pod has their defaults already.
    """
    ranges = limit_ranges.ranges_of(namespace_of(pod), snapshot)
    if not ranges:
        return None
    spec = pod.get("spec") or {}
    above = [
        (field, problem)
        for field, problem in resources.check(spec, is_admitted=True)
        if isinstance(problem, refused.RequestExceedsLimit | refused.RequestIsNotLimit)
    ]
    if above:
        return _invalid(pod, above)
    for limit_range in ranges:
        found = list(limit_ranges.pod_breaches(spec, limit_range))
        if found:
            return _forbidden(pod, "pods", limit_range, found)
    return None


def claim_refusal(claim: Document, snapshot: Snapshot) -> LimitRangeRefusal | None:
    """Why LimitRanges keep a PersistentVolumeClaim from being created; None where they do not. Raises QuantityError."""
    for limit_range in limit_ranges.ranges_of(namespace_of(claim), snapshot):
        found = list(limit_ranges.claim_breaches(claim, limit_range))
        if found:
            return _forbidden(claim, "persistentvolumeclaims", limit_range, found)
    return None


# -- messages ----------------------------------------------------------------------------------------------------------


def _forbidden(document: Document, plural: str, limit_range: Document, found: Sequence[Breach]) -> LimitRangeRefusal:
    said = _together(_said(breach.problem) for breach in found)
    message = f'{plural} "{name_of(document)}" is forbidden: {said}'
    bounded = tuple(sorted({breach.problem.resource for breach in found}))
    return LimitRangeRefusal(namespace_of(document), name_of(limit_range), message, bounded)


def _invalid(pod: Document, found: Sequence[tuple[str, _AboveLimit]]) -> InvalidDefaults:
    said, names = [], set()
    for field, problem in found:
        path, _, resource = field.rpartition(_REQUESTS)
        names.add(resource)
        if isinstance(problem, refused.RequestExceedsLimit):
            bound = f"must be less than or equal to {resource} limit of {canonical(problem.limit)}"
        else:
            bound = f"must be equal to {resource} limit of {canonical(problem.limit)}"
        said.append(f'{path}{_REQUESTS[:-1]}: Invalid value: "{canonical(problem.request)}": {bound}')
    message = f'Pod "{name_of(pod)}" is invalid: {_together(said)}'
    return InvalidDefaults(namespace_of(pod), message, tuple(sorted(names)))


def _together(said: Iterable[str]) -> str:
    """Several errors as the API server lists them: each once."""
    found = list(dict.fromkeys(said))
    return found[0] if len(found) == 1 else f"[{', '.join(found)}]"


def _said(problem: limit_ranges.BoundProblem) -> str:
    """What the API server says of one bound that is not kept."""
    resource, per = problem.resource, f"{problem.per[0].upper()}{problem.per[1:]}"
    if isinstance(problem, refused.RatioOfNothing | refused.AboveRatio):
        bound = f"{resource} max limit to request ratio per {per} is {canonical(problem.ratio)}"
        if isinstance(problem, refused.AboveRatio):
            return f"{bound}, but provided ratio is {problem.times:f}"
        return f"{bound}, but no {problem.missing} is specified or {problem.missing} is 0"
    if isinstance(problem, refused.BelowMinimum):
        bound = f"minimum {resource} usage per {per} is {canonical(problem.minimum)}"
    else:
        bound = f"maximum {resource} usage per {per} is {canonical(problem.maximum)}"
    role = problem.role.removesuffix("s")
    if not problem.amount:
        return f"{bound}.  No {role} is specified"
    return f"{bound}, but {role} is {canonical(problem.amount)}"
