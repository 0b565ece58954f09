"""Every object of a situation as it was written: few one by one, many by kind, and alike ones once."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from clusters.engine.lessons import object_name
from clusters.services.decisions.what_if import as_text
from clusters.services.lessons.reading import written
from dashboard.lessons.presenters.cluster import authored

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from clusters.engine.lessons import Situation
    from clusters.engine.objects import Document

# So many manifests are listed one by one.
MOST_OBJECTS: Final = 16


@dataclass(frozen=True, slots=True)
class Manifest:
    """An object as it was written; ``alike`` names others that differ from it in name and node alone."""

    name: str
    text: str
    alike: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ManifestGroup:
    """Manifests of one kind, of so many objects; those of a small situation are one group without a kind."""

    kind: str
    objects: int
    manifests: tuple[Manifest, ...]


def manifest_groups(situation: Situation) -> tuple[ManifestGroup, ...]:
    """Present the manifests of a situation, that of the pod in question first."""
    pod = f"Pod/{situation.parts.pod}"
    documents = sorted(situation.parts.objects, key=lambda each: written(object_name(each)) != pod)
    if len(documents) <= MOST_OBJECTS:
        return (ManifestGroup("", len(documents), tuple(_manifests(documents, _name))),)
    kinds: dict[str, list[Document]] = {}
    for document in documents:
        kinds.setdefault(str(document.get("kind")), []).append(document)
    return tuple(ManifestGroup(kind, len(own), tuple(_manifests(own, _likeness))) for kind, own in kinds.items())


def object_names(groups: Iterable[ManifestGroup]) -> list[tuple[str, list[str]]]:
    """Return the names of all objects by their kinds, alike ones too, as there are manifests of."""
    return [
        (group.kind, [name for manifest in group.manifests for name in (manifest.name, *manifest.alike)])
        for group in groups
    ]


def _manifests(documents: Iterable[Document], likeness: Callable[[Any], str]) -> Iterator[Manifest]:
    alike: dict[str, list[Document]] = {}
    for document in documents:
        alike.setdefault(likeness(document), []).append(document)
    for first, *others in alike.values():
        yield Manifest(_name(first), as_text(authored(first)), tuple(map(_name, others)))


def _name(document: Document) -> str:
    return written(object_name(document))


def _likeness(document: Document) -> str:
    """Return what alike objects have in common: everything but their names, and the nodes of pods."""
    whole = authored(document)
    metadata = {field: part for field, part in whole["metadata"].items() if field != "name"}
    spec = {field: part for field, part in (whole.get("spec") or {}).items() if field != "nodeName"}
    return json.dumps({**whole, "metadata": metadata, "spec": spec}, sort_keys=True, default=str)
