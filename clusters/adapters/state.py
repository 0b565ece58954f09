"""A cluster's whole state as a source tells it: pruned rows by kind, without duplicates, ready to be written."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec
import orjson
from msgspec import Struct

from clusters.adapters.bad_input import BadInput, Limits, printable, printable_problem, shown
from clusters.adapters.observed import PREFIXES, Held, results_of
from clusters.adapters.prune import (
    EVERY_NODE,
    KINDS,
    SCHEDULER_CONFIGURATION,
    Kind,
    WrongField,
    decoder_of,
    kind_of,
    pruned_configuration,
    pruned_kubelet_configuration,
    pruned_quota_configuration,
)
from clusters.adapters.prune.shapes import ANNOTATION_PREFIXES, ENCODER, LONGEST_TOKEN, moment, token
from clusters.adapters.rows import (
    Kept,
    canonical,
    identified,
    undefaulted_pods,
    with_name,
)
from clusters.adapters.usage import (
    METRICS_KINDS,
    SUMMARY,
    SUMMARY_VERSION,
    UsageFound,
    add_metrics,
    add_summary,
    is_metrics,
    is_summary,
)
from clusters.documents.stored_problems import encoded
from clusters.engine.kubelet import ANSWERED, KIND as KUBELET_CONFIGURATION
from clusters.engine.pod_texts import PodText, read
from clusters.engine.problems import MissingField, NotAnObject, NotAText, Problem, TooLarge
from clusters.engine.versions import GateSettings, ReplicaSettings, known_settings, settings_of_replicas
from clusters.problems.inputs import (
    ManyObjects,
    NeverAdmitted,
    NodesNotInSource,
    NoneInSource,
    NotReadable,
    OtherGap,
    SharedUid,
    Use,
)
from clusters.problems.skips import (
    FoundAgain,
    ManyAttempts,
    MayHoldSecrets,
    OlderVersion,
    OtherApiVersion,
    OtherKind,
    SecondConfiguration,
    TooManyReasons,
    Unreadable,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence


# Objects as a source holds them, and what they are called in messages, whatever is wrong with them.


class ObjectOrigin(NamedTuple):
    """Where an object was read: its file, its document within the file, and the list within the document."""

    file: str
    document: int
    # Empty where the document itself is the object.
    list_key: str = ""


class Found(msgspec.Struct, frozen=True):
    """An object as a source holds it; its type is the list's where it has none of its own."""

    place: ObjectOrigin
    position: int
    object: Any
    api_version: str = ""
    kind: str = ""
    is_deleted: bool = False


class ReadObject(msgspec.Struct, frozen=True):
    """An object that was read from its JSON as what is kept of it, with its name."""

    kind: Kind
    kept: Any
    json: bytes


# Type and version stand first in what kubectl writes and in what the API server sends.
_TYPE = rb'"(?:apiVersion|kind)"\s*:\s*"[\w./-]{1,64}"'
_TYPED = re.compile(rb"\{\s*" + _TYPE + rb"\s*,\s*" + _TYPE)
# Of what more is kept than the types say.
_LEFT_TO_PYTHON = tuple(each.encode() for each in (*PREFIXES, *ANNOTATION_PREFIXES))


@lru_cache(maxsize=256)
def _decoder(typed: bytes) -> msgspec.json.Decoder[Any] | None:
    found = orjson.loads(typed + b"}")
    return decoder_of(found.get("apiVersion"), found.get("kind"))


def read_object(data: bytes) -> ReadObject | None:
    """Read the JSON of one object as what is kept of it, where nothing about it is out of the ordinary.

    None: it has to be parsed, pruned and judged in Python, which for all others has the same outcome. Limits of size
    and nesting are the caller's.
    """
    typed = _TYPED.match(data)
    decoder = typed and _decoder(typed[0])
    if not decoder or b'"kube-scheduler"' in data:
        return None
    if b'"annotations"' in data and any(each in data for each in _LEFT_TO_PYTHON):
        return None
    if b"\\" in data and (b"\\u" in data or b"\\/" in data):
        # Behind an escape any of these could hide.
        return None
    try:
        if not data.isascii():
            # What is passed over unread has to be text as well.
            data.decode()
        kept = decoder.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    if kept.metadata is None or kept.metadata.name is None:
        return None
    return ReadObject(KINDS[kept.kind], kept, data)


def type_of(found: Found) -> tuple[str, str]:
    """Return apiVersion and kind, which may be its list's. Raises WrongField."""
    document = found.object
    if is_summary(document):
        return SUMMARY_VERSION, SUMMARY
    api_version = document.get("apiVersion") or found.api_version
    name = document.get("kind") or found.kind
    for key, content in (("apiVersion", api_version), ("kind", name)):
        if type(content) is not str or not content or len(content) > LONGEST_TOKEN:
            raise WrongField(NotAText(shown(content)) if content else MissingField(key)).within(key)
    return api_version, name


def subject_of(found: Found) -> str:
    """Name an object that may be wrong in any way."""
    document = found.object if type(found.object) is dict else {}
    if is_summary(document):
        name = document["node"].get("nodeName")
        return f"{SUMMARY} {name if type(name) is str else ''}".strip()[:LONGEST_TOKEN]
    metadata = document.get("metadata")
    metadata = metadata if type(metadata) is dict else {}
    parts = (document.get("kind") or found.kind, metadata.get("namespace"), metadata.get("name"))
    kind, namespace, name = (part if type(part) is str else "" for part in parts)
    label = f"{namespace}/{name}" if namespace else name
    return f"{kind} {label}".strip()[:LONGEST_TOKEN]


def field_of(found: Found, path: str) -> str:
    """Return the way to a field of an object from its document."""
    if not found.place.list_key:
        return path
    index = f"[{found.position}]" if found.position >= 0 else ""
    return f"{found.place.list_key}{index}.{path}".rstrip(".")


# What a source lacks, and which answers are uncertain because of it.


class Gap(Struct, frozen=True):
    """A kind that is missing, or an `OtherGap`, and why we think so; `worded_gap` says which answers suffer."""

    kind: str
    why: Problem
    # The use that would make it matter, where no pod of the source has it.
    unused: Use | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the gap as rows hold it."""
        return {"kind": self.kind, "why": encoded(self.why), "unused": self.unused or "", "felt": self.unused is None}


_NAMED = 3

# What pods of the source use, recognised by the key in their canonical JSON: a quote within a text is escaped
# there, so the keys cannot be mistaken.
USES = {
    Use.CLAIMS: ('"persistentVolumeClaim":', '"volumeClaimTemplate":'),
    Use.PRIORITY_CLASSES: ('"priorityClassName":',),
    Use.NAMESPACE_SELECTORS: ('"namespaceSelector":',),
    Use.RUNTIME_CLASSES: ('"runtimeClassName":',),
    Use.RESOURCE_CLAIMS: ('"resourceClaims":',),
    Use.POD_GROUPS: ('"schedulingGroup":',),
    Use.WORKLOADS: ('"workloadRef":',),
}


class _Need(Struct, frozen=True):
    kind: str
    # The use that makes the gap hurt; None where every pod is concerned.
    use: Use | None = None
    # Whether the gap is worth a word even where nothing uses the kind.
    is_common: bool = True
    # Whether an API server may do without the kind: pods of such a one cannot use it.
    is_optional: bool = False


_NEEDS = (
    _Need("Node"),
    _Need("Pod"),
    _Need("Namespace", Use.NAMESPACE_SELECTORS),
    _Need("PriorityClass", Use.PRIORITY_CLASSES),
    _Need("PodDisruptionBudget"),
    _Need("Service"),
    _Need("ReplicationController"),
    _Need("ReplicaSet"),
    _Need("StatefulSet"),
    _Need("PersistentVolume", Use.CLAIMS),
    _Need("PersistentVolumeClaim", Use.CLAIMS),
    _Need("StorageClass", Use.CLAIMS),
    _Need("CSINode", Use.CLAIMS),
    _Need("RuntimeClass", Use.RUNTIME_CLASSES, is_common=False),
    _Need("ResourceClaim", Use.RESOURCE_CLAIMS, is_common=False),
    _Need("ResourceSlice", Use.RESOURCE_CLAIMS, is_common=False),
    _Need("DeviceClass", Use.RESOURCE_CLAIMS, is_common=False),
    _Need("PodGroup", Use.POD_GROUPS, is_common=False, is_optional=True),
    _Need("Workload", Use.WORKLOADS, is_common=False, is_optional=True),
)


def is_needed(kind: str, *, is_served: bool = True) -> bool:
    """Tell whether answers suffer without a kind, which the API server has or does not have."""
    return any(need.kind == kind and (is_served or not need.is_optional) for need in _NEEDS)


def gaps_of(
    *, present: Collection[str], uses: Collection[Use], missing_nodes: Mapping[str, Sequence[str]]
) -> list[Gap]:
    """Return the gaps of a source.

    `present` names the kinds of which it holds an object or an explicit list, `uses` what its pods use, and
    `missing_nodes` holds by name the nodes that the source lacks, and the pods that are on them.
    """
    found = []
    for need in _NEEDS:
        is_used = need.use is None or need.use in uses
        if need.kind in present or not (is_used or need.is_common):
            continue
        found.append(Gap(need.kind, NoneInSource(), unused=None if is_used else need.use))
    if missing_nodes and "Node" in present:
        why = NodesNotInSource(tuple(sorted(missing_nodes)[:_NAMED]), len(missing_nodes))
        found.append(Gap(OtherGap.MISSING_NODE, why))
    return found


def undefaulted_gap(pods: Sequence[str]) -> Gap:
    """Return the gap of pods, as ``namespace/name``, that never passed an API server."""
    return Gap(OtherGap.POD_DEFAULTS, NeverAdmitted(tuple(sorted(pods)[:_NAMED]), len(pods)))


def unreadable_gap(first: BadInput, number: int) -> Gap:
    """Return the gap of objects and files that could not be read, of which one is named."""
    number_of_document = f"#{first.document}" if first.document else ""
    place = ", ".join(filter(None, (first.file, number_of_document, first.subject, first.field)))
    return Gap(OtherGap.UNREADABLE, NotReadable(place, first.problem, number))


# What a kube-scheduler that runs as a pod is started with: its feature gates, and nothing else.

_NAMESPACE: Final = "kube-system"
_SCHEDULER: Final = "kube-scheduler"
_FINISHED: Final = ("Succeeded", "Failed")
_FLAG: Final = "--feature-gates"
# A flag with every gate of Kubernetes has a third of this.
_LONGEST: Final = 32_768


def feature_gates_of(pod: dict[str, Any]) -> GateSettings | None:
    """Return the gates that are known here and set by a pod that runs kube-scheduler; None for any other pod.

    A pod that has finished runs none. The pod is as its source has it, not pruned: nothing else of its command is kept.
    """
    metadata, spec, status = pod.get("metadata"), pod.get("spec"), pod.get("status")
    if type(metadata) is not dict or type(spec) is not dict or metadata.get("namespace") != _NAMESPACE:
        return None
    if type(status) is dict and status.get("phase") in _FINISHED:
        return None
    containers = spec.get("containers")
    for container in containers if type(containers) is list else ():
        if type(container) is dict and container.get("name") == _SCHEDULER:
            found: GateSettings = {}
            # Of a flag that is there more than once, each adds to those before it.
            for value in _values(_words(container)):
                found |= known_settings(value[:_LONGEST])
            return found
    return None


def _words(container: dict[str, Any]) -> list[str]:
    lists = (container.get("command"), container.get("args"))
    return [word for each in lists if type(each) is list for word in each if type(word) is str]


def _values(words: list[str]) -> Iterator[str]:
    for number, word in enumerate(words):
        name, equals, value = word.partition("=")
        if name == _FLAG:
            yield value if equals else "".join(words[number + 1 : number + 2])


# Among the kinds of what is kept.
OBSERVED = "recorded-attempts"
USAGE = "usage-samples"
DISKS = "disk-uses"
_SECRET_KINDS = frozenset({"Secret", "ConfigMap"})
_MOST_REASONS = 200
_MOST_KINDS = 5
# What an object is called that does not say its kind.
_OBJECT = "object"
# What happened, which no answer is computed from.
_TOLD_ALONE = frozenset({"Event", *METRICS_KINDS, SUMMARY})


class ClusterState:
    """Takes objects one by one and keeps what the mirror needs of them."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self.rows: dict[str, dict[tuple[str, str], Kept]] = {}
        # Why something was left out; of objects the reason names the kind.
        self.skipped: Counter[Problem] = Counter()
        self.objects_read = 0
        self.configuration: dict[str, Any] | None = None
        # Of the pods of kube-scheduler, whose commands are pruned: what each is started with.
        self._schedulers: dict[tuple[str, str], GateSettings] = {}
        # What kube-scheduler-simulator recorded in pods' annotations, which pruning drops.
        self.observed = Held(limits)
        # Of objects of metrics.k8s.io and of kubelets, which stands beside the state as well.
        self.usage = UsageFound()
        # With the file of each, which may bear the name of a node that is yet to be read.
        self._kubelets: list[tuple[str, dict[str, Any]]] = []
        self._owner_of_uid: dict[str, tuple[str, str, str]] = {}
        self._listed: set[str] = set()
        # What was wrong with the first object or file that could not be read, and with those that answers depend on.
        self._first_unreadable: BadInput | None = None
        self._first_missed: BadInput | None = None
        self._missed = 0

    @property
    def feature_gates(self) -> ReplicaSettings:
        """The gates that the replicas of kube-scheduler are started with."""
        return settings_of_replicas(self._schedulers.values())

    @property
    def objects_kept(self) -> int:
        return sum(map(len, self.rows.values()))

    @property
    def objects_skipped(self) -> int:
        return self.skipped.total()

    @property
    def kept(self) -> dict[str, int]:
        """Return the number of kept objects by kind, of recorded attempts, samples of usage and nodes' use of disks."""
        kept = {kind: len(rows) for kind, rows in sorted(self.rows.items()) if rows}
        beside = {OBSERVED: len(self.observed), USAGE: self.usage.pods, DISKS: len(self.usage.disks)}
        return {**kept, **{what: count for what, count in beside.items() if count}}

    @property
    def kube_version(self) -> str:
        """Return the newest kubelet's version: no other witness of the control plane's is in a dump."""
        versions = {
            _TOLD.decode(row.object).status.node_info.kubelet_version for row in self.rows.get("Node", {}).values()
        }
        return printable(max(versions, key=_version_numbers, default=""))

    def pods(self) -> Iterator[PodText]:
        """Yield the pods by their JSON."""
        return (read(row.object) for row in self.rows.get("Pod", {}).values())

    def gaps(self, pods: Iterable[PodText]) -> list[Gap]:
        """Return what is missing, of all pods too."""
        nodes = {name for _, name in self.rows.get("Node", {})}
        missing: dict[str, list[str]] = {}
        makings: dict[bytes, str] = {}
        for pod in pods:
            makings.setdefault(pod.rest, pod.text)
            if pod.node and pod.node not in nodes:
                missing.setdefault(pod.node, []).append(pod.key)
        uses = {use for use, keys in USES.items() if any(key in text for text in makings.values() for key in keys)}
        undefaulted = [f"{namespace}/{name}" for (namespace, name), _ in undefaulted_pods(self.rows)]
        found = gaps_of(
            present=self._listed | {kind for kind, rows in self.rows.items() if rows},
            uses=uses,
            missing_nodes=missing,
        )
        if undefaulted:
            found.append(undefaulted_gap(undefaulted))
        if self._first_missed is not None:
            found.append(unreadable_gap(self._first_missed, self._missed))
        return found

    @property
    def kinds_seen(self) -> tuple[str, ...]:
        """Return the kinds of all objects, kept or not, the most frequent first."""
        seen = Counter({kind: len(rows) for kind, rows in self.rows.items() if rows})
        for why, count in self.skipped.items():
            if isinstance(why, OtherKind | MayHoldSecrets | OtherApiVersion):
                seen[why.of_kind] += count
        if self.configuration is not None:
            seen[SCHEDULER_CONFIGURATION] += 1
        return tuple(kind for kind, _ in seen.most_common(_MOST_KINDS))

    def leave_out(self, error: BadInput, kind: str = "") -> None:
        """Count an object, or a file where ``kind`` is empty, that cannot be read; the rest is read even so."""
        self.skip(Unreadable(kind, error.problem))
        self._first_unreadable = self._first_unreadable or error
        if kind not in _TOLD_ALONE:
            self._first_missed = self._first_missed or error
            self._missed += 1

    def refuse_unreadable(self) -> None:
        """Raise BadInput of the first object that could not be read, where that leaves neither nodes nor pods.

        Usage by itself is taken as a whole or not at all.
        """
        has_any = self.rows.get("Node") or self.rows.get("Pod")
        if self._first_unreadable is not None and not has_any:
            raise self._first_unreadable

    def default_pods(self) -> None:
        """Complete the pods that never passed an API server as admission would."""
        for key, admitted in list(undefaulted_pods(self.rows)):
            text = canonical(admitted, longest=self._limits.object_bytes)
            before = self.rows["Pod"][key]
            self.rows["Pod"][key] = Kept(before.uid, before.name, text)

    def note_listed(self, api_version: str, kind: str) -> None:
        """Note that the source lists a kind, be it empty."""
        if (known := kind_of(api_version, kind)) is not None:
            self._listed.add(known.name)

    def skip(self, why: Problem, count: int = 1) -> None:
        """Count something that is left out."""
        reason = printable_problem(why)
        if reason not in self.skipped and len(self.skipped) >= _MOST_REASONS:
            reason = TooManyReasons()
        self.skipped[reason] += count

    def add(self, found: Found) -> None:
        """Take one object, or leave it out. Raises BadInput for one more than are read."""
        try:
            self._add(found)
        except WrongField as error:
            if isinstance(found.object, ReadObject):
                found = msgspec.structs.replace(found, object=orjson.loads(found.object.json))
            bad = BadInput(
                error.problem,
                file=found.place.file,
                document=found.place.document,
                subject=subject_of(found),
                field=field_of(found, error.path),
            )
            if isinstance(error.problem, ManyObjects):
                raise bad from None
            kind, _, label = bad.subject.partition(" ")
            self.leave_out(bad, kind if label else _OBJECT)

    def _add(self, found: Found) -> None:
        self.objects_read += 1
        if self.objects_read > self._limits.objects:
            raise WrongField(ManyObjects(self._limits.objects))
        document = found.object
        if isinstance(document, ReadObject):
            self._add_read(document)
            return
        if type(document) is not dict:
            raise WrongField(NotAnObject(shown(document)))
        if ANSWERED in document and "kind" not in document:
            self._add_other(document, "", ANSWERED, found.place.file)
            return
        kind_name = document.get("kind")
        if not (document.get("apiVersion") or found.api_version) and kind_name and kind_name not in KINDS:
            # As discovery tells of what an API server serves.
            self.skip(OtherKind(token(kind_name)))
            return
        api_version, name = type_of(found)
        if is_metrics(api_version, name):
            add_metrics(document, name, self.usage)
            return
        if (api_version, name) == (SUMMARY_VERSION, SUMMARY):
            add_summary(document, self.usage)
            return
        kind = kind_of(api_version, name)
        if kind is None:
            self._add_other(document, api_version, name, found.place.file)
            return
        document = with_name(document, str(self.objects_read))
        pruned = kind.prune(document)
        identity = identified(pruned, is_namespaced=kind.is_namespaced)
        if found.is_deleted:
            self._forget(kind.name, identity)
            return
        pruned["apiVersion"] = api_version
        pruned["kind"] = kind.name
        text = canonical(pruned, longest=self._limits.object_bytes)
        is_newest = self._keep(kind.name, identity, pruned["metadata"].get("uid"), text)
        if name == "Pod":
            self._observe(document["metadata"].get("annotations"), pruned["metadata"])
            if is_newest:
                self._note_scheduler(identity, feature_gates_of(document))

    def _add_read(self, found: ReadObject) -> None:
        kept, kind = found.kept, found.kind
        metadata = kept.metadata
        metadata.namespace = (metadata.namespace or "default") if kind.is_namespaced else None
        data = ENCODER.encode(kept)
        if len(data) > self._limits.object_bytes:
            raise WrongField(TooLarge(self._limits.object_bytes))
        identity = metadata.namespace or "", metadata.name
        is_newest = self._keep(kind.name, identity, metadata.uid, data.decode())
        if is_newest and kind.name == "Pod":
            self._note_scheduler(identity, None)

    def _keep(self, kind: str, identity: tuple[str, str], uid: str | None, text: str) -> bool:
        """Keep an object, and say whether it is the newest copy of it. Raises WrongField."""
        uid = uid or f"name:{kind}/{identity[0]}/{identity[1]}"
        self._claim(uid, (kind, *identity))
        row = Kept(uid, identity[1], text)
        rows = self.rows.setdefault(kind, {})
        before = rows.get(identity)
        rows[identity] = newest = row if before is None else self._newer(kind, before, row)
        return newest is row

    def _note_scheduler(self, identity: tuple[str, str], gates: GateSettings | None) -> None:
        """Keep which feature gates a pod starts kube-scheduler with; None: it does not."""
        if gates is None:
            self._schedulers.pop(identity, None)
        else:
            self._schedulers[identity] = gates

    def _observe(self, annotations: Any, metadata: dict[str, Any]) -> None:
        """Keep what a simulator recorded of a pod's attempts, and say what could not be read of it."""
        results = results_of(
            annotations, namespace=metadata["namespace"], name=metadata["name"], uid=metadata.get("uid", "")
        )
        for attempt in results.attempts:
            left_out = self.observed.left_out
            self.observed.add(attempt)
            if self.observed.left_out > left_out:
                self.skip(ManyAttempts())
        for problem in results.problems:
            self.skip(problem)

    def _add_other(self, document: dict[str, Any], api_version: str, name: str, file: str) -> None:
        """Take configurations of the scheduler, of quotas and of kubelets; leave everything else out, and say why."""
        quotas = pruned_quota_configuration(document)
        if quotas is not None:
            text = canonical(quotas, longest=self._limits.object_bytes)
            kind, identity = quotas["kind"], ("", quotas["metadata"]["name"])
            row = Kept(f"name:{kind}/{identity[1]}", identity[1], text)
            if self.rows.setdefault(kind, {}).setdefault(identity, row) != row:
                self.skip(SecondConfiguration(name))
            return
        kubelet = pruned_kubelet_configuration(document)
        if kubelet is not None:
            self._kubelets.append((file, kubelet))
            return
        configuration = pruned_configuration(document)
        if configuration is not None:
            if self.configuration not in (None, configuration):
                self.skip(SecondConfiguration(name))
            else:
                self.configuration = configuration
        elif name in _SECRET_KINDS and api_version == "v1":
            self.skip(MayHoldSecrets(name))
        elif name in KINDS:
            self.skip(OtherApiVersion(name, api_version))
        else:
            self.skip(OtherKind(name))

    def settle_kubelets(self) -> None:
        """Give each kubelet's configuration to its node: the one that it names, or else its file, or else to all."""
        nodes = {name for _, name in self.rows.get("Node", {})}
        for file, document in self._kubelets:
            named = document["metadata"].get("name") or next(filter(nodes.__contains__, _path_names(file)), EVERY_NODE)
            document["metadata"] = {"name": named}
            text = canonical(document, longest=self._limits.object_bytes)
            row = Kept(f"name:{KUBELET_CONFIGURATION}/{named}", named, text)
            if self.rows.setdefault(KUBELET_CONFIGURATION, {}).setdefault(("", named), row) != row:
                self.skip(SecondConfiguration(KUBELET_CONFIGURATION))
        self._kubelets.clear()

    def _claim(self, uid: str, owner: tuple[str, str, str]) -> None:
        """Note whose a UID is; two objects cannot share one."""
        other = self._owner_of_uid.setdefault(uid, owner)
        if other != owner:
            raise WrongField(SharedUid(shown(uid), _named(other))).within("uid").within("metadata")

    def _forget(self, kind: str, identity: tuple[str, str]) -> None:
        if kind == "Pod":
            self._schedulers.pop(identity, None)
        row = self.rows.get(kind, {}).pop(identity, None)
        if row is not None:
            del self._owner_of_uid[row.uid]

    def _newer(self, kind: str, before: Kept, after: Kept) -> Kept:
        """Choose between two copies of an object, or between an object and the one that took over its name."""
        self.skip(OlderVersion(kind) if before.object != after.object else FoundAgain(kind))
        old, new = _age(before), _age(after)
        kept, left = (before, after) if old > new else (after, before)
        if left.uid != kept.uid:
            del self._owner_of_uid[left.uid]
        return kept


def _path_names(file: str) -> Iterator[str]:
    """Yield the parts of a path, the file first, with and without what follows a dot, as names of nodes have dots."""
    for part in reversed(PurePosixPath(file.replace("\\", "/")).parts):
        pieces = part.split(".")
        yield from (".".join(pieces[:count]) for count in range(len(pieces), 0, -1))


def _named(owner: tuple[str, str, str]) -> str:
    kind, namespace, name = owner
    return f"{kind} {namespace}/{name}" if namespace else f"{kind} {name}"


class _NodeInfo(msgspec.Struct, rename="camel"):
    kubelet_version: str = ""


class _Status(msgspec.Struct, rename="camel"):
    node_info: _NodeInfo = msgspec.field(default_factory=_NodeInfo)


class _Told(msgspec.Struct):
    """What is asked of every node."""

    status: _Status = msgspec.field(default_factory=_Status)


_TOLD = msgspec.json.Decoder(_Told)


def _age(row: Kept) -> tuple[str, int]:
    """Return what sorts copies of one object: when it was made, then its version where that is a number."""
    metadata = orjson.loads(row.object)["metadata"]
    created = metadata.get("creationTimestamp")
    version = metadata.get("resourceVersion", "")
    return (
        f"{moment(created).timestamp():020.6f}" if created else "",
        int(version) if version.isascii() and version.isdigit() else 0,
    )


def _version_numbers(version: str) -> tuple[int, ...]:
    """Make `v1.34.1-eks` sort by its numbers."""
    numbers = version.removeprefix("v").partition("-")[0].partition("+")[0].split(".")
    return tuple(int(number) if number.isascii() and number.isdigit() else 0 for number in numbers)
