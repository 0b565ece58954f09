"""What a drain does with a pod, and the replacement that its controller creates.

Upstream: the filters of ``k8s.io/kubectl/pkg/drain`` v1.34.1. DaemonSets are taken as ignored
(``--ignore-daemonsets``), without which hardly any node can be drained.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clusters.engine.objects import metadata
from clusters.engine.workloads.pod_template import Controller

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.objects import Document, Pod


class Treatment(enum.StrEnum):
    """What a drain does with a pod."""

    EVICTED = "evicted"
    DAEMON_SET = "daemon-set"
    STATIC = "static"
    HELD = "held"

    @property
    def stays(self) -> bool:
        """Whether the pod is still there when the drain is over."""
        return self in (Treatment.DAEMON_SET, Treatment.STATIC)


class Flag(enum.StrEnum):
    """A flag without which kubectl drain does not evict some pods."""

    FORCE = "--force"
    EMPTY_DIR = "--delete-emptydir-data"


@dataclass(frozen=True, slots=True)
class DrainOptions:
    """How a drain is called: which pods it may take, and what becomes of a node afterwards.

    ``force``: also pods that nothing controls and nobody brings back. ``empty_dirs``: also pods that lose an emptyDir.
    ``at_a_time``: how many nodes at most are drained together, 0 for as many as budgets allow. ``uncordon``: whether
    nodes accept pods again once they are drained, as in a rolling upgrade.
    """

    force: bool = False
    empty_dirs: bool = True
    at_a_time: int = 0
    uncordon: bool = False


@dataclass(frozen=True, slots=True)
class Handling:
    """What a drain does with a pod; ``wants`` are the flags without which it does not begin."""

    treatment: Treatment
    wants: tuple[Flag, ...] = ()
    loses_data: bool = False
    is_unmanaged: bool = False


def handling_of(pod: Pod, options: DrainOptions, daemon_sets: frozenset[str] | None = None) -> Handling:
    """What a drain does with a pod.

    ``daemon_sets``: every DaemonSet as ``namespace/name``, None where they are not known; a pod whose DaemonSet is gone
    goes only by force. Pods that have finished are deleted without a question.
    """
    controller = Controller.of(pod.document)
    is_orphan = False
    if not pod.finished and controller is not None and controller.kind == "DaemonSet":
        is_orphan = daemon_sets is not None and f"{pod.namespace}/{controller.name}" not in daemon_sets
        if not is_orphan:
            return Handling(Treatment.DAEMON_SET)
    # kubectl goes by an annotation, which is not mirrored; kubelets give it to the pods that they make the node own.
    if controller is not None and controller.kind == "Node":
        return Handling(Treatment.STATIC)
    if pod.finished:
        return Handling(Treatment.EVICTED)
    loses_data = any("emptyDir" in volume for volume in pod.spec.get("volumes") or ())
    is_unmanaged = controller is None or is_orphan
    wants = []
    if loses_data and not options.empty_dirs:
        wants.append(Flag.EMPTY_DIR)
    if is_unmanaged and not options.force:
        wants.append(Flag.FORCE)
    treatment = Treatment.HELD if wants else Treatment.EVICTED
    return Handling(treatment, tuple(wants), loses_data, is_unmanaged)


def replacement_of(pod: Pod, number: int) -> dict[str, Any] | None:
    """The pod that the controller makes for an evicted one, taken to be ready already; None where it makes none.

    It is the evicted pod without its node: controllers make pods from templates that are not mirrored. A StatefulSet's
    keeps its name; ``number`` makes the others' names unique.
    """
    controller = Controller.of(pod.document)
    if controller is None or pod.finished or controller.kind in ("DaemonSet", "Node"):
        return None
    keeps_name = controller.kind == "StatefulSet"
    if pod.terminating and not keeps_name:
        # It was replaced when its deletion began.
        return None
    name = pod.name if keeps_name else f"{controller.name}-replacement-{number}"
    old: Mapping[str, Any] = metadata(pod.document)
    kept = {field: old[field] for field in ("namespace", "labels", "ownerReferences") if field in old}
    spec = {field: part for field, part in pod.spec.items() if field != "nodeName"}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {**kept, "name": name, "uid": f"replacement-{number}"},
        "spec": spec,
        "status": {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]},
    }


def ephemeral_claims(pod: Document) -> list[dict[str, Any]]:
    """The claims that the ephemeral volume controller makes for a new pod."""
    meta = metadata(pod)
    name, namespace = str(meta.get("name") or ""), str(meta.get("namespace") or "")
    owner = {"apiVersion": "v1", "kind": "Pod", "name": name, "uid": meta.get("uid"), "controller": True}
    found = []
    for volume in (pod.get("spec") or {}).get("volumes") or ():
        template = (volume.get("ephemeral") or {}).get("volumeClaimTemplate")
        if template is not None:
            found.append(
                {
                    "apiVersion": "v1",
                    "kind": "PersistentVolumeClaim",
                    "metadata": {
                        "name": f"{name}-{volume.get('name', '')}",
                        "namespace": namespace,
                        "uid": f"{meta.get('uid')}-{volume.get('name', '')}",
                        "ownerReferences": [owner],
                    },
                    "spec": template.get("spec") or {},
                    "status": {"phase": "Pending"},
                }
            )
    return found
