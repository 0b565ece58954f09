"""Whether a document is an object that the Kubernetes API would take, field by field."""

from __future__ import annotations

import re
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import orjson
import yaml
from msgspec import inspect

from clusters.adapters.bad_input import shown
from clusters.adapters.prune import KINDS
from clusters.adapters.prune.shapes import WrongField, integer, quantity, small_integer, timestamp
from clusters.engine.admission import wrongs_of, wrongs_of_object
from clusters.engine.problems import (
    BelowLeast,
    Empty,
    InvalidValue,
    Malformed,
    Missing,
    MissingField,
    MustBe,
    NotABoolean,
    NotAList,
    NotAMap,
    NotAnInteger,
    NotAText,
    NotOneOf,
    NotUtf8,
    OutOfRange,
    Problem,
    TooLong,
    TooMany,
    UnknownField,
)
from clusters.problems.inputs import EndsEarly
from clusters.problems.lessons import NotOfPattern

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator


# What the Kubernetes API says about the kinds that people write: types, their fields, and the words that fields hold.
#
# ``api.json`` is written by ``scripts/api_schema.py``. The schema that Kubernetes publishes names no bounds and not
# all words; those of fields that scheduling reads are here, from ``pkg/apis/core/validation/validation.go``
# (v1.34.1).

_FILE: Final = Path(__file__).with_name("api.json")
_OPERATORS: Final = ("In", "NotIn", "Exists", "DoesNotExist")
_RETENTION: Final = ("Retain", "Delete")
_STATES: Final = ("True", "False", "Unknown")

# By type and field. These stand before the schema's own.
WORDS: Final[dict[tuple[str, str], tuple[str, ...]]] = {
    ("Container", "restartPolicy"): ("Always", "Never", "OnFailure"),
    ("LabelSelectorRequirement", "operator"): _OPERATORS,
    ("LimitRangeItem", "type"): ("Container", "Pod", "PersistentVolumeClaim"),
    ("NodeCondition", "status"): _STATES,
    ("PodFailurePolicyOnPodConditionsPattern", "status"): _STATES,
    ("PodOS", "name"): ("linux", "windows"),
    ("StatefulSetPersistentVolumeClaimRetentionPolicy", "whenDeleted"): _RETENTION,
    ("StatefulSetPersistentVolumeClaimRetentionPolicy", "whenScaled"): _RETENTION,
    ("Toleration", "operator"): ("Exists", "Equal"),
}
BOUNDS: Final[dict[tuple[str, str], tuple[int, int]]] = {
    ("ContainerPort", "containerPort"): (1, 65535),
    ("ContainerPort", "hostPort"): (0, 65535),
    ("PreferredSchedulingTerm", "weight"): (1, 100),
    ("ServicePort", "port"): (1, 65535),
    ("TopologySpreadConstraint", "maxSkew"): (1, 2**31 - 1),
    ("TopologySpreadConstraint", "minDomains"): (1, 2**31 - 1),
    ("WeightedPodAffinityTerm", "weight"): (1, 100),
}


class ApiField(NamedTuple):
    """A field of a type: its own type, the words that it may be, if not any, and whether it has to be there."""

    kind: str
    words: tuple[str, ...]
    is_required: bool


@cache
def type_of_kind(version: str, kind: str) -> str | None:
    """Return the name of the type that a kind has in an ``apiVersion``; None of a kind that is not known here.

    A kind of a version that is not served any more has the type of its latest version.
    """
    kinds = _document()["kinds"]
    known: str | None = kinds.get(f"{version}/{kind}")
    if known is None and kind in KINDS and version in KINDS[kind].versions:
        known = kinds.get(f"{KINDS[kind].versions[0]}/{kind}")
    return known


@cache
def fields_of(type_name: str) -> dict[str, ApiField] | None:
    """Return the fields of a type by name; None of what is no type with fields."""
    line = _document()["types"].get(type_name)
    return None if line is None else dict(_field(part, type_name) for part in line.split())


@cache
def all_words() -> frozenset[str]:
    """Return every word that a field of the API may be."""
    types = (fields_of(name) or {} for name in _document()["types"])
    return frozenset(word for fields in types for field in fields.values() for word in field.words if word)


def _field(part: str, type_name: str) -> tuple[str, ApiField]:
    name, _, written = part.removesuffix("!").partition(":")
    kind, _, words = written.partition("=")
    own = WORDS.get((type_name, name)) or tuple(words.split("|") if words else ())
    return name, ApiField(kind, own, part.endswith("!"))


@cache
def _document() -> dict[str, Any]:
    found: dict[str, Any] = orjson.loads(_FILE.read_bytes())
    return found


_NAMED = 12
_MOST = 2**31 - 1
_POD_FIELDS = ("apiVersion", "kind", "metadata", "spec")
_WRONG: dict[str, Callable[[str], Problem]] = {
    "string": NotAText,
    "boolean": NotABoolean,
    "int-or-string": lambda found: InvalidValue(found, ("8080", "http")),
}
_SCALARS = {"int32": small_integer, "int64": integer, "quantity": quantity, "time": timestamp}
# Written by those who know whether it is right, and not read here.
_UNCHECKED = frozenset({"anything", "number"})


class Fault(NamedTuple):
    """What is wrong with one field; an empty path is the whole document."""

    path: str
    problem: Problem


def check_pod(document: Any) -> Iterator[Fault]:
    """Yield everything that is wrong with a document that is to be a Pod."""
    if not isinstance(document, dict):
        yield Fault("", NotAMap(shown(document), _POD_FIELDS))
        return
    for field, right in (("apiVersion", "v1"), ("kind", "Pod")):
        if document.get(field, right) != right:
            yield Fault(field, MustBe(shown(document[field]), right))
    if document.get("spec") is None:
        yield Fault("", MissingField("spec"))
    is_sound = True
    for fault in _check(document, "Pod", ""):
        is_sound = False
        yield fault
    # What fields mean together is looked at once each of them is what it should be.
    if is_sound:
        for wrong in wrongs_of(document, is_admitted=False):
            yield Fault(wrong.field, wrong.problem)


def check_object(document: dict[str, Any]) -> Iterator[Fault]:
    """Yield everything that is wrong with an object of any kind; nothing for kinds that are not known here.

    What a pod's status says is its kubelet's to write.
    """
    version, kind = document.get("apiVersion"), document.get("kind")
    if (version, kind) == ("v1", "Pod"):
        yield from check_pod({name: part for name, part in document.items() if name != "status"})
        return
    type_name = type_of_kind(str(version), str(kind))
    if type_name is None:
        return
    is_sound = True
    for fault in _check(document, type_name, ""):
        is_sound = False
        yield fault
    if is_sound:
        for wrong in wrongs_of_object(document):
            yield Fault(wrong.field, wrong.problem)


def _check(value: Any, kind: str, path: str, words: tuple[str, ...] = ()) -> Iterator[Fault]:
    """Check a value against a type; null means that the field is not there."""
    if value is None or kind in _UNCHECKED:
        return
    if kind.startswith("[]"):
        if not isinstance(value, list):
            yield Fault(path, NotAList(shown(value)))
            return
        for number, item in enumerate(value):
            if item is None:
                yield Fault(f"{path}[{number}]", Empty())
            yield from _check(item, kind[2:], f"{path}[{number}]", words)
    elif kind.startswith("{}"):
        if not isinstance(value, dict):
            yield Fault(path, NotAMap(shown(value)))
            return
        for key, item in value.items():
            yield from _check(item, kind[2:], f"{path}.{key}")
    elif (known := fields_of(kind)) is not None:
        yield from _check_fields(value, kind, known, path)
    else:
        yield from _check_scalar(value, kind, path, words)


def _check_fields(value: Any, kind: str, known: dict[str, ApiField], path: str) -> Iterator[Fault]:
    type_name = kind.partition("@")[0]
    if not isinstance(value, dict):
        yield Fault(path, NotAMap(shown(value)))
        return
    for name, content in value.items():
        inner = f"{path}.{name}" if path else str(name)
        field = known.get(name)
        if field is None:
            yield Fault(inner, _no_field(name, type_name, known))
            continue
        # An empty text is a field that is not there, where it need not be.
        words = () if content == "" and not field.is_required else field.words
        found = list(_check(content, field.kind, inner, words))
        yield from found
        bounds = BOUNDS.get((kind, name))
        if bounds is not None and not found and content is not None and not bounds[0] <= content <= bounds[1]:
            least, most = bounds
            problem = BelowLeast(str(content), least) if most == _MOST else OutOfRange(str(content), least, most)
            yield Fault(inner, problem)
    for name, field in known.items():
        if field.is_required and value.get(name) is None:
            yield Fault(path, MissingField(name))


def _check_scalar(value: Any, kind: str, path: str, words: tuple[str, ...]) -> Iterator[Fault]:
    if kind in _WRONG:
        is_right = {
            "string": isinstance(value, str),
            "boolean": isinstance(value, bool),
            "int-or-string": isinstance(value, str) or type(value) is int,
        }
        if not is_right[kind]:
            yield Fault(path, _WRONG[kind](shown(value)))
        elif words and value not in words:
            known = tuple(word for word in words if word)
            close = get_close_matches(str(value)[:80], known, n=1, cutoff=0.5)
            yield Fault(path, NotOneOf(shown(value), known, close[0] if close else ""))
        return
    try:
        _SCALARS[kind](value)
    except WrongField as error:
        yield Fault(path, error.problem)


def _no_field(field: Any, kind: str, fields: Iterable[str]) -> UnknownField:
    lowered = {name.lower(): name for name in fields}
    close = get_close_matches(str(field).lower()[:80], lowered, n=1, cutoff=0.6)
    known = tuple(sorted(fields)[:_NAMED])
    return UnknownField(shown(field), known, lowered[close[0]] if close else "")


# The kinds that a Kubernetes API server has by itself, by API group: any other of these groups is a slip.
#
# They are those of v1.34, and the groups of pods that came later.

# The newest version of each group that is on by default; older dumps and charts may name others.
_GROUPS: Final[dict[str, tuple[str, str]]] = {
    "": (
        "v1",
        (
            "Binding ComponentStatus ConfigMap Endpoints Event LimitRange List Namespace Node PersistentVolume "
            "PersistentVolumeClaim Pod PodTemplate ReplicationController ResourceQuota Secret Service ServiceAccount"
        ),
    ),
    "admissionregistration.k8s.io": (
        "v1",
        (
            "MutatingAdmissionPolicy MutatingAdmissionPolicyBinding MutatingWebhookConfiguration "
            "ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding ValidatingWebhookConfiguration"
        ),
    ),
    "apiextensions.k8s.io": ("v1", "CustomResourceDefinition"),
    "apiregistration.k8s.io": ("v1", "APIService"),
    "apps": ("v1", "ControllerRevision DaemonSet Deployment ReplicaSet StatefulSet"),
    "authentication.k8s.io": ("v1", "SelfSubjectReview TokenRequest TokenReview"),
    "authorization.k8s.io": (
        "v1",
        "LocalSubjectAccessReview SelfSubjectAccessReview SelfSubjectRulesReview SubjectAccessReview",
    ),
    "autoscaling": ("v2", "HorizontalPodAutoscaler Scale"),
    "batch": ("v1", "CronJob Job"),
    "certificates.k8s.io": ("v1", "CertificateSigningRequest ClusterTrustBundle PodCertificateRequest"),
    "coordination.k8s.io": ("v1", "Lease LeaseCandidate"),
    "discovery.k8s.io": ("v1", "EndpointSlice"),
    "events.k8s.io": ("v1", "Event"),
    "flowcontrol.apiserver.k8s.io": ("v1", "FlowSchema PriorityLevelConfiguration"),
    "networking.k8s.io": ("v1", "IPAddress Ingress IngressClass NetworkPolicy ServiceCIDR"),
    "node.k8s.io": ("v1", "RuntimeClass"),
    "policy": ("v1", "Eviction PodDisruptionBudget PodSecurityPolicy"),
    "rbac.authorization.k8s.io": ("v1", "ClusterRole ClusterRoleBinding Role RoleBinding"),
    "resource.k8s.io": ("v1", "DeviceClass DeviceTaintRule ResourceClaim ResourceClaimTemplate ResourceSlice"),
    "scheduling.k8s.io": ("v1", "CompositePodGroup PodGroup PriorityClass Workload"),
    "storage.k8s.io": (
        "v1",
        "CSIDriver CSINode CSIStorageCapacity StorageClass VolumeAttachment VolumeAttributesClass",
    ),
}
_KINDS: Final = {group: frozenset(kinds.split()) for group, (_, kinds) in _GROUPS.items()}
_VERSIONS: Final = {
    **{
        kind: f"{group}/{version}".lstrip("/")
        for group, (version, _) in reversed(_GROUPS.items())
        for kind in _KINDS[group]
    },
    # Groups of pods are in no stable version.
    "CompositePodGroup": "scheduling.k8s.io/v1alpha3",
    "PodGroup": "scheduling.k8s.io/v1beta1",
    "Workload": "scheduling.k8s.io/v1beta1",
}


def is_built_in(version: str, kind: str) -> bool:
    """Tell whether the API server has a kind by itself."""
    return kind in _KINDS.get(_group(version), ())


def kind_problem(version: str, kind: str) -> Fault | None:
    """Return what is wrong with a kind that no cluster can have; None for any other.

    API groups that somebody added to a cluster have a dot in their name, and may hold anything.
    """
    group = _group(version)
    kinds = _KINDS.get(group)
    if kinds is None:
        if "." in group:
            return None
        close = get_close_matches(group[:60], [each for each in _KINDS if each], n=1, cutoff=0.5)
        right = _VERSIONS.get(kind) or (f"{close[0]}/{_GROUPS[close[0]][0]}" if close else "")
        return Fault("apiVersion", NotOneOf(shown(group), (), right))
    if kind in kinds:
        return None
    if kind in _VERSIONS:
        return Fault("apiVersion", MustBe(shown(version), _VERSIONS[kind], kind))
    lowered = {each.lower(): each for each in (*_VERSIONS, *kinds)}
    close = get_close_matches(kind.lower()[:60], lowered, n=1)
    known = tuple(sorted(kinds)[:_NAMED])
    return Fault("kind", NotOneOf(shown(kind), known, lowered[close[0]] if close else ""))


def _group(version: str) -> str:
    return version.partition("/")[0] if "/" in version else ""


# Where in a text a field stands.

_LAST_STEP = re.compile(r"[.\[][^.\[]*\Z")
# The safe readers take nothing that is nested deeper.
_DEEPEST = 100
# Of a path; keys may be as long as the text, and each path holds those around it.
_LONGEST = 1_000


class Lines:
    """The lines of the fields of one YAML or JSON document, as far as it can be read.

    It is read event by event, so that neither nesting nor aliases can make it costly.
    """

    def __init__(self, text: str) -> None:
        self._lines: dict[str, int] = {}
        try:
            for path, line in _places(text, 1):
                self._lines[path] = line
        except yaml.YAMLError:
            # A broken text has places up to the break; JSON may hold what YAML does not take.
            pass

    def of(self, path: str) -> int:
        """Return the line, from 1, of the field that a path such as `spec.containers[0].image` leads to.

        Where the text does not hold it, of the innermost map or list around it that is there; 0 without any.
        """
        rest = f".{path}" if path and not path.startswith("[") else path
        while rest and rest not in self._lines:
            rest = _LAST_STEP.sub("", rest)
        return self._lines.get(rest, 0)


def line_of(path: str, text: str, document: int) -> int:
    """Return the line of a field of one of a text's documents, from 1, as `Lines.of` does; it keeps nothing."""
    wanted = f".{path}" if path and not path.startswith("[") else path
    found, length = 0, 0
    try:
        for place, line in _places(text, document):
            if len(place) >= length and wanted.startswith(place) and wanted[len(place) :][:1] in ("", ".", "["):
                found, length = line, len(place)
    except yaml.YAMLError:
        pass
    return found


class _Frame:
    """A map or list that is open: its path, and the key or index of what comes next in it."""

    __slots__ = ("is_map", "key", "number", "path")

    def __init__(self, path: str, *, is_map: bool) -> None:
        self.path = path
        self.is_map = is_map
        self.key: str | None = None
        self.number = 0

    def step(self) -> str:
        """Return the path of the value that comes now, and be ready for the next."""
        if self.is_map:
            step, self.key = f".{self.key}", None
        else:
            step, self.number = f"[{self.number}]", self.number + 1
        return f"{self.path}{step}"[:_LONGEST]


def _places(text: str, document: int) -> Iterator[tuple[str, int]]:
    """Yield every path with its line: that of its key, or else that where the value begins."""
    frames: list[_Frame] = []
    number = 0
    for event in yaml.parse(text, Loader=yaml.CSafeLoader):
        number += isinstance(event, yaml.DocumentStartEvent)
        if number > document:
            return
        if number != document:
            continue
        line = int(getattr(event.start_mark, "line", -1)) + 1
        if isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
            frames.pop()
            continue
        if not isinstance(event, yaml.NodeEvent):
            continue
        inner = frames[-1] if frames else None
        if inner is not None and inner.is_map and inner.key is None:
            inner.key = _key(event)
            yield f"{inner.path}.{inner.key}"[:_LONGEST], line
            if isinstance(event, yaml.ScalarEvent | yaml.AliasEvent):
                continue
        path = inner.step() if inner is not None else ""
        if inner is None or not inner.is_map:
            yield path, line
        if isinstance(event, yaml.CollectionStartEvent):
            frames.append(_Frame(path, is_map=isinstance(event, yaml.MappingStartEvent)))
            if len(frames) > _DEEPEST:
                return


def _key(event: Any) -> str:
    return str(getattr(event, "value", ""))


def line_named(problem: Problem) -> int:
    """Return the line that a reader of JSON or YAML names, 0 where it names none."""
    return problem.line if isinstance(problem, Malformed | EndsEarly) else 0


# Whether a document is what a struct describes, field by field, in the words of problems.

_LARGEST: Final = 2**31 - 1


def check_struct(value: Any, kind: Any) -> Iterator[Fault]:
    """Yield everything that is wrong with a value that is to be of a type that msgspec knows.

    What has no fault is what ``msgspec.convert`` takes. Types: structs, maps and lists of these, texts, words, whole
    numbers.
    """
    yield from _structs_check(value, inspect.type_info(kind), "")


def _structs_check(value: Any, kind: inspect.Type, path: str) -> Iterator[Fault]:
    if isinstance(kind, inspect.Metadata):
        kind = kind.type
    if isinstance(kind, inspect.StructType):
        yield from _structs_check_fields(value, kind, path)
    elif isinstance(kind, inspect.DictType):
        yield from _check_map(value, kind, path)
    elif isinstance(kind, inspect.VarTupleType):
        yield from _check_list(value, kind, path)
    elif isinstance(kind, inspect.LiteralType):
        known = tuple(str(each) for each in kind.values)
        if value not in kind.values:
            yield Fault(path, NotOneOf(shown(value), known, known[0] if len(known) == 1 else ""))
    elif isinstance(kind, inspect.EnumType):
        yield from _check_word(value, tuple(str(each.value) for each in kind.cls), path)
    elif isinstance(kind, inspect.StrType):
        yield from _check_text(value, kind, path)
    elif isinstance(kind, inspect.IntType):
        yield from _check_number(value, kind, path)
    elif not isinstance(kind, inspect.AnyType):
        raise TypeError(f"{kind} is not checked here")


def _structs_check_fields(value: Any, kind: inspect.StructType, path: str) -> Iterator[Fault]:
    fields = {field.encode_name: field for field in kind.fields}
    if not isinstance(value, dict):
        yield Fault(path, NotAMap(shown(value), tuple(fields)))
        return
    for key, content in value.items():
        if key not in fields:
            close = get_close_matches(str(key)[:80], fields, n=1)
            yield Fault(_inner(path, key), UnknownField(shown(key), tuple(fields), close[0] if close else ""))
        else:
            yield from _structs_check(content, fields[key].type, _inner(path, key))
    for name, field in fields.items():
        if field.required and name not in value:
            yield Fault(_inner(path, name), Missing())


def _check_map(value: Any, kind: inspect.DictType, path: str) -> Iterator[Fault]:
    if not isinstance(value, dict):
        yield Fault(path, NotAMap(shown(value)))
        return
    yield from _check_length(len(value), kind, path)
    for key, content in value.items():
        yield from _structs_check(content, kind.value_type, _inner(path, key))


def _check_list(value: Any, kind: inspect.VarTupleType, path: str) -> Iterator[Fault]:
    if not isinstance(value, list):
        yield Fault(path, NotAList(shown(value)))
        return
    yield from _check_length(len(value), kind, path)
    for number, content in enumerate(value):
        yield from _structs_check(content, kind.item_type, f"{path}[{number}]")


def _check_length(length: int, kind: inspect.DictType | inspect.VarTupleType, path: str) -> Iterator[Fault]:
    if kind.min_length and not length:
        yield Fault(path, Empty())
    if kind.max_length is not None and length > kind.max_length:
        yield Fault(path, TooMany(length, kind.max_length))


def _check_word(value: Any, known: tuple[str, ...], path: str) -> Iterator[Fault]:
    if value not in known:
        close = get_close_matches(str(value)[:80], known, n=1)
        yield Fault(path, NotOneOf(shown(value), known, close[0] if close else ""))


def _check_text(value: Any, kind: inspect.StrType, path: str) -> Iterator[Fault]:
    if not isinstance(value, str):
        yield Fault(path, NotAText(shown(value)))
    elif (unstorable := _unstorable(value)) is not None:
        yield Fault(path, unstorable)
    elif kind.min_length and not value.strip():
        yield Fault(path, Empty())
    elif kind.max_length is not None and len(value) > kind.max_length:
        yield Fault(path, TooLong(shown(value), len(value), kind.max_length))
    elif kind.pattern is not None and re.search(kind.pattern, value) is None:
        yield Fault(path, NotOfPattern(shown(value), kind.pattern))


def _unstorable(text: str) -> Problem | None:
    """Return why no database stores a text, which YAML can write all the same; None for any other."""
    if "\x00" in text:
        return NotUtf8()
    try:
        text.encode()
    except UnicodeEncodeError:
        return NotUtf8()
    return None


def _check_number(value: Any, kind: inspect.IntType, path: str) -> Iterator[Fault]:
    least, most = kind.ge or 0, kind.le or _LARGEST
    if type(value) is not int:
        yield Fault(path, NotAnInteger(shown(value)))
    elif not least <= value <= most:
        yield Fault(path, OutOfRange(shown(value), least, most))


def _inner(path: str, key: Any) -> str:
    return f"{path}.{key}" if path else str(key)
