"""The clusters with which a sandbox can begin: as files, with workloads that run and others that are pending."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from clusters.engine.sandbox.building import put
from clusters.engine.sandbox.cluster import SandboxCluster
from clusters.engine.sandbox.scheduling import run_queue
from clusters.services.sandbox.files import read_sandbox

if TYPE_CHECKING:
    from clusters.engine.sandbox.objects import Objects

FOLDER: Final = Path(__file__).parents[2] / "sandboxes"
# Where everybody begins who has chosen nothing.
FIRST: Final = "three-zones"
EMPTY: Final = "empty"
# In the order in which they are offered.
STARTS: Final = (FIRST, "tainted-nodes", "gpu-nodes", "full-cluster", EMPTY)


@cache
def start(name: str) -> Objects:
    """Return the objects of a cluster to begin with. Raises KeyError for a name that is none of them."""
    if name not in STARTS:
        raise KeyError(name)
    cluster = SandboxCluster({})
    if name == EMPTY:
        return cluster.objects
    running = put(cluster, read_sandbox((FOLDER / name / "running.yaml").read_bytes()))
    run = run_queue(SandboxCluster(running.objects))
    pending = read_sandbox((FOLDER / name / "pending.yaml").read_bytes())
    return put(SandboxCluster(run.objects), pending).objects
