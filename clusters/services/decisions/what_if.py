"""What a pod would meet if it, or the scheduler's configuration, were another: nothing of it is ever stored."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import yaml

from clusters.adapters.bad_input import BadInput, limits, shown
from clusters.adapters.buffers import Meter
from clusters.adapters.files import json_documents, yaml_documents
from clusters.adapters.prune import KINDS, SCHEDULER_CONFIGURATION, WrongField
from clusters.adapters.schema import checking
from clusters.adapters.schema.checking import Lines, line_named
from clusters.engine import ConfigurationError, Explanation, SchedulerConfiguration, Snapshot, UnknownScheduler
from clusters.engine.admission import LIMIT_RANGER, Admission, LimitRangeRefusal, Refusal, admit
from clusters.engine.objects import namespace_of
from clusters.engine.problems import MustBe, NotAMap, Problem, TooLarge
from clusters.engine.simulation import PodAdmission
from clusters.problems.inputs import NotOneDocument
from clusters.problems.orders import NestedTooDeeply
from clusters.services.decisions.explain import explain_document, free_of_its_node
from clusters.services.mirror.snapshots import document_of, snapshot_of
from clusters.services.mirror.state import quotas_of

if TYPE_CHECKING:
    from clusters.engine.versions import Release
    from clusters.models import Cluster, Pod

# A pod with everything that scheduling reads has a tenth of this.
MOST_BYTES = 64 * 1024
MOST_PROBLEMS = 20
# Aliases make a short text a large document; what is wrong with it is known long before its end.
# Who refuses what is too much for a quota.
_QUOTAS: Final = "ResourceQuota"
_MOST_LOOKED_FOR = 200
_IDENTITY = ("uid", "ownerReferences", "creationTimestamp", "deletionTimestamp")
# What a node has given the pod as it is; it would count for the changed one too.
_GIVEN = frozenset({"containerStatuses", "initContainerStatuses", "resources", "allocatedResources"})


class Fault(NamedTuple):
    """What is wrong with a text: the line from 1 (0 where none is to blame), the field, and the problem with it."""

    line: int
    field: str
    problem: Problem


class BadText(Exception):  # noqa: N818 - it is the text that is bad, and its writer is told why
    """A text that cannot be taken."""

    def __init__(self, problems: list[Fault]) -> None:
        super().__init__(f"{len(problems)} problems")
        self.problems = problems


class WhatIf(NamedTuple):
    """What admission would do with the changed pod, and how it would fare."""

    admission: Admission
    explanation: Explanation


def editable(pod: Pod) -> str:
    """Write down the part of a pod that its author decides, as the mirror has it."""
    return as_text(authored(pod))


def authored(pod: Pod) -> dict[str, Any]:
    """Return the part of a pod that its author decides: no status, and no node that the scheduler chose."""
    metadata = pod.object.get("metadata") or {}
    spec = dict(pod.object.get("spec") or {})
    if pod.phase != "Pending":
        spec.pop("nodeName", None)
    kept = {key: metadata[key] for key in ("name", "namespace", "labels", "annotations") if metadata.get(key)}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": kept, "spec": spec}


def as_text(document: dict[str, Any]) -> str:
    """Write a document as YAML, its fields in the order in which they came."""
    # A manifest may have tens of thousands of lines, for which PyYAML's own emitter takes many seconds.
    return str(yaml.dump(document, Dumper=yaml.CSafeDumper, sort_keys=False, allow_unicode=True, width=120))


def configuration_text(cluster: Cluster) -> str:
    """Write down the configuration that the cluster's pods are explained with."""
    document = document_of(cluster)
    if document is None:
        document = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": SCHEDULER_CONFIGURATION}
        document["profiles"] = [{"schedulerName": "default-scheduler"}]
    return as_text(document)


def read_pod(text: str, pod: Pod) -> dict[str, Any]:
    """Return the changed pod that a text holds, pruned as a mirrored one is. Raises BadText.

    It stays the same pod: name, owner and status are the mirrored one's, but for what a node has given its containers.
    """
    document = _only(text, "Pod")
    lines = Lines(text)
    problems = list(islice(checking.check_pod(document), _MOST_LOOKED_FOR))
    metadata = document.get("metadata") if isinstance(document, dict) else None
    for field, right in (("name", pod.name), ("namespace", pod.namespace)):
        if isinstance(metadata, dict) and metadata.get(field, right) != right:
            problems.append(checking.Fault(f"metadata.{field}", MustBe(shown(metadata[field]), right)))
    if problems:
        found = [Fault(lines.of(each.path), each.path, each.problem) for each in problems]
        raise BadText(sorted(found, key=_place)[:MOST_PROBLEMS])
    try:
        kept: dict[str, Any] = KINDS["Pod"].prune(document)
    except WrongField as error:
        raise BadText([Fault(lines.of(error.path), error.path, error.problem)]) from None
    mirrored = pod.object.get("metadata") or {}
    identity = {key: mirrored[key] for key in _IDENTITY if key in mirrored}
    kept["metadata"] = {**(kept.get("metadata") or {}), **identity, "name": pod.name, "namespace": pod.namespace}
    status = pod.object.get("status") or {}
    kept["status"] = {field: part for field, part in status.items() if field not in _GIVEN}
    return {"apiVersion": "v1", "kind": "Pod", **kept}


def parsed(text: str) -> dict[str, Any]:
    """Return the map that a text holds, unchecked. Raises BadText."""
    document = _only(text, "Pod")
    if not isinstance(document, dict):
        raise BadText([Fault(1, "", NotAMap(shown(document)))])
    return document


def read_configuration(text: str, release: Release) -> SchedulerConfiguration:
    """Return the configuration that a text holds, as a release reads it.

    Raises BadText for one that kube-scheduler would not start with.
    """
    document = _only(text, SCHEDULER_CONFIGURATION)
    try:
        return SchedulerConfiguration.from_dict(document, release)
    except ConfigurationError as error:
        raise BadText([Fault(Lines(text).of(error.path), error.path, error.problem)]) from None


def what_if(
    *,
    cluster: Cluster,
    document: dict[str, Any],
    configuration: SchedulerConfiguration,
    snapshot: Snapshot,
    mirrored: dict[str, Any] | None = None,
) -> WhatIf:
    """Admit a changed pod as a new one and explain it.

    ``mirrored`` is the pod before the change, whose place in its quotas the new one takes; None where there is none.
    Raises BadText where no profile schedules such a pod, and NotComputed.
    """
    admission = admit(document, snapshot)
    if not admission.refusals:
        quotas = quotas_of(cluster=cluster, snapshot=snapshot, namespace=namespace_of(document))
        admission = _charged(admission, PodAdmission(snapshot, quotas), mirrored)
    try:
        explanation = explain_document(
            cluster=cluster,
            document=admission.pod,
            configuration=configuration,
            snapshot=snapshot,
        )
    except UnknownScheduler as error:
        raise BadText([Fault(0, "spec.schedulerName", error.problem)]) from None
    return WhatIf(admission, explanation)


def _charged(admission: Admission, quotas: PodAdmission, mirrored: dict[str, Any] | None) -> Admission:
    """Return the admission with what quotas have against the pod; they are asked when nothing else refuses it."""
    if mirrored is not None:
        quotas.release(mirrored)
    refusal = quotas.admit({**admission.pod, "status": {}})
    if refusal is None:
        return admission
    by = LIMIT_RANGER if isinstance(refusal, LimitRangeRefusal) else _QUOTAS
    return replace(admission, refusals=(Refusal(by, "spec", refusal),))


def as_is(
    *, cluster: Cluster, pod: Pod, configuration: SchedulerConfiguration, snapshot: Snapshot
) -> Explanation | None:
    """Explain the pod as it is, against the same state; None for a pod of another scheduler."""
    try:
        return explain_document(
            cluster=cluster,
            document=free_of_its_node(pod.object, snapshot.release),
            configuration=configuration,
            snapshot=snapshot,
        )
    except UnknownScheduler:
        return None


def state_of(cluster: Cluster) -> Snapshot:
    """Return the state that both sides of a comparison are to be judged against."""
    return snapshot_of(cluster)


def _only(text: str, what: str) -> Any:
    """Return the one document of a text, within the limits that every upload has."""
    data = text.encode()
    if len(data) > MOST_BYTES:
        raise BadText([Fault(0, "", TooLarge(MOST_BYTES))])
    read = json_documents if data[:4096].lstrip().startswith(b"{") else yaml_documents
    try:
        documents = [document.value for document in read(data, Meter(limits(), bytes_total=len(data)))]
    except BadInput as error:
        line = line_named(error.problem) or (Lines(text).of(error.field) if error.field else 0)
        raise BadText([Fault(line, error.field, error.problem)]) from None
    except RecursionError:
        raise BadText([Fault(0, "", NestedTooDeeply())]) from None
    if len(documents) != 1:
        raise BadText([Fault(0, "", NotOneDocument(len(documents), what))])
    return documents[0]


def _place(fault: Fault) -> tuple[int, str]:
    return fault.line, fault.field
