"""From an object of the API server to a row of the mirror."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusters.adapters.canonical import canonical, identified
from clusters.adapters.limits import Limits
from clusters.adapters.prune import KINDS, WrongField
from clusters.adapters.rows import Row, table_of
from clusters.problems.live import LiveObjectUnreadable
from clusters.problems.objects import NoUid

if TYPE_CHECKING:
    from clusters.adapters.kube.kinds import ApiKind

_LONGEST_OBJECT = Limits().object_bytes
# Three times what API servers of Kubernetes send, and what the tables hold.
_LONGEST_VERSION = 63


class UnreadableObjectError(Exception):
    """An object that the mirror cannot hold, and why."""

    def __init__(self, problem: LiveObjectUnreadable) -> None:
        super().__init__(problem)
        self.problem = problem


def uid_of(document: dict[str, Any]) -> str:
    """Return an object's UID, empty where it has none."""
    metadata = document.get("metadata")
    uid = metadata.get("uid") if isinstance(metadata, dict) else None
    return uid if isinstance(uid, str) else ""


def version_of(document: dict[str, Any]) -> str:
    """Return an object's or a list's resource version, empty where it has none that could be kept."""
    metadata = document.get("metadata")
    version = metadata.get("resourceVersion") if isinstance(metadata, dict) else None
    return version if isinstance(version, str) and len(version) <= _LONGEST_VERSION else ""


def live_row(kind: ApiKind, version: str, document: dict[str, Any]) -> Row:
    """Return an object's row. Raises UnreadableObjectError, also for an object without a UID.

    The resource version is left out: it grows with every heartbeat, and the row's digest would with it, though nothing
    that the mirror keeps has changed.
    """
    try:
        pruned = KINDS[kind.name].prune(document)
        identified(pruned, is_namespaced=kind.is_namespaced)
        metadata = pruned["metadata"]
        if "uid" not in metadata:
            raise (WrongField(NoUid()).within("uid").within("metadata"))
        metadata.pop("resourceVersion", None)
        pruned["apiVersion"] = kind.api_version(version)
        pruned["kind"] = kind.name
        text = canonical(pruned, longest=_LONGEST_OBJECT)
        return table_of(kind.name).row(pruned, uid=metadata["uid"], text=text)
    except WrongField as error:
        problem = LiveObjectUnreadable(kind.name, _name_of(document), error.path, error.problem)
        raise UnreadableObjectError(problem) from None


def _name_of(document: dict[str, Any]) -> str:
    metadata = document.get("metadata")
    parts = (metadata.get("namespace"), metadata.get("name")) if isinstance(metadata, dict) else ()
    return "/".join(str(part) for part in parts if part)[:320]
