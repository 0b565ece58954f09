"""The usage that a source tells, put in order by hour."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from clusters.adapters.bad_input import shown
from clusters.adapters.prune.shapes import WrongField
from clusters.engine.resources.quantity import NANO, nano_units
from clusters.engine.resources.requests import CPU, amount
from clusters.problems.objects import NotATimestamp
from clusters.problems.usage import UsageOfTheFuture, UsageTooLarge

if TYPE_CHECKING:
    from clusters.engine.usage.disks import NodeDisks
    from clusters.engine.usage.sample import PodUsage, UsedAmounts

_AHEAD = timedelta(days=1)
_FIRST_YEAR = 1970
# A trillion CPUs, or a PiB of memory: whatever pods have together is then far below 64 bits.
MOST_USED = 2**50


def used_amount(resource: str, text: str) -> int:
    """Read what is used of CPU or memory, in milli-CPU or bytes. Raises WrongField for what no machine has."""
    if nano_units(text) > MOST_USED * 10 ** (NANO - 3 if resource == CPU else NANO):
        raise WrongField(UsageTooLarge(shown(text)))
    return amount(resource, text)


@dataclass(slots=True)
class HourFound:
    """What was used in one hour: of each pod and node the latest that the source tells, with its moment."""

    at: datetime
    pods: dict[str, tuple[datetime, PodUsage]] = field(default_factory=dict)
    nodes: dict[str, tuple[datetime, UsedAmounts]] = field(default_factory=dict)


class UsageFound:
    """Takes usage of pods and nodes one by one; ``hours`` by the full hour that each belongs to.

    ``disks``: of each node the latest that its kubelet says of disks, with its moment.
    """

    def __init__(self) -> None:
        self.hours: dict[datetime, HourFound] = {}
        self.disks: dict[str, tuple[datetime, NodeDisks]] = {}
        # Of a clock that is wrong by years a history could not be told from what is old.
        self._latest = datetime.now(UTC) + _AHEAD

    def __bool__(self) -> bool:
        return bool(self.hours or self.disks)

    @property
    def pods(self) -> int:
        """How many samples of pods there are, all hours together."""
        return sum(len(hour.pods) for hour in self.hours.values())

    def add_pod(self, at: datetime, used: PodUsage) -> None:
        """Take what a pod uses. Raises WrongField for a time that cannot be right."""
        pods = self._hour(at).pods
        if used.key not in pods or pods[used.key][0] <= at:
            pods[used.key] = at, used

    def add_node(self, at: datetime, name: str, used: UsedAmounts) -> None:
        """Take what a node uses. Raises WrongField for a time that cannot be right."""
        nodes = self._hour(at).nodes
        if name not in nodes or nodes[name][0] <= at:
            nodes[name] = at, used

    def add_disks(self, at: datetime, name: str, disks: NodeDisks) -> None:
        """Take what a node's kubelet says of disks. Raises WrongField for a time that cannot be right."""
        self.refuse_wrong_time(at)
        if name not in self.disks or self.disks[name][0] <= at:
            self.disks[name] = at, disks

    def refuse_wrong_time(self, at: datetime) -> None:
        """Raise WrongField for a time that cannot be right."""
        # Go's zero is in the year 1, from which no days can be taken.
        if at.year < _FIRST_YEAR:
            raise WrongField(NotATimestamp(shown(at.isoformat())))
        if at > self._latest:
            raise WrongField(UsageOfTheFuture(shown(at.isoformat())))

    def _hour(self, at: datetime) -> HourFound:
        self.refuse_wrong_time(at)
        full = at.astimezone(UTC).replace(minute=0, second=0, microsecond=0)
        found = self.hours.setdefault(full, HourFound(at))
        found.at = max(found.at, at)
        return found
