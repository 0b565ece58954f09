"""Manifests that somebody wrote or pasted: checked, pruned as the mirror's objects are, and noted where left out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from clusters.adapters.bad_input import BadInput, printable, shown
from clusters.adapters.canonical import with_name
from clusters.adapters.files.forms import refuse_other_forms
from clusters.adapters.files.json_text import json_documents
from clusters.adapters.files.meter import Meter
from clusters.adapters.files.yaml_text import yaml_documents
from clusters.adapters.limits import limits
from clusters.adapters.prune import KINDS, WrongField, kind_of
from clusters.adapters.prune.selectors import label_selector
from clusters.adapters.prune.shapes import each, fields, labels, small_integer, token
from clusters.adapters.schema.checking import check_object
from clusters.adapters.schema.kinds import is_built_in, kind_problem
from clusters.adapters.schema.lines import line_of
from clusters.engine.problems import Missing, NotAnObject
from clusters.engine.simulation.changes.workloads import PLAIN
from clusters.engine.simulation.limits import MOST_REPLICAS
from clusters.engine.simulation.problems import NoName
from clusters.engine.simulation.remarks import CustomKindNotRead, KindNotRead, Remark, WhyNotRead
from clusters.engine.simulation.workloads import WORKLOADS as ENGINE_WORKLOADS
from clusters.engine.simulation.workloads import ManifestError, check_manifest
from clusters.problems.simulations import (
    NestedTooDeeply,
    NothingSimulated,
    NotItsApi,
    NotUtf8,
    TooManyBytes,
    TooManyObjects,
    TooManyReplicas,
)
from clusters.services.runs.errors import SpecError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from clusters.adapters.prune import Kind

Document = dict[str, Any]
_NotRead = CustomKindNotRead | KindNotRead

# A few hundred workloads, as a pull request or a chart holds them.
MOST_BYTES: Final = 2 * 1024 * 1024
MOST_DOCUMENTS: Final = 1_000
_MOST_REMARKS: Final = 50
# Of the kinds in manifests that hold nothing else, an error names the first.
_MOST_KINDS: Final = 5

# Kinds with a template of pods, and of these the ones that say how many.
TEMPLATED: Final = frozenset(ENGINE_WORKLOADS) - {"Pod"}
REPLICATED: Final = TEMPLATED - {"CronJob", "DaemonSet"} | {"Pod"}
WORKLOADS: Final = TEMPLATED | {"Pod"}
_KINDS: Final = tuple(sorted(WORKLOADS))
BUDGET: Final = "PodDisruptionBudget"
PRIORITY_CLASS: Final = "PriorityClass"
_TAKEN: Final = WORKLOADS | PLAIN | {BUDGET, PRIORITY_CLASS}

# What the mirror leaves out of workloads because it has their pods, and what those are made by.
_MADE_FROM: Final = fields({"ordinals": fields({"start": small_integer}), "completionMode": token})

_TEMPLATE: Final = fields({"template": KINDS["Pod"].prune})
_CLAIMS: Final = fields({"volumeClaimTemplates": each(KINDS["PersistentVolumeClaim"].prune)})
# Of the kinds that the API server has by itself, those that have to do with where pods run, and are not read even so.
_LEFT_OUT: Final = {
    "HorizontalPodAutoscaler": WhyNotRead.AUTOSCALER,
    "Node": WhyNotRead.NODE,
}


class Manifests(NamedTuple):
    """What a text holds that a simulation reads, and a remark for each sort of object that it does not.

    ``places``: where each document stands in the text, as in `document 2` or `document 1.items[3]`.
    """

    documents: list[Document]
    remarks: Sequence[Remark]
    places: list[str]


def read_manifests(text: str) -> Manifests:
    """Read YAML or JSON, any number of documents or lists of objects. Raises SpecError.

    An error names the document by its number in the text, from 1, and the field in it.
    """
    found: list[Document] = []
    places: list[str] = []
    left_out: dict[_NotRead, None] = {}
    for number, place, value in _values(text):
        if len(found) + len(left_out) >= MOST_DOCUMENTS:
            raise SpecError("", TooManyObjects(MOST_DOCUMENTS))
        try:
            kept = pruned(value, f"{number} {place}")
        except SpecError as error:
            raise _placed(error.within(place) if place else error, text, number) from None
        if kept is None:
            left_out[_left_out(value)] = None
        else:
            within = "" if not place else place if place.startswith("[") else f".{place}"
            found.append(kept)
            places.append(f"document {number}{within}")
    if not found:
        kinds = tuple(dict.fromkeys(each.kind_of_object for each in left_out))[:_MOST_KINDS]
        raise SpecError("", NothingSimulated(kinds, _KINDS))
    return Manifests(found, list(left_out)[:_MOST_REMARKS], places)


def pruned(value: Any, place: str = "") -> Document | None:
    """Return what is kept of an object; None of a kind that simulations do not read. Raises SpecError.

    ``place``: where it stands, which goes into the name of an object that has generateName alone.
    """
    if type(value) is not dict:
        raise SpecError("", NotAnObject(shown(value)))
    value = with_name(value, place)
    kind = _kind(value)
    # A status is of the cluster that it was read from; so are UIDs and owners.
    given = {name: part for name, part in value.items() if name != "status"}
    for wrong in check_object(given):
        raise SpecError(wrong.path, wrong.problem)
    if kind is None:
        return None
    try:
        kept: Document = kind.prune(given)
        if kind.name in TEMPLATED:
            kept["spec"] = {**kept.get("spec", {}), **_made_from(given["spec"], kind.name)}
    except WrongField as error:
        raise SpecError(error.path, error.problem) from None
    for field in ("replicas", "parallelism", "completions"):
        if kind.name in REPLICATED and (kept.get("spec", {}).get(field) or 0) > MOST_REPLICAS:
            raise SpecError(f"spec.{field}", TooManyReplicas(MOST_REPLICAS))
    metadata = kept.get("metadata") or {}
    if not metadata.get("name"):
        raise SpecError("metadata.name", NoName(kind.name))
    namespace = {"namespace": metadata.get("namespace") or "default"} if kind.is_namespaced else {}
    own = {name: part for name, part in metadata.items() if name in ("name", "labels", "annotations")}
    found = {"apiVersion": value["apiVersion"], "kind": kind.name, **kept, "metadata": {**own, **namespace}}
    if kind.name in WORKLOADS:
        try:
            check_manifest(found)
        except ManifestError as error:
            raise SpecError(error.field, error.problem) from None
    return found


def _kind(value: Document) -> Kind | None:
    name, version = value.get("kind"), value.get("apiVersion")
    if type(name) is not str or not name:
        raise SpecError("kind", Missing(_KINDS))
    if type(version) is not str or not version:
        raise SpecError("apiVersion", Missing(tuple(KINDS[name].versions) if name in _TAKEN else ()))
    if name not in _TAKEN:
        wrong = kind_problem(version, name)
        if wrong is not None:
            raise SpecError(wrong.path, wrong.problem)
        return None
    kind = kind_of(version, name)
    if kind is None:
        raise SpecError("apiVersion", NotItsApi(shown(version), name, tuple(KINDS[name].versions)))
    return kind


def _made_from(spec: Document, kind: str) -> Document:
    """Return what the pods of a workload, and claims, are made from. Raises WrongField."""
    try:
        if kind == "CronJob":
            return {"jobTemplate": _job_template(spec["jobTemplate"])}
        selector = spec.get("selector")
        kept: Document = _MADE_FROM(spec)
        if selector is not None:
            kept["selector"] = (labels if kind == "ReplicationController" else label_selector)(selector)
        kept["template"] = _TEMPLATE({"template": spec["template"]})["template"]
        claims = spec.get("volumeClaimTemplates")
        if claims:
            kept["volumeClaimTemplates"] = _CLAIMS({"volumeClaimTemplates": claims})["volumeClaimTemplates"]
    except WrongField as error:
        error.within("spec")
        raise
    return kept


def _job_template(template: Document) -> Document:
    try:
        job: Document = KINDS["Job"].prune({"metadata": template.get("metadata") or {}, "spec": template["spec"]})
        return {**job, "spec": {**job["spec"], **_made_from(template["spec"], "Job")}}
    except WrongField as error:
        error.within("jobTemplate")
        raise


def _placed(error: SpecError, text: str, number: int) -> SpecError:
    """Return an error of a document with its line, where that is known, and the document's number."""
    line = line_of(error.field, text, number)
    return SpecError(error.field, error.problem, line=line).within(f"document {number}")


def _values(text: str) -> Iterator[tuple[int, str, Any]]:
    """Yield every object of a text with the number of its document and its place in that. Raises SpecError."""
    try:
        data = text.encode()
    except UnicodeEncodeError:
        raise SpecError("", NotUtf8()) from None
    if len(data) > MOST_BYTES:
        raise SpecError("", TooManyBytes(len(data), MOST_BYTES))
    read = json_documents if data[:4096].lstrip().startswith((b"{", b"[")) else yaml_documents
    try:
        refuse_other_forms(data)
        for document in read(data, Meter(limits(), bytes_total=len(data))):
            value = document.value
            if document.position < 0 and type(value) is dict and str(value.get("kind")).endswith("List"):
                items = value.get("items")
                for index, item in enumerate(items if type(items) is list else (), document.first):
                    yield document.number, f"items[{index}]", item
            elif type(value) is list:
                for index, item in enumerate(value):
                    yield document.number, f"[{index}]", item
            else:
                yield document.number, f"items[{document.position}]" if document.position >= 0 else "", value
    except BadInput as error:
        place = [f"document {error.document}"] if error.document else []
        field = ".".join([*place, *([error.field] if error.field else [])])
        raise SpecError(field, error.problem) from None
    except RecursionError:
        raise SpecError("", NestedTooDeeply()) from None


def _left_out(value: Document) -> _NotRead:
    kind, version = (printable(str(value.get(field)))[:80] for field in ("kind", "apiVersion"))
    if not is_built_in(version, kind):
        return CustomKindNotRead(kind, version)
    return KindNotRead(kind, _LEFT_OUT.get(kind, WhyNotRead.NO_SAY).value)
