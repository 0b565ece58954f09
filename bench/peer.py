"""Berth beside kube-scheduler's own code, in turns in one run: the same files, each side in a process of its own.

The other side is bench/peer.go, built of the modules that pin the control plane of the tests. Both look at every node,
but where as many are searched as by default; which one begins changes from round to round. Ratios are to
kube-scheduler: of times Berth's part, of pods a second how many times as many. Both have to answer alike.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from bench.cluster import HOST, ZONE, each_object, spread, wanted_pods, workload
from bench.measure import Figure, figure
from clusters.engine import SchedulerConfiguration, Snapshot, explain
from clusters.engine.simulation import Case, Outcome, Simulation, Wanted
from clusters.engine.versions import RELEASES, Release

if TYPE_CHECKING:
    from collections.abc import Iterable

Document = dict[str, Any]
# Of each round the seconds of the whole process, and what it printed.
Rounds = list[tuple[float, dict[str, Any]]]

NODES, PODS = 5_000, 50_000
EXPLAINED, TIMES, WARM_UP = ("plain", "spread", "affinity"), 30, 3
PLACED, PLACED_WHOLE = 1_000, 500
# What is placed on empty nodes, of which file, and which part of the nodes is searched for each pod (0: as by default).
PLACEMENTS = (
    ("alike", "alike", 100),
    ("spread over zones", "zones", 100),
    ("spread over zones and hosts", "hosts", 100),
    ("alike, as many nodes searched as by default", "alike", 0),
)
ROUNDS = 5
HERE = Path(__file__).parent
PROGRAM = HERE.parent / "build" / "peer"


def run() -> dict[str, Figure]:
    """Measure both sides, or say what is missing to build the other one."""
    if not _is_built():
        return {}
    figures: dict[str, Figure] = {}
    with tempfile.TemporaryDirectory(prefix="berth-bench-") as folder:
        files = _written(Path(folder))
        cluster, whole = files["cluster"], files["whole"]
        theirs, ours = _turns([cluster, "explain", str(WARM_UP + TIMES), *EXPLAINED])
        for name in EXPLAINED:
            _must_agree(name, [each[name] for _, each in theirs], [each[name] for _, each in ours])
            medians = ([statistics.median(each[name]["ms"][WARM_UP:]) for _, each in side] for side in (theirs, ours))
            figures |= _beside(f"explain {name}: {NODES} nodes, {PODS} pods", "ms", *medians)
        for what, pods, percentage in PLACEMENTS:
            turns = _turns([files["empty"], "place", files[pods], str(percentage)])
            rates = ([each["pods"] / each["place_s"] for _, each in side] for side in turns)
            figures |= _beside(f"place {PLACED} pods on {NODES} nodes: {what}", "pods/s", *rates)
        asked = ["--dump", cluster, "--manifest", files["deployment"], "--format", "json"]
        turns = _turns([cluster, "place", whole, "100"], ours=[sys.executable, "manage.py", "simulate", *asked])
        seconds = ([taken for taken, _ in side] for side in turns)
        figures |= _beside(f"from a dump of {PODS} pods to {PLACED_WHOLE} more placed", "s", *seconds)
    return figures


def _turns(arguments: list[str], ours: list[str] | None = None) -> tuple[Rounds, Rounds]:
    """Ask both sides the same in each round, kube-scheduler's first in every other; return its answers and Berth's."""
    sides = ([str(PROGRAM), *arguments], ours or [sys.executable, "-m", "bench.peer", *arguments])
    answers: tuple[Rounds, Rounds] = ([], [])
    for number in range(ROUNDS):
        for side in (0, 1) if number % 2 == 0 else (1, 0):
            start = time.perf_counter()
            output = subprocess.run(sides[side], check=True, stdout=subprocess.PIPE).stdout
            answers[side].append((time.perf_counter() - start, orjson.loads(output)))
    return answers


def _beside(name: str, unit: str, theirs: Iterable[float], ours: Iterable[float]) -> dict[str, Figure]:
    scheduler = figure(list(theirs), unit)
    return {
        f"{name}, kube-scheduler": scheduler,
        f"{name}, Berth": figure(list(ours), unit, against=scheduler["median"]),
    }


def _must_agree(name: str, theirs: list[dict[str, Any]], ours: list[dict[str, Any]]) -> None:
    """kube-scheduler takes any of the best nodes."""
    best, feasible = set(ours[0]["best"]), {each["feasible"] for each in (*theirs, *ours)}
    if len(feasible) > 1 or any(not best.issuperset(each["best"]) for each in (*theirs, *ours)):
        raise RuntimeError(f"{name}: the sides differ: {theirs[0]} and {ours[0]}")


def _release() -> Release:
    """The newest release whose kube-scheduler can be built here."""
    from tests.controlplane import binaries

    return RELEASES[[*binaries.RELEASES][-1]]


def _is_built() -> bool:
    from tests.controlplane.build import COMPONENTS, ENVIRONMENT, GO_VERSIONS, USUAL_PLACE

    release = _release()
    go = shutil.which("go") or shutil.which(USUAL_PLACE)
    if go is None:
        needed = GO_VERSIONS[release.minor]
        print(
            f"peer is not measured: kube-scheduler's side needs Go {needed} or newer on PATH (https://go.dev/dl/), "
            "and its modules, which Go then fetches by itself."
        )
        return False
    print(f"Building kube-scheduler {release.compared}'s side; the first time takes several minutes.", flush=True)
    modules = ["-mod=readonly", f"-modfile={release.minor}.mod"]
    command = [go, "build", *modules, "-o", str(PROGRAM), str(HERE / "peer.go")]
    if status := subprocess.run(command, cwd=COMPONENTS, env=os.environ | ENVIRONMENT, check=False).returncode:
        print(f"peer is not measured: Go could not build kube-scheduler's side (status {status}); see above.")
    return not status


def _written(folder: Path) -> dict[str, str]:
    """Write what both sides read, and return where each file is."""
    objects = list(each_object(NODES, PODS))
    zones = spread(1, ZONE, "DoNotSchedule", "more")
    hosts = spread(1, HOST, "ScheduleAnyway", "more")
    lists = {
        "cluster": objects,
        "empty": objects[: NODES + 1],
        "alike": wanted_pods("more", PLACED),
        "zones": wanted_pods("more", PLACED, topologySpreadConstraints=[zones]),
        "hosts": wanted_pods("more", PLACED, topologySpreadConstraints=[zones, hosts]),
        "whole": wanted_pods("more", PLACED_WHOLE),
        "deployment": [workload("more", PLACED_WHOLE)],
    }
    paths = {name: folder / f"{name}.json" for name in lists}
    for name, items in lists.items():
        paths[name].write_bytes(orjson.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
    return {name: str(path) for name, path in paths.items()}


def main() -> None:
    """Berth's side, which takes the same arguments as kube-scheduler's and prints the same."""
    path, what, *rest = sys.argv[1:]
    start = time.perf_counter()
    objects = _items(path)
    snapshot = Snapshot.from_objects(objects, _release())
    answer: dict[str, Any] = {"read_s": time.perf_counter() - start}
    if what == "place":
        answer |= _place(snapshot, _items(rest[0]), samples=rest[1] == "0")
    else:
        pods = {each["metadata"]["name"]: each for each in objects if each["metadata"]["name"] in rest}
        del objects
        answer |= {name: _explain(snapshot, pods[name], int(rest[0])) for name in rest[1:]}
    sys.stdout.write(orjson.dumps(answer).decode())


def _items(path: str) -> list[Document]:
    items: list[Document] = orjson.loads(Path(path).read_bytes())["items"]
    return items


def _explain(snapshot: Snapshot, pod: Document, times: int) -> dict[str, Any]:
    profile = SchedulerConfiguration.default(_release()).profiles[0]
    taken = []
    answer: dict[str, Any] = {}
    # The collector of garbage stays on, as Go's does.
    for _ in range(times):
        start = time.perf_counter()
        found = explain(snapshot, pod, profile)
        # Both are computed once they are asked for.
        assert found.groups
        answer = {"feasible": len(found.feasible), "best": list(found.best)}
        taken.append((time.perf_counter() - start) * 1000)
    return {"ms": taken, **answer}


def _place(snapshot: Snapshot, pods: list[Document], *, samples: bool) -> dict[str, Any]:
    case = Case(snapshot, SchedulerConfiguration.default(_release()), [Wanted(pod) for pod in pods], samples=samples)
    start = time.perf_counter()
    placed = sum(step.outcome is Outcome.PLACED for step in Simulation(case))
    seconds = time.perf_counter() - start
    assert placed == len(pods)
    return {"place_s": seconds, "pods": placed}


if __name__ == "__main__":
    main()
