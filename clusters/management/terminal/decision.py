"""One pod's explanation, and a list of pending pods, as text."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from clusters.engine.evidence import Unit, resource_unit
from clusters.engine.relaxation import Effort
from clusters.management.terminal.layout import some, table, wrapped
from clusters.services.exports import nominated_for
from clusters.services.remedies import volume_remedies

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from django.core.management.color import Style

    from clusters.engine import Explanation
    from clusters.engine.evidence import Fact
    from clusters.engine.explanation import NodeGroup
    from clusters.engine.plugin import Constraint
    from clusters.engine.preemption import Candidate, Preemption
    from clusters.engine.relaxation import Lift, Reduction
    from clusters.engine.status import Status

_MOST_GROUPS = 20
_MOST_NAMES = 6
_MOST_LIFTS = 10
_MOST_CANDIDATES = 8
_MOST_NODES_SCORED = 5
_INDENT = "  "
_DEEPER = "         "
_BINARY_SUFFIXES = ("", "Ki", "Mi", "Gi", "Ti", "Pi")


class Decision:
    """An explanation laid out for a terminal of some width; ``runs_on`` is the node that the pod is on already."""

    def __init__(self, explanation: Explanation, style: Style, width: int, *, runs_on: str = "") -> None:
        self._explanation = explanation
        self._style = style
        self._width = width
        self._runs_on = runs_on

    def lines(self) -> Iterator[str]:
        """Yield the report, section by section."""
        yield from self._verdict()
        if not self._explanation.node_count:
            return
        yield from self._doubts()
        yield from self._filters()
        yield from self._groups()
        if self._explanation.fits:
            yield from self._scores()
        else:
            yield from self._relaxations()
            yield from self._preemption()

    def node_lines(self, row: int) -> Iterator[str]:
        """Yield what every filter compared on one node, nominated pods counted in where they make it reject."""
        explanation = self._explanation
        verdict = explanation.verdict_of(row)
        yield self._style.MIGRATE_HEADING(f"{explanation.pod.key} on {explanation.snapshot.nodes.names[row]}")
        if verdict is None:
            yield from self._painted(self._style.SUCCESS, f"It fits: {explanation.total_of(row):,} points.")
        else:
            said = f"{verdict.plugin}: {_reasons(verdict.status)}" if verdict.plugin else _reasons(verdict.status)
            if explanation.decided_by_nominated(row):
                said += f" (counting {some(explanation.nominated_on(row), _MOST_NAMES)}, nominated there)"
            yield from self._painted(self._style.ERROR, said)
        for plugin, found in explanation.evidence(row).items():
            for evidence in found:
                mark = "holds" if evidence.holds else "fails"
                yield from wrapped(f"{mark}  {plugin}: {evidence.about}", self._width, indent=_DEEPER, first=_INDENT)
                facts = "; ".join(f"{fact.name} {_value(fact)}" for fact in evidence.facts)
                if facts:
                    yield from wrapped(facts, self._width, indent=_DEEPER)

    # -- verdict -----------------------------------------------------------------------------------------

    def _verdict(self) -> Iterator[str]:
        explanation = self._explanation
        pod = explanation.pod
        yield self._style.MIGRATE_HEADING(pod.key)
        asked = ", ".join(f"{name} {_amount(name, amount)}" for name, amount in sorted(pod.requests.items()) if amount)
        yield from wrapped(
            f"Profile {explanation.profile.scheduler_name}, priority {pod.priority:,}; "
            + (f"asks for {asked}." if asked else "asks for no resources."),
            self._width,
            indent=_INDENT,
        )
        yield ""
        if pod.scheduling_gates:
            gates = ", ".join(pod.scheduling_gates)
            yield from self._painted(
                self._style.WARNING, f"It waits until its scheduling gates are removed: {gates}. Without them:"
            )
        paint = self._style.SUCCESS if explanation.fits else self._style.ERROR
        yield from self._painted(paint, verdict_sentence(explanation))
        if self._runs_on:
            yield from wrapped(
                f"It runs on {self._runs_on} now; this is what would be decided if it were pending.", self._width
            )
        if explanation.message is not None:
            yield from self._head("As the scheduler reports it")
            yield from wrapped(explanation.message, self._width, indent=_INDENT)

    def _doubts(self) -> Iterator[str]:
        """What cannot be known from outside, where it matters for this pod."""
        explanation = self._explanation
        doubts = []
        if explanation.unknown_plugins:
            names = ", ".join(explanation.unknown_plugins)
            doubts.append(f"Not computed, and counted as passing: {names}.")
        if explanation.fits and not explanation.sampling.complete:
            sampling = explanation.sampling
            doubts.append(
                f"The scheduler stops its search after {sampling.wanted:,} feasible nodes of {sampling.nodes:,}, and "
                "where it starts cannot be known: it may not have looked at the best one."
            )
        if doubts:
            yield from self._head("Not certain")
            for doubt in doubts:
                yield from wrapped(doubt, self._width, indent=_INDENT)

    # -- nodes -------------------------------------------------------------------------------------------

    def _filters(self) -> Iterator[str]:
        funnel = self._explanation.funnel
        skipped = [step.plugin for step in funnel if step.skipped]
        rows = [
            (step.plugin, f"{step.left:,}", f"{step.rejected_here:,}", f"{step.rejected_alone:,}")
            for step in funnel
            if not step.skipped
        ]
        yield from self._head("Filters, in their order")
        yield from table(("Filter", "Left", "Rejects", "By itself"), rows, self._width, right=(1, 2, 3))
        if skipped:
            yield from wrapped(f"Nothing to check for this pod: {', '.join(skipped)}.", self._width, indent=_INDENT)

    def _groups(self) -> Iterator[str]:
        groups = self._explanation.groups
        yield from self._head("Nodes by verdict")
        for group in groups[:_MOST_GROUPS]:
            yield from self._group(group)
        left = groups[_MOST_GROUPS:]
        if left:
            nodes = sum(map(len, left))
            yield f"{_INDENT}… and {len(left):,} more groups with {nodes:,} nodes; -o json has them all."

    def _group(self, group: NodeGroup) -> Iterator[str]:
        first = f"{len(group):>6,}  "
        indent = " " * len(first)
        if group.verdict is None:
            yield from self._painted(self._style.SUCCESS, "fits", indent=indent, first=first)
        else:
            reasons = _reasons(group.verdict.status)
            named = f"{group.verdict.plugin}: {reasons}" if group.verdict.plugin else reasons
            nominated = nominated_for(self._explanation, group)
            if nominated:
                named += f" (counting {some(nominated, _MOST_NAMES)}, nominated there)"
            yield from self._painted(self._style.ERROR, named, indent=indent, first=first)
        for plugin, status in group.filters.items():
            if group.verdict is None or (plugin, status) != (group.verdict.plugin, group.verdict.status):
                yield from wrapped(f"also {plugin}: {_reasons(status)}", self._width, indent=indent)
        yield from wrapped(some(self._names(group.rows.tolist()), _MOST_NAMES), self._width, indent=indent)

    def _scores(self) -> Iterator[str]:
        explanation = self._explanation
        plugins = [(score.plugin, score.weight) for score in explanation.scores]
        rows = explanation.ranking()[: self._columns(plugins)].tolist()
        cells = [explanation.cells_of(row) for row in rows]
        body = [
            (plugin, f"{weight}", *(f"{node[number].weighted:,}" for node in cells))
            for number, (plugin, weight) in enumerate(plugins)
        ]
        total = ("total", "", *(f"{explanation.total_of(row):,}" for row in rows))
        count = len(explanation.feasible)
        shown = f"the best {len(rows)} of {count:,} nodes" if len(rows) < count else f"all {count:,} feasible nodes"
        yield from self._head(f"Scores of {shown}")
        yield from table(
            ("Plugin", "Weight", *self._names(rows)), [*body, total], self._width, right=range(1, len(rows) + 2)
        )
        if explanation.cycle.unscored:
            names = ", ".join(explanation.cycle.unscored)
            yield from wrapped(f"Nothing to score for this pod: {names}.", self._width, indent=_INDENT)

    def _columns(self, plugins: Iterable[tuple[str, int]]) -> int:
        """How many nodes fit beside the names of the plugins."""
        room = self._width - max((len(plugin) for plugin, _ in plugins), default=0) - len("  Weight    ")
        count = 0
        for name in self._names(self._explanation.ranking()[:_MOST_NODES_SCORED].tolist()):
            room -= len(name) + 2
            if room < 0:
                break
            count += 1
        return max(count, 1)

    # -- what would help ---------------------------------------------------------------------------------

    def _relaxations(self) -> Iterator[str]:
        """Advice as far as it can be followed, the easiest first."""
        found, remedies = self._explanation.relaxations, volume_remedies(self._explanation)
        yield from self._head("What would make it fit")
        sentences = [self._less([each]) for each in found.reductions]
        sentences += [self._less(found.together)] if found.together else []
        sentences += remedies
        for sentence in sentences:
            yield from wrapped(sentence, self._width, indent=_INDENT)
        # Where claims end the cycle, nothing else has been looked at.
        lifts = () if remedies and self._explanation.cycle.stopped_by is not None else found.singles or found.pairs
        followed = sorted((lift for lift in lifts if lift.effort is not Effort.RESOURCE), key=lambda lift: lift.effort)
        chosen = followed or ([] if sentences else list(lifts))
        if chosen:
            if not found.singles:
                yield f"{_INDENT}No single requirement stands in the way alone; two together do:"
            rows = [(f"+{lift.gained:,}", self._lifted(lift)) for lift in chosen[:_MOST_LIFTS]]
            yield from table(("Nodes", "Without"), rows, self._width, right=(0,))
            if len(chosen) > _MOST_LIFTS:
                yield f"{_INDENT}… and {len(chosen) - _MOST_LIFTS:,} more; -o json has them all."
        elif not sentences:
            yield from wrapped(self._helpless(), self._width, indent=_INDENT)

    def _helpless(self) -> str:
        """Say that nothing of what was tried would help."""
        stopped_by = self._explanation.cycle.stopped_by
        if stopped_by is not None:
            return f"What {stopped_by.plugin or 'PreFilter'} says comes before all else: {_reasons(stopped_by.status)}."
        return "Neither a single requirement nor any two that were tried together stand in the way alone."

    def _less(self, reductions: Sequence[Reduction]) -> str:
        """Say how much less would fit, and where."""
        names = self._explanation.snapshot.nodes.names
        fitting, asked = (
            " and ".join(f"{_amount(each.resource, amount)} of {each.resource}" for each, amount in pairs)
            for pairs in (
                [(each, each.fitting) for each in reductions],
                [(each, each.asked) for each in reductions],
            )
        )
        return f"Asking for at most {fitting} instead of {asked}, it would fit on {names[reductions[0].row]}."

    def _lifted(self, lift: Lift) -> str:
        said = " and ".join(_constraint(constraint) for constraint in lift.lifted)
        if lift.enough and all(each.fitting for each in lift.enough):
            enough = " and ".join(f"{_amount(each.resource, each.fitting)} of {each.resource}" for each in lift.enough)
            node = self._explanation.snapshot.nodes.names[lift.enough[0].row]
            return f"{said} (asking for {enough} would do on {node})"
        return f"{said} (the node is unhealthy)" if lift.effort is Effort.HEALTH else said

    def _preemption(self) -> Iterator[str]:
        preemption = self._explanation.preemption
        if preemption is None:
            return
        yield from self._head("Preemption")
        if not preemption.eligible or not preemption.candidates:
            yield from wrapped(preemption.message, self._width, indent=_INDENT)
            return
        yield from self._candidates(preemption)

    def _candidates(self, preemption: Preemption) -> Iterator[str]:
        selected = preemption.selected
        ranked = sorted(preemption.candidates, key=lambda candidate: candidate.preference())
        rows = [_candidate_row(candidate) for candidate in ranked[:_MOST_CANDIDATES]]
        head = ("Node", "Victims", "Highest priority", "Budgets broken", "Which")
        yield from table(head, rows, self._width, right=(1, 2, 3))
        if len(ranked) > _MOST_CANDIDATES:
            yield f"{_INDENT}… and {len(ranked) - _MOST_CANDIDATES:,} more nodes; -o json has them all."
        if selected is not None:
            yield from wrapped(
                f"The scheduler would remove {some(selected.victims, _MOST_NAMES)} from {selected.node}.",
                self._width,
                indent=_INDENT,
            )

    # -- parts -------------------------------------------------------------------------------------------

    def _head(self, text: str) -> Iterator[str]:
        yield ""
        yield self._style.MIGRATE_HEADING(text)

    def _painted(self, paint: object, text: str, *, indent: str = "", first: str | None = None) -> Iterator[str]:
        for line in wrapped(text, self._width, indent=indent, first=first):
            yield paint(line)  # type: ignore[operator]

    def _names(self, rows: Iterable[int]) -> list[str]:
        names = self._explanation.snapshot.nodes.names
        return [names[row] for row in rows]


def verdict_sentence(explanation: Explanation) -> str:
    """Say in one sentence whether and where a pod fits."""
    count, best = explanation.node_count, explanation.best
    nodes = f"{count:,} node" if count == 1 else f"{count:,} nodes"
    if not count:
        return "Nothing can be said: the dump has no nodes. Take it again with the nodes too."
    if not explanation.fits:
        preemption = explanation.preemption
        if preemption is not None and preemption.selected is not None:
            chosen = preemption.selected
            removed = some(chosen.victims, _MOST_NAMES)
            return (
                f"It would fit by preemption: {removed} would leave {chosen.node}. It fits on none of the {nodes} now."
            )
        return f"It fits on none of the {nodes}."
    points = f"{int(explanation.cycle.totals.max()):,} points"
    where = f"It fits on {len(explanation.feasible):,} of {nodes}."
    if len(best) == 1:
        return f"{where} The best is {best[0]} with {points}."
    return f"{where} The best are {some(best, _MOST_NAMES)} with {points} each; one of them is taken at random."


def brief_verdict(explanation: Explanation) -> str:
    """Say the same with the plugins that reject, and on how many nodes."""
    if explanation.fits:
        return verdict_sentence(explanation)
    if not explanation.node_count:
        return verdict_sentence(explanation)
    stopped_by = explanation.cycle.stopped_by
    if stopped_by is not None:
        return f"It fits nowhere: {_reasons(stopped_by.status)}."
    counts: Counter[str] = Counter()
    for group in explanation.groups:
        if group.verdict is not None:
            counts[group.verdict.plugin] += len(group)
    rejecting = ", ".join(f"{plugin} {count:,}" for plugin, count in counts.most_common())
    preemption = explanation.preemption
    helped = len(preemption.candidates) if preemption is not None else 0
    on = f" Preemption would help on {helped:,} of them." if helped else ""
    return f"It fits nowhere. Nodes by who rejects: {rejecting}.{on}"


def _reasons(status: Status) -> str:
    return ", ".join(status.reasons) or str(status.code)


def _constraint(constraint: Constraint) -> str:
    return f"{constraint.plugin} {constraint.about}".rstrip()


def _candidate_row(candidate: Candidate) -> tuple[str, ...]:
    return (
        candidate.node,
        f"{len(candidate.victims):,}",
        f"{candidate.priorities[0]:,}",
        f"{candidate.pdb_violations:,}",
        some(candidate.victims, 2),
    )


def _value(fact: Fact) -> str:
    return str(fact.value) if isinstance(fact.value, str | float) else _written(fact.unit, fact.value)


def _amount(resource: str, amount: int) -> str:
    return _written(resource_unit(resource), amount)


def _written(unit: Unit, amount: int) -> str:
    """Write an amount as manifests do, in the largest unit that leaves it whole."""
    if unit is Unit.MILLI_CPU:
        return f"{amount}m" if amount % 1000 else f"{amount // 1000}"
    if unit is not Unit.BYTES:
        return f"{amount}"
    power = 0
    while amount and amount % 1024 == 0 and power < len(_BINARY_SUFFIXES) - 1:
        amount, power = amount // 1024, power + 1
    return f"{amount}{_BINARY_SUFFIXES[power]}"
