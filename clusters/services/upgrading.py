"""What an upgrade of Kubernetes changes in scheduling, of dumps and of mirrored clusters."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec
from django.db.models import F, Window
from django.db.models.functions import Length, RowNumber
from msgspec import Struct

from clusters.adapters.bad_input import BadInput, shown
from clusters.documents.explanation import Part
from clusters.documents.stored_problems import encoded
from clusters.documents.upgrades import UpgradeDocument, upgrade_document
from clusters.engine import ConfigurationError, SchedulerConfiguration, Snapshot
from clusters.engine.disruption import budget_states
from clusters.engine.objects import Document, Pod as PodObject, metadata
from clusters.engine.problems import NotOneOf
from clusters.engine.quotas import counted_quotas, device_quota_rules, is_counted
from clusters.engine.upgrading import (
    SampledDrains,
    SampledPods,
    SampledPool,
    UpgradeCase,
    UpgradePreview,
    resized_pods,
    sampled_pools,
    upgrade_preview,
)
from clusters.engine.versions import RELEASES, GateSettings, Release
from clusters.models import Cluster, Node, Pod
from clusters.problems.orders import LargeResult
from clusters.services.decisions.explain import note
from clusters.services.disruption import daemon_sets_of, pods_beside_nodes, pods_on_nodes
from clusters.services.evaluation import Question, WorkersAwayError
from clusters.services.files import Dump, checked_configuration
from clusters.services.mirror.snapshots import (
    ChangingTooFastError,
    document_of,
    is_same_state,
    pods_named,
    revision_of,
    snapshot_at_revision,
    snapshot_of,
    started_with,
)
from clusters.services.mirror.state import quotas_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import datetime

    from django.db.models import OrderBy, QuerySet


# What the drains of an upgrade's preview are made from, of dumps and of mirrored clusters.


def drains_of_dump(dump: Dump) -> SampledDrains:
    """Return the pools of a dump, with the pods on those of their nodes that are drained."""
    pools, left_out = sampled_pools(dump.snapshot)
    nodes = _nodes(pools)
    pods = [pod for pod in dump.pods.values() if (pod.get("spec") or {}).get("nodeName") in nodes]
    others = [
        pod for pod in dump.pods.values() if not (pod.get("spec") or {}).get("nodeName") or PodObject(pod).finished
    ]
    daemon_sets = frozenset(
        f"{metadata(each).get('namespace', '')}/{metadata(each).get('name', '')}"
        for each in dump.objects
        if each["kind"] == "DaemonSet"
    )
    lasting = _lasting(dump.snapshot, others)
    return SampledDrains(pools, pods, others, lasting, daemon_sets or None, left_out)


def drains_of_cluster(cluster: Cluster, snapshot: Snapshot) -> SampledDrains:
    """Return the pools of a cluster in a state of it; what is read beside the snapshot may be a moment newer."""
    pools, left_out = sampled_pools(snapshot)
    others = list(pods_beside_nodes(cluster))
    return SampledDrains(
        pools,
        pods_on_nodes(cluster, sorted(_nodes(pools))),
        others,
        _lasting(snapshot, others),
        daemon_sets_of(cluster),
        left_out,
    )


def _nodes(pools: Sequence[SampledPool]) -> frozenset[str]:
    return frozenset(node for pool in pools for node in pool.nodes)


def _lasting(snapshot: Snapshot, others: Sequence[Document]) -> frozenset[str]:
    return frozenset(state.budget.key for state in budget_states(snapshot, others) if state.is_blocker)


# Makes previews of upgrades.

# SQLite may be built to take no more than 999 values in one statement.
_ROWS_AT_ONCE = 900


def preview_of_dump(*, dump: Dump, target: Release) -> UpgradePreview:
    """Return what a dump's upgrade changes. Raises BadInput for a configuration that its own minor does not read."""
    if dump.configuration is None:
        configuration: Callable[[Release], SchedulerConfiguration] = SchedulerConfiguration.default
    else:
        # Read once as the command line reads it, so that what is wrong with it names the dump.
        checked_configuration(dump.configuration, dump.name, dump.release)
        configuration = partial(SchedulerConfiguration.from_dict, dump.configuration)
    snapshot, pods = dump.snapshot, dump.pods
    sampled = SampledPods.among(dump.objects)
    resized = resized_pods(snapshot, lambda keys: {key: pods[key] for key in keys})
    settings = {name: is_on for name, is_on in dump.feature_gates.items() if is_on is not None}
    quotas = snapshot.objects("ResourceQuota")
    claims, devices = (snapshot.objects(kind) for kind in ("PersistentVolumeClaim", "ResourceClaim"))
    counted = counted_quotas(quotas, pods.values(), claims, devices, device_quota_rules(snapshot))
    charged = [*filter(is_counted, quotas), *counted]
    read = _Read(snapshot, sampled, resized, drains_of_dump(dump), charged, settings, configuration)
    return _preview(read, target)


def preview_of_cluster(
    *, cluster: Cluster, target: Release, alive: Callable[[], object] = bool
) -> tuple[int, UpgradePreview]:
    """Return the present revision of a mirrored cluster, and what its upgrade changes; ``alive`` as below.

    Raises ConfigurationError for a configuration that its own minor does not read, and ChangingTooFastError.
    """
    revision, snapshot = snapshot_at_revision(cluster)
    return revision, preview_of_state(cluster=cluster, snapshot=snapshot, target=target, alive=alive)


def preview_of_state(
    *,
    cluster: Cluster,
    snapshot: Snapshot,
    target: Release,
    alive: Callable[[], object] = bool,
) -> UpgradePreview:
    """Return what an upgrade changes in a state of a cluster; ``alive`` is called now and then, and may raise.

    Raises ConfigurationError for a configuration that its own minor does not read.
    """
    document = document_of(cluster)
    configuration: Callable[[Release], SchedulerConfiguration] = SchedulerConfiguration.default
    if document is not None:
        configuration = partial(SchedulerConfiguration.from_dict, document)
    sampled, drains = SampledPods.among(_sampled(cluster)), drains_of_cluster(cluster, snapshot)
    resized = resized_pods(snapshot, partial(pods_named, cluster))
    quotas = quotas_of(cluster=cluster, snapshot=snapshot)
    read = _Read(snapshot, sampled, resized, drains, quotas, started_with(cluster), configuration)
    return _preview(read, target, alive)


class _Read(Struct, frozen=True):
    """What is read of a dump or a cluster."""

    snapshot: Snapshot
    sampled: SampledPods
    resized: Sequence[Document]
    drains: SampledDrains
    quotas: Sequence[Document]
    settings: GateSettings
    configuration: Callable[[Release], SchedulerConfiguration]


def _preview(read: _Read, target: Release, alive: Callable[[], object] = bool) -> UpgradePreview:
    case = UpgradeCase(
        snapshot=read.snapshot,
        after=target,
        resized=read.resized,
        configuration=read.configuration,
        subjects=read.sampled.subjects(read.snapshot),
        alive=alive,
        note=note,
        drains=read.drains,
        settings=read.settings,
        quotas=read.quotas,
    )
    return upgrade_preview(case)


def _sampled(cluster: Cluster) -> Iterator[dict[str, Any]]:
    """Yield the pods without a node, and of each owner the newest and the one with the last ordinal."""
    pods = Pod.objects.filter(cluster=cluster).order_by()
    staying = pods.filter(deleted_at=None).exclude(phase__in=("Succeeded", "Failed")).exclude(owner_name="")
    first = [
        *_first(staying, F("created_at").desc(nulls_last=True)),
        # Of one length the last by name is the one with the highest number.
        *_first(staying.filter(owner_kind="StatefulSet"), Length("name").desc()),
    ]
    keys = sorted({*first, *pods.filter(node_name="").values_list("pk", flat=True)})
    for start in range(0, len(keys), _ROWS_AT_ONCE):
        rows = pods.filter(pk__in=keys[start : start + _ROWS_AT_ONCE])
        yield from ({**document, "kind": "Pod"} for document in rows.values_list("object", flat=True))


def _first(pods: QuerySet[Pod], order: OrderBy) -> QuerySet[Any]:
    """Return the key of each owner's first pod in an order, the last by name of those that are equal in it."""
    owner = [F("namespace"), F("owner_kind"), F("owner_name")]
    place = Window(RowNumber(), partition_by=owner, order_by=[order, F("name").desc()])
    return pods.annotate(place=place).filter(place=1).values_list("pk", flat=True)


# Asks for what a mirrored cluster's upgrade changes: at once, or of a worker where that takes long.

# While somebody waits no more pairs of a node and a pod are looked at.
MOST_AT_ONCE: Final = 100_000


class KeptUpgrade(Part, frozen=True, kw_only=True):
    """A preview; a ``problem``, as rows store it, where there is none.

    ``field``: of the scheduler's configuration, where the problem is with it.
    """

    document: UpgradeDocument | None
    problem: dict[str, Any] | None = None
    field: str = ""


def _read(made: object) -> KeptUpgrade | None:
    try:
        return msgspec.convert(made, KeptUpgrade | None)
    except msgspec.ValidationError:
        # Another release kept it.
        return None


QUESTION: Final[Question[dict[str, Any]]] = Question(
    "upgrade", is_shared=True, is_read=lambda made: _read(made) is not None
)


class ClusterUpgrade(NamedTuple):
    """A preview of the state of a revision, read ``at`` that time, where it is known.

    None while a worker finds out the first; ``is_evaluating`` also while one finds out a later one.
    """

    made: KeptUpgrade | None
    revision: int
    at: datetime | None = None
    is_evaluating: bool = False


def upgrade_of(*, cluster: Cluster, target: Release, again: int | None = None) -> ClusterUpgrade:
    """Return what an upgrade changes.

    One that takes long stays although the cluster changed, until its revision is asked for ``again`` and a worker has
    found out the next. Raises WorkersAwayError.
    """
    kept = QUESTION.last(cluster, target.minor)
    if kept is not None and kept.is_too_large:
        return ClusterUpgrade(KeptUpgrade(document=None, problem=encoded(LargeResult())), kept.revision)
    earlier = None if kept is None else _read(kept.answers.get(b""))
    pairs = Node.objects.filter(cluster=cluster).count() * Pod.objects.filter(cluster=cluster).count()
    is_long = pairs > MOST_AT_ONCE
    if kept is not None and earlier is not None:
        is_long = is_long or kept.is_long
        found = ClusterUpgrade(earlier, kept.revision, kept.at)
        if is_same_state(cluster, kept.revision, cluster.revision):
            return found._replace(revision=cluster.revision)
        if is_long:
            if kept.revision == again:
                QUESTION.hand_over(cluster, target.minor)
            return found._replace(is_evaluating=QUESTION.progress(cluster, target.minor) is not None)
    if is_long:
        QUESTION.hand_over(cluster, target.minor)
        return ClusterUpgrade(None, cluster.revision, is_evaluating=True)
    try:
        return make_preview(cluster=cluster, target=target)
    except ChangingTooFastError as error:
        return ClusterUpgrade(KeptUpgrade(document=None, problem=encoded(error.problem)), cluster.revision)


def make_preview(*, cluster: Cluster, target: Release) -> ClusterUpgrade:
    """Find out what an upgrade changes in the cluster's present state, or ask a worker where there is no time for it.

    Raises WorkersAwayError and ChangingTooFastError.
    """
    snapshot = snapshot_of(cluster)
    with QUESTION.answered(cluster, target.minor, snapshot=snapshot) as answers:
        made = answers.of(b"", lambda: _made(cluster, snapshot, target, answers.check))
    if made is not None:
        return ClusterUpgrade(_read(made), revision_of(snapshot))
    if not answers.is_asked:
        raise WorkersAwayError
    return ClusterUpgrade(None, revision_of(snapshot), is_evaluating=True)


def _made(cluster: Cluster, snapshot: Snapshot, target: Release, alive: Callable[[], object]) -> dict[str, Any]:
    try:
        preview = preview_of_state(cluster=cluster, snapshot=snapshot, target=target, alive=alive)
    except ConfigurationError as error:
        made = KeptUpgrade(document=None, problem=encoded(error.problem), field=error.path)
    else:
        made = KeptUpgrade(document=upgrade_document(preview))
    found: dict[str, Any] = msgspec.to_builtins(made)
    return found


# To which minors a cluster can be upgraded.


def later_releases(release: Release) -> tuple[Release, ...]:
    """Return the known releases after one, in their order."""
    known = list(RELEASES.values())
    return tuple(known[[each.minor for each in known].index(release.minor) + 1 :])


def chosen_release(release: Release, minor: str) -> Release:
    """Return the release that somebody names by its minor, such as ``1.37`` or ``v1.37``. Raises BadInput."""
    found = RELEASES.get(minor.strip().removeprefix("v"))
    if found is None:
        raise BadInput(NotOneOf(shown(minor), tuple(RELEASES)), field="to")
    later = later_releases(release)
    if found not in later:
        raise BadInput(NotOneOf(found.minor, tuple(each.minor for each in later)), field="to")
    return found
