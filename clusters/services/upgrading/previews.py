"""Makes previews of upgrades."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from clusters.engine import SchedulerConfiguration
from clusters.engine.quotas.counting import counted_quotas, is_counted
from clusters.engine.quotas.device_rules import device_quota_rules
from clusters.engine.upgrading.subjects import SampledPods
from clusters.engine.upgrading.upgrade import UpgradeCase, upgrade_preview
from clusters.models import Pod
from clusters.services.decisions.failures import note
from clusters.services.files.configurations import checked_configuration
from clusters.services.mirror.configurations import document_of, started_with
from clusters.services.mirror.quotas import quotas_of
from clusters.services.mirror.snapshots import snapshot_at_revision
from clusters.services.upgrading.drained_pools import drains_of_cluster, drains_of_dump

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from clusters.engine import Snapshot
    from clusters.engine.objects import Document
    from clusters.engine.upgrading.drains import SampledDrains
    from clusters.engine.upgrading.upgrade import UpgradePreview
    from clusters.engine.versions import GateSettings, Release
    from clusters.models import Cluster
    from clusters.services.files.dumps import Dump

_ROWS_AT_ONCE = 2_000


def preview_of_dump(*, dump: Dump, target: Release) -> UpgradePreview:
    """Return what a dump's upgrade changes. Raises BadInput for a configuration that its own minor does not read."""
    if dump.configuration is None:
        configuration: Callable[[Release], SchedulerConfiguration] = SchedulerConfiguration.default
    else:
        # Read once as the command line reads it, so that what is wrong with it names the dump.
        checked_configuration(dump.configuration, dump.name, dump.release)
        configuration = partial(SchedulerConfiguration.from_dict, dump.configuration)
    sampled = SampledPods.among(dump.objects)
    settings = {name: is_on for name, is_on in dump.feature_gates.items() if is_on is not None}
    quotas = dump.snapshot.objects("ResourceQuota")
    claims, devices = (dump.snapshot.objects(kind) for kind in ("PersistentVolumeClaim", "ResourceClaim"))
    counted = counted_quotas(quotas, dump.pods.values(), claims, devices, device_quota_rules(dump.snapshot))
    charged = [*filter(is_counted, quotas), *counted]
    read = _Read(dump.snapshot, sampled, drains_of_dump(dump), charged, settings, configuration)
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
    sampled, drains = SampledPods.among(_pods(cluster)), drains_of_cluster(cluster, snapshot)
    quotas = quotas_of(cluster=cluster, snapshot=snapshot)
    read = _Read(snapshot, sampled, drains, quotas, started_with(cluster), configuration)
    return _preview(read, target, alive)


@dataclass(frozen=True, slots=True)
class _Read:
    """What is read of a dump or a cluster."""

    snapshot: Snapshot
    sampled: SampledPods
    drains: SampledDrains
    quotas: Sequence[Document]
    settings: GateSettings
    configuration: Callable[[Release], SchedulerConfiguration]


def _preview(read: _Read, target: Release, alive: Callable[[], object] = bool) -> UpgradePreview:
    case = UpgradeCase(
        snapshot=read.snapshot,
        after=target,
        resized=read.sampled.resized,
        configuration=read.configuration,
        subjects=read.sampled.subjects(read.snapshot),
        alive=alive,
        note=note,
        drains=read.drains,
        settings=read.settings,
        quotas=read.quotas,
    )
    return upgrade_preview(case)


def _pods(cluster: Cluster) -> Iterator[dict[str, Any]]:
    rows = Pod.objects.filter(cluster=cluster).order_by("pk").values_list("object", flat=True)
    for document in rows.iterator(_ROWS_AT_ONCE):
        yield {**document, "kind": "Pod"}
