"""What all changes have in common: how they are read, and the cluster that is being changed."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, ClassVar, Self

from clusters.engine.disruption.budgets import KIND
from clusters.engine.disruption.drains import Ledger
from clusters.engine.objects import Document, Pod, key_of, labels_of, metadata, name_of, namespace_of
from clusters.engine.owners import TEMPLATE_HASH, Controller, Workload
from clusters.engine.problems import (
    Empty,
    InvalidValue,
    Missing,
    MoreThanAnyNode,
    NameExists,
    NeedsOneOf,
    NoSuchName,
    NoSuchObject,
    NotALabelKey,
    NotALabelValue,
    NotAList,
    NotAMap,
    NotAnObject,
    NotAnObjectName,
    NotAText,
    NotOneOf,
    OutOfRange,
    OverLimit,
    PlacedError,
    Problem,
    Quoted,
    TooMany,
    UnknownField,
    shown,
)
from clusters.engine.quantity import NotAQuantity
from clusters.engine.selectors import LabelSelector, Operator, SelectorError, key_fault, value_fault
from clusters.engine.simulation.case import MOST_NODES, MOST_WANTED, Case, Origin, Wanted
from clusters.engine.simulation.controllers import KIND as QUOTA, settle_quotas
from clusters.engine.simulation.problems import (
    NoNodeSelected,
    TooManyPending,
    UnreadableSelector,
)
from clusters.engine.simulation.remarks import PendingElsewhere, Remark
from clusters.engine.snapshot import Snapshot
from clusters.engine.spreading.constraints import ZONE
from clusters.engine.taints import Taint

if TYPE_CHECKING:
    from clusters.engine.configuration import SchedulerConfiguration

# The error of a change that cannot be made.


# What all changes have in common.


class ChangeError(PlacedError):
    """A change that cannot be made: where, as in ``changes[2].replicas``, and what is wrong."""


# Label selectors as kubectl takes them on its command line: ``a=b,c in (d,e),!f``.

# Commas within parentheses do not separate.
_PART = re.compile(r"((?:[^,()]|\([^()]*\))+)(?:,|$)")
_IN = re.compile(r"(\S+)\s+(in|notin)\s*\(([^()]*)\)")
_EQUAL = re.compile(r"([^\s=!]+)\s*(==|=|!=)\s*([^\s=!]*)")
_EXISTS = re.compile(r"(!?)\s*([^\s=!()]+)")


class _UnreadableError(ValueError):
    """A text that is no selector from a character on, counted from 1."""

    def __init__(self, character: int) -> None:
        super().__init__(character)
        self.character = character


def read_selector(fields: ChangeFields, name: str) -> str:
    """A field that holds a selector as text. Raises ChangeError."""
    text = fields.text(name)
    try:
        selector_of(text)
    except _UnreadableError as error:
        raise fields.bad(name, UnreadableSelector(error.character)) from None
    except SelectorError as error:
        raise fields.bad(name, Quoted(error.faults[0].kubernetes)) from None
    return text


def selector_of(text: str) -> LabelSelector:
    """The selector that a text stands for. Raises ValueError for one that `read_selector` refuses."""
    expressions, end = [], 0
    while match := _PART.match(text, end):
        expression = _requirement(match[1].strip())
        if expression is None:
            break
        expressions.append(expression)
        end = match.end()
        if end == len(text) and not text.endswith(","):
            return LabelSelector.from_dict({"matchExpressions": expressions})
    raise _UnreadableError(end + 1)


def _requirement(text: str) -> dict[str, Any] | None:
    if match := _IN.fullmatch(text):
        operator = Operator.IN if match[2] == "in" else Operator.NOT_IN
        return {"key": match[1], "operator": operator.value, "values": [part.strip() for part in match[3].split(",")]}
    if match := _EQUAL.fullmatch(text):
        operator = Operator.NOT_IN if match[2] == "!=" else Operator.IN
        return {"key": match[1], "operator": operator.value, "values": [match[3]]}
    if match := _EXISTS.fullmatch(text):
        operator = Operator.DOES_NOT_EXIST if match[1] else Operator.EXISTS
        return {"key": match[2], "operator": operator.value}
    return None


_MOST_NAMED = 8


class ClusterChange(ABC):
    """Something that is done to a cluster before pods are placed. Kinds are frozen dataclasses of what they say."""

    # What the field ``change`` of an entry says; its other fields have the names of the dataclass's.
    change: ClassVar[str]

    def __init_subclass__(cls, change: str = "") -> None:
        if change:
            cls.change = change

    @classmethod
    @abstractmethod
    def read(cls, given: ChangeFields) -> Self:
        """Read the fields of an entry. Raises ChangeError."""

    @abstractmethod
    def apply(self, world: ClusterDocuments, path: str) -> None:
        """Change the world; ``path`` is where the change stands among others. Raises ChangeError."""

    def as_dict(self) -> dict[str, Any]:
        """The entry that is read as this change."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]
        given = {name: _plain(value) for name, value in values.items() if value is not None and value != ()}
        return {"change": self.change, **{name: value for name, value in given.items() if value != {}}}


@dataclass(frozen=True, slots=True)
class NodesChange(ClusterChange):
    """A change to some nodes: those named, those that a label selector means, or those of a zone."""

    nodes: tuple[str, ...] = ()
    selector: str | None = None
    zone: str | None = None

    @classmethod
    def read(cls, given: ChangeFields) -> Self:
        return cls(**cls.read_choice(given))

    @staticmethod
    def read_choice(given: ChangeFields) -> dict[str, Any]:
        """Read which nodes are meant: in one way of the three."""
        ways = [name for name in ("nodes", "selector", "zone") if given.has(name)]
        if len(ways) != 1:
            raise ChangeError(given.path, NeedsOneOf(("nodes", "selector", "zone")))
        selector = read_selector(given, "selector") if ways == ["selector"] else None
        names = given.texts("nodes")
        if ways == ["nodes"] and not names:
            raise given.bad("nodes", Empty())
        return {"nodes": names, "selector": selector, "zone": given.text_or_none("zone")}

    def chosen(self, world: ClusterDocuments, path: str) -> list[str]:
        """The nodes that are meant, in order of name. Raises ChangeError where there are none."""
        if self.nodes:
            for number, name in enumerate(self.nodes):
                if name not in world.nodes:
                    problem = NoSuchObject("Node", name, first(world.nodes), len(world.nodes))
                    raise ChangeError(f"{path}.nodes[{number}]", problem)
            return sorted(set(self.nodes))
        if self.zone is not None:
            return nodes_of_zone(world, self.zone, path)
        found = [name for name in sorted(world.nodes) if world.selects(self.selector or "", name)]
        if not found:
            raise ChangeError(f"{path}.selector", NoNodeSelected(self.selector or ""))
        return found


def nodes_of_zone(world: ClusterDocuments, zone: str, path: str) -> list[str]:
    """The nodes of a zone, in order of name. Raises ChangeError where there are none."""
    found = [name for name in sorted(world.nodes) if world.zone_of(name) == zone]
    if not found:
        zones = {world.zone_of(name) for name in world.nodes} - {""}
        raise ChangeError(f"{path}.zone", NoSuchName(zone, first(zones), len(zones)))
    return found


def first(names: Iterable[str]) -> tuple[str, ...]:
    """The first few names that there are, for an error about one that there is not."""
    return tuple(sorted(names)[:_MOST_NAMED])


def _plain(value: Any) -> Any:
    if isinstance(value, Taint):
        return {
            name: part for name, part in (("key", value.key), ("value", value.value), ("effect", value.effect)) if part
        }
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    return dict(value) if isinstance(value, Mapping) else value


# The fields of a change, read strictly: what is not known, missing or of another type is an error that names it.

_QUANTITY = re.compile(r"([0-9]{1,16}(?:\.[0-9]{1,9})?)(m|[kMGTP]|[KMGTP]i)?")
_SIZES = {unit: 1000.0**power for power, unit in enumerate("kMGTP", 1)}
_SIZES |= {f"{unit}i": 1024.0**power for power, unit in enumerate("KMGTP", 1)}
_MOST_OF_A_RESOURCE = 1e16
_EFFECTS = ("NoSchedule", "PreferNoSchedule", "NoExecute")
_MOST_LISTED = 20_000
_MOST_LABELS = 200
_LONGEST_NAME = 253
_LONGEST_TEXT = 4096


class ChangeFields:
    """The fields of one map; ``path`` leads to it. Every method raises ChangeError."""

    def __init__(self, entry: object, path: str, known: Collection[str]) -> None:
        if not isinstance(entry, Mapping):
            raise ChangeError(path, NotAMap(shown(entry), tuple(known)))
        self.path = path
        self._entry = entry
        for name in entry:
            if name not in known:
                close = get_close_matches(str(name)[:60], known, n=1)
                raise ChangeError(path, UnknownField(shown(name), tuple(known), close[0] if close else ""))

    def bad(self, name: str, problem: Problem) -> ChangeError:
        """The error of one field."""
        return ChangeError(f"{self.path}.{name}", problem)

    def has(self, name: str) -> bool:
        """Whether a field is given; null counts as not given."""
        return self._entry.get(name) is not None

    def text(self, name: str) -> str:
        """A text that is not empty."""
        value = self._needed(name)
        if not isinstance(value, str) or not value.isprintable() or len(value) > _LONGEST_TEXT:
            raise self.bad(name, NotAText(shown(value)))
        if not value:
            raise self.bad(name, Empty())
        return value

    def text_or_none(self, name: str) -> str | None:
        """A text, None where the field is not given."""
        return self.text(name) if self.has(name) else None

    def name(self, name: str) -> str:
        """The name of an object."""
        value = self.text(name)
        if len(value) > _LONGEST_NAME or any(character in value for character in "/ \\"):
            raise self.bad(name, NotAnObjectName(shown(value)))
        return value

    def word(self, name: str, words: Collection[str]) -> str:
        """One of several words."""
        value = self._needed(name, *words)
        if not isinstance(value, str) or value not in words:
            raise self.bad(name, NotOneOf(shown(value), tuple(words)))
        return value

    def integer(self, name: str, least: int, most: int) -> int:
        """A whole number within bounds."""
        value = self._needed(name)
        if type(value) is not int or not least <= value <= most:
            raise self.bad(name, OutOfRange(shown(value), least, most))
        return value

    def integer_or_none(self, name: str, least: int, most: int) -> int | None:
        """A whole number within bounds, None where the field is not given."""
        return self.integer(name, least, most) if self.has(name) else None

    def document(self, name: str) -> Document:
        """A Kubernetes object."""
        value = self._needed(name)
        if not isinstance(value, Mapping):
            raise self.bad(name, NotAnObject(shown(value)))
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of texts, empty where the field is not given."""
        values = self.listed(name, _MOST_LISTED)
        for number, value in enumerate(values):
            if not isinstance(value, str) or not value or len(value) > _LONGEST_TEXT:
                raise self.bad(f"{name}[{number}]", NotAText(shown(value)))
        return tuple(values)

    def listed(self, name: str, most: int) -> list[Any]:
        """A list of at most so many entries, empty where the field is not given."""
        value = self._entry.get(name)
        if value is None:
            return []
        if not isinstance(value, list | tuple):
            raise self.bad(name, NotAList(shown(value)))
        if len(value) > most:
            raise self.bad(name, TooMany(len(value), most))
        return list(value)

    def labels(self, name: str, *, removable: bool = False) -> dict[str, str | None]:
        """Labels by key; ``removable``: null takes a label away."""
        given = self._map(name)
        found: dict[str, str | None] = {}
        for key, value in given.items():
            if not isinstance(key, str) or key_fault(key):
                raise self.bad(name, NotALabelKey(shown(key)))
            if value is None and removable:
                found[key] = None
                continue
            if not isinstance(value, str):
                raise self.bad(f"{name}.{key}", NotAText(shown(value)))
            if value_fault(value):
                raise self.bad(f"{name}.{key}", NotALabelValue(shown(value)))
            found[key] = value
        return found

    def plain_labels(self, name: str) -> dict[str, str]:
        """Labels by key, empty where the field is not given."""
        return {key: value for key, value in self.labels(name).items() if value is not None}

    def label_values(self, name: str) -> tuple[str, ...]:
        """Values of labels, empty where the field is not given."""
        values = self.texts(name)
        for number, value in enumerate(values):
            if value_fault(value):
                raise self.bad(f"{name}[{number}]", NotALabelValue(shown(value)))
        return values

    def taints(self, name: str) -> tuple[Taint, ...]:
        """A list of taints, empty where the field is not given."""
        found = []
        for number, entry in enumerate(self.listed(name, _MOST_LABELS)):
            one = ChangeFields(entry, f"{self.path}.{name}[{number}]", ("key", "value", "effect"))
            key, value = one.text("key"), str(one.text_or_none("value") or "")
            if key_fault(key):
                raise one.bad("key", NotALabelKey(shown(key)))
            if value_fault(value):
                raise one.bad("value", NotALabelValue(shown(value)))
            found.append(Taint(key, value, one.word("effect", _EFFECTS)))
        return tuple(found)

    def taint_names(self, name: str) -> tuple[str, ...]:
        """Keys of taints, or keys with effects as in ``key:effect``."""
        names = self.texts(name)
        for number, text in enumerate(names):
            key, _, effect = text.partition(":")
            if key_fault(key) or (effect and effect not in _EFFECTS):
                raise self.bad(f"{name}[{number}]", InvalidValue(shown(text), ("old", "old:NoSchedule")))
        return names

    def quantities(self, name: str) -> dict[str, str]:
        """Amounts of resources by name."""
        given = self._map(name)
        return {str(resource): self._quantity(f"{name}.{resource}", given[resource]) for resource in given}

    def quantity(self, name: str) -> str:
        """An amount of the resource that the field is called after."""
        return self._quantity(name, self._needed(name))

    def _quantity(self, field: str, value: Any) -> str:
        text = str(value) if isinstance(value, str) or type(value) in (int, float) else ""
        match = _QUANTITY.fullmatch(text)
        if match is None:
            raise self.bad(field, NotAQuantity(shown(value)))
        if float(match[1]) * _SIZES.get(match[2] or "", 1) > _MOST_OF_A_RESOURCE:
            raise self.bad(field, MoreThanAnyNode(shown(value)))
        return text

    def _map(self, name: str) -> Mapping[Any, Any]:
        value = self._entry.get(name)
        if value is None:
            return {}
        if not isinstance(value, Mapping):
            raise self.bad(name, NotAMap(shown(value)))
        if len(value) > _MOST_LABELS:
            raise self.bad(name, TooMany(len(value), _MOST_LABELS))
        return value

    def _needed(self, name: str, *known: str) -> Any:
        value = self._entry.get(name)
        if value is None:
            raise self.bad(name, Missing(known))
        return value


# A cluster that is being changed: its objects, the pending pods, and what is to be remarked.

# What disruption budgets allow once a cluster has been changed.
#
# Upstream: ``updatePdbStatus`` in ``pkg/controller/disruption/disruption.go`` v1.34.1. Preemption reads it in the
# status.


def settle_budgets(snapshot: Snapshot, others: Iterable[Document]) -> None:
    """Write the status of every budget; ``others``: pods that the snapshot does not hold, as they wait or are done."""
    documents = list(snapshot.objects(KIND))
    if not documents:
        return
    ledger = Ledger(snapshot, others)
    ledger.settle(snapshot, map(key_of, documents))
    for document in documents:
        status = ledger.reported(key_of(document))
        written = {
            "observedGeneration": int(metadata(document).get("generation") or 0),
            "expectedPods": status.expected,
            "currentHealthy": status.healthy,
            "desiredHealthy": status.desired,
            "disruptionsAllowed": status.allowed,
        }
        snapshot.upsert({**document, "status": {**(document.get("status") or {}), **written}})


_BETA_ZONE = "failure-domain.beta.kubernetes.io/zone"


class ClusterDocuments:
    """The documents of a cluster. ``nodes`` by name; ``pods`` that have a node or have finished, and ``waiting`` ones,
    by ``namespace/name``; ``daemons``: templates of DaemonSets that were added, by ``namespace/name``.
    ``replaced``: the pods that came in the place of others, by those.
    """

    def __init__(self, documents: Iterable[Document], configuration: SchedulerConfiguration) -> None:
        self.nodes: dict[str, Document] = {}
        self.pods: dict[str, Document] = {}
        self.waiting: dict[str, Wanted] = {}
        self.daemons: dict[str, Document] = {}
        self.drained: dict[str, None] = {}
        self.unreachable: dict[str, None] = {}
        self.not_ready: dict[str, None] = {}
        self.replaced: dict[str, str] = {}
        # What was simplified or left out.
        self.remarks: list[Remark] = []
        self.schedulers = frozenset(profile.scheduler_name for profile in configuration.profiles)
        self._configuration = configuration
        # The objects beside nodes and pods.
        self.shelf = Snapshot()
        self._on_node: dict[str, dict[str, None]] = defaultdict(dict)
        self._members: dict[Workload, dict[str, None]] = defaultdict(dict)
        self._numbers: dict[str, int] = {}
        # Pending pods of the base that other schedulers place.
        self._elsewhere: dict[str, Document] = {}
        pods = []
        for document in documents:
            kind = document.get("kind")
            if kind == "Node":
                self.nodes[name_of(document)] = document
            elif kind == "Pod":
                pods.append(Pod(document))
            else:
                self.shelf.upsert(document)
        # Whatever order the objects come in, what becomes of them does not depend on it.
        pods.sort(key=lambda pod: (pod.created, pod.key))
        for pod in pods:
            if pod.node_name or pod.finished or pod.terminating:
                self._keep(pod)
        self._take_in([pod for pod in pods if pod.key not in self.pods])
        self._base = {pod.key: pod.document for pod in pods}

    def case(self, *, seed: int, samples: bool, is_graceful: bool = False) -> Case:
        """The world as a simulation begins with it."""
        wanted = sorted(self.waiting.values(), key=lambda each: each.at)
        nominated = [each.pod for each in wanted if (each.pod.get("status") or {}).get("nominatedNodeName")]
        kinds = self.shelf.content()["objects"].values()
        objects = [*self.nodes.values(), *self.pods.values(), *nominated, *kinds]
        snapshot = Snapshot.from_objects(objects, self._configuration.release)
        finished = {key: pod for key, pod in self.pods.items() if Pod(pod).finished}
        settle_budgets(snapshot, [*finished.values(), *(each.pod for each in wanted)])
        if snapshot.objects(QUOTA):
            there = self._remaining()
            settle_quotas(snapshot, there.values(), (pod for key, pod in self._base.items() if key not in there))
        return Case(
            snapshot=snapshot,
            configuration=self._configuration,
            wanted=wanted,
            drained=sorted(self.drained),
            unreachable=sorted(self.unreachable),
            not_ready=sorted(self.not_ready),
            samples=samples,
            seed=seed,
            placed={key: pod for key, pod in self.pods.items() if key not in finished},
            replaced=dict(self.replaced),
            admits_pods=True,
            orders_ordinals=True,
            is_graceful=is_graceful,
        )

    def _remaining(self) -> dict[str, Document]:
        """The pods of the base that are still there, as the base has them; one that lost its node is still the same."""
        found = dict(self._elsewhere)
        for key, pod in self._base.items():
            here = self.pod(key)
            if here is not None and metadata(here).get("uid") == metadata(pod).get("uid"):
                found[key] = pod
        return found

    # -- nodes -----------------------------------------------------------------------------------------------

    def add_node(self, path: str, node: Document) -> None:
        """Add a node. Raises ChangeError where there is one of its name, or too many."""
        name = name_of(node)
        if name in self.nodes:
            raise ChangeError(path, NameExists(name))
        if len(self.nodes) >= MOST_NODES:
            raise ChangeError(path, OverLimit(MOST_NODES))
        self.nodes[name] = node

    def drop_node(self, name: str) -> list[Document]:
        """Take a node away with its pods, which are returned."""
        pods = self.pods_on(name)
        for pod in pods:
            self.drop(key_of(pod))
        del self.nodes[name]
        self.drained.pop(name, None)
        self.unreachable.pop(name, None)
        self.not_ready.pop(name, None)
        return pods

    def zone_of(self, node: str) -> str:
        """The zone of a node, empty where it has none."""
        labels = metadata(self.nodes[node]).get("labels") or {}
        return str(labels.get(ZONE) or labels.get(_BETA_ZONE) or "")

    def selects(self, selector: str, node: str) -> bool:
        """Whether a label selector means a node."""
        return selector_of(selector).matches(labels_of(self.nodes[node]))

    # -- pods ------------------------------------------------------------------------------------------------

    def drop(self, key: str) -> None:
        """Take a pod away, wherever it is."""
        wanted = self.waiting.pop(key, None)
        pod = self.pods.pop(key, None) or (wanted.pod if wanted else None)
        if pod is None:
            return
        self._on_node[str((pod.get("spec") or {}).get("nodeName"))].pop(key, None)
        self._members[workload_of(pod)].pop(key, None)

    def own(self, key: str, owner: Document) -> None:
        """Let a pod that nothing controls belong to a controller, by an owner reference to it."""
        wanted = self.waiting.get(key)
        pod = self.pods[key] if wanted is None else wanted.pod
        self._members[workload_of(pod)].pop(key, None)
        owners = [*(metadata(pod).get("ownerReferences") or ()), owner]
        owned = {**pod, "metadata": {**metadata(pod), "ownerReferences": owners}}
        if wanted is None:
            self.pods[key] = owned
        else:
            self.waiting[key] = replace(wanted, pod=owned)
        self._members[workload_of(owned)][key] = None

    def want(self, path: str, pods: Iterable[Document] | Iterable[Wanted], origin: Origin = Origin.ADDED) -> None:
        """Let pods wait for a node. Raises ChangeError where one has the name of another, or there are too many."""
        for entry in pods:
            wanted = entry if isinstance(entry, Wanted) else Wanted(entry, origin=origin)
            key = key_of(wanted.pod)
            if key in self.pods or key in self.waiting:
                raise ChangeError(path, NameExists(key))
            if len(self.waiting) >= MOST_WANTED:
                raise ChangeError(path, OverLimit(MOST_WANTED))
            self.waiting[key] = wanted
            self._members[workload_of(wanted.pod)][key] = None

    def put_pod(self, key: str, document: Document) -> None:
        """Let a pod that is there be another one of its name, workload and node."""
        if key in self.pods:
            self.pods[key] = document
        else:
            self.waiting[key] = replace(self.waiting[key], pod=document)

    def pod(self, key: str) -> Document | None:
        """A pod by ``namespace/name``, placed or waiting."""
        wanted = self.waiting.get(key)
        return self.pods.get(key) if wanted is None else wanted.pod

    def pods_on(self, node: str) -> list[Document]:
        """The pods of a node."""
        return [self.pods[key] for key in self._on_node.get(node, ())]

    def pods_of(self, workload: Workload) -> list[Document]:
        """The pods of a workload, placed or waiting."""
        keys = self._members.get(workload, ())
        return [self.pods[key] if key in self.pods else self.waiting[key].pod for key in keys]

    def workloads(self) -> Iterator[Workload]:
        """Every workload that has pods."""
        return (workload for workload, keys in self._members.items() if keys)

    def new_names(self, namespace: str, stem: str) -> Iterator[str]:
        """Names for new pods: the stem and a number, counted on from call to call."""
        counter = f"{namespace}/{stem}"
        while True:
            number = self._numbers[counter] = self._numbers.get(counter, 0) + 1
            name = f"{stem}-{number}"
            if f"{namespace}/{name}" not in self.pods and f"{namespace}/{name}" not in self.waiting:
                yield name

    def _keep(self, pod: Pod) -> None:
        """Let a pod of the base be where it says it is."""
        self.pods[pod.key] = pod.document
        if pod.node_name:
            self._on_node[pod.node_name][pod.key] = None
        self._members[workload_of(pod.document)][pod.key] = None

    def _take_in(self, pods: list[Pod]) -> None:
        """Let the pods of the base that wait be wanted first, those of other schedulers aside."""
        for pod in pods:
            if pod.scheduler_name in self.schedulers:
                self.waiting[pod.key] = Wanted(pod.document, origin=Origin.PENDING_BEFORE)
                self._members[workload_of(pod.document)][pod.key] = None
            else:
                self._elsewhere[pod.key] = pod.document
        foreign = len(self._elsewhere)
        if foreign:
            self.remarks.append(PendingElsewhere(foreign))
        if len(self.waiting) > MOST_WANTED:
            raise ChangeError("base", TooManyPending(len(self.waiting), MOST_WANTED))


def workload_of(pod: Document) -> Workload:
    """What made a pod, as operators call it."""
    labels: Any = metadata(pod).get("labels") or {}
    return Workload.of(namespace_of(pod), Controller.of(pod), str(labels.get(TEMPLATE_HASH) or ""))
