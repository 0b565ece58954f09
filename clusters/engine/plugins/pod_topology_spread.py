"""PodTopologySpread: pods of a group are spread over the domains of a topology.

Upstream: ``pkg/scheduler/framework/plugins/podtopologyspread`` v1.34.1.
"""

from __future__ import annotations

from functools import cached_property, partial
from itertools import zip_longest
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple, TypeVar

import numpy as np
from msgspec.structs import replace

from clusters.engine.columns import MISSING, LabelColumn, distinguish
from clusters.engine.configuration import PodTopologySpreadArgs
from clusters.engine.edits import AdjustSpread, RemoveSpread, digest
from clusters.engine.evidence import Comparison, Normalisation, ScorePart, Subject
from clusters.engine.plugin import (
    MAX_NODE_SCORE,
    NOTHING_LIFTED,
    PROCEED,
    SKIP_FILTER,
    ClusterEvent,
    Constraint,
    Plugin,
    PreFilter,
    Reads,
)
from clusters.engine.scoring import truncated_quotients
from clusters.engine.selectors import SelectorError
from clusters.engine.spreading.constraints import (
    DO_NOT_SCHEDULE,
    HOSTNAME,
    SCHEDULE_ANYWAY,
    Domains,
    SpreadConstraint,
    all_labelled,
    constraints_of,
    included,
    needs_every_key,
)
from clusters.engine.spreading.standing import CountedNodes, FollowedCounts, PlacedRows, SpreadStanding
from clusters.engine.status import (
    SKIP,
    SUCCESS,
    FilterAnswer,
    Index,
    Ints,
    Mask,
    Reason,
    Status,
    failure,
    unresolvable,
    unschedulable,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator

    from clusters.engine.objects import Pod
    from clusters.engine.world import World


class SkewExceeded(Reason, frozen=True):
    """The pod would make pods too uneven over domains."""

    kind = "skew-exceeded"
    plugin = "PodTopologySpread"
    text = "node(s) didn't match pod topology spread constraints"


class NoTopologyLabel(Reason, frozen=True):
    """The node is in no domain of a constraint."""

    kind = "no-topology-label"
    plugin = "PodTopologySpread"
    text = "node(s) didn't match pod topology spread constraints (missing required label)"


class SpreadSubject(Subject, frozen=True):
    """A DoNotSchedule constraint, of the pod or of the profile's defaults."""

    kind: ClassVar[str] = "spread-constraint"
    may_prefer: ClassVar[bool] = True

    constraint: SpreadConstraint


class AdjustedSpreadSubject(Subject, frozen=True):
    """A DoNotSchedule constraint of the pod that could say less, ``adjusted``, and keep the rest."""

    kind: ClassVar[str] = "adjusted-spread-constraint"

    constraint: SpreadConstraint
    adjusted: SpreadConstraint


class DomainComparison(Comparison, frozen=True):
    """The node's domain of a topology key, and what the constraint makes of it.

    ``value`` is None where the node lacks the label; then there is no domain, ``count`` is 0 and ``skew`` None.
    ``count`` are the matching pods of the domain with those in ``nominated``, which are nominated for the node;
    ``matches_itself`` tells whether the pod counts too. ``eligible`` tells whether pods on this node count at all.
    """

    kind = "topology-domain"

    topology_key: str
    max_skew: int
    min_domains: int
    value: str | None
    count: int
    nominated: tuple[str, ...]
    matches_itself: bool
    minimum: int
    skew: int | None
    eligible: bool
    eligible_domains: int

    @property
    def holds(self) -> bool:
        return self.skew is not None and self.skew <= self.max_skew


class DomainScore(ScorePart, frozen=True):
    """The matching pods of a node's domain, weighted by how many domains there are.

    ``value`` is None where the node lacks the label. ``ignored`` says that it lacks the label of some constraint and
    therefore scores 0. The raw score is the rounded sum of count × weight + max_skew − 1 over the node's labels.
    """

    kind = "topology-domain-score"

    topology_key: str
    value: str | None
    count: int
    weight: float
    max_skew: int
    ignored: bool


class ByDistance(Normalisation, frozen=True):
    """100 × (highest + lowest − raw) ÷ highest, rounded down; ``ignored`` nodes get 0."""

    kind = "by-distance"

    highest: int
    lowest: int
    ignored: bool


class _Scored(NamedTuple):
    """What is known once it is known which rows (F,) fit: those that are scored at all, and if all of them are.

    ``counting``: for each constraint the domains that count, and its weight.
    """

    rows: Index
    is_scored: Mask
    are_all: bool
    counting: list[tuple[Mask, float]]


_OfRows = TypeVar("_OfRows", _Scored, PlacedRows)

# Above any score.
_FAR: Final = np.iinfo(np.int64).max // 4
# Up to how many values of a key what is said of nodes by theirs is kept.
_FEW: Final = 64
# Of how many sets of rows it is kept in which domains they are.
_MOST_ROWS: Final = 8


class PodTopologySpread(Plugin):
    """Filters by DoNotSchedule constraints; scores by ScheduleAnyway constraints."""

    name = "PodTopologySpread"
    reads = Reads.NODES | Reads.PODS
    requeue_on = (
        ClusterEvent.POD_ADD,
        ClusterEvent.POD_DELETE,
        ClusterEvent.POD_LABEL,
        ClusterEvent.POD_TOLERATION,
        ClusterEvent.NODE_ADD,
        ClusterEvent.NODE_DELETE,
        ClusterEvent.NODE_LABEL,
        ClusterEvent.NODE_TAINT,
    )
    colour = "plum"
    lasting = frozenset({"_hard", "_soft", "_labelled", "_scored_like", "_at_first", "_counted_like", "_standing_like"})
    skips_for_good = True
    scores_in_step = True
    whole = (RemoveSpread(),)
    unprepared = 'reading "PreFilterPodTopologySpread" from cycleState: not found'

    @property
    def _arguments(self) -> PodTopologySpreadArgs:
        return self.context.arguments_of(self.name, PodTopologySpreadArgs)

    def _constraints(self, action: str) -> list[SpreadConstraint]:
        return constraints_of(self.snapshot, self.pod, self._arguments, action)

    # -- filtering ---------------------------------------------------------------------------------------

    @cached_property
    def _hard(self) -> list[SpreadConstraint]:
        return self._constraints(DO_NOT_SCHEDULE)

    @property
    def counts_together(self) -> bool:
        return True

    def is_helped_by(self, placed: Pod) -> bool:
        if placed.namespace != self.pod.namespace:
            return False
        try:
            return any(constraint.selector.matches(placed.labels) for constraint in self._hard)
        except SelectorError:
            return False

    def pre_filter(self) -> PreFilter:
        try:
            return PROCEED if self._hard else SKIP_FILTER
        except SelectorError as error:
            reason = f"get constraints from pod: obtaining pod's hard topology spread constraints: {self.said(error)}"
            return PreFilter(failure(reason))

    def _domains(self, constraints: list[SpreadConstraint]) -> list[Domains]:
        labelled = all_labelled(self.snapshot, constraints)
        return [Domains.of(self.context, constraint, labelled) for constraint in constraints]

    @cached_property
    def _at_first(self) -> list[Domains]:
        """Every DoNotSchedule constraint as things were when they were first counted."""
        return self._domains(self._hard)

    @cached_property
    def domains(self) -> list[Domains]:
        """Counts of every DoNotSchedule constraint as things are."""
        in_step = self.context.in_step
        if in_step is None:
            return self._domains(self._hard)
        followed = (
            in_step.of(alike, partial(FollowedCounts, self.snapshot, self.pod.namespace, each))
            for each, alike in zip(self._at_first, self._counted_like, strict=True)
        )
        return [replace(each, counts=now.counts) for each, now in zip(self._at_first, followed, strict=True)]

    @cached_property
    def _counted_like(self) -> list[int]:
        """For each DoNotSchedule constraint the same number for pods of which it counts the same pods."""
        about = ((each.constraint, each.eligible.tobytes()) for each in self._at_first)
        return [self._number(self.pod.namespace, *each) for each in about]

    def _number(self, *about: Hashable) -> int:
        assert self.context.in_step is not None  # noqa: S101 - asked only where something is brought forward
        return self.context.in_step.number((self.name, *about))

    def filter(self, world: World | None = None, lifted: frozenset[int] = NOTHING_LIFTED) -> FilterAnswer:
        if lifted:
            domains = self._domains([c for number, c in enumerate(self._hard) if number not in lifted])
        else:
            domains = self.domains
        if world is not None or any(len(each.exists) > _FEW for each in domains):
            return self._judged(domains, world)
        # There are not many ways in which few values can exceed what is allowed.
        exceeding = tuple((each.constraint.topology_key, each.exceeding.tobytes()) for each in domains)
        return self.snapshot.nodes.kept.by_nodes((self.name, exceeding), lambda: self._judged(domains, None))

    def _judged(self, domains: list[Domains], world: World | None) -> FilterAnswer:
        cases: list[tuple[Mask, Status]] = []
        for each in domains:
            cases.append((~each.column.present, unresolvable(NoTopologyLabel())))
            cases.append((self._exceeds(each, world), unschedulable(SkewExceeded())))
        return FilterAnswer.first_of(*cases)

    def _exceeds(self, domains: Domains, world: World | None) -> Mask:
        """Shape (N,): nodes that would exceed the skew that a constraint allows, or have not its key."""
        if world is None:
            return domains.column.spread(domains.exceeding)
        return domains.skew(self.context, world) > domains.constraint.max_skew

    def blocking(self, world: World | None = None) -> Iterator[Mask]:
        for constraint in self._hard:
            (alone,) = self._domains([constraint])
            yield ~alone.column.present | self._exceeds(alone, world)

    @property
    def _entries(self) -> list[str]:
        """The digest of each DoNotSchedule constraint of the pod's own."""
        return [
            digest(entry)
            for entry in self.pod.spec.get("topologySpreadConstraints") or ()
            if (entry.get("whenUnsatisfiable") or DO_NOT_SCHEDULE) == DO_NOT_SCHEDULE
        ]

    def constraints(self) -> tuple[Constraint, ...]:
        # Without an own constraint those of the profile stand, which no edit of the pod lifts.
        return tuple(
            Constraint(self.name, SpreadSubject(constraint), edit)
            for constraint, edit in zip_longest(self._hard, map(RemoveSpread, self._entries))
        )

    def adjustments(self, reachable: Mask) -> Iterator[Constraint]:
        """Count no nodes that the pod cannot go to, ask for no more domains than there are, allow more skew."""
        for place, (entry, domains) in enumerate(zip(self._entries, self.domains, strict=False)):
            constraint, number = domains.constraint, int(domains.exists.sum())
            if not constraint.honours_taints and (domains.eligible & ~self.context.tolerated).any():
                adjusted = replace(constraint, honours_taints=True)
                yield self._adjusted(constraint, adjusted, AdjustSpread(entry, "nodeTaintsPolicy", "Honor"))
            if not constraint.honours_affinity and (domains.eligible & ~self.context.node_affinity).any():
                adjusted = replace(constraint, honours_affinity=True)
                yield self._adjusted(constraint, adjusted, AdjustSpread(entry, "nodeAffinityPolicy", "Honor"))
            if number and not domains.enough_domains:
                adjusted = replace(constraint, min_domains=number)
                yield self._adjusted(constraint, adjusted, AdjustSpread(entry, "minDomains", number))
            others = self.filter(lifted=frozenset({place})).failed
            kept = reachable & domains.column.present & (True if others is None else ~others)
            skew = domains.skew(self.context, None)[kept]
            if len(skew) and (least := int(skew.min())) > constraint.max_skew:
                adjusted = replace(constraint, max_skew=least)
                yield self._adjusted(constraint, adjusted, AdjustSpread(entry, "maxSkew", least))

    def _adjusted(self, before: SpreadConstraint, after: SpreadConstraint, edit: AdjustSpread) -> Constraint:
        return Constraint(self.name, AdjustedSpreadSubject(before, after), edit)

    def evidence(self, row: int, world: World | None = None) -> tuple[Comparison, ...]:
        return tuple(self._compared(each, row, world) for each in self.domains)

    def _compared(self, domains: Domains, row: int, world: World | None) -> DomainComparison:
        constraint, pods, code = domains.constraint, self.snapshot.pods, int(domains.column.codes[row])
        joining, skew = [], None
        if code >= 0:
            skew = int(domains.skew(self.context, world)[row])
            meant = pods.select(constraint.selector, frozenset({self.pod.namespace}))
            counted = self.joining(row, world) if domains.eligible[row] else []
            joining = [slot for slot in counted if pods.label_set[slot] in meant]
        count = 0 if code < 0 else int(domains.counts[code]) + len(joining)
        return DomainComparison(
            topology_key=constraint.topology_key,
            max_skew=constraint.max_skew,
            min_domains=constraint.min_domains,
            value=None if code < 0 else domains.column.values[code],
            count=count,
            nominated=tuple(pods.keys[slot] for slot in joining),
            matches_itself=bool(domains.itself),
            # Of the node's own world, where its domain holds more.
            minimum=domains.minimum if skew is None else count + domains.itself - skew,
            skew=skew,
            eligible=bool(domains.eligible[row]),
            eligible_domains=int(domains.exists.sum()),
        )

    # -- scoring -----------------------------------------------------------------------------------------

    @cached_property
    def _soft(self) -> list[SpreadConstraint]:
        return self._constraints(SCHEDULE_ANYWAY)

    @property
    def unprepared_score(self) -> str:
        return 'error reading "PreScorePodTopologySpread" from cycleState: not found'

    def pre_score(self, feasible: Index) -> Status:
        try:
            if not self._soft:
                return SKIP
        except SelectorError as error:
            reason = f"obtaining pod's soft topology spread constraints: {self.said(error)}"
            return failure(f"calculating preScoreState: {reason}")
        self._scored = self._kept_of(feasible, self._scored_among)
        return SUCCESS

    @cached_property
    def _scored_like(self) -> Hashable:
        """What decides which nodes are scored, and by which keys."""
        return self.name, needs_every_key(self.pod, self._arguments), *(each.topology_key for each in self._soft)

    def _kept_of(self, rows: Index, make: Callable[[Index], _OfRows]) -> _OfRows:
        """What is ``make`` of rows, which depends on them, the keys of constraints, and which nodes are scored."""
        asked = make.__name__, self._scored_like
        known: dict[int, _OfRows] = self.snapshot.nodes.kept.by_nodes(asked, dict)
        found = known.get(id(rows))
        if found is None:
            if len(known) >= _MOST_ROWS:
                known.clear()
            # It holds the rows, so that no others are taken for them.
            found = known[id(rows)] = make(rows)
        return found

    @cached_property
    def _labelled(self) -> Mask:
        """Nodes that are scored at all."""
        if needs_every_key(self.pod, self._arguments):
            return all_labelled(self.snapshot, self._soft)
        return np.ones(len(self.snapshot.nodes), np.bool_)

    def scored_by(self, found: Index) -> Hashable:
        """Scores go by how many nodes are scored, and by the domains in which they are."""
        scored = found[self._labelled[found]]
        keys = (each.topology_key for each in self._soft if each.topology_key != HOSTNAME)
        domains = (np.flatnonzero(np.bincount(self.snapshot.nodes.label(key).codes[scored] + 1)) for key in keys)
        return len(scored), *(each.tobytes() for each in domains)

    def _domains_by(self, constraint: SpreadConstraint) -> tuple[LabelColumn, Index]:
        """The column of a constraint, and the domain of each node, shape (N,)."""
        column = self.snapshot.nodes.label(constraint.topology_key)

        def codes() -> Index:
            # A node without the label stands in the domain of the empty value, as upstream reads it.
            empty = column.numbers.get("", len(column.values))
            return np.where(column.codes == MISSING, empty, column.codes)

        return column, self.snapshot.nodes.kept.by_nodes((self.name, constraint.topology_key), codes)

    def _scored_among(self, rows: Index) -> _Scored:
        is_scored = self._labelled.take(rows)
        counting = []
        for constraint in self._soft:
            wanted = is_scored
            if constraint.topology_key != HOSTNAME:
                column, codes = self._domains_by(constraint)
                wanted = np.zeros(len(column.values) + 1, np.bool_)
                wanted[codes[rows[is_scored]]] = True
            counting.append((wanted, _weight(int(np.count_nonzero(wanted)))))
        return _Scored(rows, is_scored, bool(is_scored.all()), counting)

    def _placed_among(self, rows: Index) -> PlacedRows:
        columns: list[tuple[Index | Mask, int]] = [(self._labelled.take(rows), 2)]
        for constraint in self._soft:
            column = self.snapshot.nodes.label(constraint.topology_key)
            if constraint.topology_key == HOSTNAME:
                columns.append((column.present.take(rows), 2))
            else:
                columns.append((column.codes.take(rows) + 1, len(column.values) + 1))
        numbers, count = distinguish(columns, len(rows))
        examples, places = np.zeros(count, np.intp), np.full(len(self._labelled), len(rows), np.intp)
        examples[numbers] = rows
        places[rows] = np.arange(len(rows))
        return PlacedRows(rows, numbers, examples, places, all(bool(column.all()) for column, _ in columns))

    def score(self, feasible: Index) -> Ints:
        """Nodes in the same domains, with as many pods on themselves that count, score the same: one stands for all."""
        standing = self._standing(self._kept_of(feasible, self._placed_among))
        return standing.scores(self._scored.counting).take(standing.numbers)

    def _standing(self, placed: PlacedRows, *, follows: bool = False) -> SpreadStanding:
        constraints = [(each, self._counted_on(each)) for each in self._soft]
        return SpreadStanding(self.snapshot, self.pod.namespace, constraints, placed, self._labelled, follows=follows)

    def _counted_on(self, constraint: SpreadConstraint) -> CountedNodes | None:
        if constraint.topology_key == HOSTNAME:
            return None
        column, codes = self._domains_by(constraint)
        return CountedNodes(codes, self._labelled & included(self.context, constraint), len(column.values) + 1)

    @cached_property
    def _standing_like(self) -> int:
        """The same number for pods of which the ScheduleAnyway constraints count the same pods."""
        nodes = (self._counted_on(each) for each in self._soft)
        counted = (None if each is None else each.counted.tobytes() for each in nodes)
        return self._number(self.pod.namespace, *self._soft, self._labelled.tobytes(), *counted)

    def normalise(self, scores: Ints) -> Ints:
        _, scored, are_all, _ = self._scored
        considered = scores if are_all else scores[scored]
        highest, lowest = int(considered.max(initial=0)), int(considered.min(initial=_FAR))
        # The same arithmetic for each score that there may be, where they are fewer than nodes.
        if highest < len(scores):
            found = _by_distance(np.arange(highest + 1), highest, lowest).take(scores)
        else:
            found = _by_distance(scores, highest, lowest)
        return found if are_all else found * scored

    def points(self, feasible: Index) -> tuple[Ints, Index | None]:
        in_step = self.context.in_step
        if in_step is None:
            return super().points(feasible)

        def anew() -> SpreadStanding:
            return self._standing(self._kept_of(feasible, self._placed_among), follows=True)

        standing = in_step.of((self._standing_like, id(feasible)), anew)
        scores = standing.scores(self._scored.counting)
        considered = scores.take(standing.scored)
        highest, lowest = np.maximum.reduce(considered, initial=0), np.minimum.reduce(considered, initial=_FAR)
        found = _by_distance(scores, int(highest), int(lowest))
        return found if self._scored.are_all else found * standing.is_scored, standing.numbers

    def normalisation(self, scores: Ints, number: int) -> ByDistance:
        scored = self._scored.is_scored
        considered = scores[scored]
        return ByDistance(
            raw=int(scores[number]),
            normalised=int(self.normalise(scores)[number]),
            highest=int(considered.max(initial=0)),
            lowest=int(considered.min()) if len(considered) else 0,
            ignored=not scored[number],
        )

    def score_evidence(self, row: int) -> tuple[ScorePart, ...]:
        labels = self.snapshot.nodes.nodes[row].labels
        standing = self._standing(self._placed_among(np.array([row])))
        return tuple(
            DomainScore(
                topology_key=constraint.topology_key,
                value=labels.get(constraint.topology_key),
                count=int(counts[standing.numbers[0]]),
                weight=weight,
                max_skew=constraint.max_skew,
                ignored=not self._labelled[row],
            )
            for constraint, counts, weight in standing.parts(self._scored.counting)
        )


def _by_distance(scores: Ints, highest: int, lowest: int) -> Ints:
    """100 × (highest + lowest − score) ÷ highest; 100 where the highest is 0."""
    if not highest:
        return np.full(len(scores), MAX_NODE_SCORE)
    return truncated_quotients(MAX_NODE_SCORE * (highest + lowest - scores), np.int64(highest))


def _weight(size: int) -> float:
    """Weight of a topology with this many domains."""
    return float(np.log(np.float64(size + 2)))
