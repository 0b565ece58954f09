from __future__ import annotations

from typing import Any

import pytest

from clusters.engine.analysis import TaintedNodes, circumstances
from clusters.engine.edits import Tolerate
from clusters.engine.plugins.taint_toleration import TaintComparison, UntoleratedTaints
from clusters.engine.taints import Taint
from tests.engine.builders import Document, a_node, a_pod, explanation_of, scores_of
from tests.engine.device_builders import explained
from tests.support.constraints import about


def taint(key: str = "k", value: str | None = "v", effect: str = "NoSchedule") -> Document:
    return {"key": key, "effect": effect, **({} if value is None else {"value": value})}


def tolerating(*tolerations: Document, **more: Any) -> Document:
    return a_pod(tolerations=list(tolerations), **more)


def test_each_taint_can_be_lifted_and_shows_whether_it_holds() -> None:
    node = a_node("n", taints=[taint("b"), taint("c", None, "NoExecute"), taint("d", effect="PreferNoSchedule")])
    plugin = explanation_of(tolerating({"key": "c"}), node, a_node("m", taints=[taint("e")])).cycle.plugins[
        "TaintToleration"
    ]

    assert sorted(map(about, plugin.constraints())) == ["b=v:NoSchedule", "e=v:NoSchedule"]
    assert {each.edit for each in plugin.constraints()} == {Tolerate(Taint(key, "v", "NoSchedule")) for key in "be"}
    row = plugin.snapshot.nodes.index["n"]
    assert plugin.evidence(row) == (
        TaintComparison(Taint("b", "v", "NoSchedule"), tolerated=False),
        TaintComparison(Taint("c", "", "NoExecute"), tolerated=True),
    )
    assert [each.holds for each in plugin.evidence(row)] == [False, True]
    number = next(number for number, each in enumerate(plugin.constraints()) if about(each).startswith("b"))
    assert plugin.filter(None, frozenset({number})).at(row).ok


@pytest.mark.parametrize(
    ("tolerations", "scores"),
    [
        # 100 - 100 × count / 3, the quotient truncated.
        ([], {"n0": (0, 100), "n1": (1, 67), "n3": (3, 0)}),
        ([{"key": "a", "operator": "Exists"}], {"n0": (0, 100), "n1": (0, 100), "n3": (2, 0)}),
        ([{"operator": "Exists", "effect": "PreferNoSchedule"}], {"n0": (0, 100), "n1": (0, 100), "n3": (0, 100)}),
        # A toleration of another effect does not help.
        ([{"operator": "Exists", "effect": "NoSchedule"}], {"n0": (0, 100), "n1": (1, 67), "n3": (3, 0)}),
    ],
)
def test_taints_that_dissuade_are_counted(tolerations: list[Document], scores: dict[str, tuple[int, int]]) -> None:
    soft = [taint(key, effect="PreferNoSchedule") for key in "abc"]
    nodes = (a_node("n0"), a_node("n1", taints=soft[:1]), a_node("n3", taints=soft))
    explanation = explanation_of(tolerating(*tolerations), *nodes)

    assert scores_of(explanation, "TaintToleration") == scores
    for row, (raw, _) in enumerate(scores.values()):
        (part,) = explanation.score_evidence(row, "TaintToleration")
        assert isinstance(part, UntoleratedTaints)
        assert len(part.taints) == raw
        assert {each.effect for each in part.taints} <= {"PreferNoSchedule"}


# -- numbers ---------------------------------------------------------------------------------------------------------


def compared(minor: str, operator: str, value: str, of_taint: str, gates: dict[str, bool] | None = None) -> str:
    pod = tolerating({"key": "k", "operator": operator, "value": value, "effect": "NoSchedule"})
    return explained(pod, a_node("n", taints=[taint(value=of_taint)]), minor=minor, gates=gates).conclusion


@pytest.mark.parametrize(
    ("minor", "gates", "expected"),
    [
        # 1.34 does not know such operators.
        ("1.34", None, "unschedulable"),
        ("1.35", None, "uncertain"),
        ("1.37", None, "uncertain"),
        ("1.37", {"TaintTolerationComparisonOperators": False}, "unschedulable"),
    ],
)
def test_without_it_they_are_not_and_where_nobody_set_it_nobody_knows(
    minor: str, gates: dict[str, bool] | None, expected: str
) -> None:
    assert compared(minor, "Lt", "10", "9", gates) == expected


def test_a_comparison_that_makes_no_difference_leaves_nothing_open() -> None:
    assert compared("1.37", "Lt", "10", "11") == "unschedulable"
    pod = tolerating({"key": "k", "operator": "Lt", "value": "10"}, {"key": "k", "operator": "Exists"})
    assert explained(pod, a_node("n", taints=[taint(value="9")]), minor="1.37").conclusion == "fits"


@pytest.mark.parametrize(
    ("value", "is_virtual"), [("fargate", True), ("auto", False), ("hybrid", False), ("ec2", False)]
)
def test_of_the_compute_types_of_eks_only_fargate_is_virtual(value: str, is_virtual: bool) -> None:
    found = explanation_of(a_pod(), a_node("n", taints=[taint("eks.amazonaws.com/compute-type", value)]))

    (constraint,) = found.cycle.plugins["TaintToleration"].constraints()
    assert constraint.is_fixed is is_virtual
    assert [each.taint for each in circumstances(found) if isinstance(each, TaintedNodes)] == (
        ["eks.amazonaws.com/compute-type"] if is_virtual else []
    )
