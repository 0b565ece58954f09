"""Runs on a few objects, without a database."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusters.engine.simulation import Base
from clusters.services.runs.results import Simulated, simulated

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clusters.engine.versions import GateSettings
    from clusters.services.runs.spec import Spec


def simulated_on(
    objects: Iterable[dict[str, Any]], spec: Spec, *, kube_version: str = "", gates: GateSettings | None = None
) -> Simulated:
    """Simulate a run on these objects, as a dump of a cluster of this version and these gates is."""
    spec = spec.on_version(kube_version, gates or {})
    return simulated(Base.of(objects, spec.scheduler_configuration().release), spec, kube_version=kube_version)
