"""The built-in demo cluster, taken in like any dump, and its last day in the journal."""

from __future__ import annotations

import re
import tempfile
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

import orjson
from django.db import transaction

from clusters.demo import demo_objects
from clusters.demo.day import Incident, RecordedDecision, recorded_day
from clusters.demo.usage import demo_usage
from clusters.engine.objects import labels_of
from clusters.engine.owners import TEMPLATE_HASH, Controller, Workload
from clusters.models import Cluster, Decision, Departure, Ingest, NodeChange, UsageHour
from clusters.services.ingest.ingest import ingest_path
from clusters.services.journal.timeline import decision_document
from clusters.services.journal.writing import departure_of
from clusters.services.usage.keeping import keep_usage
from clusters.signals import snapshot_ready

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.demo.identity import Document
    from clusters.documents.explanation import ExplanationDocument

# The demo's last day in the journal: decisions and changes of nodes that a simulation made.

# The built-in demo cluster, taken in through the same door as any dump.

_AT_ONCE = 200
_CHANGES = {
    Incident.ADDED: NodeChange.Kind.ADDED,
    Incident.REMOVED: NodeChange.Kind.REMOVED,
    Incident.DRAINED: NodeChange.Kind.CORDONED,
    Incident.CORDONED: NodeChange.Kind.CORDONED,
    Incident.UNREACHABLE: NodeChange.Kind.NOT_READY,
    Incident.UNDER_PRESSURE: NodeChange.Kind.PRESSURE,
}


def has_day(cluster: Cluster) -> bool:
    """Whether the demo's journal holds its day, with what went in it."""
    return (
        cluster.departures_since is not None
        and Decision.objects.filter(cluster=cluster, reason=Decision.Reason.SIMULATED).exists()
    )


def keep_day(cluster: Cluster, objects: Iterable[Document]) -> int:
    """Run the day that leads to the demo's objects, and keep it as the cluster's journal; return how many decisions.

    Whatever the journal held goes.
    """
    day = recorded_day(objects, decision_document)
    rows = [_row(cluster, decision, number) for number, decision in enumerate(day.decisions)]
    changes = [
        NodeChange(
            cluster=cluster,
            kind=_CHANGES[each.incident],
            node_name=each.node,
            heard_at=each.at,
            condition="MemoryPressure" if each.incident is Incident.UNDER_PRESSURE else "",
        )
        for each in day.happenings
    ]
    departures = [departure_of(cluster, each.document["kind"], each.document, each.at) for each in day.departures]
    with transaction.atomic():
        held = Cluster.objects.select_for_update().get(pk=cluster.pk)
        held.decisions.all().delete()
        held.node_changes.all().delete()
        held.departures.all().delete()
        Decision.objects.bulk_create(rows, _AT_ONCE)
        NodeChange.objects.bulk_create(changes)
        Departure.objects.bulk_create(departures, _AT_ONCE)
        held.departures_since = day.beginning
        held.save(update_fields=["departures_since"])
        news = {"revision": held.revision, "changed": False, "kinds": ("Decision",)}
        transaction.on_commit(lambda: snapshot_ready.send_robust(sender=Cluster, cluster_id=held.pk, **news))
    return len(rows)


def _row(cluster: Cluster, recorded: RecordedDecision[ExplanationDocument], number: int) -> Decision:
    fields, spec = recorded.pod["metadata"], recorded.pod["spec"]
    namespace = fields["namespace"]
    template = labels_of(recorded.pod).get(TEMPLATE_HASH, "")
    made_by = Workload.of(namespace, Controller.of(recorded.pod), template)
    preemptor_namespace, _, preemptor_name = recorded.by.partition("/")
    row = Decision(
        cluster=cluster,
        kind=recorded.kind,
        pod_uid=fields["uid"],
        namespace=namespace,
        name=fields["name"],
        owner_kind=made_by.kind,
        owner_name=made_by.name if made_by.kind else "",
        scheduler_name=spec.get("schedulerName", ""),
        priority=spec.get("priority"),
        heard_at=recorded.at,
        last_heard_at=recorded.last_at,
        reported_at=recorded.at,
        attempts=recorded.attempts,
        # Nothing tells two decisions of a kind about one pod apart but their order.
        resource_version=str(number),
        node_name=recorded.node,
        message=recorded.message,
        event=recorded.event,
        preemptor_uid=recorded.preemptor_uid,
        preemptor_namespace=preemptor_namespace,
        preemptor_name=preemptor_name,
        verdict=Decision.Verdict.UNJUDGED,
        reason=Decision.Reason.SIMULATED,
    )
    row.explanation = recorded.kept
    return row


DEMO_CLUSTER = "demo"

_FILE_NAME = re.compile(r"demo-[0-9a-f]{16}\.json")
# Kinds of which the demo has none, said in so many words, so that no answer counts as uncertain for it.
_EMPTY_LISTS = (
    ("v1", "ReplicationController"),
    ("node.k8s.io/v1", "RuntimeClass"),
)


class DemoNameTaken(Exception):  # noqa: N818 - it reads as the answer that it is
    """A cluster of somebody else's has the demo's name."""


def _dump(objects: list[Document]) -> bytes:
    documents = [{"apiVersion": "v1", "kind": "List", "items": objects}]
    documents.extend({"apiVersion": version, "kind": f"{kind}List", "items": []} for version, kind in _EMPTY_LISTS)
    return b"".join(orjson.dumps(document, option=orjson.OPT_APPEND_NEWLINE) for document in documents)


def demo_list() -> bytes:
    """Return the demo cluster as one List, the way kubectl writes a dump."""
    return orjson.dumps({"apiVersion": "v1", "kind": "List", "items": demo_objects()}, option=orjson.OPT_INDENT_2)


def load_demo() -> Ingest | None:
    """Make the demo cluster what this version's is, with its usage; return the run, or None where it was so already.

    Raises DemoNameTaken if somebody has put something else under its name.
    """
    objects = demo_objects()
    dump = _dump(objects)
    name = f"demo-{blake2b(dump, digest_size=8).hexdigest()}.json"
    cluster, is_new = Cluster.objects.get_or_create(name=DEMO_CLUSTER)
    done = cluster.ingests.filter(state=Ingest.State.DONE).first()
    if done is not None and not _FILE_NAME.fullmatch(done.file_name):
        raise DemoNameTaken
    if done is not None and done.file_name == name and done.revision == cluster.revision:
        if not UsageHour.objects.filter(cluster=cluster).exists():
            # Loaded by a release that had no usage.
            _keep_usage(cluster, objects)
        return None
    try:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, name)
            path.write_bytes(dump)
            ingest = ingest_path(cluster=cluster, path=path)
        _keep_usage(cluster, objects)
        return ingest
    except BaseException:
        if is_new:
            cluster.delete()
        raise


def record_demo_day(*, again: bool) -> int | None:
    """Simulate the demo's last day into its journal; return how many decisions, or None where it holds them already.

    ``again``: whatever the journal holds, as after `load_demo` brought another state.
    """
    cluster = Cluster.objects.get(name=DEMO_CLUSTER)
    return keep_day(cluster, demo_objects()) if again or not has_day(cluster) else None


def _keep_usage(cluster: Cluster, objects: list[Document]) -> None:
    keep_usage(cluster=cluster, found=demo_usage(objects), source=UsageHour.Source.METRICS)
