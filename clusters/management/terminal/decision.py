"""One pod's explanation, and a list of pending pods, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.documents.writing import nominated_for
from clusters.engine.analysis import Tried, advice
from clusters.engine.batch_groups import batch_group_states
from clusters.engine.conclusion import Conclusion, UncomputedField, UncomputedObject
from clusters.engine.group_states import held_groups
from clusters.engine.podgroups import group_key_of, schedules_groups
from clusters.management.terminal.output import table, wrapped
from clusters.wording import batch_groups
from clusters.wording.advice import advice_summary, advice_title, way_sentence
from clusters.wording.amounts import as_in_manifests
from clusters.wording.conclusions import answer_sentences, circumstance_sentences, doubts
from clusters.wording.decisions import attempt as attempt_words, nodes
from clusters.wording.decisions.attempt import change_sentences
from clusters.wording.decisions.nodes import node_sentence
from clusters.wording.decisions.verdict import pending_headline, sampled_best, verdict_sentence
from clusters.wording.evidence import comparison_view
from clusters.wording.lists import ON, first_of, listed
from clusters.wording.terminal import explanation as words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from django.core.management.color import Style

    from clusters.engine import Explanation
    from clusters.engine.scheduling import Candidate, NodeGroup, Preemption
    from clusters.engine.snapshot import Snapshot

_MOST_GROUPS = 20
_MOST_NAMES = 6
_MOST_LIFTS = 10
_MOST_CANDIDATES = 8
_MOST_NODES_SCORED = 5
_INDENT = "  "
_ITEM = "    - "
_DEEP = "      "
_DEEPER = "         "


def batch_group_sentences(snapshot: Snapshot, pod: str) -> Iterator[str]:
    """Yield what other systems report of the groups of a pod, as ``namespace/name``."""
    for state in batch_group_states(snapshot):
        if pod in state.members:
            told = (batch_groups.sentence(state), *batch_groups.reported(state), batch_groups.remedy(state))
            yield f"{batch_groups.name(state)}: {' '.join(filter(None, told))}"


class Decision:
    """An explanation laid out for a terminal of some width.

    ``version``: the Kubernetes of the answer in words, and its feature gates where those are not the
    defaults. ``runs_on``: the node that the pod is on already. ``state``: what became of the pod there.
    ``more``: nodes of which one more would take the pod. ``told``: what those who add nodes said about it.
    """

    def __init__(
        self,
        explanation: Explanation,
        style: Style,
        width: int,
        *,
        version: Sequence[str],
        runs_on: str = "",
        state: Sequence[str] = (),
        tried: Sequence[Tried] = (),
        told: Sequence[str] = (),
    ) -> None:
        self._version = version
        self._tried, self._told = tried, told
        self._explanation = explanation
        self._style = style
        self._width = width
        self._runs_on, self._state = runs_on, state

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
        elif self._explanation.error is None:
            yield from self._ways()
            yield from self._preemption()

    def node_lines(self, row: int) -> Iterator[str]:
        """Yield what every filter compared on one node, nominated pods counted in where they make it reject."""
        explanation = self._explanation
        verdict = explanation.verdict_of(row)
        yield self._style.MIGRATE_HEADING(ON(what=explanation.pod.key, where=explanation.snapshot.nodes.names[row]))
        for said in self._version:
            yield from wrapped(said, self._width, indent=_INDENT)
        paint = self._paint() if verdict is None else self._style.ERROR
        yield from self._painted(paint, node_sentence(explanation, row))
        for plugin, found in explanation.evidence(row).items():
            for view in map(comparison_view, found):
                said = words.comparison(holds=bool(view.holds), plugin=plugin, label=view.label)
                yield from wrapped(said, self._width, indent=_DEEPER, first=_INDENT)
                facts = "; ".join(f"{fact.name} {fact.value}" for fact in view.facts)
                if facts:
                    yield from wrapped(facts, self._width, indent=_DEEPER)

    # -- verdict -----------------------------------------------------------------------------------------

    def _verdict(self) -> Iterator[str]:
        explanation = self._explanation
        pod = explanation.pod
        yield self._style.MIGRATE_HEADING(pod.key)
        asked = ", ".join(
            f"{name} {as_in_manifests(name, amount)}" for name, amount in sorted(pod.requests.items()) if amount
        )
        said = words.POD(
            profile=explanation.profile.scheduler_name, priority=pod.priority, requests=asked or str(words.NOTHING)
        )
        yield from wrapped(said, self._width, indent=_INDENT)
        yield from self._pod_group()
        for said in self._version:
            yield from wrapped(said, self._width, indent=_INDENT)
        yield ""
        for said in self._state:
            yield from self._painted(self._style.ERROR, said)
        if self._runs_on or self._state:
            said = verdict_sentence(explanation)
        else:
            state, sentence = pending_headline(explanation)
            said = words.with_state(state, sentence)
        yield from self._painted(self._paint(), said)
        if self._runs_on:
            yield from wrapped(words.RUNS_ON(node=self._runs_on), self._width)
        for said in answer_sentences(explanation):
            yield from wrapped(said, self._width)
        if explanation.message is not None:
            yield from self._head(str(words.REPORTED_HEAD))
            yield from wrapped(explanation.message, self._width, indent=_INDENT)

    def _pod_group(self) -> Iterator[str]:
        """The group that the pod names, where its scheduler reads groups, and those of other systems."""
        pod, snapshot = self._explanation.pod, self._explanation.snapshot
        for told in batch_group_sentences(snapshot, pod.key):
            yield from wrapped(told, self._width, indent=_INDENT)
        key = group_key_of(pod, snapshot.release)
        if key is None or not schedules_groups(snapshot.release):
            return
        terms = held_groups(snapshot).terms_of(key)
        pods = len({*snapshot.groups.of(key), pod.key})
        said = words.pod_group(str(key), pods=pods, least=None if terms is None else terms.policy.least)
        yield from wrapped(said, self._width, indent=_INDENT)

    def _doubts(self) -> Iterator[str]:
        """What cannot be known from outside, where it matters for this pod."""
        found = [*doubts(self._explanation), *filter(None, (sampled_best(self._explanation),))]
        if found:
            yield from self._head(str(words.INCOMPLETE_HEAD))
            for doubt in found:
                yield from wrapped(doubt, self._width, indent=_INDENT)

    # -- nodes -------------------------------------------------------------------------------------------

    def _filters(self) -> Iterator[str]:
        funnel = self._explanation.funnel
        kinds = (UncomputedField, UncomputedObject)
        uncomputed = {each.plugin for each in self._explanation.uncertainties if isinstance(each, kinds)}
        skipped = [step.plugin for step in funnel if step.skipped and step.plugin not in uncomputed]
        rows = [
            (step.plugin, f"{step.left:,}", f"{step.rejected_here:,}", f"{step.rejected_alone:,}")
            for step in funnel
            if not step.skipped
        ]
        yield from self._head(str(words.FILTERS_HEAD))
        yield from table(words.FILTER_COLUMNS, rows, self._width, right=(1, 2, 3))
        if skipped:
            yield from wrapped(words.NOTHING_TO_CHECK(filters=listed(skipped)), self._width, indent=_INDENT)

    def _groups(self) -> Iterator[str]:
        groups = self._explanation.groups
        yield from self._head(str(attempt_words.NODES_BY_VERDICT))
        for group in groups[:_MOST_GROUPS]:
            yield from self._group(group)
        left = groups[_MOST_GROUPS:]
        if left:
            yield f"{_INDENT}{words.MORE_GROUPS(groups=len(left), nodes=sum(map(len, left)))}"

    def _group(self, group: NodeGroup) -> Iterator[str]:
        first = f"{len(group):>6,}  "
        indent = " " * len(first)
        if group.verdict is None:
            yield from self._painted(self._paint(), nodes.group_summary(group), indent=indent, first=first)
        else:
            verdict = group.verdict
            named = f"{verdict.plugin}: {verdict.status.reported}" if verdict.plugin else verdict.status.reported
            if nominated := nominated_for(self._explanation, group):
                named = f"{named} ({nodes.COUNTS_NOMINATED(pods=first_of(nominated), number=len(group))})"
            yield from self._painted(self._style.ERROR, named, indent=indent, first=first)
        for plugin, status in group.filters.items():
            if group.verdict is None or (plugin, status) != (group.verdict.plugin, group.verdict.status):
                yield from wrapped(words.ALSO(plugin=plugin, reasons=status.reported), self._width, indent=indent)
        yield from wrapped(first_of(self._names(group.rows.tolist()), most=_MOST_NAMES), self._width, indent=indent)

    def _scores(self) -> Iterator[str]:
        explanation = self._explanation
        plugins = [(score.plugin, score.weight) for score in explanation.scores]
        rows = explanation.ranking()[: self._columns(plugins)].tolist()
        cells = [explanation.cells_of(row) for row in rows]
        body = [
            (plugin, f"{weight}", *(f"{node[number].weighted:,}" for node in cells))
            for number, (plugin, weight) in enumerate(plugins)
        ]
        total = (str(words.TOTAL), "", *(f"{explanation.total_of(row):,}" for row in rows))
        yield from self._head(words.SCORES_HEAD(shown=len(rows), nodes=len(explanation.feasible)))
        head = (*map(str, words.SCORE_COLUMNS), *self._names(rows))
        yield from table(head, [*body, total], self._width, right=range(1, len(rows) + 2))
        if explanation.cycle.unscored:
            yield from wrapped(
                words.NOTHING_TO_SCORE(plugins=listed(explanation.cycle.unscored)), self._width, indent=_INDENT
            )

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

    def _ways(self) -> Iterator[str]:
        """What would help, as its page has it: the sentence that leads, what is worth knowing, and every way."""
        explanation = self._explanation
        found = advice(explanation, self._tried)
        summary = advice_summary(explanation, found)
        yield from self._head(str(attempt_words.RELAXATIONS))
        for said in (summary, *circumstance_sentences(explanation), *self._told):
            yield from wrapped(said, self._width, indent=_INDENT)
        for each in found:
            # What leads has been said.
            sentences = [said for way in each.ways if not summary.endswith(said := way_sentence(explanation, way))]
            if sentences:
                yield f"{_INDENT}{advice_title(each)}"
            for said in sentences[:_MOST_LIFTS]:
                yield from wrapped(said, self._width, indent=_DEEP, first=_ITEM)
            if len(sentences) > _MOST_LIFTS:
                yield f"{_DEEP}{words.MORE(number=len(sentences) - _MOST_LIFTS)}"

    def _preemption(self) -> Iterator[str]:
        preemption = self._explanation.preemption
        if preemption is None:
            return
        yield from self._head(str(words.PREEMPTION_HEAD))
        if not preemption.eligible or not preemption.candidates:
            yield from wrapped(preemption.message, self._width, indent=_INDENT)
        else:
            yield from self._candidates(preemption)
        changes = [f"{node}: {said}" for node, said in change_sentences(preemption)]
        for sentence in changes[:_MOST_CANDIDATES]:
            yield from wrapped(sentence, self._width, indent=_INDENT)
        if len(changes) > _MOST_CANDIDATES:
            yield f"{_INDENT}{words.MORE(number=len(changes) - _MOST_CANDIDATES)}"

    def _candidates(self, preemption: Preemption) -> Iterator[str]:
        selected = preemption.selected
        ranked = sorted(preemption.candidates, key=lambda candidate: candidate.preference())
        rows = [_candidate_row(candidate) for candidate in ranked[:_MOST_CANDIDATES]]
        yield from table(words.CANDIDATE_COLUMNS, rows, self._width, right=(1, 2, 3))
        if len(ranked) > _MOST_CANDIDATES:
            yield f"{_INDENT}{words.MORE(number=len(ranked) - _MOST_CANDIDATES)}"
        if selected is not None:
            yield from wrapped(
                words.SELECTED(node=selected.node, victims=first_of(selected.victims, most=_MOST_NAMES)),
                self._width,
                indent=_INDENT,
            )

    # -- parts -------------------------------------------------------------------------------------------

    def _paint(self) -> Callable[[str], str]:
        """The colour of the conclusion."""
        match self._explanation.conclusion:
            case Conclusion.FITS:
                return self._style.SUCCESS
            case Conclusion.UNCERTAIN:
                return self._style.WARNING
            case Conclusion.UNSCHEDULABLE:
                return self._style.ERROR

    def _head(self, text: str) -> Iterator[str]:
        yield ""
        yield self._style.MIGRATE_HEADING(text)

    def _painted(
        self, paint: Callable[[str], str], text: str, *, indent: str = "", first: str | None = None
    ) -> Iterator[str]:
        for line in wrapped(text, self._width, indent=indent, first=first):
            yield paint(line)

    def _names(self, rows: Iterable[int]) -> list[str]:
        names = self._explanation.snapshot.nodes.names
        return [names[row] for row in rows]


def _candidate_row(candidate: Candidate) -> tuple[str, ...]:
    return (
        candidate.node,
        f"{len(candidate.victims):,}",
        f"{candidate.priorities[0]:,}",
        f"{candidate.pdb_violations:,}",
        first_of(candidate.victims, most=2),
    )
