"""Puts a scheduler configuration that somebody gives in force for a cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import transaction

from clusters.adapters.bad_input import BadInput, shown
from clusters.adapters.prune import SCHEDULER_CONFIGURATION, WrongField, pruned_configuration
from clusters.engine.problems import MustBe
from clusters.engine.versions import GateError, GateSettings, match_release, read_feature_gates
from clusters.models import Cluster
from clusters.services.files import checked_configuration, document_in, document_of_text
from clusters.services.mirror.snapshots import release_of
from clusters.signals import snapshot_ready

if TYPE_CHECKING:
    from pathlib import Path

    from clusters.engine import SchedulerConfiguration

# What is computed by a configuration is computed from these.
_CONCERNED = (SCHEDULER_CONFIGURATION, "Pod", "Node")


def configure(*, cluster: Cluster, path: Path) -> SchedulerConfiguration:
    """Explain and judge a cluster's pods by the KubeSchedulerConfiguration in a file. Raises BadInput."""
    return _configure(cluster, document_in(path), path.name)


def configure_from_text(*, cluster: Cluster, text: str) -> SchedulerConfiguration:
    """Do the same with a KubeSchedulerConfiguration that somebody wrote down. Raises BadInput."""
    return _configure(cluster, document_of_text(text), "")


def use_default_configuration(*, cluster: Cluster) -> None:
    """Explain and judge a cluster's pods by what its dump brought along again, or else by kube-scheduler's defaults."""
    _store(cluster, None)


def set_feature_gates(*, cluster: Cluster, settings: Any) -> GateSettings:
    """Answer a cluster with these feature gates, as text or as a map, and return them. Raises BadInput.

    What was computed with other gates is computed anew: the revision grows.
    """
    try:
        found = read_feature_gates(settings, match_release(cluster.kube_version).release)
    except GateError as error:
        raise BadInput(error.problem) from None
    _store_gates(cluster, found)
    return found


def use_default_feature_gates(*, cluster: Cluster) -> None:
    """Answer a cluster with the gates that its dump brought along again, or else with its minor's defaults."""
    _store_gates(cluster, None)


def _store_gates(cluster: Cluster, settings: GateSettings | None) -> None:
    with transaction.atomic():
        locked = Cluster.objects.select_for_update().get(pk=cluster.pk)
        if locked.chosen_feature_gates != settings:
            locked.chosen_feature_gates = settings
            locked.revision += 1
            locked.save(update_fields=["chosen_feature_gates", "revision"])
            transaction.on_commit(
                lambda: snapshot_ready.send_robust(
                    sender=Cluster, cluster_id=locked.pk, revision=locked.revision, changed=True, kinds=()
                )
            )
    cluster.chosen_feature_gates, cluster.revision = settings, locked.revision


def _configure(cluster: Cluster, document: Any, name: str) -> SchedulerConfiguration:
    configuration = checked_configuration(document, name, release_of(cluster))
    try:
        kept = pruned_configuration(document)
    except WrongField as error:
        raise BadInput(error.problem, file=name, field=error.path) from None
    if kept is None:
        raise BadInput(MustBe(shown(document.get("kind")), SCHEDULER_CONFIGURATION), file=name)
    _store(cluster, kept)
    return configuration


def _store(cluster: Cluster, document: dict[str, Any] | None) -> None:
    with transaction.atomic():
        locked = Cluster.objects.select_for_update().get(pk=cluster.pk)
        locked.chosen_configuration = document
        locked.save(update_fields=["chosen_configuration"])
        # The state is the same; what is computed from pods and nodes may not be.
        transaction.on_commit(
            lambda: snapshot_ready.send_robust(
                sender=Cluster, cluster_id=locked.pk, revision=locked.revision, changed=False, kinds=_CONCERNED
            )
        )
    cluster.chosen_configuration = document
