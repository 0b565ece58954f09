"""The selector by which a pod without spread constraints of its own is spread: that of its services and controller.

Upstream: ``pkg/scheduler/framework/plugins/helper/spread.go`` v1.34.1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.matching.selectors import EVERYTHING, LabelSelector, SelectorError

if TYPE_CHECKING:
    from clusters.engine.objects import Pod
    from clusters.engine.snapshot import Snapshot

_CONTROLLERS = {
    ("v1", "ReplicationController"),
    ("apps/v1", "ReplicaSet"),
    ("apps/v1", "StatefulSet"),
}


def default_selector(snapshot: Snapshot, pod: Pod) -> LabelSelector:
    """What the services that select the pod and its controller demand together; everything when there are none."""
    labels: dict[str, str] = {}
    for service in snapshot.objects("Service", pod.namespace):
        selector = (service.get("spec") or {}).get("selector")
        if selector is not None and all(pod.labels.get(key) == value for key, value in selector.items()):
            labels.update(selector)
    owner = pod.controller
    if owner is None or (owner.get("apiVersion"), owner.get("kind")) not in _CONTROLLERS:
        return EVERYTHING.with_labels(labels)
    controller = snapshot.object(str(owner["kind"]), str(owner.get("name")), pod.namespace)
    if controller is None:
        return EVERYTHING.with_labels(labels)
    demanded = (controller.get("spec") or {}).get("selector")
    if owner["kind"] == "ReplicationController":
        return EVERYTHING.with_labels({**labels, **(demanded or {})})
    try:
        own = LabelSelector.from_dict(demanded)
    except SelectorError:
        return EVERYTHING.with_labels(labels)
    return EVERYTHING.with_labels(labels).with_requirements(*own.requirements)
