"""What a node says of itself: taints, conditions, images and volumes, with what they mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clusters.wording import amounts
from clusters.wording.amounts import counted, grouped
from dashboard.pictures.meter import Meter, meter
from dashboard.presenters.wording import listed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clusters.engine import Snapshot
    from clusters.engine.disruption.taint_eviction import TaintEviction
    from clusters.engine.volumes.attachable import DriverUse


@dataclass(frozen=True, slots=True)
class Taint:
    """A taint as kubectl writes it, what its effect means, and who puts it there where that is known."""

    text: str
    meaning: str
    origin: str


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition as the kubelet reported it; `kind` is the badge's kind, `meaning` what follows if it is bad."""

    type: str
    status: str
    kind: str
    reason: str
    message: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Image:
    """An image that the node holds, under its most telling name; `counts_as` is what ImageLocality counts of it."""

    name: str
    others: int
    size: str
    spread: str
    counts_as: str


@dataclass(frozen=True, slots=True)
class Driver:
    """The volumes of a CSI driver; `meter` is None where the node names no limit."""

    name: str
    attached: str
    parts: str
    meter: Meter | None


EFFECTS = {
    "NoSchedule": "No new pod without a toleration; pods that are here stay.",
    "PreferNoSchedule": "New pods rather go elsewhere; none is refused.",
    "NoExecute": "No new pod without a toleration, and pods that are here without one leave.",
}
_ORIGINS = {
    "node.kubernetes.io/not-ready": "set while the condition Ready is False",
    "node.kubernetes.io/unreachable": "set while the condition Ready is Unknown",
    "node.kubernetes.io/memory-pressure": "set while the condition MemoryPressure is True",
    "node.kubernetes.io/disk-pressure": "set while the condition DiskPressure is True",
    "node.kubernetes.io/pid-pressure": "set while the condition PIDPressure is True",
    "node.kubernetes.io/network-unavailable": "set while the condition NetworkUnavailable is True",
    "node.kubernetes.io/unschedulable": "set while the node is cordoned",
    "node.kubernetes.io/out-of-service": "set by somebody who knows that the machine is down",
    "node.cloudprovider.kubernetes.io/uninitialized": "set until the cloud's controller has initialised the node",
    "node.cloudprovider.kubernetes.io/shutdown": "set while the cloud reports the machine as shut down",
}
_MEANINGS = {
    "Ready": "New pods stay away, and after their tolerated time those that are here leave.",
    "MemoryPressure": "The kubelet evicts pods to regain memory, and takes no new BestEffort ones.",
    "DiskPressure": "The kubelet removes unused images and evicts pods, and takes no new ones.",
    "PIDPressure": "The kubelet evicts pods, and takes no new ones.",
    "NetworkUnavailable": "The node's network is not set up: new pods stay away.",
}
_DIGEST = "@sha256:"


def taints(node: Mapping[str, Any]) -> list[Taint]:
    """Present the taints of a pruned Node object."""
    found = []
    for taint in node.get("spec", {}).get("taints") or ():
        effect, key = str(taint.get("effect", "")), str(taint.get("key", ""))
        key_value = f"{key}={taint['value']}" if taint.get("value") else key
        found.append(Taint(f"{key_value}:{effect}", EFFECTS.get(effect, ""), _ORIGINS.get(key, "")))
    return found


def leaving(found: TaintEviction | None) -> str:
    """Say what NoExecute taints do to the pods that are here; empty without such a taint."""
    if found is None:
        return ""
    parts = []
    if found.at_once:
        parts.append(f"{counted(found.at_once, 'pod', 'pods')} to go at once")
    parts += [f"{counted(number, 'pod', 'pods')} after {grouped(seconds)} s" for seconds, number in found.later.items()]
    if found.stay:
        parts.append(f"{counted(found.stay, 'pod', 'pods')} may stay")
    return f"NoExecute, by the tolerations here: {listed(parts)}." if parts else ""


def conditions(node: Mapping[str, Any]) -> list[Condition]:
    """Present the conditions of a pruned Node object; Ready is good when True, every other one when False."""
    found = []
    for condition in node.get("status", {}).get("conditions") or ():
        kind, status = str(condition.get("type", "")), str(condition.get("status", ""))
        good = "True" if kind == "Ready" else "False"
        badge = "good" if status == good else "warn" if status == "Unknown" else "bad"
        found.append(
            Condition(
                type=kind,
                status=status,
                kind=badge,
                reason=str(condition.get("reason", "")),
                message=str(condition.get("message", "")),
                meaning="" if badge == "good" else _MEANINGS.get(kind, ""),
            )
        )
    return sorted(found, key=lambda condition: condition.kind == "good")


def labels(node: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the labels in the order of their keys."""
    return sorted((node.get("metadata", {}).get("labels") or {}).items())


def images(node: Mapping[str, Any], snapshot: Snapshot) -> list[Image]:
    """Present the images that a node holds, the largest first."""
    held = [
        ([str(name) for name in image.get("names") or ()], int(image.get("sizeBytes") or 0))
        for image in node.get("status", {}).get("images") or ()
    ]
    count = len(snapshot.nodes)
    return [_image(names, size, count, snapshot) for names, size in sorted(held, key=lambda each: -each[1]) if names]


def _image(names: Sequence[str], size: int, count: int, snapshot: Snapshot) -> Image:
    """Name an image by its tag where it has one, and count the nodes that hold it under that name."""
    name = next((each for each in names if _DIGEST not in each), names[0])
    rows, known = snapshot.nodes.image(name)
    return Image(
        name=name,
        others=len(names) - 1,
        size=amounts.size(size),
        spread=f"{grouped(len(rows))} of {grouped(count)}",
        counts_as=amounts.size(known * len(rows) // max(1, count)),
    )


def drivers(uses: Sequence[DriverUse]) -> list[Driver]:
    """Present what is attached by driver."""
    return [
        Driver(
            name=use.driver,
            attached=counted(use.attached, "volume", "volumes"),
            parts=f"{grouped(use.by_pods)} used by pods here, {grouped(use.others)} attached without a pod",
            meter=None if use.limit is None else meter(f"Volumes of {use.driver}", use.attached, use.limit, grouped),
        )
        for use in uses
    ]
