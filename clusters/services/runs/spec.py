"""The description of a run: what it begins with, what is changed, who schedules, and the seed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import orjson
from msgspec import Struct
from msgspec.structs import replace

from clusters.adapters.bad_input import BadInput, limits, printable, printable_problem, shown
from clusters.adapters.buffers import Meter
from clusters.adapters.files import json_documents, refuse_other_forms, yaml_documents
from clusters.adapters.flow import is_installed
from clusters.adapters.prune import KINDS, Kind, WrongField, kind_of, pruned_configuration
from clusters.adapters.prune.shapes import each, fields, label_selector, labels, small_integer, token
from clusters.adapters.rows import with_name
from clusters.adapters.schema.checking import check_object, is_built_in, kind_problem, line_of
from clusters.documents.problems import encoded
from clusters.documents.words import read_remark, remark_document
from clusters.engine import ConfigurationError, SchedulerConfiguration
from clusters.engine.problems import (
    InvalidValue,
    Malformed,
    Missing,
    MissingField,
    MustBe,
    NotABoolean,
    NotAList,
    NotAMap,
    NotAnObject,
    NotAText,
    NotOneOf,
    NotUtf8,
    OnlyBeside,
    OutOfRange,
    OverLimit,
    Problem,
    Quoted,
    TooLarge,
    TooMany,
    UnknownField,
)
from clusters.engine.simulation import (
    MOST_CHANGES,
    MOST_REPLICAS,
    PLAIN,
    WORKLOADS as ENGINE_WORKLOADS,
    ChangeError,
    ClusterChange,
    CustomKindNotRead,
    KindNotRead,
    ManifestError,
    Remark,
    WhyNotRead,
    check_manifest,
    read_changes,
)
from clusters.engine.versions import (
    RELEASES,
    GateError,
    GateSettings,
    Release,
    match_release,
    read_feature_gates,
    release_with,
)
from clusters.problems.orders import (
    NestedTooDeeply,
    NothingSimulated,
    SolverMissing,
)

# Why a run cannot be had.

_LONGEST = 1_000


class SpecError(Exception):
    """What is wrong with the description of a run: the field, and the problem with it.

    ``field`` is a path such as ``changes[2].count``, empty where the whole is to blame; ``line`` is of the text that
    was sent, from 1, and 0 where it is not known.
    """

    def __init__(self, field: str, problem: Problem | str, remedy: str = "", *, line: int = 0) -> None:
        # Both may quote what somebody sent; they go into a database, a page and a terminal.
        self.field = printable(field)[:_LONGEST]
        self.problem = printable_problem(problem if isinstance(problem, Problem) else Quoted(problem, remedy))
        self.line = line
        super().__init__(f"{self.field}: {self.problem!r}" if field else repr(self.problem))

    def within(self, field: str) -> SpecError:
        """Return the same error with the way to its field."""
        joint = "" if not self.field or self.field.startswith("[") else "."
        return SpecError(f"{field}{joint}{self.field}", self.problem, line=self.line)

    def as_dict(self) -> dict[str, Any]:
        """Return the parts as a row stores them."""
        return {"field": self.field, "line": self.line, "problem": encoded(self.problem)}


# Manifests that somebody wrote or pasted: checked, pruned as the mirror's objects are, and noted where left out.

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
            raise SpecError("", OverLimit(MOST_DOCUMENTS))
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
            raise SpecError(f"spec.{field}", OverLimit(MOST_REPLICAS))
    metadata = kept.get("metadata") or {}
    if not metadata.get("name"):
        raise SpecError("metadata.name", MissingField("metadata.name"))
    namespace = {"namespace": metadata.get("namespace") or "default"} if kind.is_namespaced else {}
    own = {name: part for name, part in metadata.items() if name in ("name", "labels", "annotations")}
    found = {"apiVersion": value["apiVersion"], "kind": kind.name, **kept, "metadata": {**own, **namespace}}
    if kind.name in WORKLOADS:
        try:
            check_manifest(found)
        except ManifestError as error:
            raise SpecError(error.path, error.problem) from None
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
        raise SpecError("apiVersion", NotOneOf(shown(version), tuple(KINDS[name].versions)))
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
        raise SpecError("", TooLarge(MOST_BYTES))
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


# What a run's request may be at all: JSON of some size that a database takes.

MOST_JSON_BYTES: Final = 32 * 1024 * 1024


def check_json(data: Any) -> None:
    """Raise SpecError for what is no JSON, or is more than is taken, or holds what no database takes."""
    try:
        text = orjson.dumps(data)
    except (TypeError, orjson.JSONEncodeError) as error:
        raise SpecError("", Malformed("JSON", str(error))) from None
    if len(text) > MOST_JSON_BYTES:
        raise SpecError("", TooLarge(MOST_JSON_BYTES))
    if b"\\u0000" in text:
        refuse_nul(data)


def refuse_nul(value: Any) -> None:
    """Raise SpecError if any text has a NUL, which no database takes; what is nested too deeply was refused before."""
    if _has_nul(value):
        raise SpecError("", NotUtf8())


def _has_nul(value: Any) -> bool:
    if isinstance(value, str):
        return "\0" in value
    if isinstance(value, Mapping):
        return any(_has_nul(key) or _has_nul(part) for key, part in value.items())
    return any(map(_has_nul, value)) if isinstance(value, list | tuple) else False


# Which Kubernetes a run is simulated as: the version and the feature gates of its request.

_LONGEST_VERSION: Final = 64


def read_version(value: Any) -> str:
    """Return a version as components report it; empty where nobody said. Raises SpecError."""
    if type(value) is not str or len(value) > _LONGEST_VERSION:
        raise SpecError("kubernetes", NotAText(shown(value)))
    if value and not match_release(value).minor:
        raise SpecError("kubernetes", NotOneOf(shown(value), tuple(f"v{minor}" for minor in RELEASES)))
    return value


def read_gates(value: Any, version: str) -> GateSettings | None:
    """Return the gates that are set, None where nobody said. Raises SpecError.

    Without a version any gate is taken that some minor has: the cluster's version decides later.
    """
    if value is None:
        return None
    try:
        return read_feature_gates(value, match_release(version).release if version else None)
    except GateError as error:
        raise SpecError("featureGates", error.problem) from None


# The scheduler's configuration of a run.


def possible_releases(version: str, gates: GateSettings) -> list[Release]:
    """Return the release of a run's version, or every one where it says none: its cluster's is known later."""
    versions = [version] if version else [f"v{minor}" for minor in RELEASES]
    return [release_with(each, gates) for each in versions]


def read_configuration(document: Any, *releases: Release) -> dict[str, Any] | None:
    """Return what is kept of a configuration with which some of the releases starts. Raises SpecError.

    Arguments of unknown plugins may hold anything, and are not kept.
    """
    if document is None:
        return None
    try:
        check_json(document)
    except SpecError as error:
        raise error.within("configuration") from None
    errors = []
    for release in releases:
        try:
            configuration_of_run(document, release)
            break
        except SpecError as error:
            errors.append(error)
    else:
        raise errors[0]
    try:
        return pruned_configuration(document)
    except WrongField as error:
        raise SpecError(error.path, error.problem).within("configuration") from None


def configuration_of_run(document: Any, release: Release) -> SchedulerConfiguration:
    """Return a configuration as a release reads it; its default one for none. Raises SpecError."""
    if document is None:
        return SchedulerConfiguration.default(release)
    try:
        return SchedulerConfiguration.from_dict(document, release)
    except ConfigurationError as error:
        raise SpecError(error.path, error.problem).within("configuration") from None


VERSION: Final = 1
CLUSTER, EMPTY = "cluster", "empty"
PODS, BATCH = "pods", "batch"
# Says what a change is; its other fields are those of its kind.
CHANGE: Final = "change"
NO_GANGS, POD_GROUPS = "", "pod-group"

# A trace of ten thousand pods is a tenth of this.
_MOST_NOTES: Final = 100
_LONGEST_NOTE: Final = 500
_LARGEST_SEED: Final = 2**63 - 1
_FIELDS: Final = (
    "version",
    "base",
    "changes",
    "configuration",
    "kubernetes",
    "featureGates",
    "scheduler",
    "seed",
    "notes",
)
_SCHEDULER_FIELDS: Final = ("kind", "samples", "reschedules", "gangs", "graceful")


class Scheduler(Struct, frozen=True):
    """Who places the pods: the scheduler one after another (``samples`` as it does), or the flow all at once.

    ``graceful``: whether pods that are deleted in a run with times take their grace period, or are gone at once.
    """

    kind: str = PODS
    samples: bool = False
    reschedules: bool = False
    gangs: str = NO_GANGS
    graceful: bool = True


class Spec(Struct, frozen=True):
    """A run as it is stored: ``changes`` hold documents, no text, and ``notes`` say what was left out of those.

    A note is a document of `clusters.documents.words`, or a text that somebody sent. ``kubernetes``: the version
    whose scheduler it is, as components report it; empty where nobody said. ``feature_gates``: those that are set, by
    name; None where nobody said.
    """

    base: str
    changes: tuple[Document, ...] = ()
    configuration: Document | None = None
    kubernetes: str = ""
    feature_gates: GateSettings | None = None
    scheduler: Scheduler = Scheduler()
    seed: int = 0
    notes: tuple[Document | str, ...] = ()

    @property
    def changes_read(self) -> list[ClusterChange]:
        """The changes as the engine knows them. Raises ChangeError, but for a spec that was read."""
        return read_changes(self.changes)

    @property
    def is_batch(self) -> bool:
        """Whether the flow places all pods at once."""
        return self.scheduler.kind == BATCH

    def scheduler_configuration(self) -> SchedulerConfiguration:
        """The configuration of the run. Raises SpecError."""
        return configuration_of_run(self.configuration, self.release)

    @property
    def release(self) -> Release:
        """The release whose scheduler it is, with its gates."""
        return release_with(self.kubernetes, self.feature_gates or {})

    @classmethod
    def stored(cls, data: Document) -> Spec:
        """Return the spec that `as_dict` wrote; it was read strictly when it was sent."""
        return cls(
            base=data["base"]["kind"],
            changes=tuple(data["changes"]),
            configuration=data["configuration"],
            kubernetes=data["kubernetes"],
            feature_gates=data.get("featureGates"),
            scheduler=Scheduler(**data["scheduler"]),
            seed=data["seed"],
            notes=tuple(data["notes"]),
        )

    def on_version(self, version: str, gates: GateSettings) -> Spec:
        """Return the same run on a cluster's version and gates, unless it has its own. Raises SpecError."""
        if self.kubernetes:
            return self
        own = (gates or None) if self.feature_gates is None else read_gates(self.feature_gates, version)
        found = replace(self, kubernetes=version, feature_gates=own)
        # It was read as any minor reads it.
        found.scheduler_configuration()
        return found

    def under(self, configuration: Document | None) -> Spec:
        """Return the same run under another configuration."""
        return replace(self, configuration=configuration)

    def as_dict(self) -> Document:
        """Return what `read_spec` reads as this."""
        scheduler = self.scheduler
        return {
            "version": VERSION,
            "base": {"kind": self.base},
            "changes": list(self.changes),
            "configuration": self.configuration,
            "kubernetes": self.kubernetes,
            **({} if self.feature_gates is None else {"featureGates": self.feature_gates}),
            "scheduler": {
                "kind": scheduler.kind,
                "samples": scheduler.samples,
                "reschedules": scheduler.reschedules,
                "gangs": scheduler.gangs,
                "graceful": scheduler.graceful,
            },
            "seed": self.seed,
            "notes": list(self.notes),
        }


def read_spec(data: Any) -> Spec:
    """Read the description of a run, strictly. Raises SpecError.

    ``{"version": 1, "base": {"kind": "cluster" | "empty"}, "changes": [...], "configuration": null | {...},
    "kubernetes": "v1.36.2", "featureGates": {"VolumeLimitScaling": true},
    "scheduler": {"kind": "pods" | "batch", "samples", "reschedules", "gangs", "graceful"}, "seed": 0}``; all but
    ``base`` may be left out. A change ``add-workload`` may hold a ``text`` of several manifests in place of a
    ``manifest``.
    """
    check_json(data)
    _only(data, _FIELDS, "")
    if data.get("version", VERSION) != VERSION:
        raise SpecError("version", NotOneOf(shown(data["version"]), (str(VERSION),)))
    base = data.get("base")
    _only(base, ("kind",), "base")
    kind = _word(base.get("kind"), (CLUSTER, EMPTY), "base.kind")
    changes, notes = _changes(data.get("changes"))
    kubernetes = read_version(data.get("kubernetes", ""))
    gates = read_gates(data.get("featureGates"), kubernetes)
    kept = [_note(note) for note in _list(data.get("notes"), _MOST_NOTES, "notes")]
    told = [*kept, *map(remark_document, notes)]
    return Spec(
        base=kind,
        changes=tuple(changes),
        configuration=read_configuration(data.get("configuration"), *possible_releases(kubernetes, gates or {})),
        kubernetes=kubernetes,
        feature_gates=gates,
        scheduler=_scheduler(data.get("scheduler")),
        seed=_seed(data.get("seed", 0)),
        notes=tuple(each for number, each in enumerate(told) if each not in told[:number])[:_MOST_NOTES],
    )


def of_change(error: ChangeError) -> SpecError:
    """Return what is wrong with a change as the spec's error."""
    return SpecError(error.path, error.problem)


# -- parts -------------------------------------------------------------------------------------------------------------


def _note(value: Any) -> Document | str:
    """Return a remark as it is stored; anything else becomes a text."""
    remark = read_remark(value)
    return str(value)[:_LONGEST_NOTE] if remark is None else remark_document(remark)


def _changes(value: Any) -> tuple[list[Document], list[Remark]]:
    """Return the changes with manifests as documents, and what was left out of those. Raises SpecError."""
    read: list[Document] = []
    # Where each change stands among those that were sent: one with a text of manifests becomes several.
    places: list[str] = []
    notes: list[Remark] = []
    for number, entry in enumerate(_list(value, MOST_CHANGES, "changes")):
        field = f"changes[{number}]"
        if type(entry) is not dict or type(entry.get(CHANGE)) is not str:
            raise SpecError(
                field,
                InvalidValue(shown(entry), ('{"change": "add-nodes", "count": 1, "cpu": "4", "memory": "16Gi"}',)),
            )
        try:
            found, told = _documents_of(entry)
        except SpecError as error:
            raise error.within(field) from None
        read += found
        places += [field] * len(found)
        notes += told
    try:
        read_changes(read)
    except ChangeError as error:
        raise SpecError(_place(error.path, places), error.problem) from None
    return read, notes


def _place(path: str, places: list[str]) -> str:
    """Return where the change that a path begins with stands among those that were sent."""
    number, _, rest = path.removeprefix("changes[").partition("]")
    return f"{places[int(number)]}{rest}" if number.isdigit() and int(number) < len(places) else path


def _documents_of(entry: Document) -> tuple[list[Document], list[Remark]]:
    """Return a change with its manifest checked and pruned; one with a text of manifests becomes one for each."""
    if entry[CHANGE] == "add-workload" and "text" in entry:
        return _from_text(entry)
    if entry[CHANGE] in ("add-workload", "put-budget", "put-priority-class") and "manifest" in entry:
        try:
            manifest = pruned(entry["manifest"])
        except SpecError as error:
            raise error.within("manifest") from None
        if manifest is None:
            raise SpecError("manifest.kind", NotOneOf(shown(entry["manifest"].get("kind")), _KINDS))
        return [{**entry, "manifest": manifest}], []
    return [entry], []


def _from_text(entry: Document) -> tuple[list[Document], list[Remark]]:
    _only(entry, (CHANGE, "text", "replicas", "file"), "")
    for name in ("text", "file"):
        if type(entry.get(name, "")) is not str:
            raise SpecError(name, NotAText(shown(entry[name])))
    where = entry.get("file") or "text"
    try:
        found = read_manifests(entry["text"])
        # YAML and JSON can write one without holding one.
        refuse_nul(found.documents)
    except SpecError as error:
        raise error.within(where) from None
    changes: list[Document] = []
    # What workloads need goes first, whatever the order of the text.
    placed = zip(found.documents, found.places, strict=True)
    for manifest, place in sorted(placed, key=lambda each: each[0]["kind"] in WORKLOADS):
        kind = manifest["kind"]
        if kind == BUDGET:
            changes.append({CHANGE: "put-budget", "manifest": manifest})
        elif kind == PRIORITY_CLASS:
            changes.append({CHANGE: "put-priority-class", "manifest": manifest})
        else:
            replicas = {"replicas": entry["replicas"]} if "replicas" in entry and kind in REPLICATED else {}
            source = {"source": f"{where}.{place}"} if entry.get("file") else {}
            changes.append({CHANGE: "add-workload", "manifest": manifest, **replicas, **source})
    return changes, list(found.remarks)


def _scheduler(value: Any) -> Scheduler:
    if value is None:
        return Scheduler()
    _only(value, _SCHEDULER_FIELDS, "scheduler")
    kind = _word(value.get("kind", PODS), (PODS, BATCH), "scheduler.kind")
    for name in ("samples", "reschedules", "graceful"):
        if type(value.get(name, False)) is not bool:
            raise SpecError(f"scheduler.{name}", NotABoolean(shown(value[name])))
    gangs = _word(value.get("gangs", NO_GANGS), (NO_GANGS, POD_GROUPS), "scheduler.gangs")
    found = Scheduler(
        kind, value.get("samples", False), value.get("reschedules", False), gangs, value.get("graceful", True)
    )
    if kind == PODS and (found.reschedules or gangs):
        field = "reschedules" if found.reschedules else "gangs"
        raise SpecError(f"scheduler.{field}", OnlyBeside("kind", '"batch"'))
    if kind == BATCH and not is_installed():
        raise SpecError("scheduler.kind", SolverMissing())
    if kind == BATCH and found.samples:
        raise SpecError("scheduler.samples", MustBe("true", "false", 'kind "batch"'))
    return found


def _seed(value: Any) -> int:
    if type(value) is not int or not 0 <= value <= _LARGEST_SEED:
        raise SpecError("seed", OutOfRange(shown(value), 0, _LARGEST_SEED))
    return value


def _only(value: Any, known: tuple[str, ...], field: str) -> None:
    if type(value) is not dict:
        raise SpecError(field, NotAMap(shown(value), known))
    for name in value:
        if name not in known:
            raise SpecError(f"{field}.{name}".lstrip("."), UnknownField(str(name), known))


def _list(value: Any, most: int, field: str) -> list[Any]:
    if value is None:
        return []
    if type(value) is not list:
        raise SpecError(field, NotAList(shown(value)))
    if len(value) > most:
        raise SpecError(field, TooMany(len(value), most))
    return value


def _word(value: Any, known: tuple[str, ...], field: str) -> str:
    if type(value) is not str or value not in known:
        raise SpecError(field, NotOneOf(shown(value), tuple(f'"{word}"' for word in known)))
    return value
