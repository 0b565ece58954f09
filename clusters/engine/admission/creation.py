"""What the API server makes of pods and claims that controllers create: the defaults of LimitRanges, and refusals.

Whatever else admission decides about a copy was decided about the pod that it is a copy of."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from clusters.engine.admission import problems as refused
from clusters.engine.admission.plugins import (
    BoundProblem,
    Breach,
    Draft,
    apply_limit_ranges,
    claim_breaches,
    complete_pod_level,
    pod_breaches,
    ranges_of,
)
from clusters.engine.admission.validation import canonical, resource_wrongs
from clusters.engine.objects import Document, metadata, name_of, namespace_of
from clusters.engine.owners import TEMPLATE_HASH, Controller, Workload
from clusters.engine.problems import QUOTED, BeyondOther, Problem, message
from clusters.engine.quantity import parsed
from clusters.engine.quotas import QuotaRefusal
from clusters.engine.resources import has_pod_level

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from clusters.engine.snapshot import Snapshot

# What the template of a pod says, as far as the pod tells that an API server has stored.
#
# Upstream: ``mergePodResourceRequirements`` of ``plugin/pkg/admission/limitranger/admission.go`` (v1.34.1), which
# notes in an annotation what it has set; ``defaultPodRequests`` in ``pkg/apis/core/v1/defaults.go`` (v1.34.1) and
# ``DefaultPodLevelResources`` in ``pkg/api/pod/util.go`` (v1.37.2), which note nothing.

ANNOTATION: Final = "kubernetes.io/limit-ranger"
PREFIX: Final = "LimitRanger plugin set: "
_SET: Final = re.compile(r"(?P<resources>\S.*) (?P<role>request|limit) for (?P<init>init )?container (?P<name>\S+)")
_ROLES: Final = ("requests", "limits")
_CONTAINERS: Final = ("containers", "initContainers")


def as_written(pod: Document, snapshot: Snapshot) -> Document:
    """The pod without what LimitRanges gave its containers, and without what was derived for it as a whole.

    The same document where there is nothing of that. What its controller's template says of the pod as a whole is what
    was written, where that is held. Else an amount was derived that an API server of the release of the snapshot, or of
    one before it, would have derived from all others.
    """
    spec = pod.get("spec") or {}
    text = str((metadata(pod).get("annotations") or {}).get(ANNOTATION) or "")
    given = list(_given(text))
    if not given and not has_pod_level(spec):
        return pod
    draft = Draft(pod)
    for kind, name, role, resource in given:
        for container in draft.spec.get(kind) or ():
            if container.get("name") == name:
                ((container.get("resources") or {}).get(role) or {}).pop(resource, None)
    if has_pod_level(spec):
        draft.spec["resources"] = _of_template(pod, snapshot) or _underived(spec, draft.spec, snapshot)
    return draft.pod


def _given(text: str) -> Iterator[tuple[str, str, str, str]]:
    """What an annotation says was set: the list of containers, the container, ``requests`` or ``limits``, resource."""
    if not text.startswith(PREFIX):
        return
    for entry in text.removeprefix(PREFIX).split("; "):
        found = _SET.fullmatch(entry)
        if found is not None:
            kind = "initContainers" if found["init"] else "containers"
            for resource in found["resources"].split(", "):
                yield kind, found["name"], f"{found['role']}s", resource


def _of_template(pod: Document, snapshot: Snapshot) -> dict[str, Any] | None:
    """What the template of a pod's controller says of the pod as a whole; None where it is not held or another one."""
    controller = Controller.of(pod)
    workload = Workload.of(namespace_of(pod), controller, str((metadata(pod).get("labels") or {}).get(TEMPLATE_HASH)))
    owners = {(workload.kind, workload.name)} | ({(controller.kind, controller.name)} if controller else set())
    for kind, name in sorted(owners):
        held = snapshot.object(kind, name, namespace_of(pod)) if kind else None
        spec = (((held or {}).get("spec") or {}).get("template") or {}).get("spec") or {}
        if has_pod_level(spec):
            whole, stored = (_nanos(each.get("resources") or {}) for each in (spec, pod["spec"]))
            # Another revision has other amounts.
            if whole.items() <= stored.items():
                return {role: dict(spec["resources"].get(role) or {}) for role in _ROLES}
    return None


def _underived(stored: Mapping[str, Any], written: Mapping[str, Any], snapshot: Snapshot) -> dict[str, Any]:
    """The fewest amounts of a whole pod from which the others follow.

    ``stored``: its spec as it is; ``written``: with its containers as they are written.
    """
    ways = (True, False) if snapshot.release.rules.completes_pods_after_admission else (False,)
    found = [_needed(stored, written, derives_limits=derives_limits) for derives_limits in ways]
    return min(found, key=lambda whole: sum(map(len, whole.values())))


def _needed(stored: Mapping[str, Any], written: Mapping[str, Any], *, derives_limits: bool) -> dict[str, Any]:
    """Leave out each amount in turn that is derived again in one way."""
    whole = {role: dict((stored.get("resources") or {}).get(role) or {}) for role in _ROLES}
    wanted = _nanos(whole)
    for resource in sorted({name for amounts in whole.values() for name in amounts}):
        for roles in (_ROLES, ("requests",), ("limits",)):
            fewer = {
                role: {name: each for name, each in amounts.items() if role not in roles or name != resource}
                for role, amounts in whole.items()
            }
            if fewer != whole and _nanos(_derived(fewer, stored, written, derives_limits=derives_limits)) == wanted:
                whole = fewer
                break
    return whole


def _derived(
    whole: Mapping[str, Any], stored: Mapping[str, Any], written: Mapping[str, Any], *, derives_limits: bool
) -> Mapping[str, Any]:
    """Complete what is written of a whole pod: from its containers before LimitRanges, and after, or after alone."""
    draft = Draft({"spec": {**{kind: written[kind] for kind in _CONTAINERS if kind in written}, "resources": whole}})
    if not derives_limits:
        complete_pod_level(draft, derives_limits=False)
    draft.spec.update({kind: stored[kind] for kind in _CONTAINERS if kind in stored})
    complete_pod_level(draft, derives_limits=derives_limits)
    resources: Mapping[str, Any] = draft.spec["resources"]
    return resources


def _nanos(whole: Mapping[str, Any]) -> dict[tuple[str, str], int]:
    """Amounts by role and resource, however they are written."""
    return {(role, name): parsed(each).nano_units for role in _ROLES for name, each in (whole.get(role) or {}).items()}


# The defaults that LimitRanges give the containers of a copy, in the place of those that the original once got.
#
# Upstream: ``mergePodResourceRequirements`` of ``plugin/pkg/admission/limitranger/admission.go`` (v1.34.1), which
# notes in an annotation what it has set; of the pod as a whole see ``clusters.engine.admission.plugins``.


def with_defaults_of_now(pod: Document, snapshot: Snapshot) -> Document:
    """The pod as its template would become one now; the same document where nothing else is given than before.

    A pod without the annotation was given nothing: all that its containers have is written in its template. What it
    requests and is limited to as a whole is derived anew, as the API server of the release does.
    """
    is_whole = has_pod_level(pod.get("spec") or {})
    is_noted = bool((metadata(pod).get("annotations") or {}).get(ANNOTATION))
    if not is_noted and not is_whole and not snapshot.objects("LimitRange", namespace_of(pod)):
        return pod
    draft, rules = Draft(as_written(pod, snapshot)), snapshot.release.rules
    if is_whole and not rules.completes_pods_after_admission:
        complete_pod_level(draft, derives_limits=False)
    apply_limit_ranges(draft, snapshot)
    if is_whole:
        complete_pod_level(draft, derives_limits=rules.completes_pods_after_admission)
    if draft.spec == pod.get("spec"):
        return pod
    annotations = {key: value for key, value in (metadata(pod).get("annotations") or {}).items() if key != ANNOTATION}
    told = _told(draft)
    draft.pod["metadata"] = {
        **metadata(pod),
        "annotations": {**annotations, **({ANNOTATION: told} if told else {})},
    }
    return draft.pod


def _told(draft: Draft) -> str:
    """The annotation that says what was added to a draft."""
    names = {path: str(container.get("name") or "") for path, container in draft.containers()}
    found: dict[tuple[str, str], list[str]] = {}
    for addition in draft.additions:
        path, _, rest = addition.field.partition(".resources.")
        role, _, resource = rest.partition(".")
        found.setdefault((path, role), []).append(resource)
    entries = [
        f"{', '.join(sorted(found[path, role]))} {role[:-1]} for {_kind_at(path)} {name}"
        for path, name in names.items()
        for role in ("requests", "limits")
        if (path, role) in found
    ]
    return f"{PREFIX}{'; '.join(entries)}" if entries else ""


def _kind_at(path: str) -> str:
    return "container" if path.startswith("spec.containers") else "init container"


# Why the API server does not create an object that a controller asks for; ``message`` has the API server's words.


class LimitRangeRefusal(Problem, kind="LimitRangeRefusal"):
    """A pod or claim does not keep bounds of a LimitRange on ``resources``; status 403 (Forbidden)."""

    sentence = QUOTED
    remedy = message("Change %(resources)s, or LimitRange %(namespace)s/%(limit_range)s.")

    namespace: str
    limit_range: str
    message: str
    resources: tuple[str, ...]


class InvalidDefaults(Problem, kind="InvalidDefaults"):
    """The defaults of LimitRanges make a pod invalid: requests of ``resources`` exceed limits; status 422 (Invalid)."""

    sentence = QUOTED
    remedy = message("Write limits for %(resources)s, or raise those of the LimitRanges of %(namespace)s.")

    namespace: str
    message: str
    resources: tuple[str, ...]


CreationRefusal = QuotaRefusal | LimitRangeRefusal | InvalidDefaults

# Why LimitRanges keep a pod or a claim from being created, in the API server's words.
#
# Upstream: ``plugin/pkg/admission/limitranger/admission.go`` (v1.34.1), of which only the first LimitRange that is
# not kept answers. The API server takes LimitRanges and resources in no certain order; here both are in that of their
# names.

_REQUESTS: Final = ".resources.requests."


def pod_refusal(pod: Document, snapshot: Snapshot) -> CreationRefusal | None:
    """Why the API server would not create a pod, on account of LimitRanges; None where it would. Raises QuantityError.

    The pod has their defaults already.
    """
    ranges = ranges_of(namespace_of(pod), snapshot)
    if not ranges:
        return None
    spec = pod.get("spec") or {}
    above = [
        (field, problem)
        for field, problem in resource_wrongs(spec, is_admitted=True)
        if isinstance(problem, BeyondOther) and problem.field.startswith("limits.")
    ]
    if above:
        return _invalid(pod, above)
    for limit_range in ranges:
        found = list(pod_breaches(spec, limit_range))
        if found:
            return _forbidden(pod, "pods", limit_range, found)
    return None


def claim_refusal(claim: Document, snapshot: Snapshot) -> LimitRangeRefusal | None:
    """Why LimitRanges keep a PersistentVolumeClaim from being created; None where they do not. Raises QuantityError."""
    for limit_range in ranges_of(namespace_of(claim), snapshot):
        found = list(claim_breaches(claim, limit_range))
        if found:
            return _forbidden(claim, "persistentvolumeclaims", limit_range, found)
    return None


# -- messages ----------------------------------------------------------------------------------------------------------


def _forbidden(document: Document, plural: str, limit_range: Document, found: Sequence[Breach]) -> LimitRangeRefusal:
    said = _together(_said(breach.problem) for breach in found)
    message = f'{plural} "{name_of(document)}" is forbidden: {said}'
    bounded = tuple(sorted({breach.problem.resource for breach in found}))
    return LimitRangeRefusal(namespace_of(document), name_of(limit_range), message, bounded)


def _invalid(pod: Document, found: Sequence[tuple[str, BeyondOther]]) -> InvalidDefaults:
    said, names = [], set()
    for field, problem in found:
        path, _, resource = field.rpartition(_REQUESTS)
        names.add(resource)
        if problem.order == "=":
            bound = f"must be equal to {resource} limit of {canonical(problem.other)}"
        else:
            bound = f"must be less than or equal to {resource} limit of {canonical(problem.other)}"
        said.append(f'{path}{_REQUESTS[:-1]}: Invalid value: "{canonical(problem.found)}": {bound}')
    message = f'Pod "{name_of(pod)}" is invalid: {_together(said)}'
    return InvalidDefaults(namespace_of(pod), message, tuple(sorted(names)))


def _together(said: Iterable[str]) -> str:
    """Several errors as the API server lists them: each once."""
    found = list(dict.fromkeys(said))
    return found[0] if len(found) == 1 else f"[{', '.join(found)}]"


def _said(problem: BoundProblem) -> str:
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
