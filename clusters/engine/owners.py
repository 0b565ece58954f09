"""What pods made from one template share beside what a node books for them: who made them, and how they are spread.

Upstream: ``GetControllerOf`` of ``k8s.io/apimachinery/pkg/apis/meta/v1`` and the pod template's fields that
``podtopologyspread`` reads, v1.34.1."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from msgspec import Struct

from clusters.engine.objects import Document, Labels, Pod, metadata

TEMPLATE_HASH = "pod-template-hash"


class Controller(Struct, frozen=True):
    """The owner that an object's owner references name as its controller; ``uid`` is empty in hand-written objects."""

    api_version: str
    kind: str
    name: str
    uid: str

    @classmethod
    def of(cls, document: Document) -> Controller | None:
        """The controller of an object, None when nothing controls it."""
        for owner in metadata(document).get("ownerReferences") or ():
            if owner.get("controller"):
                get = owner.get
                version, kind = str(get("apiVersion") or ""), str(get("kind") or "")
                return _controller(version, kind, str(get("name") or ""), str(get("uid") or ""))
        return None

    @property
    def group(self) -> str:
        """The API group, empty for the core one."""
        return self.api_version.rpartition("/")[0]

    def is_at(self, uid: object) -> bool:
        """Whether an object of the same kind and name is the one meant; an object without a UID stands for itself."""
        return not self.uid or not uid or self.uid == uid


# One for all pods of a controller: of each pod it is asked ten times until a simulation has recreated it.
_controller = lru_cache(maxsize=1 << 12)(Controller)


class Workload(Struct, frozen=True, order=True):
    """What an operator calls the maker of pods; ``kind`` and ``name`` are empty for pods that nothing controls."""

    namespace: str
    kind: str
    name: str

    @classmethod
    def of(cls, namespace: str, controller: Controller | None, template_hash: str) -> Workload:
        """The controller, or the Deployment behind a ReplicaSet, whose name it bears before the template's hash."""
        if controller is None:
            return cls(namespace, "", "")
        if controller.kind == "ReplicaSet" and template_hash:
            stem = controller.name.removesuffix(f"-{template_hash}")
            if stem not in ("", controller.name):
                return cls(namespace, "Deployment", stem)
        return cls(namespace, controller.kind, controller.name)


class PodTemplate(Struct, frozen=True):
    """The shared part of placed pods that spreading and disruption budgets read.

    ``constraints`` and ``tolerations`` are as in the spec, ``node_affinity`` is its required node affinity. A DaemonSet
    pins each of its pods to a node, which leaves nothing to spread: its templates have neither constraints nor
    affinity.
    """

    namespace: str
    controller: Controller | None
    workload: Workload
    scheduler_name: str
    constraints: tuple[Document, ...]
    tolerations: tuple[Document, ...]
    node_selector: Document
    node_affinity: Document | None

    @classmethod
    def of(cls, pod: Pod) -> PodTemplate:
        spec = pod.spec
        controller = Controller.of(pod.document)
        pinned = controller is not None and controller.kind == "DaemonSet"
        node_affinity: Any = (spec.get("affinity") or {}).get("nodeAffinity") or {}
        return cls(
            namespace=pod.namespace,
            controller=controller,
            workload=Workload.of(pod.namespace, controller, pod.labels.get(TEMPLATE_HASH, "")),
            scheduler_name=pod.scheduler_name,
            constraints=() if pinned else tuple(spec.get("topologySpreadConstraints") or ()),
            tolerations=tuple(spec.get("tolerations") or ()),
            node_selector=spec.get("nodeSelector") or {},
            node_affinity=None if pinned else node_affinity.get("requiredDuringSchedulingIgnoredDuringExecution"),
        )

    def pod(self, labels: Labels) -> Pod:
        """A pod of this template with these labels, as far as the template tells."""
        spec: dict[str, Any] = {
            "schedulerName": self.scheduler_name,
            "topologySpreadConstraints": self.constraints,
            "tolerations": self.tolerations,
            "nodeSelector": self.node_selector,
        }
        if self.node_affinity is not None:
            rule = {"requiredDuringSchedulingIgnoredDuringExecution": self.node_affinity}
            spec["affinity"] = {"nodeAffinity": rule}
        owners = []
        if self.controller is not None:
            made_by = self.controller
            owner = {"apiVersion": made_by.api_version, "kind": made_by.kind, "name": made_by.name, "uid": made_by.uid}
            owners.append({**owner, "controller": True})
        return Pod(
            {"metadata": {"namespace": self.namespace, "labels": labels, "ownerReferences": owners}, "spec": spec}
        )

    @property
    def is_pinned(self) -> bool:
        """Whether each pod belongs to one node: those of a DaemonSet, and those that a kubelet reads from a file."""
        return self.controller is not None and self.controller.kind in ("DaemonSet", "Node")


def template_source(pod: Pod) -> tuple[Any, ...]:
    """Every part of a pod that its template is made from."""
    spec = pod.spec
    return (
        pod.namespace,
        [
            (owner.get("apiVersion"), owner.get("kind"), owner.get("name"), owner.get("uid"))
            for owner in metadata(pod.document).get("ownerReferences") or ()
            if owner.get("controller")
        ],
        pod.labels.get(TEMPLATE_HASH),
        spec.get("schedulerName"),
        spec.get("topologySpreadConstraints"),
        spec.get("tolerations"),
        spec.get("nodeSelector"),
        spec.get("affinity"),
    )


def template_of(manifest: Document) -> tuple[Any, str]:
    """The template of the pods of a workload, and its path; a CronJob's is within that of its Jobs."""
    spec: Any = manifest.get("spec") or {}
    if manifest.get("kind") != "CronJob":
        return spec.get("template"), "spec.template"
    job: Any = spec.get("jobTemplate")
    own = job.get("spec") if isinstance(job, Mapping) else None
    return own.get("template") if isinstance(own, Mapping) else None, "spec.jobTemplate.spec.template"
