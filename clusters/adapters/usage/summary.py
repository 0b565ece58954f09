"""What a kubelet says of its node and pods: ``/stats/summary``, as ``kubectl get --raw`` prints it.

Upstream: ``stats/v1alpha1`` of ``k8s.io/kubelet`` v0.34.1. It has no kind of its own and names one node. Of disks it
tells more than metrics.k8s.io, which knows CPU and memory alone.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from clusters.adapters.bad_input import shown
from clusters.adapters.observed.log_files import first_lines
from clusters.adapters.prune.shapes import WrongField, each, fields, integer, moment, timestamp, token
from clusters.engine.kubelet.signals import Signal
from clusters.engine.problems import BelowLeast, Missing
from clusters.engine.usage.disks import FilesystemSize, NodeDisks, Observed, OnDisk, PodDisks, layout_of
from clusters.engine.usage.sample import PodUsage, UsedAmounts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from datetime import datetime

    from clusters.adapters.usage.found import UsageFound

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
    used = _used(node)
    if used is not None:
        found.add_node(at, name, used)
    pods = []
    for number, pod in enumerate(kept.get("pods") or ()):
        try:
            pods.append(_pod(pod, at, found))
        except WrongField as error:
            raise error.within(number).within("pods") from None
    sizes = (node.get("fs"), *((node.get("runtime") or {}).get(each) for each in ("imageFs", "containerFs")))
    found.add_disks(at, name, NodeDisks(_observed(node), layout_of(*map(_size, sizes)), tuple(pods)))


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
        amounts = _used(container)
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


def _used(entry: Mapping[str, Any]) -> UsedAmounts | None:
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
