"""The description of a run: what it begins with, what is changed, who schedules, and the seed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from clusters.adapters.bad_input import shown
from clusters.documents.remarks import read_remark, remark_document
from clusters.engine.problems import (
    NotABoolean,
    NotAList,
    NotAMap,
    NotAText,
    NotOneOf,
    OutOfRange,
    TooMany,
    UnknownField,
)
from clusters.engine.simulation.changes import ChangeError, ClusterChange, read_changes
from clusters.engine.simulation.limits import MOST_CHANGES
from clusters.engine.versions import release_with
from clusters.problems.simulations import (
    KindNotSimulated,
    NotAChange,
    NotOfBatch,
    OnlyOfBatch,
)
from clusters.services.runs.configurations import configuration_of_run, possible_releases, read_configuration
from clusters.services.runs.errors import SpecError
from clusters.services.runs.json_checks import check_json, refuse_nul
from clusters.services.runs.kubernetes import read_gates, read_version
from clusters.services.runs.manifests import (
    BUDGET,
    PRIORITY_CLASS,
    REPLICATED,
    WORKLOADS,
    pruned,
    read_manifests,
)

if TYPE_CHECKING:
    from clusters.engine import SchedulerConfiguration
    from clusters.engine.simulation.remarks import Remark
    from clusters.engine.versions import GateSettings, Release

Document = dict[str, Any]

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


@dataclass(frozen=True, slots=True)
class Scheduler:
    """Who places the pods: the scheduler one after another (``samples`` as it does), or the flow all at once.

    ``graceful``: whether pods that are deleted in a run with times take their grace period, or are gone at once.
    """

    kind: str = PODS
    samples: bool = False
    reschedules: bool = False
    gangs: str = NO_GANGS
    graceful: bool = True


@dataclass(frozen=True, slots=True)
class Spec:
    """A run as it is stored: ``changes`` hold documents, no text, and ``notes`` say what was left out of those.

    A note is a document of `clusters.documents.remarks`, or the text of an earlier release. ``kubernetes``: the version
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
            kubernetes=data.get("kubernetes", ""),
            feature_gates=data.get("featureGates"),
            # In runs of earlier releases every pod was gone at once.
            scheduler=Scheduler(**{"graceful": False, **data["scheduler"]}),
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
    """Return a remark as it was stored; anything else becomes a text."""
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
            raise SpecError(field, NotAChange(shown(entry)))
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
            raise SpecError("manifest.kind", KindNotSimulated(shown(entry["manifest"].get("kind"))))
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
        raise SpecError(f"scheduler.{field}", OnlyOfBatch())
    if kind == BATCH and found.samples:
        raise SpecError("scheduler.samples", NotOfBatch())
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
