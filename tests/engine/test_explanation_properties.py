"""What must hold of every explanation, whatever the cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from hypothesis import given, settings, strategies as st

from clusters.engine import Explanation, SchedulerConfiguration, Snapshot, explain
from clusters.engine.scheduling import stages
from tests.engine.strategies import corpus_cases
from tests.support.answers import known

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.engine.oracle import Case

COMMON = settings(max_examples=40, deadline=None)


def explained(case: Case, objects: list[dict[str, Any]] | None = None) -> Explanation:
    """The first pod of a case, in a cluster of its objects in any order."""
    config = case.get("config")
    configuration = SchedulerConfiguration.from_dict(config) if config else SchedulerConfiguration.default()
    pod = case["pods"][0]
    return explain(Snapshot.from_objects(objects or case["objects"]), pod, configuration.profile_for(pod))


@COMMON
@given(data=st.data(), case=corpus_cases())
def test_the_order_of_objects_does_not_matter(data: st.DataObject, case: Case) -> None:
    """Only which of equally important pods are victims depends on who came first, as in the scheduler's own sort."""
    shuffled = data.draw(st.permutations(case["objects"]))
    answer, other = explained(case).as_recorded(), explained(case, shuffled).as_recorded()
    for result in (answer, other):
        preemption = result.pop("preemption", None) or {}
        result["preemption nodes"] = sorted(candidate["node"] for candidate in preemption.get("candidates", ()))

    assert answer == other


@COMMON
@given(case=corpus_cases())
def test_groups_are_a_partition_with_one_verdict_each(case: Case) -> None:
    explanation = explained(case)
    rows = np.concatenate([group.rows for group in explanation.groups])

    assert sorted(rows.tolist()) == list(range(explanation.node_count))
    # No two of them say the same.
    assert len({(tuple(group.filters.items()), group.verdict) for group in explanation.groups}) == len(
        explanation.groups
    )
    for group in explanation.groups:
        for row in group.rows.tolist():
            assert explanation.rejections_of(row) == group.filters
            assert explanation.verdict_of(row) == group.verdict


@COMMON
@given(case=corpus_cases())
def test_the_funnel_ends_with_the_nodes_that_pass_every_filter(case: Case) -> None:
    explanation = explained(case)
    steps = explanation.funnel
    left = [step.left for step in steps]

    assert left == sorted(left, reverse=True)
    assert left[-1] == len(explanation.feasible)
    assert all(step.rejected_here <= step.rejected_alone for step in steps)
    parts = {part.plugin: part for stage in stages(explanation) if stage.point == "filter" for part in stage.parts}
    assert {name: part.rejected for name, part in parts.items() if part.rejected} == {
        step.plugin: step.rejected_here for step in steps if step.rejected_here
    }


@COMMON
@given(case=corpus_cases())
def test_lifting_a_requirement_removes_no_feasible_node_and_lifting_all_of_them_the_filter(case: Case) -> None:
    cycle = explained(case).cycle
    for name in cycle.filters:
        plugin = cycle.plugins[name]
        passing = plugin.filter().failed
        for number in range(len(plugin.constraints())):
            lifted = plugin.filter(None, frozenset({number})).failed
            if lifted is not None and name != "PodTopologySpread":
                assert not (lifted & ~known(passing)).any()
        assert plugin.filter(None, frozenset(range(len(plugin.constraints())))).failed is None


@COMMON
@given(case=corpus_cases())
def test_what_relaxation_promises_holds(case: Case) -> None:
    """Nodes that a lift gains were not feasible, and are once the pod is edited so; test_kept_promises has the rest."""
    explanation = explained(case)
    feasible = set(explanation.cycle.feasible.tolist())
    relaxations = explanation.relaxations
    for lift in (*relaxations.filters, *relaxations.singles, *relaxations.pairs):
        assert lift.rows
        assert not feasible & set(lift.rows)
        if lift.edits:
            document: Mapping[str, Any] = case["pods"][0]
            for edit in lift.edits:
                document = edit.apply(document)
            after = set(explained({**case, "pods": [document]}).cycle.feasible.tolist())
            assert set(lift.rows) == after - feasible
            assert lift.lost == len(feasible - after)


@COMMON
@given(case=corpus_cases())
def test_evidence_agrees_with_the_verdict(case: Case) -> None:
    """Where every requirement of a filter holds the filter passes, and where one does not it rejects."""
    explanation = explained(case)
    for row in range(explanation.node_count):
        rejections = {**explanation.rejections_of(row), **explanation.rejections_with_nominated(row)}
        for plugin, found in explanation.evidence(row).items():
            holds = all(each.holds for each in found)
            assert holds == (plugin not in rejections), (plugin, explanation.snapshot.nodes.names[row], found)
