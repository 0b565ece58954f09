"""Usage as others report it: metrics.k8s.io objects, the text of kubectl top, Prometheus."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct, field

from clusters.adapters.bad_input import BadInput, shown
from clusters.adapters.buffers import Meter, first_lines, opened
from clusters.adapters.prune.shapes import (
    WrongField,
    each,
    fields,
    integer,
    metadata,
    moment,
    quantity,
    timestamp,
    token,
)
from clusters.adapters.rows import identified
from clusters.engine.kubelet import FilesystemSize, NodeDisks, Observed, OnDisk, PodDisks, Signal, layout_of
from clusters.engine.problems import BelowLeast, InvalidValue, Missing, MoreThanAnyNode, Problem
from clusters.engine.quantity import NANO, nano_units
from clusters.engine.resources import CPU, MEMORY, base_amount
from clusters.engine.usage import WHOLE_POD, PodUsage, UsedAmounts
from clusters.problems.inputs import ManyObjects
from clusters.problems.live import (
    TopAmount,
    TopUnreadable,
    UsageOfTheFuture,
)
from clusters.problems.skips import NodeNotMeasured

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path


# The usage that a source tells, put in order by hour.

_AHEAD = timedelta(days=1)
_FIRST_YEAR = 1970
# A trillion CPUs, or a PiB of memory: whatever pods have together is then far below 64 bits.
MOST_USED = 2**50


def used_amount(resource: str, text: str) -> int:
    """Read what is used of CPU or memory, in milli-CPU or bytes. Raises WrongField for what no machine has."""
    if nano_units(text) > MOST_USED * 10 ** (NANO - 3 if resource == CPU else NANO):
        raise WrongField(MoreThanAnyNode(shown(text)))
    return base_amount(resource, text)


class HourFound(Struct):
    """What was used in one hour: of each pod and node the latest that the source tells, with its moment."""

    at: datetime
    pods: dict[str, tuple[datetime, PodUsage]] = field(default_factory=dict)
    nodes: dict[str, tuple[datetime, UsedAmounts]] = field(default_factory=dict)


class UsageFound:
    """Takes usage of pods and nodes one by one; ``hours`` by the full hour that each belongs to.

    ``disks``: of each node the latest that its kubelet says of disks, with its moment.
    """

    def __init__(self) -> None:
        self.hours: dict[datetime, HourFound] = {}
        self.disks: dict[str, tuple[datetime, NodeDisks]] = {}
        # Of a clock that is wrong by years a history could not be told from what is old.
        self._latest = datetime.now(UTC) + _AHEAD

    def __bool__(self) -> bool:
        return bool(self.hours or self.disks)

    @property
    def pods(self) -> int:
        """How many samples of pods there are, all hours together."""
        return sum(len(hour.pods) for hour in self.hours.values())

    def add_pod(self, at: datetime, used: PodUsage) -> None:
        """Take what a pod uses. Raises WrongField for a time that cannot be right."""
        pods = self._hour(at).pods
        if used.key not in pods or pods[used.key][0] <= at:
            pods[used.key] = at, used

    def add_node(self, at: datetime, name: str, used: UsedAmounts) -> None:
        """Take what a node uses. Raises WrongField for a time that cannot be right."""
        nodes = self._hour(at).nodes
        if name not in nodes or nodes[name][0] <= at:
            nodes[name] = at, used

    def refuse_wrong_time(self, at: datetime) -> None:
        """Raise WrongField for a time that cannot be right."""
        # Go's zero is in the year 1, from which no days can be taken.
        if at.year < _FIRST_YEAR:
            raise WrongField(InvalidValue(shown(at.isoformat()), ("2026-01-31T12:00:00Z",)))
        if at > self._latest:
            raise WrongField(UsageOfTheFuture(shown(at.isoformat())))

    def _hour(self, at: datetime) -> HourFound:
        self.refuse_wrong_time(at)
        full = at.astimezone(UTC).replace(minute=0, second=0, microsecond=0)
        found = self.hours.setdefault(full, HourFound(at))
        found.at = max(found.at, at)
        return found


# PodMetrics and NodeMetrics of metrics.k8s.io, as metrics-server and adapters of other monitoring serve them.

METRICS_GROUP, METRICS_RELEASE = "metrics.k8s.io", "v1beta1"
METRICS_VERSION = f"{METRICS_GROUP}/{METRICS_RELEASE}"
POD_METRICS, NODE_METRICS = "PodMetrics", "NodeMetrics"
METRICS_KINDS = frozenset({POD_METRICS, NODE_METRICS})

_usage = fields({CPU: quantity, MEMORY: quantity})
_pod_metrics = fields(
    {"metadata": metadata, "timestamp": timestamp, "containers": each(fields({"name": token, "usage": _usage}))}
)
_node_metrics = fields({"metadata": metadata, "timestamp": timestamp, "usage": _usage})
_KIND = re.compile(r"""["']?\bkind["']?\s*:\s*["']?([A-Za-z]+)""")


def is_metrics(api_version: str, kind: str) -> bool:
    """Say whether objects of a type tell what is used."""
    return api_version == METRICS_VERSION and kind in METRICS_KINDS


def begins_with_metrics(start: bytes) -> bool:
    """Tell usage from a dump by the first bytes: the first object is one of metrics.k8s.io."""
    text = "\n".join(first_lines(start))
    kinds = (found[1].removesuffix("List") for found in _KIND.finditer(text))
    return METRICS_GROUP in text and next((kind for kind in kinds if kind), "") in METRICS_KINDS


def add_metrics(document: dict[str, Any], kind: str, found: UsageFound) -> None:
    """Take what one object tells. Raises WrongField."""
    if kind == POD_METRICS:
        _add_pod(document, found)
    else:
        kept = _node_metrics(document)
        _, name = identified(kept, is_namespaced=False)
        _at(kept, lambda at: found.add_node(at, name, _used(kept)))


def _add_pod(document: dict[str, Any], found: UsageFound) -> None:
    kept = _pod_metrics(document)
    namespace, name = identified(kept, is_namespaced=True)
    containers: dict[str, UsedAmounts] = {}
    for number, entry in enumerate(kept.get("containers") or ()):
        try:
            if not entry.get("name"):
                raise WrongField(Missing()).within("name")
            containers[entry["name"]] = _used(entry)
        except WrongField as error:
            raise error.within(number).within("containers") from None
    _at(kept, lambda at: found.add_pod(at, PodUsage(namespace, name, containers)))


def _at(kept: Mapping[str, Any], add: Any) -> None:
    try:
        if "timestamp" not in kept:
            raise WrongField(Missing())
        add(moment(kept["timestamp"]))
    except WrongField as error:
        raise error.within("timestamp") from None


def _used(entry: Mapping[str, Any]) -> UsedAmounts:
    usage = entry.get("usage") or {}
    amounts = []
    for resource in (CPU, MEMORY):
        try:
            if resource not in usage:
                raise WrongField(Missing())
            amounts.append(used_amount(resource, usage[resource]))
        except WrongField as error:
            raise error.within(resource).within("usage") from None
    return UsedAmounts(*amounts)


# What a kubelet says of its node and pods: ``/stats/summary``, as ``kubectl get --raw`` prints it.
#
# Upstream: ``stats/v1alpha1`` of ``k8s.io/kubelet`` v0.34.1. It has no kind of its own and names one node. Of disks
# it tells more than metrics.k8s.io, which knows CPU and memory alone.

# Neither stands in the document.
SUMMARY_VERSION, SUMMARY = "stats/v1alpha1", "Summary"
_NANO_IN_MILLI: Final = 10**6
_SYSTEM_PODS, _WINDOWS_MEMORY = "pods", "windows-global-commit-memory"
_BEGINNING = re.compile(r"""\s*(?:\[\s*)?\{\s*"node"\s*:\s*\{\s*"nodeName"\s*:""")


def _count(value: Any) -> int:
    """Keep a whole number that is not negative."""
    if integer(value) < 0:
        raise WrongField(BelowLeast(shown(value), 0))
    return int(value)


_cpu = fields({"time": timestamp, "usageNanoCores": _count})
_memory = fields({"time": timestamp, "availableBytes": _count, "usageBytes": _count, "workingSetBytes": _count})
_FILESYSTEM: Final = {
    "time": timestamp,
    "availableBytes": _count,
    "capacityBytes": _count,
    "usedBytes": _count,
    "inodesFree": _count,
    "inodes": _count,
    "inodesUsed": _count,
}
_filesystem = fields(_FILESYSTEM)
_summary = fields(
    {
        "node": fields(
            {
                "nodeName": token,
                "systemContainers": each(fields({"name": token, "memory": _memory})),
                "cpu": _cpu,
                "memory": _memory,
                "fs": _filesystem,
                "runtime": fields({"imageFs": _filesystem, "containerFs": _filesystem}),
                "rlimit": fields({"maxpid": _count, "curproc": _count}),
            }
        ),
        "pods": each(
            fields(
                {
                    "podRef": fields({"name": token, "namespace": token, "uid": token}),
                    "containers": each(
                        fields(
                            {"name": token, "cpu": _cpu, "memory": _memory, "rootfs": _filesystem, "logs": _filesystem}
                        )
                    ),
                    "volume": each(fields({"name": token, **_FILESYSTEM})),
                    "ephemeral-storage": _filesystem,
                    "process_stats": fields({"process_count": _count}),
                }
            )
        ),
    }
)


def is_summary(document: Any) -> bool:
    """Say whether a document without a type is what a kubelet tells."""
    if type(document) is not dict or "kind" in document or type(document.get("node")) is not dict:
        return False
    return "nodeName" in document["node"] or type(document.get("pods")) is list


def begins_with_summary(start: bytes) -> bool:
    """Tell a summary, or a list of them, from a dump by the first bytes."""
    return _BEGINNING.match("\n".join(first_lines(start))) is not None


def add_summary(document: dict[str, Any], found: UsageFound) -> None:
    """Take what one kubelet tells: what its node and pods use, and have on disks. Raises WrongField."""
    kept = _summary(document)
    node = kept["node"]
    name = _needed(node, "nodeName", "node")
    at = _taken_at(node, found)
    used = _summary_used(node)
    if used is not None:
        found.add_node(at, name, used)
    pods = []
    for number, pod in enumerate(kept.get("pods") or ()):
        try:
            pods.append(_pod(pod, at, found))
        except WrongField as error:
            raise error.within(number).within("pods") from None
    sizes = (node.get("fs"), *((node.get("runtime") or {}).get(each) for each in ("imageFs", "containerFs")))
    disks = NodeDisks(_observed(node), layout_of(*map(_size, sizes)), tuple(pods))
    found.refuse_wrong_time(at)
    if name not in found.disks or found.disks[name][0] <= at:
        found.disks[name] = at, disks


def _taken_at(node: Mapping[str, Any], found: UsageFound) -> datetime:
    """The moment that a summary is of: what it says of a node's memory, CPU or disk, whatever is there first."""
    for part in ("memory", "cpu", "fs"):
        if (node.get(part) or {}).get("time"):
            at = moment(node[part]["time"])
            try:
                found.refuse_wrong_time(at)
            except WrongField as error:
                raise error.within("time").within(part).within("node") from None
            return at
    raise WrongField(Missing()).within("time").within("memory").within("node")


def _needed(kept: Mapping[str, Any], name: str, *place: str) -> str:
    """Return a text that has to be there; ``place`` is where, the innermost first."""
    if not kept.get(name):
        error = WrongField(Missing()).within(name)
        for step in place:
            error.within(step)
        raise error
    return str(kept[name])


def _pod(pod: Mapping[str, Any], at: datetime, found: UsageFound) -> PodDisks:
    reference = pod.get("podRef") or {}
    namespace, name, uid = (_needed(reference, each, "podRef") for each in ("namespace", "name", "uid"))
    containers = pod.get("containers") or []
    used: dict[str, UsedAmounts] = {}
    for number, container in enumerate(containers):
        try:
            of = _needed(container, "name")
        except WrongField as error:
            raise error.within(number).within("containers") from None
        amounts = _summary_used(container)
        # One that has ended, or has just begun, has none.
        if amounts is not None:
            used[of] = amounts
    if used:
        found.add_pod(at, PodUsage(namespace, name, used))
    return PodDisks(
        uid,
        namespace,
        name,
        _on_disks(containers, lambda each: each.get("rootfs")),
        _on_disks(containers, lambda each: each.get("logs")),
        _on_disks(pod.get("volume") or (), lambda each: each),
        total_bytes=(pod.get("ephemeral-storage") or {}).get("usedBytes", 0),
        processes=(pod.get("process_stats") or {}).get("process_count", 0),
    )


def _on_disks(
    entries: Iterable[Mapping[str, Any]], stats: Callable[[Mapping[str, Any]], Mapping[str, Any] | None]
) -> dict[str, OnDisk]:
    """What containers or volumes take, by name, as far as there is anything to be told."""
    found = {}
    for entry in entries:
        told = stats(entry) or {}
        if "usedBytes" in told or "inodesUsed" in told:
            found[str(entry.get("name", ""))] = OnDisk(told.get("usedBytes", 0), told.get("inodesUsed", 0))
    return found


def _summary_used(entry: Mapping[str, Any]) -> UsedAmounts | None:
    """CPU, rounded up, and the working set of a node or a container; None where one of them is not there."""
    cpu, memory = (entry.get("cpu") or {}).get("usageNanoCores"), (entry.get("memory") or {}).get("workingSetBytes")
    return None if cpu is None or memory is None else UsedAmounts(-(-cpu // _NANO_IN_MILLI), memory)


def _size(filesystem: Mapping[str, Any] | None) -> FilesystemSize | None:
    if not filesystem or "capacityBytes" not in filesystem:
        return None
    return FilesystemSize(filesystem["capacityBytes"], filesystem.get("inodes", 0))


def _observed(node: Mapping[str, Any]) -> dict[Signal, Observed]:
    """What the kubelet measures by each signal, as far as it reports what that takes."""
    system = {each.get("name"): each.get("memory") or {} for each in node.get("systemContainers") or ()}
    runtime, processes = node.get("runtime") or {}, node.get("rlimit") or {}
    windows = system.get(_WINDOWS_MEMORY)
    memory, taken = (node.get("memory") or {}, "workingSetBytes") if windows is None else (windows, "usageBytes")
    pods = system.get(_SYSTEM_PODS) or {}
    found: dict[Signal, tuple[int | None, int | None]] = {
        Signal.MEMORY: _with(memory.get("availableBytes"), memory.get(taken)),
        Signal.ALLOCATABLE_MEMORY: _with(pods.get("availableBytes"), pods.get("workingSetBytes")),
    }
    for (space, inodes), filesystem in (
        ((Signal.NODE_FS, Signal.NODE_FS_INODES), node.get("fs") or {}),
        ((Signal.IMAGE_FS, Signal.IMAGE_FS_INODES), runtime.get("imageFs") or {}),
        ((Signal.CONTAINER_FS, Signal.CONTAINER_FS_INODES), runtime.get("containerFs") or {}),
    ):
        found[space] = filesystem.get("availableBytes"), filesystem.get("capacityBytes")
        found[inodes] = filesystem.get("inodesFree"), filesystem.get("inodes")
    most, running = processes.get("maxpid"), processes.get("curproc")
    if most is not None and running is not None:
        found[Signal.PIDS] = most - running, most
    return {
        signal: Observed(available, capacity)
        for signal, (available, capacity) in found.items()
        if available is not None and capacity is not None
    }


def _with(available: int | None, used: int | None) -> tuple[int | None, int | None]:
    """What is available, and what that is of."""
    return available, None if available is None or used is None else available + used


# What kubectl top prints: tables of pods, of their containers, and of nodes.
#
# Upstream: ``pkg/metricsutil/metrics_printer.go`` of ``k8s.io/kubectl`` v0.34.1; until v1.33 headings had ``CPU%``
# for ``CPU(%)``. CPU is in thousandths, rounded up, and memory in whole MiB, rounded down.

_CPU, _MEMORY = "CPU(cores)", "MEMORY(bytes)"
_NAMESPACE, _POD, _NAME = "NAMESPACE", "POD", "NAME"
_OF_NODES = frozenset({"CPU%", "CPU(%)"})
_KNOWN = frozenset(
    {_NAMESPACE, _POD, _NAME, _CPU, _MEMORY, *_OF_NODES, "MEMORY%", "MEMORY(%)", "SWAP(bytes)", "SWAP(%)"}
)
_UNKNOWN: Final = "<unknown>"
_LONGEST_LINE: Final = 4096
_LINES_BETWEEN_REPORTS: Final = 1000


def begins_with_top(start: bytes) -> bool:
    """Tell the output of kubectl top by its heading."""
    return any(_is_heading(line.split()) for line in first_lines(start)[:1])


def _is_heading(cells: list[str]) -> bool:
    return _CPU in cells and _MEMORY in cells


class TopText:
    """The output of one or more runs of kubectl top, one after the other, which is being read."""

    def __init__(self, found: UsageFound, *, at: datetime, most: int) -> None:
        self._found = found
        self._at = at
        self._most = most
        self._columns: list[str] = []
        self._pods: dict[tuple[str, str], dict[str, UsedAmounts]] = {}
        self._is_sum = False
        self.lines = 0
        self.rows = 0
        # Nodes of which the output says that they were not measured.
        self.unmeasured = 0

    @property
    def skipped(self) -> dict[Problem, int]:
        """What was left out, and why."""
        return {NodeNotMeasured(): self.unmeasured} if self.unmeasured else {}

    def read(self, path: Path, meter: Meter, *, name: str) -> Iterator[None]:
        """Read a file; yield now and then, so that the caller may report progress. Raises BadInput."""
        meter.open_file(meter.bytes_total)
        data = opened(path, meter)[:]
        try:
            lines = data.decode("utf-8", "replace").splitlines()
            for number, line in enumerate(lines, 1):
                self._take(number, line)
                if not number % _LINES_BETWEEN_REPORTS:
                    meter.at(number / len(lines))
                    yield
            for (namespace, pod), containers in self._pods.items():
                self._found.add_pod(self._at, PodUsage(namespace, pod, containers))
        except BadInput as error:
            raise error.at(file=name) from None

    def _take(self, number: int, line: str) -> None:
        self.lines += 1
        if len(line) > _LONGEST_LINE:
            raise BadInput(TopUnreadable(number, shown(line)))
        cells = line.split()
        if _is_heading(cells):
            self._begin(number, cells)
        elif cells and not cells[0].strip("_"):
            # With --sum two lines follow: one that is drawn, and the sums.
            self._is_sum = True
        elif cells and self._is_sum:
            self._is_sum = False
        elif cells:
            self._row(number, line, cells)

    def _begin(self, number: int, cells: list[str]) -> None:
        unknown = next((cell for cell in cells if cell not in _KNOWN), None)
        if unknown is not None:
            raise BadInput(TopUnreadable(number, shown(unknown)))
        if _NAME not in cells:
            raise BadInput(TopUnreadable(number, "NAME"))
        if _NAMESPACE not in cells and _OF_NODES.isdisjoint(cells):
            raise BadInput(TopUnreadable(number, "NAMESPACE"))
        self._columns, self._is_sum = cells, False

    def _row(self, number: int, line: str, cells: list[str]) -> None:
        if len(cells) != len(self._columns):
            raise BadInput(TopUnreadable(number, shown(line.strip())))
        if self.rows >= self._most:
            raise BadInput(ManyObjects(self._most))
        row = dict(zip(self._columns, cells, strict=True))
        if _UNKNOWN in (row[_CPU], row[_MEMORY]):
            self.unmeasured += 1
            return
        self.rows += 1
        used = UsedAmounts(self._amount(number, row, CPU, _CPU), self._amount(number, row, MEMORY, _MEMORY))
        if _NAMESPACE in row:
            pod = row.get(_POD, row[_NAME])
            container = row[_NAME] if _POD in row else WHOLE_POD
            self._pods.setdefault((row[_NAMESPACE], pod), {})[container] = used
        else:
            self._found.add_node(self._at, row[_NAME], used)

    def _amount(self, number: int, row: dict[str, str], resource: str, column: str) -> int:
        try:
            return used_amount(resource, quantity(row[column]))
        except WrongField as error:
            raise BadInput(TopAmount(number, column, error.problem)) from None
