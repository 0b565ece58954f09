"""The answers to the parts of studies, each computed on the base of its study after the changes that all share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from clusters.documents.values import value_document
from clusters.engine.admission import admit
from clusters.engine.objects import Document, Pod, key_of
from clusters.engine.owners import template_of
from clusters.engine.scheduling import uncertainties
from clusters.engine.simulation import (
    Case,
    ChangeError,
    ClusterDocuments,
    Origin,
    Portion,
    RemovalOptions,
    find_removable,
    headroom,
    measures_of,
    nodes_needed,
    read_changes,
)
from clusters.engine.workloads import with_template_claims
from clusters.models import Study, StudyPart
from clusters.problems.orders import NoPodsAdded
from clusters.services.decisions.explain import note
from clusters.services.runs.bases import objects_of
from clusters.services.runs.cases import prepared_on
from clusters.services.runs.spec import TEMPLATED, Spec, SpecError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from clusters.engine.snapshot import Snapshot

_RESULT_VERSION: Final = 2


def answer(part: StudyPart) -> dict[str, Any]:
    """Return the answer to a part, of dataclasses as in the engine. Raises SpecError and UnknownScheduler."""
    study = part.study
    objects = () if study.base is None else objects_of(study.base)
    spec = Spec.stored(study.spec["run"])
    found = _ANSWERS[Study.Kind(study.kind)](objects, spec, part.spec)
    return {"version": _RESULT_VERSION, **found}


def _headroom(objects: Sequence[Document], spec: Spec, asked: Mapping[str, Any]) -> dict[str, Any]:
    case = prepared_on(objects, spec).case
    portions = [Portion(_pod(each["manifest"], case.snapshot), each["share"]) for each in asked["mix"]]
    found = headroom(case.snapshot, case.configuration, portions, seed=case.seed, samples=case.samples, admits=True)
    pods = [portion.pod for portion in portions]
    return {"headroom": found, "count": found.count, "uncertainties": _uncertainties(case, pods)}


def _needed(objects: Sequence[Document], spec: Spec, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Only pods that the changes bring count: those that wait anyway are another question."""
    prepared = prepared_on(objects, spec)
    case = prepared.case
    wanted = [each for each in case.wanted if each.origin is not Origin.PENDING_BEFORE]
    if not wanted:
        raise SpecError("changes", NoPodsAdded())
    template = _template(objects, spec, asked["template"])
    zones = asked["template"].get("zones") or ()
    found = nodes_needed(
        case.snapshot,
        case.configuration,
        template,
        wanted,
        zones=zones,
        seed=case.seed,
        samples=case.samples,
        admits=True,
    )
    return {"needed": found, "pods": len(wanted), "uncertainties": _uncertainties(case, [each.pod for each in wanted])}


def _uncertainties(case: Case, pods: Iterable[Document]) -> list[dict[str, Any]]:
    """Return what could reject one of the pods, and is not computed."""
    found = {
        each: None
        for pod in pods
        for each in uncertainties(case.snapshot, Pod(pod), case.configuration.profile_for(pod), is_created=False)
    }
    return [value_document(each) for each in found]


def _removable(objects: Sequence[Document], spec: Spec, asked: Mapping[str, Any]) -> dict[str, Any]:
    case = prepared_on(objects, spec).case
    others = [each.pod for each in case.wanted]
    options = RemovalOptions(**asked)
    placed = case.placed.values()
    found = find_removable(case.snapshot, case.configuration, placed, options, others=others, note=note)
    before, after = measures_of(case.snapshot), measures_of(found.after)
    told = {"removed": found.removed, "kept": found.kept, "is_verified": found.is_verified}
    return {**told, "before": before, "after": after}


_ANSWERS: Final = {
    Study.Kind.HEADROOM: _headroom,
    Study.Kind.NODES_NEEDED: _needed,
    Study.Kind.REMOVABLE: _removable,
}


def _pod(manifest: Document, snapshot: Snapshot) -> Document:
    """Return the pod that a manifest stands for, as the API server would store it. Raises SpecError."""
    pod: dict[str, Any] = dict(manifest)
    if manifest["kind"] in TEMPLATED:
        template, _path = template_of(manifest)
        own = manifest["metadata"]
        labels = (template.get("metadata") or {}).get("labels") or {}
        metadata = {"name": own["name"], "namespace": own["namespace"], "labels": labels}
        pod = {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": template["spec"]}
        # Each further replica brings claims of its own.
        pod = dict(with_template_claims(pod, manifest["spec"].get("volumeClaimTemplates") or ()))
    admission = admit(pod, snapshot)
    for refusal in admission.refusals:
        raise SpecError(f"{key_of(pod)}.{refusal.field}", refusal.problem)
    return admission.pod


def _template(objects: Sequence[Document], spec: Spec, template: Mapping[str, Any]) -> Document:
    """Return a node such as ``add-nodes`` would make with these fields. Raises SpecError."""
    (change,) = read_changes([{"change": "add-nodes", **template, "count": 1}])
    world = ClusterDocuments(objects, spec.scheduler_configuration())
    before = set(world.nodes)
    try:
        change.apply(world, "template")
    except ChangeError as error:
        raise SpecError(error.path, error.problem) from None
    (name,) = world.nodes.keys() - before
    return world.nodes[name]
