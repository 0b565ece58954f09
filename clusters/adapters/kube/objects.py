"""From an object of the API server to a row of the mirror."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusters.adapters.canonical import canonical, identified
from clusters.adapters.limits import Limits
from clusters.adapters.prune import KINDS, WrongField
from clusters.adapters.rows import Row, table_of

if TYPE_CHECKING:
    from clusters.adapters.kube.kinds import ApiKind

_LONGEST_OBJECT = Limits().object_bytes


class UnreadableObjectError(Exception):
    """An object that the mirror cannot hold; the message names it, the field and the problem."""


def uid_of(document: dict[str, Any]) -> str:
    """Return an object's UID, empty where it has none."""
    metadata = document.get("metadata")
    uid = metadata.get("uid") if isinstance(metadata, dict) else None
    return uid if isinstance(uid, str) else ""


def version_of(document: dict[str, Any]) -> str:
    """Return an object's resource version, empty where it has none."""
    metadata = document.get("metadata")
    version = metadata.get("resourceVersion") if isinstance(metadata, dict) else None
    return version if isinstance(version, str) else ""


def live_row(kind: ApiKind, version: str, document: dict[str, Any]) -> Row:
    """Return the row of an object that has a UID. Raises UnreadableObjectError.

    The resource version is left out: it grows with every heartbeat, and the row's digest would with it, though nothing
    that the mirror keeps has changed.
    """
    try:
        pruned = KINDS[kind.name].prune(document)
        identified(pruned, is_namespaced=kind.is_namespaced)
        metadata = pruned["metadata"]
        metadata.pop("resourceVersion", None)
        pruned["apiVersion"] = kind.api_version(version)
        pruned["kind"] = kind.name
        text = canonical(pruned, longest=_LONGEST_OBJECT)
        return table_of(kind.name).row(pruned, uid=metadata["uid"], text=text)
    except WrongField as error:
        raise UnreadableObjectError(f"{kind.name} {_name_of(document)}: {error.path}: {error.problem}") from None


def _name_of(document: dict[str, Any]) -> str:
    metadata = document.get("metadata") or {}
    parts = (metadata.get("namespace"), metadata.get("name"))
    return "/".join(str(part) for part in parts if part)[:320]
