"""What others recorded of a pod's scheduling attempts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import F, Q

from clusters.models import Event, Observation

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from clusters.models import Pod


def observations_of(pod: Pod) -> QuerySet[Observation]:
    """Return what was recorded about a pod, latest first and without the documents.

    Simulators number attempts, logs tell the time; a source that does not name the pod's UID means every pod of that
    name.
    """
    return (
        Observation.objects.filter(
            Q(pod_uid="") | Q(pod_uid=pod.uid), cluster=pod.cluster, namespace=pod.namespace, name=pod.name
        )
        .order_by(F("observed_at").desc(nulls_last=True), F("attempt").desc(nulls_first=True), "-pk")
        .defer("packed_document")
    )


def events_of(pod: Pod) -> QuerySet[Event]:
    """Return what components reported about a pod, latest first."""
    return Event.objects.filter(
        cluster=pod.cluster, involved_kind="Pod", involved_namespace=pod.namespace, involved_name=pod.name
    ).order_by("-last_seen", "-pk")
