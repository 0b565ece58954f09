"""A scheduler that searches as kube-scheduler does, with workers that go on in turns that a seed decides."""

from __future__ import annotations

from math import isqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from clusters.engine import Explanation, SchedulerConfiguration, Snapshot, explain
from clusters.engine.scheduling import run_cycle
from clusters.engine.scheduling.searches import NodeOrders
from tests.engine.builders import a_node, a_pod

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator

PROFILE = SchedulerConfiguration.default().profiles[0]


def a_cluster(chance: random.Random, nodes: int, *, unfit: float) -> Snapshot:
    """Nodes of three zones and three sizes, with pods on them; a share of them (``unfit``) is not for other pods."""
    objects: list[dict[str, Any]] = [
        a_node(
            f"n{number:04}",
            zone=f"z{number % 3}",
            labels={"fits": str(chance.random() >= unfit).lower()},
            allocatable={"cpu": chance.choice(["8", "16", "32"]), "memory": chance.choice(["16Gi", "32Gi", "64Gi"])},
        )
        for number in range(nodes)
    ]
    objects += [
        a_pod(
            f"x{number}",
            node=f"n{chance.randrange(nodes):04}",
            requests={"cpu": f"{chance.randrange(100, 900)}m", "memory": f"{chance.randrange(100, 900)}Mi"},
        )
        for number in range(3 * nodes)
    ]
    return Snapshot.from_objects(objects)


class SimulatedScheduler:
    """Binds pods one after the other. ``start`` is where its next search begins."""

    def __init__(self, chance: random.Random, snapshot: Snapshot, *, workers: int = 1, by_age: bool = False) -> None:
        self._chance, self._workers, self._bound = chance, workers, 0
        self.snapshot = snapshot
        self.order = NodeOrders().of(snapshot.nodes.nodes).orders[-1 if by_age else 0]
        self.start = chance.randrange(len(self.order))

    def shuffle(self) -> None:
        """Have the nodes in another order from now on, which follows from nothing."""
        order = self.order.tolist()
        self._chance.shuffle(order)
        self.order = np.array(order, np.intp)

    def bind(self, count: int, **spec: Any) -> Iterator[tuple[Explanation, str, int]]:
        """Bind so many pods, and yield of each its explanation, its node, and from where the search began."""
        for _ in range(count):
            self._bound += 1
            cpu, memory = self._chance.choice([100, 250, 1000]), self._chance.choice([64, 256, 1024])
            pod = a_pod(
                f"p{self._bound}",
                labels={"app": "web"},
                requests={"cpu": f"{cpu}m", "memory": f"{memory}Mi"},
                nodeSelector={"fits": "true"},
                **spec,
            )
            explanation, start = explain(self.snapshot, pod, PROFILE), self.start
            best = run_cycle(self.snapshot, explanation.pod, PROFILE, among=np.sort(self._search(explanation))).best
            node = self.snapshot.nodes.names[self._chance.choice(best.tolist())]
            yield explanation, node, start
            self.snapshot = self.snapshot.copy().assume(pod, node)

    def _search(self, explanation: Explanation) -> np.ndarray[Any, np.dtype[np.intp]]:
        count, wanted = len(self.order), explanation.sampling.wanted
        fits = np.isin(np.arange(count), explanation.cycle.feasible)
        piece = max(1, min(isqrt(count), count // self._workers + 1))
        begun, rejected = 0, 0
        work: list[list[int]] = []
        found: list[int] = []
        while len(found) <= wanted:
            while len(work) < self._workers and begun < count:
                work.append([begun, min(begun + piece, count)])
                begun += piece
            if not work:
                break
            current = self._chance.choice(work)
            row = int(self.order[(self.start + current[0]) % count])
            current[0] += 1
            work = [each for each in work if each[0] < each[1]]
            if fits[row]:
                found.append(row)
            else:
                rejected += 1
        self.start = (self.start + len(found[:wanted]) + rejected) % count
        return np.array(found[:wanted], np.intp)
