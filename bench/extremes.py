"""What somebody may write into a cluster to make an explanation slow, and how slow it then is.

Each case is explained once from the snapshot to the last part of the page: verdicts, scores, the FailedScheduling text
with preemption, ways to make the pod schedulable, and what every filter compared on one node. Where that is refused as
too costly, the refusal is timed.
"""

from __future__ import annotations

import time
import tracemalloc
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from bench.cluster import HOST, ZONE
from bench.measure import Figure, figure
from clusters.adapters.cel.selectors import compile_selector
from clusters.engine import SchedulerConfiguration, Snapshot, explain
from clusters.engine.devices import CostlyExpressionError, DeviceSlice
from clusters.engine.scheduling import CostLimitError
from clusters.engine.versions import NEWEST

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from clusters.engine import Explanation

Document = dict[str, Any]
Case = tuple[list[Document], Document]

BAR_MS = 1000.0
HOSTILE_BAR_MS = 5000.0
_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"


def run() -> dict[str, Figure]:
    """Milliseconds from the snapshot to everything that a page shows, next to the bar."""
    figures: dict[str, Figure] = {}
    for name, (make, bar) in CASES.items():
        objects, pod = make()
        snapshot = Snapshot.from_objects(objects, NEWEST)
        profile = SchedulerConfiguration.default(NEWEST).profiles[0]
        samples = []
        for _ in range(3):
            start = time.perf_counter()
            with suppress(CostLimitError):
                _show(explain(snapshot, pod, profile))
            samples.append((time.perf_counter() - start) * 1000)
        figures[f"explain all: {name}"] = figure(samples, "ms", against=bar)
    return {**figures, **_doubling_expression()}


def _doubling_expression() -> dict[str, Figure]:
    """A CEL expression of which each level doubles a text: until it is given up, and what that takes."""
    names = [f"a{level}" for level in range(21)]
    values = ['"' + "x" * 500 + '"', *(f"{name} + {name}" for name in names)]
    bound = "".join(f"cel.bind({name}, {value}, " for name, value in zip(names, values, strict=False))
    expression = f"{bound}size({names[-1]}) > 0" + ")" * len(names)
    device = DeviceSlice.from_dict({"spec": {"devices": [{"name": "d0"}]}}).devices[0]
    samples, peaks = [], []
    for _ in range(3):
        tracemalloc.start()
        with suppress(CostlyExpressionError):
            compile_selector(expression, NEWEST.dialect).matches("gpu.example.com", device)
        peaks.append(tracemalloc.get_traced_memory()[1] / (1 << 20))
        tracemalloc.stop()
        start = time.process_time()
        with suppress(CostlyExpressionError):
            compile_selector(expression, NEWEST.dialect).matches("gpu.example.com", device)
        samples.append((time.process_time() - start) * 1000)
    return {
        "give up a doubling expression: processor time": figure(samples, "ms", against=100.0),
        "give up a doubling expression: memory": figure(peaks, "MiB", against=64.0),
    }


def _show(explanation: Explanation) -> None:
    """Ask for all that a page shows."""
    assert explanation.groups
    assert explanation.message or explanation.fits
    assert explanation.relaxations
    row = int(explanation.groups[-1].rows[0])
    explanation.evidence(row)
    if explanation.fits:
        best = int(explanation.cycle.best[0])
        for score in explanation.scores:
            explanation.score_evidence(best, score.plugin)


# -- the cases ---------------------------------------------------------------------------------------------------


def terms_of_placed_pods() -> Case:
    """5,000 placed pods whose distinct required anti-affinity terms mean the pod, one on each of 5,000 nodes."""
    pod = _pod("incoming", {f"k{number}": "x" for number in range(5000)})
    placed = [
        _pod(f"p{number}", {}, node=_name(number), affinity=_anti([_term({f"k{number}": "x"})]))
        for number in range(5000)
    ]
    return [*_nodes(5000), *placed], pod


def budgets_of_other_namespaces() -> Case:
    """2,000 namespaces with a budget each; 1,000 nodes full of pods that the pod may preempt."""
    budgets = [
        {
            "kind": "PodDisruptionBudget",
            "metadata": {"name": "budget", "namespace": f"team-{number}"},
            "spec": {"selector": {"matchLabels": {"app": "web"}}},
            "status": {"disruptionsAllowed": number % 2},
        }
        for number in range(2000)
    ]
    placed = [
        _pod(f"p{number}", {"app": "web"}, node=_name(number // 8), namespace=f"team-{number % 2000}", cpu="4")
        for number in range(8000)
    ]
    return [*_nodes(1000), *budgets, *placed], _pod("incoming", {}, cpu="6", priority=100)


def host_ports() -> Case:
    """A pod with 500 host ports, of which every node has one taken."""
    pod = _pod("incoming", {}, ports=[*range(2000, 2500)])
    placed = [_pod(f"p{number}", {}, node=_name(number), ports=[2000 + number % 500]) for number in range(1000)]
    return [*_nodes(1000), *placed], pod


def local_claims() -> Case:
    """A pod with 50 claims of local storage, and 5,000 nodes with one volume each, any of which suits every claim."""
    local = {
        "kind": "StorageClass",
        "metadata": {"name": "local"},
        "provisioner": "kubernetes.io/no-provisioner",
        "volumeBindingMode": "WaitForFirstConsumer",
    }
    volumes = [_volume(number, _name(number)) for number in range(5000)]
    claims = [
        {
            "kind": "PersistentVolumeClaim",
            "metadata": {"name": f"c{number}", "namespace": "default", "uid": f"c{number}"},
            "spec": {
                "storageClassName": "local",
                "accessModes": ["ReadWriteOnce"],
                "resources": {"requests": {"storage": f"{11 + number}Gi"}},
            },
            "status": {"phase": "Pending"},
        }
        for number in range(50)
    ]
    mounted = [{"name": f"v{number}", "persistentVolumeClaim": {"claimName": f"c{number}"}} for number in range(50)]
    return [*_nodes(5000), local, *volumes, *claims], _pod("incoming", {}, volumes=mounted)


def terms_of_one_placed_pod() -> Case:
    """One placed pod with 8,000 distinct terms, explained is another on 2,000 nodes with 20,000 pods."""
    terms = [_term({f"k{number}": "x"}, ZONE) for number in range(8000)]
    hostile = _pod("hostile", {}, node=_name(0), affinity=_anti(terms))
    return [*_nodes(2000), *_crowd(20_000, 2000), hostile], _pod("incoming", {f"k{n}": "x" for n in range(8000)})


def terms_of_the_pod(count: int) -> Case:
    """Distinct terms of the pod itself."""
    terms = [_term({"app": f"app-{number}"}) for number in range(count)]
    return [*_nodes(2000), *_crowd(20_000, 2000)], _pod("incoming", {"app": "app-1"}, affinity=_anti(terms))


def spread_constraints(count: int) -> Case:
    """Distinct spread constraints of the pod itself."""
    constraints = [
        {
            "maxSkew": 1 + number,
            "topologyKey": HOST,
            "whenUnsatisfiable": "DoNotSchedule",
            "labelSelector": {"matchLabels": {"app": f"app-{number}"}},
        }
        for number in range(count)
    ]
    pod = _pod("incoming", {"app": "app-1"}, topologySpreadConstraints=constraints)
    return [*_nodes(2000), *_crowd(20_000, 2000)], pod


CASES: dict[str, tuple[Callable[[], Case], float]] = {
    "5000 anti-affinity terms that mean the pod, 5000 nodes": (terms_of_placed_pods, BAR_MS),
    "2000 namespaces with a budget each, 1000 nodes": (budgets_of_other_namespaces, BAR_MS),
    "500 host ports, 1000 nodes": (host_ports, BAR_MS),
    "50 claims of 5000 local volumes, 5000 nodes": (local_claims, BAR_MS),
    "8000 terms of one placed pod, 2000 nodes": (terms_of_one_placed_pod, HOSTILE_BAR_MS),
    "2000 terms of the pod, 2000 nodes": (partial(terms_of_the_pod, 2_000), HOSTILE_BAR_MS),
    "20000 terms of the pod, refused, 2000 nodes": (partial(terms_of_the_pod, 20_000), HOSTILE_BAR_MS),
    "2000 spread constraints, 2000 nodes": (partial(spread_constraints, 2_000), HOSTILE_BAR_MS),
    "20000 spread constraints, refused, 2000 nodes": (partial(spread_constraints, 20_000), HOSTILE_BAR_MS),
}


def _name(number: int) -> str:
    return f"n{number:05d}"


def _nodes(count: int) -> Iterable[Document]:
    for number in range(count):
        yield {
            "kind": "Node",
            "metadata": {"name": _name(number), "labels": {HOST: _name(number), ZONE: f"z{number % 3}"}},
            "status": {"allocatable": {"cpu": "32", "memory": "128Gi", "pods": "110"}},
        }


def _crowd(pods: int, nodes: int) -> Iterable[Document]:
    for number in range(pods):
        yield _pod(f"crowd-{number}", {"app": f"app-{number}"}, node=_name(number % nodes))


def _pod(
    name: str,
    labels: Document,
    *,
    namespace: str = "default",
    node: str | None = None,
    cpu: str = "100m",
    ports: Iterable[int] = (),
    **spec: Any,
) -> Document:
    container = {
        "name": "main",
        "image": "registry.example/app:1",
        "resources": {"requests": {"cpu": cpu}},
        "ports": [{"containerPort": port, "hostPort": port} for port in ports],
    }
    bound = {} if node is None else {"nodeName": node}
    return {
        "kind": "Pod",
        "metadata": {"name": name, "namespace": namespace, "uid": f"{namespace}-{name}", "labels": labels},
        "spec": {"containers": [container], **bound, **spec},
        "status": {"phase": "Pending" if node is None else "Running"},
    }


def _term(labels: Document, topology_key: str = HOST) -> Document:
    return {"labelSelector": {"matchLabels": labels}, "topologyKey": topology_key}


def _anti(terms: list[Document]) -> Document:
    return {"podAntiAffinity": {_REQUIRED: terms}}


def _volume(number: int, node: str) -> Document:
    only = {"matchExpressions": [{"key": HOST, "operator": "In", "values": [node]}]}
    return {
        "kind": "PersistentVolume",
        "metadata": {"name": f"pv{number:05d}", "uid": f"pv{number}"},
        "spec": {
            "storageClassName": "local",
            "capacity": {"storage": "100Gi"},
            "accessModes": ["ReadWriteOnce"],
            "nodeAffinity": {"required": {"nodeSelectorTerms": [only]}},
        },
        "status": {"phase": "Available"},
    }
