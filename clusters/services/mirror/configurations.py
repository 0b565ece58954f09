"""The scheduler configuration that a cluster's pods are explained with."""

from __future__ import annotations

import enum
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import orjson
from django.db.models import Count, Q

from clusters.engine import SchedulerConfiguration
from clusters.engine.versions import Known, match_release, refused_settings, release_with, scheduling_settings
from clusters.engine.versions.gate_settings import NAMES
from clusters.models import Pod

if TYPE_CHECKING:
    from clusters.engine.versions import GateSettings, Release, ReplicaSettings
    from clusters.models import Cluster


# The fields of a cluster that tell its release.
READ_FOR_RELEASE: Final = ("kube_version", "feature_gates", "chosen_feature_gates")


class Origin(enum.StrEnum):
    """Where the configuration in force comes from."""

    CHOSEN = "chosen"
    DUMP = "dump"
    DEFAULT = "default"


class SchedulerUse(NamedTuple):
    """How many pods name a scheduler, and how many of those have no node yet."""

    name: str
    pods: int
    waiting: int


def origin_of(cluster: Cluster) -> Origin:
    """Say who gave the configuration in force: somebody here, the dump, or nobody."""
    if cluster.chosen_configuration is not None:
        return Origin.CHOSEN
    return Origin.DEFAULT if cluster.scheduler_configuration is None else Origin.DUMP


def document_of(cluster: Cluster) -> dict[str, Any] | None:
    """Return the configuration in force as it was given, but for what is not kept of it; None for the default."""
    document = cluster.chosen_configuration
    given: dict[str, Any] | None = cluster.scheduler_configuration if document is None else document
    return given


def scheduler_uses(cluster: Cluster) -> list[SchedulerUse]:
    """Return which schedulers the cluster's pods name, that of most pods first."""
    counts = (
        Pod.objects.filter(cluster=cluster)
        .order_by()
        .values_list("scheduler_name")
        .annotate(pods=Count("pk"), waiting=Count("pk", filter=Q(is_pending=True)))
    )
    return sorted((SchedulerUse(*row) for row in counts), key=lambda use: (-use.pods, use.name))


def gates_of(cluster: Cluster) -> GateSettings:
    """Return the feature gates that somebody set, or else those that the cluster's scheduler is started with."""
    chosen: GateSettings | None = cluster.chosen_feature_gates
    return scheduling_settings(cluster.feature_gates) if chosen is None else chosen


def started_with(cluster: Cluster) -> GateSettings:
    """Return the gates that are set, with those of its own scheduler that decide nothing here."""
    found: ReplicaSettings = cluster.feature_gates
    others = {name: is_on for name, is_on in found.items() if name not in NAMES and is_on is not None}
    return {**others, **gates_of(cluster)}


def differing_gates(cluster: Cluster) -> list[str]:
    """Return the gates by name that not all replicas of kube-scheduler are started alike with."""
    found: ReplicaSettings = cluster.feature_gates
    return sorted(name for name, is_on in found.items() if is_on is None)


def refused_gates(cluster: Cluster) -> GateSettings:
    """Return the gates as they are set that kube-scheduler of the cluster's minor would not start with.

    None where the minor is not known here, or not told.
    """
    found = match_release(cluster.kube_version)
    return refused_settings(started_with(cluster), found.release) if found.known is Known.EXACT else {}


def release_of(cluster: Cluster) -> Release:
    """Return the release that the cluster is answered as, its own or the nearest that is known, with its gates."""
    return release_with(cluster.kube_version, gates_of(cluster))


def configuration_of(cluster: Cluster) -> SchedulerConfiguration:
    """Return the configuration that somebody gave, or else the one that the dump brought along, or else the default.

    Raises ConfigurationError for one that kube-scheduler would not start with.
    """
    document, release = document_of(cluster), release_of(cluster)
    if document is None:
        return SchedulerConfiguration.default(release)
    return SchedulerConfiguration.from_dict(document, release)


def digest_of(cluster: Cluster, *asked: object) -> str:
    """Return a name for what is asked of a cluster as it is set up now, whatever its state; the same in all processes.

    It is made of what is stored: sets have another order in each process. When the cluster was made tells apart two
    that had the same key one after the other.
    """
    told = [cluster.created_at, document_of(cluster), release_of(cluster).first_version, started_with(cluster), *asked]
    return f"{cluster.pk}:{blake2b(orjson.dumps(told, option=orjson.OPT_SORT_KEYS), digest_size=16).hexdigest()}"
