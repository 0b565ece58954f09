"""The pods that topology spread constraints count, brought forward as pods come and go instead of counted again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from clusters.engine.columns import distinguish
from clusters.engine.scoring import round_half_away
from clusters.engine.spreading.constraints import (
    DomainCounts,
    SpreadConstraint,
    counted_label_sets,
    matching_rows,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clusters.engine.selectors import LabelSelector
    from clusters.engine.snapshot import Snapshot
    from clusters.engine.spreading.constraints import Domains
    from clusters.engine.status import Index, Ints, Mask

# Of more label sets than these it is quicker to count the pods.
_MOST_FOLLOWED: Final = 32


class Following:
    """Tells where pods that a selector counts have come and gone since it was asked before."""

    def __init__(self, snapshot: Snapshot, selector: LabelSelector, namespace: str) -> None:
        self._snapshot, self._selector, self._namespace = snapshot, selector, namespace
        self._known, label_sets = len(snapshot.pods.label_sets), self._label_sets()
        self._is_open = len(label_sets) <= _MOST_FOLLOWED
        # Each with its movements, and how many of them were told.
        self._movements: dict[int, tuple[list[int], int]] = {}
        for number in label_sets.tolist() if self._is_open else ():
            movements = snapshot.pods.movements(number)
            self._movements[number] = movements, len(movements)

    def _label_sets(self) -> Index:
        return counted_label_sets(self._snapshot, self._selector, self._namespace)

    def changes(self) -> list[tuple[int, int]] | None:
        """The rows that a pod has come to (1) or left (-1), one after another; None: all have to be counted anew."""
        pods = self._snapshot.pods
        if self._known != len(pods.label_sets):
            self._known = len(pods.label_sets)
            self._is_open = self._is_open and len(self._label_sets()) == len(self._movements)
        if not self._is_open:
            return None
        found: list[tuple[int, int]] = []
        for number, (movements, told) in self._movements.items():
            if pods.movements(number) is not movements:
                return None
            if len(movements) > told:
                found += [(row, 1) if row >= 0 else (~row, -1) for row in movements[told:]]
                self._movements[number] = movements, len(movements)
        return found


class FollowedCounts:
    """The counts of one DoNotSchedule constraint, for pods of a namespace."""

    def __init__(self, snapshot: Snapshot, namespace: str, domains: Domains) -> None:
        selector, column = domains.constraint.selector, domains.column
        self._following = Following(snapshot, selector, namespace)
        rows = matching_rows(snapshot, selector, namespace)
        self._counts = DomainCounts.of(column.codes, domains.eligible, len(column.values), rows)

    @property
    def counts(self) -> Ints:
        """Shape (V,)."""
        return self._counts.counts

    def follow(self) -> bool:
        """Take in where pods have come and gone; False where all have to be counted anew."""
        changes = self._following.changes()
        for row, more in changes or ():
            self._counts.move(row, more)
        return changes is not None


class PlacedRows(NamedTuple):
    """Rows (F,) numbered by the domains in which they are, a row for each number, and the places (N,) of all rows.

    The place of a row that is not among them is after the last. ``are_whole``: they have the keys of all constraints.
    """

    rows: Index
    numbers: Index
    examples: Index
    places: Index
    are_whole: bool


class CountedNodes(NamedTuple):
    """The domain of each node, ``codes`` (N,), below ``domains``, and the nodes whose pods count, ``counted`` (N,)."""

    codes: Index
    counted: Mask
    domains: int


class _Meant:
    """The pods that a selector means, in the domains of some constraints, and on each node where one is over hosts."""

    def __init__(self, snapshot: Snapshot, selector: LabelSelector, namespace: str, *, follows: bool) -> None:
        self.following = Following(snapshot, selector, namespace) if follows else None
        self.rows = matching_rows(snapshot, selector, namespace)
        self.in_domains: list[DomainCounts] = []
        # Shape (N,), and of each number, shape (C,).
        self.on_hosts: Ints | None = None
        self.held: Ints = self.rows[:0]

    def move(self, row: int, more: int) -> None:
        for each in self.in_domains:
            each.move(row, more)
        if self.on_hosts is not None:
            self.on_hosts[row] += more


class _Part:
    """One constraint: in which domain an example of each number is, shape (C,), and whether it has the key."""

    codes: Index
    present: Mask

    def __init__(self, constraint: SpreadConstraint, meant: _Meant, nodes: CountedNodes | None) -> None:
        self.constraint, self.meant = constraint, meant
        self.counts: DomainCounts | None = None
        if nodes is not None:
            self.counts = DomainCounts.of(nodes.codes, nodes.counted, nodes.domains, meant.rows)
            meant.in_domains.append(self.counts)


class SpreadStanding:
    """How rows (F,) stand with the ScheduleAnyway constraints of a pod, the same for all rows of one of C numbers.

    Those are in the same domains, and have as many pods on themselves that count. ``numbers`` (F,); ``is_scored`` (C,):
    whether rows with a number are scored. The nodes that count are given for each constraint, None for one over hosts.
    Where it ``follows`` it can be brought forward.
    """

    def __init__(
        self,
        snapshot: Snapshot,
        namespace: str,
        constraints: Iterable[tuple[SpreadConstraint, CountedNodes | None]],
        placed: PlacedRows,
        labelled: Mask,
        *,
        follows: bool,
    ) -> None:
        self._snapshot, self._placed, self._labelled = snapshot, placed, labelled
        meant: dict[LabelSelector, _Meant] = {}
        self._parts: list[_Part] = []
        for constraint, nodes in constraints:
            pods = meant.get(constraint.selector)
            if pods is None:
                pods = meant[constraint.selector] = _Meant(snapshot, constraint.selector, namespace, follows=follows)
            if nodes is None:
                pods.on_hosts = np.bincount(pods.rows, minlength=len(labelled))
            self._parts.append(_Part(constraint, pods, nodes))
        self._meant = [*meant.values()]
        self._over_hosts = [(each, each.on_hosts) for each in self._meant if each.on_hosts is not None]
        self._tell_apart()

    def _tell_apart(self) -> None:
        """Number rows by their domains, and those with pods that count on themselves by how many, too."""
        rows, numbers, examples, places, _ = self._placed
        here = rows[:0]
        if self._over_hosts:
            here = np.flatnonzero(sum(on_hosts for _, on_hosts in self._over_hosts))
            here = here[places.take(here) < len(rows)]
        at = places.take(here)
        columns = [(numbers.take(at), len(examples))]
        columns += [(each.take(here), int(each.max(initial=0)) + 1) for _, each in self._over_hosts]
        own, count = distinguish(columns, len(here))
        first = np.zeros(count, np.intp)
        first[own] = here
        self.numbers = numbers.copy()
        self.numbers[at] = own + len(examples)
        self._examples = np.concatenate((examples, first))
        for meant, on_hosts in self._over_hosts:
            meant.held = np.concatenate((np.zeros(len(examples), np.int64), on_hosts.take(first)))
        # How many rows have each number.
        self._sizes: list[int] = np.bincount(self.numbers, minlength=len(self._examples)).tolist()
        self._number_of: dict[tuple[int, ...], int] = {}
        self._read_examples()

    def _read_examples(self) -> None:
        self.is_scored = self._labelled.take(self._examples)
        self._scored: Index | None = None
        for part in self._parts:
            column = self._snapshot.nodes.label(part.constraint.topology_key)
            part.present = column.present.take(self._examples)
            part.codes = (column.codes if part.counts is None else part.counts.codes).take(self._examples)

    def follow(self) -> bool:
        """Take in where pods have come and gone; False where all have to be counted anew."""
        for meant in self._meant:
            changes = None if meant.following is None else meant.following.changes()
            if changes is None:
                return False
            for row, more in changes:
                meant.move(row, more)
                place = int(self._placed.places[row])
                if meant.on_hosts is not None and place < len(self._placed.rows):
                    self._renumber(row, place)
        return True

    def _renumber(self, row: int, place: int) -> None:
        """Give a row the number of those that it is like now."""
        if not self._number_of:
            domains = self._placed.numbers.take(self._placed.places.take(self._examples))
            apart = zip(domains.tolist(), *(meant.held.tolist() for meant, _ in self._over_hosts), strict=True)
            self._number_of = {each: number for number, each in enumerate(apart)}
        own = int(self._placed.numbers[place]), *(int(each[row]) for _, each in self._over_hosts)
        number = self._number_of.setdefault(own, len(self._number_of))
        if number == len(self._sizes):
            self._examples = np.append(self._examples, row)
            self._sizes.append(0)
            for meant, on_hosts in self._over_hosts:
                meant.held = np.append(meant.held, on_hosts[row])
            self._read_examples()
        before = int(self.numbers[place])
        self._sizes[before] -= 1
        self._sizes[number] += 1
        self.numbers[place] = number
        if not self._sizes[before] or self._sizes[number] == 1:
            self._scored = None

    @property
    def scored(self) -> Index:
        """The numbers that rows have which are scored."""
        if self._scored is None:
            self._scored = np.flatnonzero((np.array(self._sizes) > 0) & self.is_scored)
        return self._scored

    def parts(self, counting: Iterable[tuple[Mask, float]]) -> Iterator[tuple[SpreadConstraint, Ints, float]]:
        """Each constraint, the pods that it counts for each number, shape (C,), and its weight.

        ``counting``: for each constraint the domains that count, and the weight.
        """
        for part, (wanted, weight) in zip(self._parts, counting, strict=True):
            of_domains = None if part.counts is None else part.counts.counts * wanted
            yield part.constraint, part.meant.held if of_domains is None else of_domains.take(part.codes), weight

    def scores(self, counting: Iterable[tuple[Mask, float]]) -> Ints:
        """The raw score of each number, shape (C,)."""
        total = np.zeros(len(self._examples), np.float64)
        for (constraint, counts, weight), part in zip(self.parts(counting), self._parts, strict=True):
            points = counts * weight
            points += float(constraint.max_skew - 1)
            total += points if self._placed.are_whole else points * part.present
        rounded = round_half_away(total)
        return rounded if self._placed.are_whole else rounded * self.is_scored
