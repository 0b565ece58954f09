"""The defaults that LimitRanges give the containers of a copy, in the place of those that the original once got.

Upstream: ``mergePodResourceRequirements`` of ``plugin/pkg/admission/limitranger/admission.go`` (v1.34.1), which notes
in an annotation what it has set; of the pod as a whole see ``clusters.engine.admission.pod_level``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.admission import limit_ranges
from clusters.engine.admission.creation.written import ANNOTATION, PREFIX, as_written
from clusters.engine.admission.draft import Draft
from clusters.engine.admission.pod_level import complete_pod_level
from clusters.engine.objects import metadata, namespace_of
from clusters.engine.resources.requests import has_pod_level

if TYPE_CHECKING:
    from clusters.engine.objects import Document
    from clusters.engine.snapshot import Snapshot


def with_defaults_of_now(pod: Document, snapshot: Snapshot) -> Document:
    """The pod as its template would become one now; the same document where nothing else is given than before.

    A pod without the annotation was given nothing: all that its containers have is written in its template. What it
    requests and is limited to as a whole is derived anew, as the API server of the release does.
    """
    is_whole = has_pod_level(pod.get("spec") or {})
    is_noted = bool((metadata(pod).get("annotations") or {}).get(ANNOTATION))
    if not is_noted and not is_whole and not snapshot.objects("LimitRange", namespace_of(pod)):
        return pod
    draft, rules = Draft(as_written(pod, snapshot)), snapshot.release.rules
    if is_whole and not rules.completes_pods_after_admission:
        complete_pod_level(draft, derives_limits=False)
    limit_ranges.mutate(draft, snapshot)
    if is_whole:
        complete_pod_level(draft, derives_limits=rules.completes_pods_after_admission)
    if draft.spec == pod.get("spec"):
        return pod
    annotations = {key: value for key, value in (metadata(pod).get("annotations") or {}).items() if key != ANNOTATION}
    told = _told(draft)
    draft.pod["metadata"] = {
        **metadata(pod),
        "annotations": {**annotations, **({ANNOTATION: told} if told else {})},
    }
    return draft.pod


def _told(draft: Draft) -> str:
    """The annotation that says what was added to a draft."""
    names = {path: str(container.get("name") or "") for path, container in draft.containers()}
    found: dict[tuple[str, str], list[str]] = {}
    for addition in draft.additions:
        path, _, rest = addition.field.partition(".resources.")
        role, _, resource = rest.partition(".")
        found.setdefault((path, role), []).append(resource)
    entries = [
        f"{', '.join(sorted(found[path, role]))} {role[:-1]} for {_kind_at(path)} {name}"
        for path, name in names.items()
        for role in ("requests", "limits")
        if (path, role) in found
    ]
    return f"{PREFIX}{'; '.join(entries)}" if entries else ""


def _kind_at(path: str) -> str:
    return "container" if path.startswith("spec.containers") else "init container"
