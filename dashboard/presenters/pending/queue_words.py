"""The sentences about the scheduler's queue: who stands where, who is next, and what would wake those that wait."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from clusters.engine.queueing.queue import Place
from clusters.wording.amounts import counted, grouped
from dashboard.presenters import wording

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.services.pending.queue import Placed

# A name, a badge's kind, what it means, and what upstream calls it.
PLACES = {
    Place.ACTIVE: ("Next in line", "good", "tried as soon as its turn comes", "activeQ"),
    Place.BACKOFF: ("Backs off", "warn", "rests after a failed attempt, then stands in line again", "backoffQ"),
    Place.UNSCHEDULABLE: (
        "Waits for an event",
        "bad",
        "was rejected; something has to change first, or five minutes to pass",
        "unschedulablePods",
    ),
    Place.BINDING: ("Being bound", "info", "has a node already, for which a volume is being made", "in flight"),
    Place.GATED: ("Gated", "info", "is kept out of the queue by its scheduling gates", "PreEnqueue"),
    Place.FOREIGN: ("Another scheduler", "", "no profile here has the name that it asks for", "not in this queue"),
}
_TOLD = {
    Place.ACTIVE: ("is next in line", "are next in line"),
    Place.BACKOFF: ("backs off after a failed attempt", "back off after a failed attempt"),
    Place.UNSCHEDULABLE: ("waits for something to change", "wait for something to change"),
    Place.BINDING: ("is being bound", "are being bound"),
    Place.GATED: ("is held back by gates", "are held back by gates"),
    Place.FOREIGN: ("is another scheduler's", "are another scheduler's"),
}
_POD_ENDS, _NODE_COMES = ("a pod ends", ("Pod/Delete",)), ("a node comes", ("Node/Add",))
_NODE_FITS = ("a node comes or its labels change", ("Node/Add", "Node/UpdateNodeLabel"))
_TOLERATES = ("the pod gets a toleration", ("Pod/UpdatePodToleration",))
_CLAIMS = ("a claim comes or changes", ("PersistentVolumeClaim/Add", "PersistentVolumeClaim/Update"))
_VOLUMES = ("a volume comes or changes", ("PersistentVolume/Add", "PersistentVolume/Update"))
# What wakes a pod that a plugin rejected, in words, and the events for which the queue asks the plugin then.
WAKES: dict[str, tuple[tuple[str, tuple[str, ...]], ...]] = {
    "SchedulingGates": (("the last gate is removed", ("Pod/UpdatePodSchedulingGatesEliminated",)),),
    "NodeResourcesFit": (
        _POD_ENDS,
        ("a pod asks for less", ("Pod/UpdatePodScaleDown",)),
        ("a node comes that is large enough", ("Node/Add",)),
        ("a node can hold more", ("Node/UpdateNodeAllocatable",)),
    ),
    "NodeUnschedulable": (
        ("a node comes or is uncordoned", ("Node/Add", "Node/UpdateNodeTaint")),
        _TOLERATES,
    ),
    "TaintToleration": (("a node comes or loses a taint", ("Node/Add", "Node/UpdateNodeTaint")), _TOLERATES),
    "NodeAffinity": (("a node comes, or its labels change, so that it matches", ("Node/Add", "Node/UpdateNodeLabel")),),
    "NodeName": (_NODE_COMES,),
    "NodePorts": (("a pod with one of the host ports ends", ("Pod/Delete",)), _NODE_COMES),
    "PodTopologySpread": (
        ("a pod of the same group comes, ends or changes its labels", ("Pod/Add", "Pod/Delete", "Pod/UpdatePodLabel")),
        (
            "a node comes, goes, or changes its labels or taints",
            ("Node/Add", "Node/Delete", "Node/UpdateNodeLabel", "Node/UpdateNodeTaint"),
        ),
        _TOLERATES,
    ),
    "InterPodAffinity": (
        (
            "a pod that its terms select comes, ends or changes its labels",
            ("Pod/Add", "Pod/Delete", "Pod/UpdatePodLabel"),
        ),
        _NODE_FITS,
    ),
    "VolumeRestrictions": (
        ("a pod that shares a volume with it ends", ("Pod/Delete",)),
        ("its claim comes", ("PersistentVolumeClaim/Add",)),
        _NODE_COMES,
    ),
    "NodeVolumeLimits": (
        ("a pod with volumes ends", ("Pod/Delete",)),
        ("a volume is detached", ("VolumeAttachment/Delete",)),
        ("a node's drivers take more", ("CSINode/Add", "CSINode/Update")),
        ("its claim comes", ("PersistentVolumeClaim/Add",)),
    ),
    "VolumeBinding": (
        _CLAIMS,
        _VOLUMES,
        ("a storage class comes or changes", ("StorageClass/Add", "StorageClass/Update")),
        _NODE_FITS,
        (
            "a driver or its capacity changes",
            (
                "CSINode/Add",
                "CSINode/Update",
                "CSIDriver/Update",
                "CSIStorageCapacity/Add",
                "CSIStorageCapacity/Update",
            ),
        ),
    ),
    "VolumeZone": (_CLAIMS, _VOLUMES, ("a storage class comes", ("StorageClass/Add",)), _NODE_FITS),
    "DynamicResources": (
        (
            "a claim for devices comes or changes",
            ("ResourceClaim/Add", "ResourceClaim/Update", "Pod/UpdatePodGeneratedResourceClaim"),
        ),
        (
            "a device class or a driver's devices come or change",
            ("DeviceClass/Add", "DeviceClass/Update", "ResourceSlice/Add", "ResourceSlice/Update"),
        ),
        (
            "a node comes, its labels change, or it can hold more",
            ("Node/Add", "Node/UpdateNodeLabel", "Node/UpdateNodeAllocatable"),
        ),
    ),
    "DefaultPreemption": (_POD_ENDS,),
}


def wakes(plugin: str) -> str:
    """Say in one clause when a pod that the plugin rejected is tried again; empty where that is not known."""
    said = [words for words, _ in WAKES.get(plugin, ())]
    return said[0] if len(said) == 1 else f"{'; '.join(said[:-1])}; or {said[-1]}" if said else ""


def sentence(placed: Sequence[Placed]) -> str:
    """Say how many pods wait, where they stand, and which would be tried first."""
    counts = Counter(each.standing.place for each in placed)
    told = [f"{grouped(counts[place])} {_TOLD[place][counts[place] != 1]}" for place in Place if counts[place]]
    first = placed[0]
    who = ""
    if first.standing.rank:
        pod, priority = first.queued.pod, first.queued.priority
        who = f" First is {pod.namespace}/{pod.name}, with priority {grouped(priority)}."
    return f"{counted(len(placed), 'pod waits', 'pods wait')}: {wording.listed(told)}.{who}"
