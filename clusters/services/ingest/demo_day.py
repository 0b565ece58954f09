"""The demo's last day in the journal: decisions and changes of nodes that a simulation made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from clusters.demo.day import Incident, recorded_day
from clusters.engine.objects import labels_of
from clusters.engine.workloads.pod_template import TEMPLATE_HASH, Controller, Workload
from clusters.models import Cluster, Decision, Departure, NodeChange
from clusters.services.journal.departures import departure_of
from clusters.services.journal.document import decision_document
from clusters.signals import snapshot_ready

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.demo.day import RecordedDecision
    from clusters.demo.identity import Document
    from clusters.documents.explanation import ExplanationDocument

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
    """Whether the demo's journal holds its day, with what went in it; releases before kept no departures."""
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
