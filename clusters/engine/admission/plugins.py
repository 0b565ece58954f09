"""What the API server adds to a new pod: defaults first, then one part for each admission plugin."""

from __future__ import annotations

from copy import deepcopy
from enum import StrEnum
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from msgspec import Struct

from clusters.engine.admission import problems as refused
from clusters.engine.admission.problems import NotTheClassOverhead, UpdateRefused
from clusters.engine.admission.validation import Wrong, comparable, quantity_text, summed
from clusters.engine.objects import Document, labels_of, name_of, namespace_of
from clusters.engine.problems import MustBe, NoSuchObject, Problem
from clusters.engine.quantity import NANO, QuantityFormat, canonical_text, milli_value, parsed
from clusters.engine.resources import HUGE_PAGES, pod_quantities

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from clusters.engine.snapshot import Snapshot

# A pod on its way through admission, with a note of everything that was done to it.


# Defaults of the API itself, which come before every plugin.
#
# Upstream: ``SetDefaults_Pod`` and ``SetDefaults_PodSpec`` in ``pkg/apis/core/v1/defaults.go`` (v1.34.1); those of a
# pod as a whole are in `pod_level`.


class SourceKind(StrEnum):
    """Where a value that is added has come from."""

    OBJECT = "object"
    FIELD = "field"
    LIMIT = "limit"
    LIMITS_OF_CONTAINERS = "limits-of-containers"
    REQUESTS_OF_CONTAINERS = "requests-of-containers"
    LABEL_OF_POD = "label-of-pod"
    DEFAULT_PRIORITY_CLASS = "default-priority-class"
    NO_PRIORITY_CLASS = "no-priority-class"
    OTHER_TOLERATION = "other-toleration"


class ValueSource(Struct, frozen=True):
    """Where a value has come from; ``name`` is the object with its kind, the field, or the label's key."""

    kind: SourceKind
    name: str = ""


class Addition(Struct, frozen=True):
    """One thing that is done to the pod: ``by`` names who does it, ``source`` where the value is from.

    ``value`` is a plain value; None where something is left out because another entry covers it.
    """

    by: str
    field: str
    value: Any
    source: ValueSource | None = None


class Refusal(Struct, frozen=True):
    """Why the API server would not take the pod: who says so, about which field, and what is wrong with it."""

    by: str
    field: str
    problem: Problem


class Admission(Struct, frozen=True):
    """The pod as it would be stored, what was added in order, and what speaks against taking it."""

    pod: dict[str, Any]
    additions: tuple[Addition, ...]
    refusals: tuple[Refusal, ...]


class Draft:
    """A copy of a pod that may be written to."""

    def __init__(self, pod: Document) -> None:
        self.pod: dict[str, Any] = deepcopy(dict(pod))
        self.additions: list[Addition] = []
        self.refusals: list[Refusal] = []
        if not isinstance(self.pod.get("spec"), dict):
            self.pod["spec"] = {}

    @property
    def spec(self) -> dict[str, Any]:
        """The pod's spec."""
        spec: dict[str, Any] = self.pod["spec"]
        return spec

    @property
    def namespace(self) -> str:
        """The pod's namespace."""
        return namespace_of(self.pod)

    @property
    def labels(self) -> dict[str, str]:
        """The pod's labels."""
        return labels_of(self.pod)

    def containers(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield the path and the dict of every container, then of every init container."""
        for kind in ("containers", "initContainers"):
            for number, container in enumerate(self.spec.get(kind) or ()):
                yield f"spec.{kind}[{number}]", container

    def put(
        self, by: str, path: str, into: dict[str, Any], key: str, value: Any, source: ValueSource | None = None
    ) -> None:
        """Set one field and note it; ``path`` leads to the map that the field is put into."""
        into[key] = deepcopy(value)
        self.additions.append(Addition(by, f"{path}.{key}", value, source))

    def note(self, by: str, field: str, value: Any, source: ValueSource | None = None) -> None:
        """Note what was done to a list."""
        self.additions.append(Addition(by, field, value, source))

    def refuse(self, by: str, field: str, problem: Problem) -> None:
        """Note why the pod would not be taken."""
        self.refusals.append(Refusal(by, field, problem))


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


# matchLabelKeys and mismatchLabelKeys: the pod's own labels written into its selectors when it is created.
#
# Upstream: ``mutatePodAffinity`` and ``mutateTopologySpreadConstraints`` in ``pkg/registry/core/pod/strategy.go``
# (v1.34.1). MatchLabelKeysInPodAffinity is always on there, MatchLabelKeysInPodTopologySpreadSelectorMerge by
# default.

_REQUIRED: Final = "requiredDuringSchedulingIgnoredDuringExecution"
_PREFERRED: Final = "preferredDuringSchedulingIgnoredDuringExecution"


def merge_label_keys(draft: Draft) -> None:
    """Add a requirement to the selector of each term and constraint for every key that the pod has a label for."""
    for path, term in _terms(draft.spec.get("affinity") or {}):
        _merge(draft, path, term, "matchLabelKeys", "In")
        _merge(draft, path, term, "mismatchLabelKeys", "NotIn")
    for number, constraint in enumerate(draft.spec.get("topologySpreadConstraints") or ()):
        _merge(draft, f"spec.topologySpreadConstraints[{number}]", constraint, "matchLabelKeys", "In")


def _terms(affinity: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for kind in ("podAffinity", "podAntiAffinity"):
        rules = affinity.get(kind) or {}
        for number, weighted in enumerate(rules.get(_PREFERRED) or ()):
            path = f"spec.affinity.{kind}.{_PREFERRED}[{number}].podAffinityTerm"
            yield path, weighted.get("podAffinityTerm") or {}
        for number, term in enumerate(rules.get(_REQUIRED) or ()):
            yield f"spec.affinity.{kind}.{_REQUIRED}[{number}]", term


def _merge(draft: Draft, path: str, owner: dict[str, Any], field: str, operator: str) -> None:
    """Add the requirements of one list of keys; without a selector nothing is matched, and nothing is added."""
    selector = owner.get("labelSelector")
    if selector is None:
        return
    keys: Iterable[str] = owner.get(field) or ()
    for key in keys:
        value = draft.labels.get(key)
        if value is None:
            continue
        requirement = {"key": key, "operator": operator, "values": [value]}
        expressions = selector.get("matchExpressions") or []
        # A pod that was created once has it already.
        if requirement not in expressions:
            selector["matchExpressions"] = [*expressions, requirement]
            draft.note(
                field, f"{path}.labelSelector.matchExpressions", requirement, ValueSource(SourceKind.LABEL_OF_POD, key)
            )


# LimitRanges of a namespace: defaults for containers, and bounds for containers, whole pods and claims.
#
# Upstream: ``plugin/pkg/admission/limitranger/admission.go`` and ``SetDefaults_LimitRangeItem`` (v1.34.1).

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


def apply_limit_ranges(draft: Draft, snapshot: Snapshot) -> None:
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


# Defaults for what a pod requests and is limited to as a whole, where it has something at its own level.
#
# Upstream, with the feature gate PodLevelResources on, as it is by default: ``defaultHugePagePodLimits`` and
# ``defaultPodRequests`` in ``pkg/apis/core/v1/defaults.go`` (v1.34.1); ``DefaultPodLevelResources`` in
# ``pkg/api/pod/util.go`` (v1.37.2), which comes after the admission plugins.

_OVERCOMMITTED: Final = ("cpu", "memory")
_PATH: Final = "spec.resources"


def complete_pod_level(draft: Draft, *, derives_limits: bool) -> None:
    """Give pod-level requests and huge pages their values.

    ``derives_limits``: limits too (from 1.37), and requests also where there are no limits.
    """
    resources = draft.spec.get("resources") or {}
    if not resources.get("limits") and not resources.get("requests"):
        return
    for name, amount in summed(draft.spec, "limits").items():
        known = name in (resources.get("limits") or {}) or name in (resources.get("requests") or {})
        if name.startswith(HUGE_PAGES) and not known:
            into = part(resources, "limits")
            source = ValueSource(SourceKind.LIMITS_OF_CONTAINERS)
            draft.put(DEFAULTS, f"{_PATH}.limits", into, name, str(amount), source)
    if derives_limits or resources.get("limits"):
        _request(draft, resources)
    if derives_limits:
        _limit(draft, resources)


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


# Priority: the number and the preemption policy that a PriorityClass stands for.
#
# Upstream: ``plugin/pkg/admission/priority/admission.go`` (v1.34.1).

PRIORITY: Final = "Priority"
# The API server makes these two itself; a dump without PriorityClasses has them all the same.
BUILT_IN: Final = {"system-cluster-critical": 2_000_000_000, "system-node-critical": 2_000_001_000}
_PREEMPTS: Final = "PreemptLowerPriority"
_MOST_NAMED: Final = 8


class _Class(NamedTuple):
    """What a pod gets, and from where."""

    name: str
    value: int
    policy: str
    source: ValueSource


def apply_priority(draft: Draft, snapshot: Snapshot) -> None:
    """Resolve the pod's priority class, or the cluster's default one, or none."""
    spec = draft.spec
    asked = str(spec.get("priorityClassName") or "")
    found = _priority_named(asked, snapshot) if asked else _priority_default(snapshot)
    if found is None:
        # Every API server has two classes at least: where none is mirrored, the pod's own number is all that is known.
        if spec.get("priority") is not None and not snapshot.objects("PriorityClass"):
            return
        draft.refuse(
            PRIORITY,
            "spec.priorityClassName",
            NoSuchObject("PriorityClass", asked, _names(snapshot), len(_names(snapshot))),
        )
        return
    given = spec.get("priority")
    if given is not None and given != found.value:
        draft.refuse(
            PRIORITY,
            "spec.priority",
            MustBe(str(given), str(found.value), f"PriorityClass {found.name}")
            if found.name
            else MustBe(str(given), str(found.value)),
        )
        return
    if found.name and not asked:
        draft.put(
            PRIORITY, "spec", spec, "priorityClassName", found.name, ValueSource(SourceKind.DEFAULT_PRIORITY_CLASS)
        )
    if given is None:
        draft.put(PRIORITY, "spec", spec, "priority", found.value, found.source)
    _preemption(draft, found)


def _preemption(draft: Draft, found: _Class) -> None:
    given = draft.spec.get("preemptionPolicy")
    if given == found.policy:
        return
    if given is None:
        draft.put(PRIORITY, "spec", draft.spec, "preemptionPolicy", found.policy, found.source)
        return
    draft.refuse(PRIORITY, "spec.preemptionPolicy", MustBe(str(given), found.policy, "PriorityClass"))


def _priority_named(name: str, snapshot: Snapshot) -> _Class | None:
    document, source = snapshot.object("PriorityClass", name), ValueSource(SourceKind.OBJECT, f"PriorityClass {name}")
    if document is not None:
        # A stored class has its policy filled in; one that was written by hand may not.
        policy = document.get("preemptionPolicy") or _PREEMPTS
        return _Class(name, int(document.get("value") or 0), str(policy), source)
    if name in BUILT_IN:
        return _Class(name, BUILT_IN[name], _PREEMPTS, source)
    return None


def _priority_default(snapshot: Snapshot) -> _Class:
    """Return the class that is marked as default, of several the lowest, or what there is without any."""
    marked = [document for document in snapshot.objects("PriorityClass") if document.get("globalDefault")]
    if marked:
        chosen = min(marked, key=lambda document: int(document.get("value") or 0))
        found = _priority_named(name_of(chosen), snapshot)
        if found is not None:
            return found
    return _Class("", 0, _PREEMPTS, ValueSource(SourceKind.NO_PRIORITY_CLASS))


def _names(snapshot: Snapshot) -> tuple[str, ...]:
    names = {name_of(document) for document in snapshot.objects("PriorityClass")} | set(BUILT_IN)
    return tuple(sorted(names)[:_MOST_NAMED])


# Tolerations that every pod gets, and how two lists of tolerations become one.
#
# Upstream: ``plugin/pkg/admission/defaulttolerationseconds/admission.go`` and ``pkg/util/tolerations/tolerations.go``
# (v1.34.1). The seconds are those of an API server that is not told others by its flags.

DEFAULT_TOLERATIONS: Final = "DefaultTolerationSeconds"
_SECONDS: Final = 300
_TAINTS: Final = ("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable")


def add_tolerations(draft: Draft) -> None:
    """Let the pod stay for five minutes on a node that is not ready or cannot be reached, unless it says itself."""
    given = list(draft.spec.get("tolerations") or ())
    for taint in _TAINTS:
        if not any(
            ((toleration.get("key") or "") in (taint, "") and (toleration.get("effect") or "") in ("NoExecute", ""))
            for toleration in given
        ):
            added = {"key": taint, "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": _SECONDS}
            draft.spec["tolerations"] = [*(draft.spec.get("tolerations") or ()), added]
            draft.note(DEFAULT_TOLERATIONS, "spec.tolerations", added)


def merged(first: Sequence[Mapping[str, Any]], second: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return both lists without the tolerations that another one covers."""
    everything = [*first, *second]
    kept: list[Mapping[str, Any]] = []
    for number, each in enumerate(everything):
        if any(_covers(other, each) for other in kept):
            continue
        if any(not _same(other, each) and _covers(other, each) for other in everything[number + 1 :]):
            continue
        kept.append(each)
    return kept


def _same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    keys = ("key", "operator", "value", "effect")
    return all((one.get(key) or "") == (other.get(key) or "") for key in keys) and (
        one.get("tolerationSeconds") == other.get("tolerationSeconds")
    )


def _covers(wide: Mapping[str, Any], narrow: Mapping[str, Any]) -> bool:
    """Whether everything that ``narrow`` tolerates is tolerated by ``wide``, as upstream sees it."""
    if _same(wide, narrow):
        return True
    operator, key = wide.get("operator") or "", wide.get("key") or ""
    if (narrow.get("key") or "") != key and (key or operator != "Exists"):
        return False
    effect = wide.get("effect") or ""
    if effect and (narrow.get("effect") or "") != effect:
        return False
    seconds, of_narrow = wide.get("tolerationSeconds"), narrow.get("tolerationSeconds")
    if effect == "NoExecute" and seconds is not None and (of_narrow is None or of_narrow > seconds):
        return False
    if operator in ("Equal", ""):
        return narrow.get("operator") == "Equal" and (narrow.get("value") or "") == (wide.get("value") or "")
    return operator == "Exists"


# RuntimeClass: what a runtime costs on top of the containers, and where it can run.
#
# Upstream: ``plugin/pkg/admission/runtimeclass/admission.go`` (v1.34.1).

RUNTIME_CLASS: Final = "RuntimeClass"


def apply_runtime_class(draft: Draft, snapshot: Snapshot) -> None:
    """Add overhead, node selector and tolerations of the pod's RuntimeClass."""
    name = str(draft.spec.get("runtimeClassName") or "")
    document = snapshot.object("RuntimeClass", name) if name else None
    if name and document is None:
        known = tuple(sorted(name_of(each) for each in snapshot.objects("RuntimeClass")))
        draft.refuse(RUNTIME_CLASS, "spec.runtimeClassName", NoSuchObject("RuntimeClass", name, known, len(known)))
        return
    fixed = ((document or {}).get("overhead") or {}).get("podFixed") or {}
    _overhead(draft, fixed, name)
    scheduling = (document or {}).get("scheduling") or {}
    if scheduling:
        _node_selector(draft, scheduling.get("nodeSelector") or {}, name)
        _tolerations(draft, scheduling.get("tolerations") or [], name)


def _source(name: str) -> ValueSource:
    return ValueSource(SourceKind.OBJECT, f"RuntimeClass {name}")


def _overhead(draft: Draft, fixed: Mapping[str, Any], name: str) -> None:
    given = draft.spec.get("overhead") or {}
    if given and _amounts(given) != _amounts(fixed):
        other = refused.NotTheClassOverhead() if fixed else NotTheClassOverhead()
        draft.refuse(RUNTIME_CLASS, "spec.overhead", other)
    elif fixed and not given:
        draft.put(RUNTIME_CLASS, "spec", draft.spec, "overhead", dict(fixed), _source(name))


def _amounts(given: Mapping[str, Any]) -> dict[str, int]:
    return {resource: milli_value(amount) for resource, amount in given.items()}


def _node_selector(draft: Draft, wanted: Mapping[str, str], name: str) -> None:
    for key, value in wanted.items():
        given = (draft.spec.get("nodeSelector") or {}).get(key)
        if given is None:
            into = part(draft.spec, "nodeSelector")
            draft.put(RUNTIME_CLASS, "spec.nodeSelector", into, key, value, _source(name))
        elif given != value:
            other = MustBe(str(given), value, f"RuntimeClass {name}")
            draft.refuse(RUNTIME_CLASS, f"spec.nodeSelector.{key}", other)


def _tolerations(draft: Draft, wanted: list[Mapping[str, Any]], name: str) -> None:
    given = list(draft.spec.get("tolerations") or ())
    result = merged(given, wanted)
    for each in result:
        if each not in given:
            draft.note(RUNTIME_CLASS, "spec.tolerations", dict(each), _source(name))
    for number, each in enumerate(given):
        if each not in result:
            draft.note(RUNTIME_CLASS, f"spec.tolerations[{number}]", None, ValueSource(SourceKind.OTHER_TOLERATION))
    if result != given:
        draft.spec["tolerations"] = result


# What the API server refuses when a pod that exists is changed; what it takes needs no new pod.
#
# Upstream: ``ValidatePodUpdate`` of ``pkg/apis/core/validation/validation.go`` and what the plugins Priority and
# DefaultTolerationSeconds do on updates, v1.34.1; of the fields that the mirror keeps.

_LISTS: Final = ("containers", "initContainers")
# As the API server lists the fields of a spec that may change, whatever else it takes.
_UPDATABLE: Final = (
    "`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only "
    "additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was "
    "previously negative)"
)
# Kept from the pod as it is where the new one leaves them out: set by admission, or by the scheduler.
_CARRIED: Final = ("nodeName", "priority", "preemptionPolicy")


def update_refusals(old: Document, new: Document) -> Iterator[Wrong]:
    """Yield why the API server would not change a pod into another one, of the fields of the spec; nothing where it
    would. Raises QuantityError.

    A pod with scheduling gates may be restricted further: its node selector gains labels, its terms of required node
    affinity gain requirements, and gates go away. Any other keeps all that scheduling reads but for tolerations, which
    may be added, and how long they last.
    """
    was, spec = _defaulted(old), _defaulted(new)
    for field in _CARRIED:
        if was.get(field) is not None:
            spec.setdefault(field, was[field])
    for kind in _LISTS:
        if len(spec.get(kind) or ()) != len(was.get(kind) or ()):
            yield Wrong(f"spec.{kind}", UpdateRefused("pod updates may not add or remove containers"))
            return
    deadline = list(_deadline(was.get("activeDeadlineSeconds"), spec.get("activeDeadlineSeconds")))
    yield from deadline
    if deadline:
        return
    yield from _updating_tolerations(was.get("tolerations") or (), spec.get("tolerations") or ())
    yield from _gates(was.get("schedulingGates") or (), spec.get("schedulingGates") or ())
    if was.get("schedulingGates"):
        yield from _updating_node_selector(was.get("nodeSelector") or {}, spec.get("nodeSelector") or {})
        yield from _node_affinity(_updating_terms(was), _updating_terms(spec))
    changed = sorted(_fixed(was, spec, is_gated=bool(was.get("schedulingGates"))))
    if changed:
        yield Wrong(", ".join(changed), UpdateRefused(f"pod updates may not change fields other than {_UPDATABLE}"))


def _defaulted(pod: Document) -> dict[str, Any]:
    """A pod's spec with what every pod has that an API server stores, also one that was written by hand."""
    draft = Draft(pod)
    fill_in(draft)
    complete_pod_level(draft, derives_limits=False)
    add_tolerations(draft)
    return draft.spec


def _deadline(old: Any, new: Any) -> Iterator[Wrong]:
    field = "spec.activeDeadlineSeconds"
    if old is None:
        return
    if new is None:
        yield Wrong(field, UpdateRefused("must not update from a positive integer to nil value"))
    elif new > old:
        yield Wrong(field, UpdateRefused("must be less than or equal to previous value"))


def _updating_tolerations(old: Sequence[Document], new: Sequence[Document]) -> Iterator[Wrong]:
    """Each toleration stays; only its seconds may be others."""
    there = [_plain({**each, "tolerationSeconds": None}) for each in new]
    if any(_plain({**each, "tolerationSeconds": None}) not in there for each in old):
        said = "existing toleration can not be modified except its tolerationSeconds"
        yield Wrong("spec.tolerations", UpdateRefused(said))


def _gates(old: Sequence[Document], new: Sequence[Document]) -> Iterator[Wrong]:
    there = {each.get("name") for each in old}
    for number, gate in enumerate(new):
        if gate.get("name") not in there:
            said = f"only deletion is allowed, but found new scheduling gate '{gate.get('name')}'"
            yield Wrong(f"spec.schedulingGates[{number}].name", UpdateRefused(said))


def _updating_node_selector(old: Mapping[str, str], new: Mapping[str, str]) -> Iterator[Wrong]:
    if any(new.get(key) != value for key, value in old.items()):
        said = "only additions to spec.nodeSelector are allowed (no mutations or deletions)"
        yield Wrong("spec.nodeSelector", UpdateRefused(said))


def _updating_terms(spec: Document) -> Sequence[Document]:
    by_node = (spec.get("affinity") or {}).get("nodeAffinity") or {}
    terms: Sequence[Document] = (by_node.get(_REQUIRED) or {}).get("nodeSelectorTerms") or ()
    return terms


def _node_affinity(old: Sequence[Document], new: Sequence[Document]) -> Iterator[Wrong]:
    """Where nothing was required, anything may be; each term there was gains requirements behind those that it has."""
    path = f"spec.affinity.nodeAffinity.{_REQUIRED}.nodeSelectorTerms"
    if not old:
        return
    if len(old) != len(new):
        yield Wrong(path, UpdateRefused("no additions/deletions to non-empty NodeSelectorTerms list are allowed"))
        return
    for number, (before, after) in enumerate(zip(old, new, strict=True)):
        if not _only_gains(before, after):
            said = "only additions are allowed (no mutations or deletions)"
            yield Wrong(f"{path}[{number}]", UpdateRefused(said))


def _only_gains(before: Document, after: Document) -> bool:
    pairs = [(before.get(name) or [], after.get(name) or []) for name in ("matchExpressions", "matchFields")]
    if not any(old for old, _ in pairs):
        # A term without requirements selects nothing, and one with any would select something.
        return not any(new for _, new in pairs)
    return all(_plain(new[: len(old)]) == _plain(old) for old, new in pairs)


# -- all other fields --------------------------------------------------------------------------------------------------


def _fixed(old: Document, new: Document, *, is_gated: bool) -> Iterator[str]:
    """The paths of fields that differ and may not; containers are as many on both sides."""
    ours = {"activeDeadlineSeconds", "tolerations", "schedulingGates", *_LISTS}
    if is_gated:
        ours.add("nodeSelector")
        old, new = _without_node_affinity(old), _without_node_affinity(new)
    if (old.get("terminationGracePeriodSeconds") or 0) < 0 and new.get("terminationGracePeriodSeconds") == 1:
        ours.add("terminationGracePeriodSeconds")
    yield from _differing(old, new, ours, "spec")
    for kind in _LISTS:
        pairs = zip(old.get(kind) or (), new.get(kind) or (), strict=True)
        for number, (before, after) in enumerate(pairs):
            yield from _differing(before, after, {"image"}, f"spec.{kind}[{number}]")


def _without_node_affinity(spec: Document) -> Document:
    affinity = {kind: rules for kind, rules in (spec.get("affinity") or {}).items() if kind != "nodeAffinity"}
    return {**spec, "affinity": affinity}


def _differing(old: Document, new: Document, but: set[str], path: str) -> Iterator[str]:
    for field in dict.fromkeys(chain(old, new)):
        if field not in but and _plain(old.get(field), field) != _plain(new.get(field), field):
            yield f"{path}.{field}"


def _plain(value: Any, field: str = "") -> Any:
    """A value in which what is empty and what is missing are the same, and amounts are numbers."""
    if isinstance(value, dict):
        if field in ("requests", "limits", "overhead", "allocatedResources"):
            return {name: parsed(amount).nano_units for name, amount in value.items()} or None
        found = {name: plain for name, part in value.items() if (plain := _plain(part, name)) is not None}
        return found or None
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value] or None
    return None if value in ("", False) else value
