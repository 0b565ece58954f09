"""Objects as a source holds them, and what they are called in messages, whatever is wrong with them."""

from __future__ import annotations

from typing import Any, NamedTuple

from clusters.adapters.bad_input import shown
from clusters.adapters.prune import WrongField
from clusters.adapters.prune.shapes import LONGEST_TOKEN
from clusters.adapters.usage.summary import SUMMARY, SUMMARY_VERSION, is_summary
from clusters.problems.objects import NotAType, NoType


class ObjectOrigin(NamedTuple):
    """Where an object was read: its file, its document within the file, and the list within the document."""

    file: str
    document: int
    # Empty where the document itself is the object.
    list_key: str = ""


class Found(NamedTuple):
    """An object as a source holds it; its type is the list's where it has none of its own."""

    place: ObjectOrigin
    position: int
    object: Any
    api_version: str = ""
    kind: str = ""
    is_deleted: bool = False


def type_of(found: Found) -> tuple[str, str]:
    """Return apiVersion and kind, which may be its list's. Raises WrongField."""
    document = found.object
    if is_summary(document):
        return SUMMARY_VERSION, SUMMARY
    api_version = document.get("apiVersion") or found.api_version
    name = document.get("kind") or found.kind
    for key, content in (("apiVersion", api_version), ("kind", name)):
        if type(content) is not str or not content or len(content) > LONGEST_TOKEN:
            raise WrongField(NotAType(shown(content)) if content else NoType(key)).within(key)
    return api_version, name


def subject_of(found: Found) -> str:
    """Name an object that may be wrong in any way."""
    document = found.object if type(found.object) is dict else {}
    if is_summary(document):
        name = document["node"].get("nodeName")
        return f"{SUMMARY} {name if type(name) is str else ''}".strip()[:LONGEST_TOKEN]
    metadata = document.get("metadata")
    metadata = metadata if type(metadata) is dict else {}
    parts = (document.get("kind") or found.kind, metadata.get("namespace"), metadata.get("name"))
    kind, namespace, name = (part if type(part) is str else "" for part in parts)
    label = f"{namespace}/{name}" if namespace else name
    return f"{kind} {label}".strip()[:LONGEST_TOKEN]


def field_of(found: Found, path: str) -> str:
    """Return the way to a field of an object from its document."""
    if not found.place.list_key:
        return path
    index = f"[{found.position}]" if found.position >= 0 else ""
    return f"{found.place.list_key}{index}.{path}".rstrip(".")
