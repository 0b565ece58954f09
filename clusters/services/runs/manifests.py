"""Manifests that somebody wrote or pasted: checked, pruned as the mirror's objects are, and noted where left out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from clusters.adapters.bad_input import BadInput, printable, shown
from clusters.adapters.files.json_text import json_documents
from clusters.adapters.files.meter import Meter
from clusters.adapters.files.yaml_text import yaml_documents
from clusters.adapters.limits import limits
from clusters.adapters.prune import KINDS, WrongField, kind_of
from clusters.adapters.prune.selectors import label_selector
from clusters.adapters.prune.shapes import fields, small_integer, token
from clusters.adapters.schema.checking import check_object, check_pod
from clusters.adapters.schema.kinds import is_built_in, kind_problem
from clusters.adapters.schema.lines import line_of
from clusters.engine.simulation.changes.workloads import PLAIN
from clusters.engine.simulation.limits import MOST_REPLICAS
from clusters.engine.simulation.workloads import ManifestError, check_manifest
from clusters.services.runs.errors import SpecError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.adapters.prune import Kind

Document = dict[str, Any]

# A few hundred workloads, as a pull request or a chart holds them.
MOST_BYTES: Final = 2 * 1024 * 1024
MOST_DOCUMENTS: Final = 1_000
_MOST_NOTES: Final = 50

# Kinds with a template of pods, and of these the ones that say how many.
TEMPLATED: Final = frozenset({"Deployment", "ReplicaSet", "StatefulSet", "DaemonSet", "Job"})
REPLICATED: Final = TEMPLATED - {"DaemonSet"} | {"Pod"}
WORKLOADS: Final = TEMPLATED | {"Pod"}
BUDGET: Final = "PodDisruptionBudget"
PRIORITY_CLASS: Final = "PriorityClass"
_TAKEN: Final = WORKLOADS | PLAIN | {BUDGET, PRIORITY_CLASS}

# What the mirror leaves out of workloads because it has their pods, and what those are made by.
_MADE_FROM: Final = fields(
    {"selector": label_selector, "ordinals": fields({"start": small_integer}), "completionMode": token}
)


_MAKES_PODS: Final = "the pods that they would make are not simulated."
_NOT_HEEDED: Final = "pods are placed as if there were none."
# Of the kinds that the API server has by itself, those that have to do with pods' places, and are not read even so.
_LEFT_OUT: Final = {
    "CSIStorageCapacity": _NOT_HEEDED,
    "CronJob": _MAKES_PODS,
    "DeviceClass": _NOT_HEEDED,
    "DeviceTaintRule": _NOT_HEEDED,
    "HorizontalPodAutoscaler": "workloads have the replicas that their manifests say.",
    "Node": "nodes are added with the change add-nodes.",
    "PodTemplate": _MAKES_PODS,
    "ReplicationController": _MAKES_PODS,
    "ResourceClaim": _NOT_HEEDED,
    "ResourceClaimTemplate": _NOT_HEEDED,
    "ResourceSlice": _NOT_HEEDED,
    "VolumeAttachment": _NOT_HEEDED,
}


class Manifests(NamedTuple):
    """What a text holds that a simulation reads, and a sentence for each sort of thing that it does not.

    ``places``: where each document stands in the text, as in `document 2` or `document 1.items[3]`.
    """

    documents: list[Document]
    notes: list[str]
    places: list[str]


def read_manifests(text: str) -> Manifests:
    """Read YAML or JSON, any number of documents or lists of objects. Raises SpecError.

    An error names the document by its number in the text, from 1, and the field in it.
    """
    found: list[Document] = []
    places: list[str] = []
    left_out: dict[str, None] = {}
    for number, place, value in _values(text):
        if len(found) + len(left_out) >= MOST_DOCUMENTS:
            raise SpecError("", f"It holds more than {MOST_DOCUMENTS:,} objects.", "Split it into several runs.")
        try:
            kept = pruned(value)
        except SpecError as error:
            raise _placed(error.within(place) if place else error, text, number) from None
        if kept is None:
            left_out[_left_out(value)] = None
        else:
            within = "" if not place else place if place.startswith("[") else f".{place}"
            found.append(kept)
            places.append(f"document {number}{within}")
    if not found:
        reason = next(iter(left_out), "It is empty.")
        raise SpecError("", f"It holds nothing that a simulation reads. {reason}", f"Write a {_listed(WORKLOADS)}.")
    return Manifests(found, list(left_out)[:_MOST_NOTES], places)


def pruned(value: Any) -> Document | None:
    """Return what is kept of an object; None of a kind that simulations do not read. Raises SpecError."""
    if type(value) is not dict:
        raise SpecError("", f"{shown(value)} is not a Kubernetes object.", "Write a map with apiVersion and kind.")
    kind = _kind(value)
    if kind is None:
        return None
    try:
        kept: Document = kind.prune({name: part for name, part in value.items() if name != "status"})
        if kind.name in TEMPLATED:
            kept["spec"] = {**kept.get("spec", {}), **_templates(value.get("spec"))}
    except WrongField as error:
        raise SpecError(error.path, error.problem, error.remedy) from None
    if kind.name == "Pod":
        _check(value, "")
    for wrong in check_object({name: part for name, part in value.items() if name != "status"}, kind.name):
        raise SpecError(wrong.path, wrong.problem, wrong.remedy)
    for field in ("replicas", "parallelism", "completions"):
        if kind.name in REPLICATED and (kept.get("spec", {}).get(field) or 0) > MOST_REPLICAS:
            raise SpecError(f"spec.{field}", f"It is more than {MOST_REPLICAS:,}.", "Write fewer.")
    metadata = kept.get("metadata") or {}
    if not metadata.get("name"):
        raise SpecError("metadata.name", f"The {kind.name} has no name.", "Write one; generateName is not enough.")
    namespace = {"namespace": metadata.get("namespace") or "default"} if kind.is_namespaced else {}
    # UIDs and owners are of the cluster that it was read from.
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
        raise SpecError("kind", "The object has no kind.", f"Write kind, as in {_listed(WORKLOADS)}.")
    if type(version) is not str or not version:
        right = f"Write {KINDS[name].versions[0]}." if name in _TAKEN else "Write it, as in apps/v1."
        raise SpecError("apiVersion", f"The {printable(name)[:80]} has no apiVersion.", right)
    if name not in _TAKEN:
        wrong = kind_problem(version, name)
        if wrong is not None:
            raise SpecError(wrong.path, wrong.problem, wrong.remedy)
        return None
    known = KINDS[name]
    kind = kind_of(version, name)
    if kind is None:
        raise SpecError("apiVersion", f"{shown(version)} is not the API of a {name}.", f"Write {known.versions[0]}.")
    return kind


def _templates(spec: Any) -> Document:
    """Return the template of pods, and of claims, that a workload's spec holds. Raises SpecError and WrongField."""
    template = spec.get("template") if type(spec) is dict else None
    if type(template) is not dict or type(template.get("spec")) is not dict:
        raise SpecError("spec.template.spec", "There is no template of a pod.", "Write what its pods are to be like.")
    metadata = template.get("metadata")
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": metadata if metadata is not None else {},
        "spec": template["spec"],
    }
    _check(pod, "spec.template.")
    try:
        kept: Document = {"template": KINDS["Pod"].prune({part: pod[part] for part in ("metadata", "spec")})}
    except WrongField as error:
        error.within("template").within("spec")
        raise
    try:
        kept |= _MADE_FROM(spec)
    except WrongField as error:
        error.within("spec")
        raise
    claims = spec.get("volumeClaimTemplates")
    if type(claims) is list and claims:
        kept["volumeClaimTemplates"] = [_claim(claim, number) for number, claim in enumerate(claims)]
    return kept


def _claim(claim: Any, number: int) -> Document:
    try:
        kept: Document = KINDS["PersistentVolumeClaim"].prune(claim)
    except WrongField as error:
        error.within(number).within("volumeClaimTemplates").within("spec")
        raise
    return kept


def _check(pod: Document, within: str) -> None:
    """Raise SpecError for a pod that the API would not take."""
    for problem in check_pod({name: part for name, part in pod.items() if name != "status"}):
        raise SpecError(f"{within}{problem.path}".rstrip("."), problem.problem, problem.remedy)


def _placed(error: SpecError, text: str, number: int) -> SpecError:
    """Return an error of a document with its line, where that is known, and the document's number."""
    line = line_of(error.field, text, number)
    return SpecError(error.field, error.problem, line=line).within(f"document {number}")


def _values(text: str) -> Iterator[tuple[int, str, Any]]:
    """Yield every object of a text with the number of its document and its place in that. Raises SpecError."""
    try:
        data = text.encode()
    except UnicodeEncodeError:
        raise SpecError("", "It holds half a character.", "Save it as UTF-8.") from None
    if len(data) > MOST_BYTES:
        problem = f"It has {len(data):,} bytes."
        raise SpecError("", problem, f"At most {MOST_BYTES:,} are taken: split it into several.")
    read = json_documents if data[:4096].lstrip().startswith((b"{", b"[")) else yaml_documents
    try:
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
        raise SpecError(field, error.problem, error.remedy) from None
    except RecursionError:
        raise SpecError("", "It is nested too deeply.", "No manifest is.") from None


def _left_out(value: Document) -> str:
    kind, version = (printable(str(value.get(field)))[:80] for field in ("kind", "apiVersion"))
    if not is_built_in(version, kind):
        return f"{kind} objects ({version}) are left out: pods that their controllers would make are not simulated."
    return f"{kind} objects are left out: {_LEFT_OUT.get(kind, 'they have no say in where pods are placed.')}"


def _listed(kinds: frozenset[str]) -> str:
    *first, last = sorted(kinds)
    return f"{', '.join(first)} or {last}"
