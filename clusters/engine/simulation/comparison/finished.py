"""A run that is over, and how to go through it again."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from clusters.engine.explanation import explain
from clusters.engine.objects import key_of
from clusters.engine.simulation.run import Simulation
from clusters.engine.simulation.steps import ASIDE, Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from clusters.engine.explanation import Explanation
    from clusters.engine.objects import Document
    from clusters.engine.simulation.case import Case
    from clusters.engine.simulation.steps import Step
    from clusters.engine.snapshot import Snapshot

ATTEMPTS = frozenset({Outcome.PLACED, Outcome.UNSCHEDULABLE, Outcome.GATED, Outcome.NOT_COMPUTED, Outcome.FORBIDDEN})


class Replay(Protocol):
    """Any kind of simulation: it yields steps, and its snapshot is the cluster after the last one."""

    @property
    def snapshot(self) -> Snapshot: ...

    @property
    def waiting(self) -> Mapping[str, Step]: ...

    @property
    def replaced(self) -> Mapping[str, str]: ...

    def document_of(self, key: str) -> Document: ...

    def __iter__(self) -> Iterator[Step]: ...

    def __next__(self) -> Step: ...


@dataclass(frozen=True)
class Finished:
    """A run that is over: its case, its steps, and the simulation after the last of them.

    Pods that controllers made in the place of others count as those, so that runs can be told apart pod by pod.
    ``again``: makes a simulation that goes through the same steps from the beginning; without it one that places pod
    after pod does.
    """

    case: Case
    steps: Sequence[Step]
    simulation: Replay
    again: Callable[[], Replay] | None = field(default=None, compare=False)

    @cached_property
    def wanted(self) -> Mapping[str, Document]:
        """The pods that were to be placed, by ``namespace/name``."""
        return {key_of(each.pod): each.pod for each in self.case.wanted}

    @cached_property
    def last_steps(self) -> Mapping[str, Step]:
        """The last thing that happened to each pod or who took its place; refused evictions are nothing."""
        return {self.first_of(step.pod): step for step in self.steps if step.outcome not in ASIDE}

    @cached_property
    def nodes(self) -> Mapping[str, str]:
        """Where each pod lies in the end, or who took its place."""
        nodes, pods = self.simulation.snapshot.nodes, self.simulation.snapshot.pods
        rows = pods.node.tolist()
        return {self.first_of(key): nodes.names[rows[slot]] for key, slot in pods.slot_of.items() if rows[slot] >= 0}

    @cached_property
    def pending(self) -> frozenset[str]:
        """The pending pods at the end, or their replacements."""
        return frozenset(map(self.first_of, self.simulation.waiting))

    @cached_property
    def _firsts(self) -> Mapping[str, str]:
        """The pods in whose place others came, by those."""
        replaced = (*self.case.replaced.items(), *self.simulation.replaced.items())
        return {later: earlier for earlier, later in replaced if later != earlier}

    @cached_property
    def _lasts(self) -> Mapping[str, str]:
        followed = frozenset(self._firsts.values())
        return {self.first_of(later): later for later in self._firsts if later not in followed}

    def first_of(self, key: str) -> str:
        """The pod in whose place this one came in the end, or the pod itself."""
        while key in self._firsts:
            key = self._firsts[key]
        return key

    def last_of(self, key: str) -> str:
        """The pod that came in the place of this one in the end, empty where none did."""
        return self._lasts.get(key, "")

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset((*map(self.first_of, self.wanted), *self.nodes, *self.last_steps))

    def knows(self, key: str) -> bool:
        """Whether the pod was part of the run in any way."""
        return key in self._known

    def waiting(self) -> list[Document]:
        """The pods that have no node in the end."""
        return [self.simulation.document_of(key) for key in sorted(self.simulation.waiting)]

    def explanations(self, numbers: Iterable[int]) -> Iterator[tuple[int, Explanation]]:
        """The decisions of some attempts in their order, each on the state before it.

        What an explanation computes on demand has to be asked for before the next one is.
        """
        replay = Simulation(self.case, self.steps) if self.again is None else self.again()
        taken = 0
        for number in sorted(set(numbers)):
            if isinstance(replay, Simulation):
                yield number, replay.explanation_at(number)
                continue
            while taken < number:
                next(replay)
                taken += 1
            key = self.steps[number].pod
            pod = self.wanted.get(key) or replay.document_of(key)
            yield number, explain(replay.snapshot, pod, self.case.configuration.profile_for(pod))
