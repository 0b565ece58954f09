"""What kube-scheduler really answered, written down as simulators and logs do, equals what is computed: every cell."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from clusters.adapters.observed import Attempt, SchedulerLog, results_of
from clusters.engine import Explanation, SchedulerConfiguration, Snapshot
from clusters.engine.scheduling import replay, run_cycle
from clusters.services.observed import PairState, compare
from dashboard.presenters.decisions.observed import about_text, side_text
from tests.engine.oracle import some_cases
from tests.support.recorded import BEGIN, PREFIX, log_lines, simulator_annotations, text_line

if TYPE_CHECKING:
    from collections.abc import Iterator


pytestmark = pytest.mark.unmeasured

_EVERY = {"examples": 1, "general": 8, "wider": 6, "minimal": 1, "dra": 4}
SOME_CASES = [
    pytest.param(case, id=name)
    for corpus, every in _EVERY.items()
    for name, case in some_cases(corpus, every=every).items()
]


def answers(case: dict[str, Any]) -> Iterator[tuple[dict[str, Any], Explanation]]:
    """Yield what the scheduler answered, and the explanation of the same pod.

    Left out are attempts that end in an error or take the nominated node: the recordings go on with the first of the
    best nodes all the same, so that nobody would have written them down as they stand there.
    """
    config = case.get("config")
    configuration = SchedulerConfiguration.from_dict(config) if config else SchedulerConfiguration.default()
    explanations = replay(Snapshot.from_objects(case["objects"]), case["pods"], configuration)
    for result, explanation in zip(case["expect"], explanations, strict=True):
        if explanation.error is None and not explanation.takes_nominated:
            yield result, explanation


def simulated(result: dict[str, Any], explanation: Explanation) -> Attempt:
    namespace, _, name = result["pod"].partition("/")
    results = results_of(simulator_annotations(result, explanation), namespace=namespace, name=name, uid="u")
    assert results.problems == []
    return results.attempts[0]


def logged(lines: list[str]) -> list[Attempt]:
    log = SchedulerLog(now=BEGIN)
    found = [attempt for line in lines for attempt in log.take(line)]
    return [*found, *log.end()]


def differing(attempt: Attempt, explanation: Explanation) -> list[tuple[str, str, str, str]]:
    cells = compare(attempt.document, explanation).cells()
    return [
        (node, about_text(about), side_text(pair.observed), side_text(pair.computed))
        for node, about, pair in cells
        if pair.state is PairState.DIFFERS
    ]


@pytest.mark.parametrize("case", SOME_CASES)
def test_simulator_equals_what_is_computed(case: dict[str, Any]) -> None:
    for result, explanation in answers(case):
        attempt = simulated(result, explanation)

        assert differing(attempt, explanation) == []
        comparison = compare(attempt.document, explanation)
        assert len(comparison.nodes) == len(attempt.document.get("filters", ()))


@pytest.mark.parametrize("case", SOME_CASES)
def test_log_equals_what_is_computed(case: dict[str, Any]) -> None:
    # Both forms in turns: that their lines say the same is proved where they are read.
    for number, (result, explanation) in enumerate(answers(case)):
        (attempt,) = logged(log_lines(result, explanation, as_json=bool((number + len(case["objects"])) % 2)))

        assert f"{attempt.namespace}/{attempt.name}" == result["pod"]
        assert attempt.observed_at == BEGIN
        assert differing(attempt, explanation) == []


def _scored_answer() -> tuple[dict[str, Any], Explanation]:
    """Return an answer with scores of several nodes and a rejected one."""
    for parameters in SOME_CASES:
        for result, explanation in answers(parameters.values[0]):  # type: ignore[arg-type]
            if len(result["feasible"]) > 2 and len(result["feasible"]) < len(result["nodes"]):
                return result, explanation
    raise AssertionError("no such answer in the corpus")


@pytest.mark.parametrize(
    ("suffix", "kind"),
    [("filter-result", "filters"), ("score-result", "scores"), ("finalscore-result", "scores")],
)
def test_one_changed_cell_is_the_one_that_differs(suffix: str, kind: str) -> None:
    result, explanation = _scored_answer()
    namespace, _, name = result["pod"].partition("/")
    written = simulator_annotations(result, explanation)
    cells = json.loads(written[PREFIX + suffix])
    node = max(cells)
    plugin = min(cells[node])
    changed = "node(s) were on fire" if kind == "filters" else str(int(cells[node][plugin]) + 1)
    cells[node][plugin] = changed
    written[PREFIX + suffix] = json.dumps(cells)
    (attempt,) = results_of(written, namespace=namespace, name=name, uid="u").attempts

    ((found_node, found_plugin, observed, computed),) = differing(attempt, explanation)

    assert (found_node, found_plugin) == (node, plugin)
    assert changed in observed
    assert changed not in computed
    changed_rows = [row for row in compare(attempt.document, explanation).nodes if row.differs]
    assert [row.node for row in changed_rows] == [node]
    assert getattr(changed_rows[0], kind)[plugin].state is PairState.DIFFERS


def test_changed_outcomes_differ() -> None:
    result, explanation = _scored_answer()
    worst = min(result["feasible"], key=lambda name: result["nodes"][name]["total"])
    (attempt,) = logged(log_lines({**result, "chosen": worst}, explanation))
    assert [cell[1] for cell in differing(attempt, explanation)] == ["Chosen node"]

    (attempt,) = logged(
        [
            text_line(
                "Unable to schedule pod; no fit; waiting", {"pod": result["pod"], "err": "0/9 nodes are available."}
            )
        ]
    )
    assert differing(attempt, explanation) == [("", "Message", "0/9 nodes are available.", "The pod fits.")]


def test_scores_are_computed_among_the_nodes_that_were_scored() -> None:
    """A scheduler that stops its search early normalises over fewer nodes."""
    result, explanation = _scored_answer()
    some = result["feasible"][:2]
    rows = [explanation.snapshot.nodes.index[name] for name in some]
    sampled = Explanation(run_cycle(explanation.snapshot, explanation.pod, explanation.profile, among=np.array(rows)))
    part = sampled.as_recorded()
    # The scheduler knows of no node beyond its sample.
    (attempt,) = logged(log_lines({**part, "feasible": some, "pod": result["pod"]}, explanation))

    comparison = compare(attempt.document, explanation)

    assert comparison.scored == 2
    assert differing(attempt, explanation) == []


def test_what_is_not_computed_is_neither_equal_nor_different() -> None:
    result, explanation = _scored_answer()
    node = result["feasible"][0]
    document = {
        "filters": {"gone": {"NodeName": "passed"}, node: {"Coscheduling": "passed"}},
        "finalScores": {"gone": {"ImageLocality": 1}, node: {"Coscheduling": 7}},
        "extenders": {node: {"http://extender": 3}},
        "totals": {node: 10, "gone": 4},
        "selectedNode": "gone",
        "preFilter": {"Coscheduling": "success"},
        "preFilterNodes": {"Coscheduling": ["gone"]},
        "preScore": {"Coscheduling": "success"},
    }

    states = {(at, name): pair.state for at, name, pair in compare(document, explanation).cells()}

    differs = {cell for cell, state in states.items() if state is not PairState.UNKNOWN}
    recorded = {cell.plugin for cell in explanation.cells_of(explanation.snapshot.nodes.index[node]) if cell.weighted}
    # Of a whole attempt, plugins without a score had none.
    assert differs == {(node, plugin) for plugin in recorded}
    assert ("gone", "NodeName") in states
