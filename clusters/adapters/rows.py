"""From a pruned object to a row: the columns that pages filter and sort by, the object as JSON, and its digest.

A row is a tuple in the order of its table's `columns`; it knows no cluster yet. Times stay aware datetimes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import MAXYEAR, MINYEAR, datetime
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from clusters.adapters.prune.shapes import MAX_INT64, moment
from clusters.engine.kubelet.pod_states import reason_of
from clusters.engine.resources.quantity import milli_value, value
from clusters.engine.resources.requests import CPU, MEMORY, PODS, pod_amounts
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


@dataclass(frozen=True, slots=True)
class Table:
    """A model, its columns in the order of a row, and how an object fills those that are its own."""

    model: type[Mirrored]
    own_columns: tuple[str, ...]
    own_values: Callable[[Document, Document], Row]

    @property
    def columns(self) -> tuple[str, ...]:
        return _SHARED + self.own_columns

    def row(self, document: Document, *, uid: str, text: str) -> Row:
        """Return the row of an object whose canonical JSON is `text`."""
        metadata = document["metadata"]
        digest = blake2b(text.encode(), digest_size=16, person=_ROWS_VERSION).hexdigest()
        return (uid, metadata["name"], digest, text, *self.own_values(document, metadata))


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
        value(allocatable.get(MEMORY, "0")),
        value(allocatable.get(PODS, "0")),
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
