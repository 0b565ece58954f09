"""Topology spread constraints: which of their fields go together, and which constraints exclude each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.admission import problems as refused
from clusters.engine.admission.validation.selecting import check_label_keys, check_selector
from clusters.engine.admission.validation.wrong import Wrong

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine.objects import Document

_REQUIRED = "DoNotSchedule"


def check(spec: Document, *, is_admitted: bool) -> Iterator[Wrong]:
    """Yield what ``validateTopologySpreadConstraints`` refuses."""
    seen: dict[tuple[str, str], int] = {}
    for number, constraint in enumerate(spec.get("topologySpreadConstraints") or ()):
        path = f"spec.topologySpreadConstraints[{number}]"
        key, action = constraint.get("topologyKey") or "", constraint.get("whenUnsatisfiable") or ""
        if not key:
            yield Wrong(
                f"{path}.topologyKey",
                refused.NoTopologyKey("topology.kubernetes.io/zone"),
            )
        first = seen.setdefault((key, action), number)
        if first != number:
            yield Wrong(
                f"{path}.topologyKey",
                refused.ConstraintTwice(first, key, action),
            )
        if constraint.get("minDomains") is not None and action != _REQUIRED:
            yield Wrong(
                f"{path}.minDomains",
                refused.MinDomainsIgnored(_REQUIRED),
            )
        yield from check_label_keys(constraint, path, is_admitted=is_admitted)
        yield from check_selector(constraint.get("labelSelector"), f"{path}.labelSelector")
