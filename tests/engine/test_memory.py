"""What a snapshot takes of memory is what it holds: the documents that it was made of leave nothing behind."""

from __future__ import annotations

import re
import subprocess
import sys

# Documents are parsed one by one, as a file's or a database's are: no two of them share a string.
BUILD = """
import gc, json, sys
from clusters.engine import Snapshot

def objects():
    for number in range(15_000):
        if number % 10 == 0:
            yield {"kind": "Node", "metadata": {"name": f"node-{number}"}}
        yield json.loads(json.dumps({
            "kind": "Pod",
            "metadata": {"name": f"pod-{number}", "annotations": {f"n{n}": "x" for n in range(30)}},
            "spec": {"nodeName": f"node-{number}", "containers": [{"name": f"c{n}"} for n in range(5)]},
        }))

snapshot = Snapshot.from_objects(objects())
gc.collect()
assert len(snapshot.pods) == 15_000
sys._debugmallocstats()
"""


def test_the_memory_of_a_snapshot_is_used() -> None:
    told = subprocess.run([sys.executable, "-c", BUILD], capture_output=True, text=True, check=True).stderr
    arenas, each = re.search(r"(\d+) arenas \* (\d+) bytes/arena", told).groups()  # type: ignore[union-attr]
    live = re.search(r"# bytes in allocated blocks += +([\d,]+)", told)[1]  # type: ignore[index]

    assert int(arenas) * int(each) < 1.5 * int(live.replace(",", ""))
