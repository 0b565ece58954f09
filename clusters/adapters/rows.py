"""From a pruned object to a row: the columns that pages filter and sort by, the object as JSON, and its digest.

A row is a tuple in the order of its table's `columns`; it knows no cluster yet. Times stay aware datetimes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import MAXYEAR, MINYEAR, datetime
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple

import orjson
from msgspec import Struct

from clusters.adapters.prune import WrongField
from clusters.adapters.prune.shapes import MAX_INT64, moment
from clusters.engine import Snapshot
from clusters.engine.admission import DEFAULT_TOLERATIONS, Addition, admit
from clusters.engine.kubelet import reason_of
from clusters.engine.problems import MissingField, NotUtf8, TooLarge
from clusters.engine.quantity import milli_value, whole_value
from clusters.engine.resources import CPU, MEMORY, PODS, pod_amounts
from clusters.engine.simulation import fingerprint
from clusters.models import Event, KubeObject, Node, Pod, PodDisruptionBudget

if TYPE_CHECKING:
    from clusters.models.mirrored import Mirrored

Document = Mapping[str, Any]
Row = tuple[Any, ...]

# Changes whenever the columns are computed differently, so that the next ingest writes every row anew.
_ROWS_VERSION = b"2"
_NOTHING: Document = {}

UID, NAME, DIGEST, OBJECT = range(4)
_SHARED = ("uid", "name", "digest", "object")


class Kept(NamedTuple):
    """What is kept of an object until it is written."""

    uid: str
    name: str
    # As canonical JSON.
    object: str

    @property
    def digest(self) -> str:
        return blake2b(self.object.encode(), digest_size=16, person=_ROWS_VERSION).hexdigest()


class Table(Struct, frozen=True):
    """A model, its columns in the order of a row, and how an object fills those that are its own."""

    model: type[Mirrored]
    own_columns: tuple[str, ...]
    own_values: Callable[[Document, Document], Row]

    @property
    def columns(self) -> tuple[str, ...]:
        return _SHARED + self.own_columns

    def row(self, kept: Kept) -> Row:
        """Return the row of an object."""
        document = orjson.loads(kept.object)
        return (kept.uid, kept.name, kept.digest, kept.object, *self.own_values(document, document["metadata"]))


def first_moment(document: Document, *keys: str) -> datetime | None:
    """Return the first time that is set; one at the ends of the calendar has no equivalent in other time zones."""
    for key in keys:
        text = document.get(key)
        if text is not None:
            found = moment(text)
            return found if MINYEAR < found.year < MAXYEAR else None
    return None


def _within_int64(amount: int) -> int:
    return max(-MAX_INT64, min(amount, MAX_INT64))


def _node_row(document: Document, metadata: Document) -> Row:
    labels = metadata.get("labels", _NOTHING)
    spec = document.get("spec", _NOTHING)
    status = document.get("status", _NOTHING)
    allocatable = status.get("allocatable", _NOTHING)
    ready = next((each.get("status") for each in status.get("conditions", ()) if each.get("type") == "Ready"), None)
    return (
        labels.get("topology.kubernetes.io/zone") or labels.get("failure-domain.beta.kubernetes.io/zone", ""),
        labels.get("topology.kubernetes.io/region") or labels.get("failure-domain.beta.kubernetes.io/region", ""),
        labels.get("node.kubernetes.io/instance-type") or labels.get("beta.kubernetes.io/instance-type", ""),
        None if ready is None else ready == "True",
        spec.get("unschedulable", False),
        milli_value(allocatable.get(CPU, "0")),
        whole_value(allocatable.get(MEMORY, "0")),
        whole_value(allocatable.get(PODS, "0")),
        len(spec.get("taints", ())),
        status.get("nodeInfo", _NOTHING).get("kubeletVersion", ""),
        first_moment(metadata, "creationTimestamp"),
    )


def _pod_row(document: Document, metadata: Document) -> Row:
    spec = document.get("spec", _NOTHING)
    status = document.get("status", _NOTHING)
    node_name = spec.get("nodeName", "")
    phase = status.get("phase", "")
    owners = metadata.get("ownerReferences") or (_NOTHING,)
    owner = next((each for each in owners if each.get("controller")), owners[0])
    amounts = pod_amounts(document)
    unscheduled = next(
        (
            each
            for each in status.get("conditions", ())
            if each.get("type") == "PodScheduled" and each.get("status") == "False"
        ),
        _NOTHING,
    )
    return (
        metadata["namespace"],
        node_name,
        phase,
        not node_name and phase in {"", "Pending"} and "deletionTimestamp" not in metadata,
        bool(spec.get("schedulingGates")),
        spec.get("priority"),
        spec.get("priorityClassName", ""),
        spec.get("schedulerName") or "default-scheduler",
        owner.get("kind", ""),
        owner.get("name", ""),
        status.get("qosClass", ""),
        _within_int64(amounts.get(CPU, 0)),
        _within_int64(amounts.get(MEMORY, 0)),
        first_moment(metadata, "creationTimestamp"),
        first_moment(metadata, "deletionTimestamp"),
        status.get("nominatedNodeName", ""),
        unscheduled.get("message", ""),
        reason_of(document),
    )


def _event_row(document: Document, metadata: Document) -> Row:
    about = document.get("involvedObject") or document.get("regarding", _NOTHING)
    series = document.get("series", _NOTHING)
    source = document.get("source") or document.get("deprecatedSource", _NOTHING)
    return (
        metadata["namespace"],
        about.get("kind", ""),
        about.get("namespace", ""),
        about.get("name", ""),
        about.get("uid", ""),
        document.get("type", ""),
        document.get("reason", ""),
        document.get("action", ""),
        document.get("message") or document.get("note", ""),
        document.get("reportingComponent") or document.get("reportingController") or source.get("component", ""),
        series.get("count") or document.get("count") or document.get("deprecatedCount") or 1,
        first_moment(document, "firstTimestamp", "deprecatedFirstTimestamp", "eventTime")
        or first_moment(metadata, "creationTimestamp"),
        first_moment(series, "lastObservedTime")
        or first_moment(document, "lastTimestamp", "deprecatedLastTimestamp", "eventTime")
        or first_moment(metadata, "creationTimestamp"),
    )


def _budget_row(document: Document, metadata: Document) -> Row:
    spec = document.get("spec", _NOTHING)
    status = document.get("status", _NOTHING)
    return (
        metadata["namespace"],
        str(spec.get("minAvailable", "")),
        str(spec.get("maxUnavailable", "")),
        spec.get("unhealthyPodEvictionPolicy", ""),
        status.get("expectedPods"),
        status.get("currentHealthy"),
        status.get("desiredHealthy"),
        status.get("disruptionsAllowed"),
        first_moment(metadata, "creationTimestamp"),
    )


def _object_row(document: Document, metadata: Document) -> Row:
    return (metadata.get("namespace", ""), document["kind"], document["apiVersion"])


def _own_columns(model: type[Mirrored], *, first: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return a model's columns beside the shared ones, in the order of its fields."""
    names = tuple(field.attname for field in model._meta.concrete_fields)
    shared = {"id", "cluster_id", *_SHARED, *first}
    return first + tuple(name for name in names if name not in shared)


_NAMESPACE = ("namespace",)
OBJECTS = Table(KubeObject, _own_columns(KubeObject, first=_NAMESPACE), _object_row)
TABLES = {
    "Node": Table(Node, _own_columns(Node), _node_row),
    "Pod": Table(Pod, _own_columns(Pod, first=_NAMESPACE), _pod_row),
    "Event": Table(Event, _own_columns(Event, first=_NAMESPACE), _event_row),
    "PodDisruptionBudget": Table(PodDisruptionBudget, _own_columns(PodDisruptionBudget, first=_NAMESPACE), _budget_row),
}


def table_of(kind: str) -> Table:
    """Return the table that objects of a kind go into."""
    return TABLES.get(kind, OBJECTS)


# A pruned object's one form: under its full name, as JSON that is the same from every source.

# As the API server makes them.
_LONGEST_GENERATED = 63
_ENDING = 5


def with_name(document: dict[str, Any], place: str) -> dict[str, Any]:
    """Return an object under a made-up name where it gives the beginning of one alone, as ``kubectl create`` takes it.

    ``place`` tells objects apart that are otherwise the same.
    """
    metadata = document.get("metadata")
    if type(metadata) is not dict or metadata.get("name"):
        return document
    given = metadata.get("generateName")
    if type(given) is not str or not given:
        return document
    ending = fingerprint((place, document))[:_ENDING]
    return {**document, "metadata": {**metadata, "name": f"{given[: _LONGEST_GENERATED - _ENDING]}{ending}"}}


def identified(pruned: dict[str, Any], *, is_namespaced: bool) -> tuple[str, str]:
    """Return namespace and name, and fill in the namespace that the API server would. Raises WrongField."""
    metadata = pruned.get("metadata")
    if not metadata or "name" not in metadata:
        raise WrongField(MissingField("metadata.name")).within("name").within("metadata")
    if is_namespaced:
        return metadata.setdefault("namespace", "default"), metadata["name"]
    metadata.pop("namespace", None)
    return "", metadata["name"]


def canonical(pruned: dict[str, Any], *, longest: int) -> str:
    """Return the object as JSON with sorted keys, so that the same object has the same digest from any source.

    `longest` is in bytes. Raises WrongField.
    """
    try:
        data = orjson.dumps(pruned, option=orjson.OPT_SORT_KEYS)
    except TypeError:
        raise WrongField(NotUtf8()) from None
    if len(data) > longest:
        raise WrongField(TooLarge(longest))
    if b"\\u0000" in data:
        _refuse_nul(pruned)
    return data.decode()


def _texts(value: Any) -> Iterator[tuple[list[str | int], str]]:
    """Walk all texts of a JSON value, keys included, each with its path from the inside out."""
    if type(value) is str:
        yield [], value
    elif type(value) is dict:
        for key, content in value.items():
            yield [key], key
            for path, text in _texts(content):
                yield [*path, key], text
    elif type(value) is list:
        for index, content in enumerate(value):
            for path, text in _texts(content):
                yield [*path, index], text


def _refuse_nul(pruned: dict[str, Any]) -> None:
    """Raise WrongField if a text holds a NUL character, which PostgreSQL cannot store and no API server sends."""
    for path, text in _texts(pruned):
        if "\x00" in text:
            error = WrongField(NotUtf8())
            for step in path:
                error.within(step)
            raise error


# Pods that never passed an API server: what admission would add to them, and which answers that would change.
#
# An API server gives every pod the name of its scheduler, so that a pod without one was written by hand.

# As canonical JSON writes keys.
_ADMITTED = '"schedulerName":'
# Of a pod without any of these admission changes nothing that scheduling reads, unless a class or LimitRange says so.
_DEFAULTED = ('"limits":', '"priorityClassName":', '"runtimeClassName":')
_CLASSES = ("LimitRange", "PriorityClass", "RuntimeClass")
_WITHOUT_EFFECT = frozenset({"spec.schedulerName", "spec.preemptionPolicy"})


def undefaulted_pods(
    rows: Mapping[str, Mapping[tuple[str, str], Kept]],
) -> Iterator[tuple[tuple[str, str], dict[str, Any]]]:
    """Yield the pods of which admission would change what scheduling reads: namespace and name, and as admitted."""
    shelf = Snapshot.from_objects(orjson.loads(row.object) for kind in _CLASSES for row in rows.get(kind, {}).values())
    ranged = {namespace for namespace, _ in rows.get("LimitRange", {})}
    has_default = any(each.get("globalDefault") for each in shelf.objects("PriorityClass"))
    for key, row in rows.get("Pod", {}).items():
        text = row.object
        if _ADMITTED in text:
            continue
        if has_default or key[0] in ranged or any(part in text for part in _DEFAULTED):
            admission = admit(orjson.loads(text), shelf)
            if any(map(_has_effect, admission.additions)):
                yield key, admission.pod


def _has_effect(addition: Addition) -> bool:
    if addition.by == DEFAULT_TOLERATIONS or addition.field in _WITHOUT_EFFECT:
        return False
    return (addition.field, addition.value) != ("spec.priority", 0)
