"""What the template of a pod says, as far as the pod tells that an API server has stored.

Upstream: ``mergePodResourceRequirements`` of ``plugin/pkg/admission/limitranger/admission.go`` (v1.34.1), which notes
in an annotation what it has set; ``defaultPodRequests`` in ``pkg/apis/core/v1/defaults.go`` (v1.34.1) and
``DefaultPodLevelResources`` in ``pkg/api/pod/util.go`` (v1.37.2), which note nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from clusters.engine.admission.draft import Draft
from clusters.engine.admission.pod_level import complete_pod_level
from clusters.engine.objects import metadata, namespace_of
from clusters.engine.resources.quantity import parsed
from clusters.engine.resources.requests import has_pod_level
from clusters.engine.workloads.pod_template import TEMPLATE_HASH, Controller, Workload

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from clusters.engine.objects import Document
    from clusters.engine.snapshot import Snapshot

ANNOTATION: Final = "kubernetes.io/limit-ranger"
PREFIX: Final = "LimitRanger plugin set: "
_SET: Final = re.compile(r"(?P<resources>\S.*) (?P<role>request|limit) for (?P<init>init )?container (?P<name>\S+)")
_ROLES: Final = ("requests", "limits")
_CONTAINERS: Final = ("containers", "initContainers")


def as_written(pod: Document, snapshot: Snapshot) -> Document:
    """The pod without what LimitRanges gave its containers, and without what was derived for it as a whole.

    The same document where there is nothing of that. What its controller's template says of the pod as a whole is what
    was written, where that is held. Else an amount was derived that an API server of the release of the snapshot, or of
    one before it, would have derived from all others.
    """
    spec = pod.get("spec") or {}
    text = str((metadata(pod).get("annotations") or {}).get(ANNOTATION) or "")
    given = list(_given(text))
    if not given and not has_pod_level(spec):
        return pod
    draft = Draft(pod)
    for kind, name, role, resource in given:
        for container in draft.spec.get(kind) or ():
            if container.get("name") == name:
                ((container.get("resources") or {}).get(role) or {}).pop(resource, None)
    if has_pod_level(spec):
        draft.spec["resources"] = _of_template(pod, snapshot) or _underived(spec, draft.spec, snapshot)
    return draft.pod


def _given(text: str) -> Iterator[tuple[str, str, str, str]]:
    """What an annotation says was set: the list of containers, the container, ``requests`` or ``limits``, resource."""
    if not text.startswith(PREFIX):
        return
    for entry in text.removeprefix(PREFIX).split("; "):
        found = _SET.fullmatch(entry)
        if found is not None:
            kind = "initContainers" if found["init"] else "containers"
            for resource in found["resources"].split(", "):
                yield kind, found["name"], f"{found['role']}s", resource


def _of_template(pod: Document, snapshot: Snapshot) -> dict[str, Any] | None:
    """What the template of a pod's controller says of the pod as a whole; None where it is not held or another one."""
    controller = Controller.of(pod)
    workload = Workload.of(namespace_of(pod), controller, str((metadata(pod).get("labels") or {}).get(TEMPLATE_HASH)))
    owners = {(workload.kind, workload.name)} | ({(controller.kind, controller.name)} if controller else set())
    for kind, name in sorted(owners):
        held = snapshot.object(kind, name, namespace_of(pod)) if kind else None
        spec = (((held or {}).get("spec") or {}).get("template") or {}).get("spec") or {}
        if has_pod_level(spec):
            whole, stored = (_nanos(each.get("resources") or {}) for each in (spec, pod["spec"]))
            # Another revision has other amounts.
            if whole.items() <= stored.items():
                return {role: dict(spec["resources"].get(role) or {}) for role in _ROLES}
    return None


def _underived(stored: Mapping[str, Any], written: Mapping[str, Any], snapshot: Snapshot) -> dict[str, Any]:
    """The fewest amounts of a whole pod from which the others follow.

    ``stored``: its spec as it is; ``written``: with its containers as they are written.
    """
    ways = (True, False) if snapshot.release.rules.completes_pods_after_admission else (False,)
    found = [_needed(stored, written, derives_limits=derives_limits) for derives_limits in ways]
    return min(found, key=lambda whole: sum(map(len, whole.values())))


def _needed(stored: Mapping[str, Any], written: Mapping[str, Any], *, derives_limits: bool) -> dict[str, Any]:
    """Leave out each amount in turn that is derived again in one way."""
    whole = {role: dict((stored.get("resources") or {}).get(role) or {}) for role in _ROLES}
    wanted = _nanos(whole)
    for resource in sorted({name for amounts in whole.values() for name in amounts}):
        for roles in (_ROLES, ("requests",), ("limits",)):
            fewer = {
                role: {name: each for name, each in amounts.items() if role not in roles or name != resource}
                for role, amounts in whole.items()
            }
            if fewer != whole and _nanos(_derived(fewer, stored, written, derives_limits=derives_limits)) == wanted:
                whole = fewer
                break
    return whole


def _derived(
    whole: Mapping[str, Any], stored: Mapping[str, Any], written: Mapping[str, Any], *, derives_limits: bool
) -> Mapping[str, Any]:
    """Complete what is written of a whole pod: from its containers before LimitRanges, and after, or after alone."""
    draft = Draft({"spec": {**{kind: written[kind] for kind in _CONTAINERS if kind in written}, "resources": whole}})
    if not derives_limits:
        complete_pod_level(draft, derives_limits=False)
    draft.spec.update({kind: stored[kind] for kind in _CONTAINERS if kind in stored})
    complete_pod_level(draft, derives_limits=derives_limits)
    resources: Mapping[str, Any] = draft.spec["resources"]
    return resources


def _nanos(whole: Mapping[str, Any]) -> dict[tuple[str, str], int]:
    """Amounts by role and resource, however they are written."""
    return {(role, name): parsed(each).nano_units for role in _ROLES for name, each in (whole.get(role) or {}).items()}
