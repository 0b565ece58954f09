"""Sandboxes, small clusters that somebody builds: where they begin, what bounds them, and how they are files."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any, Final

import orjson

from clusters.adapters.bad_input import MIB, BadInput
from clusters.adapters.buffers import check_utf_8
from clusters.adapters.prune import KINDS
from clusters.engine.lessons import SituationError
from clusters.engine.objects import Document, metadata
from clusters.engine.problems import Empty
from clusters.engine.sandbox import Objects, SandboxCluster, kubelet_version, put, run_queue
from clusters.problems.lessons import LargeSandbox, ManyInSituation
from clusters.services.decisions.explain import as_text
from clusters.services.lessons.reading import FILE, MOST_NODES, MOST_PODS, BadLesson, LessonFault, documents_in

# How much a sandbox may hold.

# A pod has about a thousand; as many again for everything else.
MOST_CHARACTERS: Final = 1_000_000
_BOUNDS: Final = {"Node": MOST_NODES, "Pod": MOST_PODS}


def hold_within_bounds(objects: Objects) -> None:
    """Raise SituationError where there are too many nodes or pods, or too much text."""
    counts = Counter(name.kind for name in objects)
    for kind, most in _BOUNDS.items():
        if counts[kind] > most:
            raise SituationError(ManyInSituation(kind, counts[kind], most))
    size = len(orjson.dumps(list(objects.values())))
    if size > MOST_CHARACTERS:
        raise SituationError(LargeSandbox(size, MOST_CHARACTERS))


# A sandbox as one file of YAML: with all that the API server would return, so that everything else reads it too.

MOST_BYTES: Final = 2 * MIB


def sandbox_file(cluster: SandboxCluster) -> str:
    """Write all objects of a sandbox. Raises SituationError.

    Its nodes report the version of kubelets as which the sandbox decides, so that others do, too.
    """
    situation = cluster.situation
    version = f"v{situation.release.first_version}"
    return "---\n".join(as_text(_reporting(_with_version(each), version)) for each in situation.objects)


def object_text(document: Document) -> str:
    """Write one object as its author would, without the UID that it was given."""
    fields = {field: part for field, part in metadata(document).items() if field != "uid"}
    return as_text({**_with_version(document), "metadata": fields})


def read_sandbox(data: bytes) -> list[Document]:
    """Return the objects of a file, which is YAML or JSON. Raises BadLesson."""
    try:
        check_utf_8(data)
    except BadInput as error:
        raise BadLesson([LessonFault(FILE, 0, "", error.problem)]) from None
    found = documents_in(data.decode(), most_bytes=MOST_BYTES)
    if not found:
        raise BadLesson([LessonFault(FILE, 0, "", Empty())])
    return found


def _reporting(document: dict[str, Any], version: str) -> dict[str, Any]:
    """An object as it is; a node that says no version of its kubelet with one."""
    if document["kind"] != "Node" or kubelet_version(document):
        return document
    status = document["status"]
    return {**document, "status": {**status, "nodeInfo": {**status.get("nodeInfo", {}), "kubeletVersion": version}}}


def _with_version(document: Document) -> dict[str, Any]:
    """An object with its API version, which not everything has that controllers make."""
    return {"apiVersion": KINDS[document["kind"]].versions[0], **document}


# The clusters with which a sandbox can begin: as files, with workloads that run and others that are pending.

FOLDER: Final = Path(__file__).parents[1] / "sandboxes"
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
