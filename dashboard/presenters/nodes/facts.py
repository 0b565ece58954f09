"""What a node reports: taints, conditions, images and volumes, each with what it means."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clusters.engine.nodes import deferred_slots
from clusters.wording import amounts
from clusters.wording.amounts import grouped
from clusters.wording.nodes import facts as words
from dashboard.pictures.meter import Meter, meter

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clusters.engine import Snapshot
    from clusters.engine.disruption import TaintEviction
    from clusters.engine.volumes import DriverUse


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
    """An image that the node holds, under its most telling name; `others` counts its other names, empty for none.

    `counts_as` is what ImageLocality counts of it.
    """

    name: str
    others: str
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


_DIGEST = "@sha256:"


def withheld(snapshot: Snapshot, name: str) -> list[str]:
    """Say what the node has and no pod can use: devices that it does not offer, and room for deferred resizes."""
    nodes, pods = snapshot.nodes, snapshot.pods
    row = nodes.index[name]
    node = nodes.nodes[row]
    said = [
        words.UNHEALTHY_DEVICES(
            resource=resource,
            capacity=node.allocatable.get(resource, 0) + number,
            allocatable=node.allocatable.get(resource, 0),
        )
        for resource, number in node.unhealthy
    ]
    held: Counter[str] = Counter()
    here = [slot for slot in deferred_slots(snapshot).tolist() if pods.node[slot] == row]
    for slot in here:
        held.update(dict(pods.shapes[pods.shape[slot]].deferred))
    if here:
        said.append(words.deferred_resizes(sorted(pods.keys[slot] for slot in here), sorted(held.items())))
    return said


def taints(node: Mapping[str, Any]) -> list[Taint]:
    """Present the taints of a pruned Node object."""
    found = []
    for taint in node.get("spec", {}).get("taints") or ():
        effect, key = str(taint.get("effect", "")), str(taint.get("key", ""))
        key_value = f"{key}={taint['value']}" if taint.get("value") else key
        found.append(
            Taint(f"{key_value}:{effect}", str(words.EFFECTS.get(effect, "")), str(words.ORIGINS.get(key, "")))
        )
    return found


def leaving(found: TaintEviction | None) -> str:
    """Say what NoExecute taints do to the pods that are here; empty without such a taint."""
    if found is None:
        return ""
    said = [words.EVICTED_AT_ONCE(pods=found.at_once)] if found.at_once else []
    said += [words.EVICTED_AFTER(pods=number, seconds=seconds) for seconds, number in found.later.items()]
    if found.stay:
        said.append(words.TOLERATE(pods=found.stay))
    return " ".join(said)


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
                meaning="" if badge == "good" else str(words.CONDITIONS.get(kind, "")),
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
        others=words.OTHER_NAMES(number=len(names) - 1) if len(names) > 1 else "",
        size=amounts.size(size),
        spread=words.HOLDERS(nodes=len(rows), all=count),
        counts_as=amounts.size(known * len(rows) // max(1, count)),
    )


def drivers(uses: Sequence[DriverUse]) -> list[Driver]:
    """Present what is attached by driver."""
    return [
        Driver(
            name=use.driver,
            attached=words.ATTACHED(volumes=use.attached),
            parts=words.VOLUME_PARTS(by_pods=use.by_pods, others=use.others),
            meter=None
            if use.limit is None
            else meter(words.VOLUMES_OF(driver=use.driver), use.attached, use.limit, grouped),
        )
        for use in uses
    ]
