"""The scheduler configuration that a cluster's pods are explained with."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db import transaction
from django.db.models import Count, Q

from clusters.adapters.bad_input import BadInput
from clusters.adapters.files.buffers import opened
from clusters.adapters.files.json_text import json_documents
from clusters.adapters.files.meter import Meter
from clusters.adapters.files.yaml_text import yaml_documents
from clusters.adapters.prune import SCHEDULER_CONFIGURATION, WrongField, pruned_configuration
from clusters.engine import ConfigurationError, SchedulerConfiguration
from clusters.engine.configuration import disabled_in_vain
from clusters.models import Cluster, Pod
from clusters.services.ingest.ingest import limits
from clusters.signals import snapshot_ready

if TYPE_CHECKING:
    from pathlib import Path

    from clusters.adapters.files.buffers import Buffer

# A configuration with every plugin named at every point has a twentieth of this.
MOST_BYTES = 1024 * 1024


def read_configuration(path: Path) -> SchedulerConfiguration:
    """Read a KubeSchedulerConfiguration, in YAML or JSON. Raises BadInput."""
    return checked_configuration(_document_in(path), path.name)


def read_document(path: Path) -> dict[str, Any]:
    """Read a KubeSchedulerConfiguration as it is written, in YAML or JSON. Raises BadInput."""
    document: dict[str, Any] = _document_in(path)
    checked_configuration(document, path.name)
    return document


# What is computed by a configuration is computed from these.
_CONCERNED = (SCHEDULER_CONFIGURATION, "Pod", "Node")


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


def configure(*, cluster: Cluster, path: Path) -> SchedulerConfiguration:
    """Explain and judge a cluster's pods by the KubeSchedulerConfiguration in a file. Raises BadInput."""
    document = _document_in(path)
    return _configure(cluster, document, path.name)


def configure_from_text(*, cluster: Cluster, text: str) -> SchedulerConfiguration:
    """Do the same with a KubeSchedulerConfiguration that somebody wrote down. Raises BadInput."""
    return _configure(cluster, _document_of_text(text), "")


def read_configuration_text(text: str) -> SchedulerConfiguration:
    """Return what somebody wrote down as kube-scheduler would understand it, and keep nothing. Raises BadInput."""
    return checked_configuration(_document_of_text(text), "")


def plugins_disabled_in_vain(text: str) -> list[str]:
    """Return the names under ``disabled`` in a valid configuration that no plugin is called. Raises BadInput."""
    return disabled_in_vain(_document_of_text(text))


def use_default_configuration(*, cluster: Cluster) -> None:
    """Explain and judge a cluster's pods by what its dump brought along again, or else by kube-scheduler's defaults."""
    _store(cluster, None)


def checked_configuration(document: Any, name: str) -> SchedulerConfiguration:
    """Return a configuration that kube-scheduler would start with. Raises BadInput, which names the file and field."""
    try:
        return SchedulerConfiguration.from_dict(document)
    except ConfigurationError as error:
        raise BadInput(_sentence(error.problem), _sentence(error.remedy), file=name, field=error.path) from None


def _configure(cluster: Cluster, document: Any, name: str) -> SchedulerConfiguration:
    configuration = checked_configuration(document, name)
    try:
        kept = pruned_configuration(document)
    except WrongField as error:
        raise BadInput(error.problem, error.remedy, file=name, field=error.path) from None
    if kept is None:
        raise BadInput("It is something else.", f"Write a {SCHEDULER_CONFIGURATION}.", file=name)
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


def _document_in(path: Path) -> Any:
    try:
        meter = Meter(limits(), bytes_total=path.stat().st_size)
        return _only(opened(path, meter), meter)
    except BadInput as error:
        raise error.at(file=path.name) from None
    except OSError as error:
        reason = error.strerror or str(error)
        raise BadInput(
            f"It cannot be read: {reason}.", "Check the path and its permissions.", file=path.name
        ) from error


def _document_of_text(text: str) -> Any:
    data = text.encode()
    if len(data) > MOST_BYTES:
        raise BadInput(f"It has {len(data):,} bytes.", f"A configuration has at most {MOST_BYTES:,}.")
    return _only(data, Meter(limits(), bytes_total=len(data)))


def _only(data: Buffer, meter: Meter) -> Any:
    read = json_documents if data[:4096].lstrip().startswith(b"{") else yaml_documents
    documents = [document.value for document in read(data, meter)]
    if len(documents) != 1:
        problem = f"It holds {len(documents)} documents." if documents else "It is empty."
        raise BadInput(problem, f"Write one {SCHEDULER_CONFIGURATION}.")
    return documents[0]


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."
