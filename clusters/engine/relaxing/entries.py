"""Entries of a manifest's lists, named by what they say: a name means the same wherever in the list an entry stands."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final

from clusters.engine.matching.selectors import Operator, Requirement

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

REQUIRED: Final = "requiredDuringSchedulingIgnoredDuringExecution"
REQUIREMENT_FIELDS: Final = ("matchExpressions", "matchFields")
"""The lists of a node selector term."""
_MERGED_KEYS: Final = ("matchLabelKeys", "mismatchLabelKeys")


def digest(entry: Any) -> str:
    """Name an entry of a list by what it says, in 12 hexadecimal digits.

    The API server writes requirements for matchLabelKeys into selectors when it creates a pod: an entry is the same
    with and without them. It is the same where a field is null and where it is missing.
    """
    if isinstance(entry, dict):
        entry = _as_authored({key: value for key, value in entry.items() if value is not None})
    return blake2b(repr(_ordered(entry)).encode(), digest_size=6).hexdigest()


def requirement_digest(field: str, requirement: Requirement) -> str:
    """Name a requirement of node affinity, an entry of one of REQUIREMENT_FIELDS."""
    return digest([field, requirement.key, str(requirement.operator), list(requirement.values)])


def requirement_name(field: str, entry: Any) -> str:
    """Name an entry as the requirement that it is read as; empty for what cannot be read."""
    try:
        requirement = Requirement.of(entry["key"], Operator(entry["operator"]), entry.get("values") or ())
    except (TypeError, KeyError, ValueError, AttributeError):
        return ""
    return requirement_digest(field, requirement)


def entries(value: Any) -> list[Any]:
    """Return a list of a manifest; empty for what is none."""
    return value if isinstance(value, list) else []


def mapping(owner: dict[str, Any], name: str) -> dict[str, Any]:
    """Return a mapping of a manifest; empty where it is missing or is none."""
    value = owner.get(name)
    return value if isinstance(value, dict) else {}


def containers(spec: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the containers of a pod, init containers last."""
    for kind in ("containers", "initContainers"):
        yield from (each for each in entries(spec.get(kind)) if isinstance(each, dict))


def remove(owner: dict[str, Any], field: str, name: str, named: Callable[[Any], str] = digest) -> None:
    """Remove every entry of a list that has a name, and the list with its last entry."""
    found = owner.get(field)
    if not isinstance(found, list):
        return
    kept = [each for each in found if named(each) != name]
    if len(kept) < len(found):
        owner[field] = kept
        if not kept:
            del owner[field]


def _ordered(value: Any) -> Any:
    """Put every map of a value into an order that does not depend on how it was written."""
    if isinstance(value, dict):
        return [(key, _ordered(value[key])) for key in sorted(value, key=str)]
    return [_ordered(each) for each in value] if isinstance(value, list) else value


def _as_authored(entry: dict[str, Any]) -> dict[str, Any]:
    keys = [key for field in _MERGED_KEYS for key in entries(entry.get(field))]
    selector = entry.get("labelSelector")
    if not keys or not isinstance(selector, dict):
        return entry
    rest = {field: value for field, value in selector.items() if field != "matchExpressions"}
    written = [
        each
        for each in entries(selector.get("matchExpressions"))
        if not isinstance(each, dict) or each.get("key") not in keys
    ]
    return {**entry, "labelSelector": {**rest, "matchExpressions": written} if written else rest}
