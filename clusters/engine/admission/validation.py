"""What the API server refuses of a pod, by rules between its fields; each field's own type is not looked at here.

Upstream: ``ValidatePodSpec`` of ``pkg/apis/core/validation/validation.go`` (v1.34.1, feature gates at their defaults),
as far as scheduling reads the fields. It runs after the plugins that change a pod, so what those may still add is not
held against a pod before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from clusters.engine.admission import problems as refused
from clusters.engine.admission.problems import NotOneValue
from clusters.engine.objects import Document, metadata
from clusters.engine.problems import (
    BelowLeast,
    BeyondOther,
    Empty,
    InvalidValue,
    Missing,
    MissingField,
    MustBe,
    NoSuchName,
    NotALabelKey,
    NotALabelValue,
    NotOneOf,
    NotTogether,
    OnlyBeside,
    Problem,
    Repeated,
    shown,
)
from clusters.engine.quantity import MAX_INT64, QuantityError, canonical_text, milli_value, parsed, whole_value
from clusters.engine.resources import CPU, EPHEMERAL_STORAGE, HUGE_PAGES, MEMORY, NATIVE_DOMAIN, pod_amounts
from clusters.engine.selectors import key_fault, value_fault

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


# Amounts of a whole pod, and two amounts compared, as admission needs them.

_MOST_MILLI: Final = MAX_INT64 // 1000


def summed(spec: Mapping[str, Any], role: str) -> dict[str, int]:
    """Return what all containers together have as ``requests`` or ``limits``: milli-CPU, else whole units."""
    own = {key: spec[key] for key in ("containers", "initContainers") if spec.get(key)}
    as_requests = {
        kind: [
            {**container, "resources": {"requests": (container.get("resources") or {}).get(role)}}
            for container in containers
        ]
        for kind, containers in own.items()
    }
    return pod_amounts({"spec": as_requests}, use_status=False)


def quantity_text(name: str, amount: int) -> str:
    """Write an amount in base units as a quantity."""
    if name != "cpu":
        return str(amount)
    return f"{amount}m" if amount % 1000 else str(amount // 1000)


def comparable(one: Any, other: Any) -> tuple[int, int]:
    """Return both in thousandths, or whole where thousandths would not fit. Raises QuantityError."""
    whole = whole_value(one), whole_value(other)
    return (milli_value(one), milli_value(other)) if max(whole) <= _MOST_MILLI else whole


def canonical(given: Any) -> str:
    """Write a quantity as the API server does in its messages. Raises QuantityError."""
    quantity = parsed(given)
    return canonical_text(quantity.nano_units, quantity.format)


# One field that the API server would not take.


class Wrong(NamedTuple):
    """The path of the field, and what is wrong with it."""

    field: str
    problem: Problem


# Label selectors, and the keys of labels that are matched with the pod's own.

_WITH_VALUES, _WITHOUT_VALUES = ("In", "NotIn"), ("Exists", "DoesNotExist")


def check_labels(labels: Mapping[str, str] | None, path: str) -> Iterator[Wrong]:
    """Yield keys and values that no label can have."""
    for key, value in (labels or {}).items():
        if key_fault(key):
            yield Wrong(f"{path}.{key}", NotALabelKey(shown(key)))
        elif value_fault(value or ""):
            yield Wrong(f"{path}.{key}", NotALabelValue(shown(value)))


def check_selector(selector: Document | None, path: str) -> Iterator[Wrong]:
    """Yield what ``ValidateLabelSelector`` refuses."""
    if selector is None:
        return
    yield from check_labels(selector.get("matchLabels"), f"{path}.matchLabels")
    for number, expression in enumerate(selector.get("matchExpressions") or ()):
        yield from check_expression(expression, f"{path}.matchExpressions[{number}]", checks_values=True)


def check_expression(expression: Document, path: str, *, checks_values: bool) -> Iterator[Wrong]:
    """Yield what is wrong with a requirement on labels; ``checks_values``: whether no label could have its values."""
    operator, values = expression.get("operator"), expression.get("values") or ()
    if operator in _WITH_VALUES and not values:
        yield Wrong(f"{path}.values", Missing())
    if operator in _WITHOUT_VALUES and values:
        yield Wrong(f"{path}.values", NotTogether(("values", f"operator: {operator}")))
    if key_fault(key := expression.get("key") or ""):
        yield Wrong(f"{path}.key", NotALabelKey(shown(key)))
    for number, value in enumerate(values if checks_values else ()):
        if value_fault(value):
            yield Wrong(f"{path}.values[{number}]", NotALabelValue(shown(value)))


def check_label_keys(owner: Document, path: str, *, is_admitted: bool) -> Iterator[Wrong]:
    """Yield what ``ValidateMatchLabelKeysAndMismatchLabelKeys`` refuses of a term or a constraint."""
    selector = owner.get("labelSelector")
    matched: Sequence[str] = owner.get("matchLabelKeys") or ()
    mismatched = owner.get("mismatchLabelKeys") or ()
    for field, keys in (("matchLabelKeys", matched), ("mismatchLabelKeys", mismatched)):
        if keys and selector is None:
            yield Wrong(f"{path}.{field}", OnlyBeside("labelSelector"))
            continue
        for number, key in enumerate(keys):
            if key_fault(key):
                yield Wrong(f"{path}.{field}[{number}]", NotALabelKey(shown(key)))
    if is_admitted and selector is not None:
        yield from _check_repeated(selector, frozenset(matched), path)
    both = frozenset(mismatched)
    for number, key in enumerate(matched):
        if key in both:
            yield Wrong(f"{path}.matchLabelKeys[{number}]", Repeated(key, "mismatchLabelKeys"))


def _check_repeated(selector: Document, matched: frozenset[str], path: str) -> Iterator[Wrong]:
    """Yield keys that the selector names beside the requirement that admission made of matchLabelKeys."""
    named = set(selector.get("matchLabels") or {})
    for expression in selector.get("matchExpressions") or ():
        key = expression.get("key") or ""
        if key in matched and key in named:
            yield Wrong(f"{path}.matchLabelKeys", Repeated(key, "labelSelector"))
        named.add(key)


# Node selectors, node affinity, and affinity to other pods.

_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
_PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"
_NODE_NAME = "metadata.name"


def affinity_wrongs(pod: Document, *, is_admitted: bool) -> Iterator[Wrong]:
    """Yield what is refused of the labels that a pod's author wrote, of its node selector and its affinity."""
    spec = pod.get("spec") or {}
    if not is_admitted:
        # What controllers add has UIDs of objects that may be imagined here.
        yield from check_labels(metadata(pod).get("labels"), "metadata.labels")
    yield from check_labels(spec.get("nodeSelector"), "spec.nodeSelector")
    affinity = spec.get("affinity") or {}
    yield from _check_node_affinity(affinity.get("nodeAffinity") or {}, "spec.affinity.nodeAffinity")
    for kind in ("podAffinity", "podAntiAffinity"):
        for path, term in _pod_terms(affinity.get(kind) or {}, f"spec.affinity.{kind}"):
            yield from _check_pod_term(term, path, is_admitted=is_admitted)


def _check_node_affinity(rules: Document, path: str) -> Iterator[Wrong]:
    if rules.get(_REQUIRED) is not None:
        yield from check_node_selector(rules[_REQUIRED], f"{path}.{_REQUIRED}")
    for number, weighted in enumerate(rules.get(_PREFERRED) or ()):
        # A preference may name values that no label has: the API server lets it pass.
        where = f"{path}.{_PREFERRED}[{number}].preference"
        yield from _check_node_term(weighted.get("preference") or {}, where, checks_values=False)


def check_node_selector(selector: Document, path: str) -> Iterator[Wrong]:
    """Yield what ``ValidateNodeSelector`` refuses."""
    terms = selector.get("nodeSelectorTerms") or ()
    if not terms:
        yield Wrong(f"{path}.nodeSelectorTerms", Empty())
    for number, term in enumerate(terms):
        yield from _check_node_term(term, f"{path}.nodeSelectorTerms[{number}]", checks_values=True)


def _check_node_term(term: Document, path: str, *, checks_values: bool) -> Iterator[Wrong]:
    for number, expression in enumerate(term.get("matchExpressions") or ()):
        where = f"{path}.matchExpressions[{number}]"
        if expression.get("operator") in ("Gt", "Lt") and len(expression.get("values") or ()) != 1:
            yield Wrong(f"{where}.values", NotOneValue(expression["operator"]))
        yield from check_expression(expression, where, checks_values=checks_values)
    for number, expression in enumerate(term.get("matchFields") or ()):
        yield from _check_field(expression, f"{path}.matchFields[{number}]")


def _check_field(expression: Document, path: str) -> Iterator[Wrong]:
    operator, key = expression.get("operator"), expression.get("key")
    if operator not in ("In", "NotIn"):
        yield Wrong(f"{path}.operator", NotOneOf(str(operator), ("In", "NotIn")))
    elif len(expression.get("values") or ()) != 1:
        yield Wrong(f"{path}.values", refused.NotOneValue(operator))
    if key != _NODE_NAME:
        yield Wrong(f"{path}.key", NotOneOf(str(key), (_NODE_NAME,)))


def _pod_terms(rules: Document, path: str) -> Iterator[tuple[str, Any]]:
    for number, term in enumerate(rules.get(_REQUIRED) or ()):
        yield f"{path}.{_REQUIRED}[{number}]", term
    for number, weighted in enumerate(rules.get(_PREFERRED) or ()):
        yield f"{path}.{_PREFERRED}[{number}].podAffinityTerm", weighted.get("podAffinityTerm") or {}


def _check_pod_term(term: Document, path: str, *, is_admitted: bool) -> Iterator[Wrong]:
    key = term.get("topologyKey") or ""
    if key_fault(key):
        problem = NotALabelKey(shown(key)) if key else Missing(("kubernetes.io/hostname",))
        yield Wrong(f"{path}.topologyKey", problem)
    for field in ("labelSelector", "namespaceSelector"):
        yield from check_selector(term.get(field), f"{path}.{field}")
    yield from check_label_keys(term, path, is_admitted=is_admitted)


# Containers beside their resources: names and host ports; and scheduling gates.


def container_wrongs(spec: Document) -> Iterator[Wrong]:
    """Yield names that two containers have, ports that two would open on the node, and gates that are none."""
    names: set[str] = set()
    for kind in ("containers", "initContainers"):
        for number, container in enumerate(spec.get(kind) or ()):
            name = container.get("name") or ""
            if name in names:
                yield Wrong(f"spec.{kind}[{number}].name", Repeated(name))
            names.add(name)
    yield from _check_ports(spec)
    gates: set[str] = set()
    for number, gate in enumerate(spec.get("schedulingGates") or ()):
        path, name = f"spec.schedulingGates[{number}].name", gate.get("name") or ""
        if key_fault(name):
            yield Wrong(path, NotALabelKey(shown(name)))
        elif name in gates:
            yield Wrong(path, Repeated(name))
        gates.add(name)


def _check_ports(spec: Document) -> Iterator[Wrong]:
    """Init containers run one after another, so that only containers beside each other exclude each other."""
    taken: set[tuple[str, str, int]] = set()
    for number, container in enumerate(spec.get("containers") or ()):
        for place, port in enumerate(container.get("ports") or ()):
            path, host_port = f"spec.containers[{number}].ports[{place}].hostPort", port.get("hostPort") or 0
            if not host_port:
                continue
            if spec.get("hostNetwork") and host_port != port.get("containerPort"):
                yield Wrong(
                    path,
                    MustBe(str(host_port), str(port.get("containerPort")), "hostNetwork"),
                )
            opened = (port.get("protocol") or "TCP", port.get("hostIP") or "", host_port)
            if opened in taken:
                yield Wrong(path, Repeated(str(host_port)))
            taken.add(opened)


# Requests and limits: which resources there are, whole devices, and what has to be equal.
#
# Upstream: ``validateResourceRequirements``, ``validatePodResources`` and ``validateOverhead``.

_COMPUTE = (CPU, MEMORY)
_OF_CONTAINERS = (CPU, MEMORY, EPHEMERAL_STORAGE)


def resource_wrongs(spec: Document, *, is_admitted: bool) -> Iterator[Wrong]:
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
                    MissingField(f"limits.{name}", str(amount)),
                )
        elif (order := _compared(amount, limit)) and not _may_overcommit(name):
            yield Wrong(
                f"{path}.requests.{name}",
                BeyondOther(str(amount), "=", f"limits.{name}", str(limit)),
            )
        elif order > 0:
            yield Wrong(
                f"{path}.requests.{name}",
                BeyondOther(str(amount), "≤", f"limits.{name}", str(limit)),
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
            yield Wrong(path, InvalidValue(shown(name), ("cpu", "memory", "nvidia.com/gpu")))
    elif key_fault(name):
        yield Wrong(path, NotALabelKey(shown(name)))
    elif NATIVE_DOMAIN not in name and name.startswith("requests."):
        yield Wrong(path, MustBe(name, name.removeprefix("requests.")))


def _check_amount(name: str, amount: Any, path: str) -> Iterator[Wrong]:
    if str(amount).startswith("-") and whole_value(amount):
        yield Wrong(path, BelowLeast(str(amount), 0))
    elif _is_extended(name) and milli_value(amount) % 1000:
        whole = max(1, -(-milli_value(amount) // 1000))
        yield Wrong(path, InvalidValue(str(amount), (str(whole),)))
    elif name.startswith(HUGE_PAGES):
        try:
            size = whole_value(name.removeprefix(HUGE_PAGES))
        except QuantityError:
            size = 0
        if size <= 0:
            yield Wrong(path, InvalidValue(shown(name), ("hugepages-2Mi",)))
        elif whole_value(amount) % size:
            page = name.removeprefix(HUGE_PAGES)
            yield Wrong(path, refused.NotWholePages(str(amount), page))


def _check_claims(resources: Document, path: str, known: set[Any]) -> Iterator[Wrong]:
    for number, claim in enumerate(resources.get("claims") or ()):
        if claim.get("name") not in known:
            yield Wrong(
                f"{path}.claims[{number}].name",
                NoSuchName(str(claim.get("name"))),
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
                    BeyondOther(str(amount), "≥", "spec.containers", str(together)),
                )
    limits: Mapping[str, Any] = own.get("limits") or {}
    for number, container in enumerate(spec.get("containers") or ()):
        for name, amount in ((container.get("resources") or {}).get("limits") or {}).items():
            if name in limits and _compared(amount, limits[name]) > 0:
                yield Wrong(
                    f"spec.containers[{number}].resources.limits.{name}",
                    BeyondOther(str(amount), "≤", "spec.resources.limits", str(limits[name])),
                )


def _is_extended(name: str) -> bool:
    return "/" in name and NATIVE_DOMAIN not in name


def _may_overcommit(name: str) -> bool:
    return not _is_extended(name) and not name.startswith(HUGE_PAGES)


def _compared(one: Any, other: Any) -> int:
    """Return 1 where one amount is more than another, -1 where it is less, 0 where they are the same."""
    first, second = comparable(one, other)
    return (first > second) - (first < second)


# Topology spread constraints: which of their fields go together, and which constraints exclude each other.

_SPREADING_REQUIRED = "DoNotSchedule"


def spreading_wrongs(spec: Document, *, is_admitted: bool) -> Iterator[Wrong]:
    """Yield what ``validateTopologySpreadConstraints`` refuses."""
    seen: dict[tuple[str, str], int] = {}
    for number, constraint in enumerate(spec.get("topologySpreadConstraints") or ()):
        path = f"spec.topologySpreadConstraints[{number}]"
        key, action = constraint.get("topologyKey") or "", constraint.get("whenUnsatisfiable") or ""
        if not key:
            yield Wrong(
                f"{path}.topologyKey",
                Missing(("topology.kubernetes.io/zone",)),
            )
        first = seen.setdefault((key, action), number)
        if first != number:
            yield Wrong(
                f"{path}.topologyKey",
                Repeated(f"{key} ({action})", f"topologySpreadConstraints[{first}]"),
            )
        if constraint.get("minDomains") is not None and action != _SPREADING_REQUIRED:
            yield Wrong(
                f"{path}.minDomains",
                OnlyBeside("whenUnsatisfiable", _SPREADING_REQUIRED),
            )
        yield from check_label_keys(constraint, path, is_admitted=is_admitted)
        yield from check_selector(constraint.get("labelSelector"), f"{path}.labelSelector")


# Tolerations: which of their fields go together.


def check_tolerations(tolerations: Sequence[Document], path: str) -> Iterator[Wrong]:
    """Yield what ``ValidateTolerations`` refuses."""
    for number, toleration in enumerate(tolerations):
        yield from _check(toleration, f"{path}[{number}]")


def _check(toleration: Document, path: str) -> Iterator[Wrong]:
    key, value = toleration.get("key") or "", toleration.get("value") or ""
    effect, tolerates_any = toleration.get("effect") or "", toleration.get("operator") == "Exists"
    if key and key_fault(key):
        yield Wrong(f"{path}.key", NotALabelKey(shown(key)))
    if not key and not tolerates_any:
        yield Wrong(
            f"{path}.operator",
            MustBe("Equal", "Exists", 'key: ""'),
        )
    if toleration.get("tolerationSeconds") is not None and effect != "NoExecute":
        yield Wrong(
            f"{path}.effect",
            MustBe(shown(effect), "NoExecute", "tolerationSeconds"),
        )
    if tolerates_any and value:
        yield Wrong(f"{path}.value", NotTogether(("value", "operator: Exists")))
    elif not tolerates_any and value_fault(value):
        yield Wrong(f"{path}.value", NotALabelValue(shown(value)))


def wrongs_of(pod: Document, *, is_admitted: bool) -> Iterator[Wrong]:
    """Yield every field for which the API server would refuse a pod; paths begin at the pod.

    ``is_admitted``: whether the plugins of admission had their say. Before that, a LimitRange may still give a limit or
    a request that is missing. Raises QuantityError for an amount that is none.
    """
    spec = pod.get("spec") or {}
    yield from container_wrongs(spec)
    yield from resource_wrongs(spec, is_admitted=is_admitted)
    yield from check_tolerations(spec.get("tolerations") or (), "spec.tolerations")
    yield from spreading_wrongs(spec, is_admitted=is_admitted)
    yield from affinity_wrongs(pod, is_admitted=is_admitted)
