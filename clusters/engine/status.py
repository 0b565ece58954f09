"""What a plugin answers about a pod and a node: a code and its reasons.

Upstream: kube-scheduler v1.34.1, ``kube-scheduler/framework/interface.go`` (Status).
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Sequence

Mask = NDArray[np.bool_]
Ints = NDArray[np.int64]
Index = NDArray[np.intp]


class Code(enum.StrEnum):
    """The outcomes a plugin can report, spelled as kube-scheduler spells them."""

    SUCCESS = "Success"
    UNSCHEDULABLE = "Unschedulable"
    UNRESOLVABLE = "UnschedulableAndUnresolvable"
    ERROR = "Error"
    SKIP = "Skip"


@dataclass(frozen=True, slots=True)
class Status:
    """A code with the reasons that kube-scheduler would print, in its order."""

    code: Code = Code.SUCCESS
    reasons: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        return self.code is Code.SUCCESS


SUCCESS = Status()
SKIP = Status(Code.SKIP)


def unschedulable(*reasons: str) -> Status:
    """A rejection that removing pods could resolve."""
    return Status(Code.UNSCHEDULABLE, reasons)


def unresolvable(*reasons: str) -> Status:
    """A rejection that preemption cannot resolve."""
    return Status(Code.UNRESOLVABLE, reasons)


@dataclass(frozen=True, slots=True)
class Rejection:
    """A rejection that the scheduler would record: by which plugin (or plugins, separated by commas), and how."""

    plugin: str
    status: Status

    @property
    def plugins(self) -> tuple[str, ...]:
        """The plugins one by one; several leave a node out before it is looked at, none a node that is gone."""
        return tuple(self.plugin.split(",")) if self.plugin else ()


@dataclass(frozen=True, slots=True)
class FilterAnswer:
    """One filter's answer for all N nodes: a small table of statuses and an index into it.

    ``statuses[0]`` is always Success. ``index`` has shape (N,), or is None when every node passes.
    """

    statuses: tuple[Status, ...] = (SUCCESS,)
    index: Index | None = None

    @classmethod
    def everywhere(cls, status: Status, nodes: int) -> FilterAnswer:
        """The same status on every node."""
        return cls((SUCCESS, status), np.ones(nodes, np.intp))

    @classmethod
    def first_of(cls, *cases: tuple[Mask, Status]) -> FilterAnswer:
        """On each node the status of the first mask that holds; Success where none does."""
        held = [(mask, status) for mask, status in cases if mask.any()]
        if not held:
            return PASS
        index = np.zeros(len(held[0][0]), np.intp)
        for number in range(len(held), 0, -1):
            index[held[number - 1][0]] = number
        return cls((SUCCESS, *(status for _, status in held)), index)

    @classmethod
    def by_table(cls, statuses: Sequence[Status], index: Index) -> FilterAnswer:
        """``statuses[k]`` on every node whose ``index`` is k; Success entries are merged into 0."""
        table: list[Status] = [SUCCESS]
        position = {SUCCESS: 0}
        translate = np.empty(max(len(statuses), 1), np.intp)
        for number, status in enumerate(statuses):
            if status not in position:
                position[status] = len(table)
                table.append(status)
            translate[number] = position[status]
        if len(table) == 1:
            return PASS
        translated = translate[index]
        return cls(tuple(table), translated) if translated.any() else PASS

    @property
    def failed(self) -> Mask | None:
        """Shape (N,): where the filter rejects; None when it rejects nowhere."""
        return None if self.index is None else self.index > 0

    def at(self, node: int) -> Status:
        """The status of one node."""
        return SUCCESS if self.index is None else self.statuses[self.index[node]]


PASS = FilterAnswer()
