"""Files read straight from disk, for answers that need no database."""

from __future__ import annotations

import gzip
import zlib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import IO, TYPE_CHECKING, Any, NamedTuple, cast

import orjson
from msgspec import Struct

from clusters.adapters.bad_input import BadInput, limits, printable, shown
from clusters.adapters.buffers import Buffer, Meter, opened
from clusters.adapters.files import Document, json_documents, read_source, refuse_other_forms, size_of, yaml_documents
from clusters.adapters.prune import SCHEDULER_CONFIGURATION
from clusters.adapters.rows import Row, first_moment, table_of
from clusters.adapters.state import ClusterState, Gap
from clusters.engine import ConfigurationError, Explanation, SchedulerConfiguration, Snapshot, UnknownScheduler
from clusters.engine.analysis import Tried, pods_to_move
from clusters.engine.configuration import Translation, disabled_in_vain, translated
from clusters.engine.kubelet import KIND, KubeletSettings
from clusters.engine.objects import Pod, name_of
from clusters.engine.owners import Controller
from clusters.engine.problems import Malformed, MustBe, NotAList, NotAMap, Quoted, TooLarge
from clusters.engine.quantity import QuantityError
from clusters.engine.queueing import order
from clusters.engine.scheduling import names_groups, recorded_group, replay
from clusters.engine.selectors import SelectorError
from clusters.engine.simulation import Base, MoreNodes, NodeLikeness, node_shapes
from clusters.engine.versions import (
    GateError,
    GateSettings,
    Release,
    ReplicaSettings,
    match_release,
    read_feature_gates,
    release_with,
    scheduling_settings,
)
from clusters.problems.inputs import (
    NoNodesAndPods,
    NotOneDocument,
    SeveralConfigurations,
    UnreadableFile,
)
from clusters.services.decisions.explain import escaped
from clusters.services.workloads.failing import CreationReport, failures_of_objects, last_of, reports_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime
    from pathlib import Path

    from clusters.engine.pod_texts import PodText
    from clusters.engine.workloads import Failures

# Recorded cases: small clusters with pending pods, one a line, whose answers are compared with a scheduler's own.

_GZIP = b"\x1f\x8b"


class CaseAnswer(NamedTuple):
    """What a line of a file of cases is answered, ``{"name", "results"}``, and why it is refused; None: it is not."""

    document: dict[str, Any]
    refusal: BadInput | None = None


def answers(path: Path) -> Iterator[CaseAnswer]:
    """Yield an answer for each line of a file of cases, compressed with gzip or not.

    A case is ``{"name", "kubernetes", "featureGates" and "config" (optional), "objects", "pods"}``; there is one result
    a pod, as ``Explanation.as_recorded`` gives it, and none of a case that is refused, nor, but for the error,
    ``notComputed``, of one that could not be computed. Where the pods are scheduled as a group, ``group`` stands in the
    place of results, as ``recorded_group`` gives it.
    Raises BadInput where the file cannot be read.
    """
    try:
        with _opened(path) as lines:
            for number, line in enumerate(lines, 1):
                if not line.isspace():
                    case: dict[str, Any] = {}
                    try:
                        case = _case(line)
                        yield CaseAnswer(_answer(case))
                    except BadInput as error:
                        refusal = error.at(file=path.name, document=number)
                        yield CaseAnswer({"name": case.get("name"), "results": []}, refusal)
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise BadInput(UnreadableFile(reason), file=path.name) from error


def _opened(path: Path) -> IO[bytes]:
    with path.open("rb") as file:
        is_gzip = file.read(len(_GZIP)) == _GZIP
    return cast("IO[bytes]", gzip.open(path)) if is_gzip else path.open("rb")


def _case(line: bytes) -> dict[str, Any]:
    try:
        case = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise BadInput(Malformed("JSON", str(error))) from None
    if not isinstance(case, dict):
        raise BadInput(NotAMap(shown(case), ("name", "objects", "pods")))
    return case


def _answer(case: dict[str, Any]) -> dict[str, Any]:
    objects, pods = _documents(case, "objects"), _documents(case, "pods")
    try:
        configuration = _configuration(case)
        if names_groups(pods, configuration.release):
            snapshot = Snapshot.from_objects([*objects, *pods], configuration.release)
            return {"name": case.get("name"), "group": recorded_group(snapshot, pods, configuration)}
        snapshot = Snapshot.from_objects(objects, configuration.release)
        results = [explanation.as_recorded() for explanation in replay(snapshot, pods, configuration)]
    except ConfigurationError as error:
        raise BadInput(error.problem, field=f"config.{error.path}".rstrip(".")) from None
    except UnknownScheduler as error:
        raise BadInput(error.problem, field="pods") from None
    except QuantityError as error:
        raise BadInput(error.problem, field="objects") from None
    except SelectorError as error:
        raise BadInput(Quoted(error.kubernetes), field="objects") from None
    except Exception as error:
        failure = escaped(error)
        if failure is None:
            raise
        # The other lines have answers all the same.
        return {"name": case.get("name"), "results": [], "notComputed": failure.error}
    return {"name": case.get("name"), "results": results}


def _documents(case: dict[str, Any], field: str) -> list[dict[str, Any]]:
    documents = case.get(field)
    if not isinstance(documents, list) or not all(isinstance(document, dict) for document in documents):
        raise BadInput(NotAList(shown(documents)), field=field)
    return documents


def _configuration(case: dict[str, Any]) -> SchedulerConfiguration:
    """Return the configuration of a case. Raises ConfigurationError, and BadInput for its feature gates."""
    data, version = case.get("config"), str(case.get("kubernetes") or "")
    try:
        settings = read_feature_gates(case.get("featureGates") or {}, match_release(version).release)
    except GateError as error:
        raise BadInput(error.problem, field="featureGates") from None
    release = release_with(version, settings)
    if data is None:
        return SchedulerConfiguration.default(release)
    return SchedulerConfiguration.from_dict(data, release)


# Scheduler configurations as somebody gives them: read from a file or a text, and checked.

# A configuration with every plugin named at every point has a twentieth of this.
MOST_BYTES = 1024 * 1024
_SAMPLE = 4096
_MOST_NAMED = 5
# What kube-scheduler read before it had configurations.
_POLICY = "Policy"


def read_configuration(path: Path, release: Release) -> SchedulerConfiguration:
    """Read a KubeSchedulerConfiguration, in YAML or JSON, as a release does. Raises BadInput."""
    return checked_configuration(document_in(path), path.name, release)


def read_document(path: Path, release: Release) -> dict[str, Any]:
    """Read a KubeSchedulerConfiguration as it is written, in YAML or JSON. Raises BadInput.

    It is one that a release's kube-scheduler starts with.
    """
    document: dict[str, Any] = document_in(path)
    checked_configuration(document, path.name, release)
    return document


def read_configuration_text(text: str, release: Release) -> SchedulerConfiguration:
    """Return what somebody wrote down as a release's kube-scheduler would understand it. Raises BadInput."""
    return checked_configuration(document_of_text(text), "", release)


def translation_of_text(text: str, release: Release) -> Translation | None:
    """Return what somebody wrote down as v1, if only earlier kube-schedulers read it. Raises BadInput."""
    return checked_translation(document_of_text(text), "", release)


def translation_in(path: Path, release: Release) -> Translation | None:
    """Return what a file holds as v1, if only earlier kube-schedulers read it. Raises BadInput."""
    return checked_translation(document_in(path), path.name, release)


def checked_translation(document: Any, name: str, release: Release) -> Translation | None:
    """Return a document of an earlier kube-scheduler as v1, and None for any other. Raises BadInput."""
    try:
        return translated(document, release)
    except ConfigurationError as error:
        raise BadInput(error.problem, file=name, field=error.path) from None


def plugins_disabled_in_vain(text: str, release: Release) -> list[str]:
    """Return the names under ``disabled`` in a valid configuration that no plugin is called. Raises BadInput."""
    return disabled_in_vain(document_of_text(text), release)


def checked_configuration(document: Any, name: str, release: Release) -> SchedulerConfiguration:
    """Return a configuration that kube-scheduler would start with. Raises BadInput, which names the file and field."""
    try:
        return SchedulerConfiguration.from_dict(document, release)
    except ConfigurationError as error:
        raise BadInput(error.problem, file=name, field=error.path) from None


def document_in(path: Path) -> Any:
    """Return the one document in a file, which may be anything. Raises BadInput."""
    try:
        meter = Meter(limits(), bytes_total=path.stat().st_size)
        return _only(opened(path, meter), meter)
    except BadInput as error:
        raise error.at(file=path.name) from None
    except OSError as error:
        reason = error.strerror or str(error)
        raise BadInput(UnreadableFile(reason), file=path.name) from error


def document_of_text(text: str, wanted: str = SCHEDULER_CONFIGURATION) -> Any:
    """Return the one document that somebody wrote down, which may be anything. Raises BadInput.

    ``wanted`` is the kind that the error names where there are several documents, or none.
    """
    data = text.encode()
    if len(data) > MOST_BYTES:
        raise BadInput(TooLarge(MOST_BYTES))
    return _only(data, Meter(limits(), bytes_total=len(data)), wanted)


def _only(data: Buffer, meter: Meter, wanted: str = SCHEDULER_CONFIGURATION) -> Any:
    """Return the one configuration that a text holds, be it a ConfigMap's or one document among others."""
    refuse_other_forms(data[:_SAMPLE])
    found: dict[str, Any] = {}
    documents: dict[int, Any] = {}
    for document in _configurations_documents(data, meter):
        documents.setdefault(document.number, document.value)
        for field, value in _parts(document, meter, wanted):
            if _is_wanted(value, wanted) and value not in found.values():
                found[f"document {document.number}{field}"] = value
    if len(found) > 1:
        raise BadInput(SeveralConfigurations(tuple(found)[:_MOST_NAMED], len(found), wanted))
    if found:
        return next(iter(found.values()))
    if len(documents) != 1:
        raise BadInput(NotOneDocument(len(documents), wanted))
    (only,) = documents.values()
    kind = only.get("kind") if type(only) is dict else None
    if type(kind) is str and kind not in (wanted, _POLICY):
        raise BadInput(MustBe(shown(kind), wanted), field="kind")
    return only


def _configurations_documents(data: Buffer, meter: Meter) -> Iterator[Document]:
    read = json_documents if data[:4096].lstrip().startswith(b"{") else yaml_documents
    yield from read(data, meter)


def _parts(document: Document, meter: Meter, wanted: str) -> Iterator[tuple[str, Any]]:
    """Yield a document, the items of a list, and what the data of a ConfigMap hold, each with its field."""
    value = document.value
    items = value.get("items") if type(value) is dict else None
    listed = enumerate(chain(document.items, items if type(items) is list else ()), document.first)
    for field, item in (("", value), *((f".items[{index}]", item) for index, item in listed)):
        if type(item) is not dict:
            continue
        yield field, item
        held = item.get("data") if item.get("kind") == "ConfigMap" else None
        for key, text in held.items() if type(held) is dict else ():
            if type(text) is str and (wanted in text or _POLICY in text):
                path = f"{field}.data.{printable(key)}"
                try:
                    yield from ((path, each.value) for each in _configurations_documents(text.encode(), meter))
                except BadInput as error:
                    raise BadInput(error.problem, document=document.number, field=path.removeprefix(".")) from None


def _is_wanted(value: Any, wanted: str) -> bool:
    if type(value) is not dict:
        return False
    is_policy = (value.get("kind"), value.get("apiVersion")) == (_POLICY, "v1")
    return value.get("kind") == wanted or (is_policy and wanted == SCHEDULER_CONFIGURATION)


# A dump read straight from disk, for answers that need no database.

# Pods are many, and few of them are looked at; events are what happened, as against what is.
_READ_OTHERWISE = frozenset({"Event", "Pod"})


class PodEvent(NamedTuple):
    """What a component reported about a pod."""

    reason: str
    message: str
    component: str
    last_seen: datetime | None


@dataclass(frozen=True)
class DumpedPods(Mapping[str, dict[str, Any]]):
    """The pods of a dump by ``namespace/name``; each is parsed when it is asked for, anew each time."""

    texts: Mapping[str, PodText]

    def __getitem__(self, key: str) -> dict[str, Any]:
        pod: dict[str, Any] = orjson.loads(self.texts[key].text)
        return pod

    def __iter__(self) -> Iterator[str]:
        return iter(self.texts)

    def __len__(self) -> int:
        return len(self.texts)

    def holding(self, word: str) -> Iterator[dict[str, Any]]:
        """Yield the pods in whose JSON a text stands as it is, wherever that may be."""
        return (orjson.loads(pod.text) for pod in self.texts.values() if word in pod.text)


class Dump(Struct, frozen=True, dict=True):
    """What a dump tells: pruned objects, the scheduler configuration that it brings along, and what it lacks.

    ``others``: all objects but pods.
    ``feature_gates``: those that its kube-scheduler is started with; None where its replicas differ.
    ``kube_version``: of its newest kubelet, empty where it does not say.
    ``reports``: what controllers say of pods that they could not create. ``last_event``: when its last event happened.
    ``pod_events``: by ``namespace/name``, the latest first.
    """

    name: str
    others: list[dict[str, Any]]
    pods: DumpedPods
    configuration: dict[str, Any] | None
    feature_gates: ReplicaSettings
    gaps: list[Gap]
    kube_version: str
    reports: list[CreationReport]
    last_event: datetime | None
    pod_events: Mapping[str, Sequence[PodEvent]]

    @cached_property
    def snapshot(self) -> Snapshot:
        return Snapshot.from_objects(self.others, self.release, pods=self.pods.texts.values())

    def base(self, release: Release) -> Base:
        """Return the cluster of the dump as a question begins with it, read as a release."""
        pods, nodes = self.pods, {each["metadata"]["name"]: each for each in self.others if each["kind"] == "Node"}
        snapshot = Snapshot.from_objects(self.others, release, pods=pods.texts.values())
        placed = snapshot.pods.slot_of
        return Base(
            snapshot,
            tuple(pods[key] for key, pod in pods.texts.items() if not pod.node or key not in placed),
            lambda names: {name: nodes[name] for name in names},
            lambda keys: {key: pods[key] for key in keys},
        )

    @cached_property
    def objects(self) -> list[dict[str, Any]]:
        """Return all objects."""
        return [*self.others, *self.pods.values()]

    @property
    def release(self) -> Release:
        """The release that it is answered as, with its gates."""
        return release_with(self.kube_version, self.gates)

    @property
    def gates(self) -> GateSettings:
        """The feature gates that all replicas are started with, and that decide something here."""
        return scheduling_settings(self.feature_gates)

    def nodes_named(self, names: Sequence[str]) -> list[dict[str, Any]]:
        """Return nodes by their names, in this order."""
        nodes = {each["metadata"]["name"]: each for each in self.others if each["kind"] == "Node"}
        return [nodes[name] for name in names if name in nodes]

    def pods_named(self, keys: Sequence[str]) -> list[dict[str, Any]]:
        """Return pods by ``namespace/name``, in this order."""
        return [self.pods[key] for key in keys if key in self.pods]

    def pods_on(self, node: str) -> list[dict[str, Any]]:
        """Return the pods that are bound to a node."""
        return [pod for pod in self.pods.holding(node) if (pod.get("spec") or {}).get("nodeName") == node]

    @cached_property
    def more_nodes(self) -> MoreNodes:
        """Return what tells which pods one more node would take."""
        daemons: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for pod in self.pods.holding('"DaemonSet"'):
            controller = Controller.of(pod)
            if (
                controller is not None
                and controller.kind == "DaemonSet"
                and not pod["metadata"].get("deletionTimestamp")
            ):
                daemons[pod.get("spec", {}).get("nodeName", "")].append(pod)
        nodes = self.nodes_named(node_shapes(self.snapshot))
        return MoreNodes(self.snapshot, [NodeLikeness(each, tuple(daemons[name_of(each)])) for each in nodes])

    def tried(self, explanation: Explanation, configuration: SchedulerConfiguration) -> tuple[Tried, ...]:
        """Return the nodes of which one more would take a pending pod, and the pods that could make room for it."""
        more, moved = self.more_nodes.taking(explanation), pods_to_move(explanation, configuration, self.pods_named)
        return more if moved is None else (*more, moved)

    @cached_property
    def pending(self) -> dict[str, dict[str, Any]]:
        """Return the pods without a node that have neither finished nor are on their way out, in the queue's order."""
        unplaced = ((key, self.pods[key]) for key, pod in self.pods.texts.items() if not pod.node)
        waiting = [(key, pod) for key, pod in unplaced if _is_pending(pod)]
        return dict(sorted(waiting, key=_place_in_queue))

    @cached_property
    def failures(self) -> Failures:
        """Return the workloads that fail."""
        created = (
            first_moment(each["metadata"], "creationTimestamp")
            for each in self.objects
            if each["kind"] in ("Pod", "Node")
        )
        last = max((at for at in (self.last_event, *created) if at is not None), default=None)
        return failures_of_objects(self.snapshot, self.objects, self.reports, last)

    def scheduler_configuration(self) -> SchedulerConfiguration:
        """Return the configuration that the dump brings along, or else the default one. Raises BadInput."""
        if self.configuration is None:
            return SchedulerConfiguration.default(self.release)
        return checked_configuration(self.configuration, self.name, self.release)


def read_dump(path: Path, *, default_pods: bool = False) -> Dump:
    """Read a file, a directory or an archive. Raises BadInput.

    ``default_pods``: complete pods that were written by hand as admission would.
    """
    bounds = limits()
    state = ClusterState(bounds)
    try:
        for _ in read_source(path, state, Meter(bounds, bytes_total=size_of(path)), name=path.name):
            pass
    except BadInput as error:
        raise error.at(file=path.name) from None
    except OSError as error:
        raise _unreadable(path, error) from error
    if not state.rows.get("Node") and not state.rows.get("Pod"):
        raise BadInput(NoNodesAndPods(state.kinds_seen), file=path.name)
    if default_pods:
        state.default_pods()
    read = {kind: rows for kind, rows in state.rows.items() if kind not in _READ_OTHERWISE}
    others = [orjson.loads(row.object) for rows in read.values() for row in rows.values()]
    pods = DumpedPods({pod.key: pod for pod in state.pods()})
    events = list(map(table_of("Event").row, state.rows.get("Event", {}).values()))
    reports, last = reports_in(events), last_of(events)
    gates, gaps = state.feature_gates, state.gaps(pods.texts.values())
    version, told = state.kube_version, _of_pods(events)
    return Dump(path.name, others, pods, state.configuration, gates, gaps, version, reports, last, told)


def _of_pods(events: Iterable[Row]) -> dict[str, list[PodEvent]]:
    columns = table_of("Event").columns
    names = ("involved_kind", "involved_namespace", "involved_name", "reason", "message", "reporting_component")
    places = [columns.index(name) for name in (*names, "last_seen")]
    found: dict[str, list[PodEvent]] = defaultdict(list)
    for kind, namespace, name, reason, message, component, seen in (tuple(row[at] for at in places) for row in events):
        if kind == "Pod":
            found[f"{namespace}/{name}"].append(PodEvent(reason, message, component, seen))
    for each in found.values():
        each.sort(key=lambda event: (event.last_seen is not None, event.last_seen), reverse=True)
    return found


def _unreadable(path: Path, error: OSError) -> BadInput:
    reason = error.strerror or str(error)
    return BadInput(UnreadableFile(reason), file=path.name)


def _is_pending(pod: dict[str, Any]) -> bool:
    if pod.get("spec", {}).get("nodeName") or pod["metadata"].get("deletionTimestamp"):
        return False
    return pod.get("status", {}).get("phase") not in ("Succeeded", "Failed")


def _place_in_queue(entry: tuple[str, dict[str, Any]]) -> tuple[tuple[int, int], str]:
    """The order of the scheduler's queue; when a pod entered it is not told, so its creation stands for that."""
    key, document = entry
    pod = Pod(document)
    return order(pod.priority, pod.created), key


# Kubelet configurations as somebody gives them: read from a text, checked, and kept nowhere.


def read_kubelet_text(text: str, *, is_windows: bool = False) -> KubeletSettings:
    """Return what a kubelet would understand of a KubeletConfiguration or its answer at /configz. Raises BadInput."""
    try:
        return KubeletSettings.from_dict(document_of_text(text, KIND), is_windows=is_windows)
    except ConfigurationError as error:
        raise BadInput(error.problem, field=error.path) from None
