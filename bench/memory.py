"""Print the resident MiB that a snapshot of a large cluster adds to this process.

usage: python -m bench.memory NODES PODS
"""

from __future__ import annotations

import gc
import resource
import sys
from pathlib import Path

from bench.cluster import each_object
from clusters.engine import Snapshot
from clusters.engine.versions import NEWEST


def resident_mib() -> float:
    """What this process holds in memory now."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 2**20


def main() -> None:
    """Build a snapshot of objects that come one by one, as from a database."""
    nodes, pods = (int(argument) for argument in sys.argv[1:])
    before = resident_mib()
    snapshot = Snapshot.from_objects(each_object(nodes, pods), NEWEST)
    gc.collect()
    assert len(snapshot.pods) == pods
    print(resident_mib() - before)


if __name__ == "__main__":
    main()
