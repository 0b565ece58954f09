"""The defaults that LimitRanges give the containers of a copy, in the place of those that the original once got.

Upstream: ``mergePodResourceRequirements`` of ``plugin/pkg/admission/limitranger/admission.go`` (v1.34.1), which notes
in an annotation what it has set.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from clusters.engine.admission import limit_ranges
from clusters.engine.admission.draft import Draft
from clusters.engine.objects import metadata, namespace_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine.objects import Document
    from clusters.engine.snapshot import Snapshot

ANNOTATION: Final = "kubernetes.io/limit-ranger"
_PREFIX: Final = "LimitRanger plugin set: "
_SET: Final = re.compile(r"(?P<resources>\S.*) (?P<role>request|limit) for (?P<init>init )?container (?P<name>\S+)")


def with_defaults_of_now(pod: Document, snapshot: Snapshot) -> Document:
    """The pod as its template would become one now; the same document where LimitRanges give nothing else than before.

    A pod without the annotation was given nothing: all that its containers have is written in its template.
    """
    text = str((metadata(pod).get("annotations") or {}).get(ANNOTATION) or "")
    if not text and not snapshot.objects("LimitRange", namespace_of(pod)):
        return pod
    draft = Draft(pod)
    for kind, name, role, resource in _given(text):
        for container in draft.spec.get(kind) or ():
            if container.get("name") == name:
                ((container.get("resources") or {}).get(role) or {}).pop(resource, None)
    limit_ranges.mutate(draft, snapshot)
    if draft.spec == pod.get("spec"):
        return pod
    annotations = {key: value for key, value in (metadata(pod).get("annotations") or {}).items() if key != ANNOTATION}
    told = _told(draft)
    draft.pod["metadata"] = {
        **metadata(pod),
        "annotations": {**annotations, **({ANNOTATION: told} if told else {})},
    }
    return draft.pod


def _given(text: str) -> Iterator[tuple[str, str, str, str]]:
    """What an annotation says was set: the list of containers, the container, ``requests`` or ``limits``, resource."""
    if not text.startswith(_PREFIX):
        return
    for entry in text.removeprefix(_PREFIX).split("; "):
        found = _SET.fullmatch(entry)
        if found is not None:
            kind = "initContainers" if found["init"] else "containers"
            for resource in found["resources"].split(", "):
                yield kind, found["name"], f"{found['role']}s", resource


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
    return f"{_PREFIX}{'; '.join(entries)}" if entries else ""


def _kind_at(path: str) -> str:
    return "container" if path.startswith("spec.containers") else "init container"
