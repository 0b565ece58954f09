from __future__ import annotations

from typing import Any

import pytest

from clusters.engine.analysis import TaintedNodes, circumstances
from clusters.engine.edits import Tolerate
from clusters.engine.plugins.taint_toleration import TaintComparison, Untolerated, UntoleratedTaints
from clusters.engine.status import unresolvable
from clusters.engine.taints import Taint
from tests.engine.builders import Document, a_node, a_pod, explanation_of, scores_of
from tests.engine.device_builders import explained
from tests.support.constraints import about


def taint(key: str = "k", value: str | None = "v", effect: str = "NoSchedule") -> Document:
    return {"key": key, "effect": effect, **({} if value is None else {"value": value})}


def tolerating(*tolerations: Document, **more: Any) -> Document:
    return a_pod(tolerations=list(tolerations), **more)


@pytest.mark.parametrize(
    ("toleration", "tolerated"),
    [
        ({"key": "k", "operator": "Equal", "value": "v", "effect": "NoSchedule"}, True),
        ({"key": "k", "value": "v"}, True),
        ({"key": "k", "value": "w"}, False),
        ({"key": "k"}, False),
        ({"key": "l", "value": "v"}, False),
        ({"key": "k", "value": "v", "effect": "NoExecute"}, False),
        ({"key": "k", "value": "v", "effect": "PreferNoSchedule"}, False),
        ({"key": "k", "operator": "Exists"}, True),
        ({"key": "k", "operator": "Exists", "effect": "NoSchedule"}, True),
        ({"key": "k", "operator": "Exists", "effect": "NoExecute"}, False),
        ({"operator": "Exists"}, True),
        ({"operator": "Exists", "effect": "NoExecute"}, False),
        # Without a key, equality still compares values.
        ({"value": "v"}, True),
        ({"operator": "Equal", "value": "w"}, False),
        ({"key": "k", "operator": "Near", "value": "v"}, False),
    ],
)
def test_a_toleration_covers_a_taint(toleration: Document, tolerated: bool) -> None:
    explanation = explanation_of(tolerating(toleration), a_node("n", taints=[taint()]))

    reason = unresolvable(Untolerated("k", "v"))
    assert explanation.rejections_of(0) == ({} if tolerated else {"TaintToleration": reason})


def test_an_empty_value_is_a_value() -> None:
    node = a_node("n", taints=[taint(value=None)])

    assert explanation_of(tolerating({"key": "k"}), node).fits
    assert explanation_of(tolerating({"key": "k", "value": "v"}), node).fit_error == (
        "0/1 nodes are available: 1 node(s) had untolerated taint {k: }."
    )


def test_the_first_taint_that_is_not_tolerated_is_named() -> None:
    taints = [taint("a", effect="PreferNoSchedule"), taint("b"), taint("c", effect="NoExecute"), taint("d")]
    node = a_node("n", taints=taints)

    def named(*keys: str) -> list[str]:
        pod = tolerating(*({"key": key, "operator": "Exists"} for key in keys))
        return [reason for status in explanation_of(pod, node).rejections_of(0).values() for reason in status.texts]

    assert named() == ["node(s) had untolerated taint {b: v}"]
    assert named("b") == ["node(s) had untolerated taint {c: v}"]
    assert named("b", "c") == ["node(s) had untolerated taint {d: v}"]
    assert named("b", "c", "d") == []


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

NUMBERS = {"TaintTolerationComparisonOperators": True}


def compared(minor: str, operator: str, value: str, of_taint: str, gates: dict[str, bool] | None = None) -> str:
    pod = tolerating({"key": "k", "operator": operator, "value": value, "effect": "NoSchedule"})
    return explained(pod, a_node("n", taints=[taint(value=of_taint)]), minor=minor, gates=gates).conclusion


@pytest.mark.parametrize("minor", ["1.35", "1.36", "1.37"])
@pytest.mark.parametrize(
    ("operator", "value", "of_taint", "tolerated"),
    [
        ("Lt", "10", "9", True),
        ("Lt", "10", "10", False),
        ("Gt", "10", "11", True),
        ("Gt", "10", "10", False),
        ("Gt", "-5", "0", True),
        ("Lt", "9223372036854775807", "9223372036854775806", True),
        # No whole numbers as Kubernetes writes them, or too large.
        ("Gt", "010", "11", False),
        ("Lt", "10", "09", False),
        ("Lt", "10", "-0", False),
        ("Lt", "10", "1.5", False),
        ("Lt", "9223372036854775808", "1", False),
        ("Lt", "", "1", False),
    ],
)
def test_with_the_gate_on_numbers_are_compared(
    minor: str, operator: str, value: str, of_taint: str, tolerated: bool
) -> None:
    assert compared(minor, operator, value, of_taint, NUMBERS) == ("fits" if tolerated else "unschedulable")


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


def test_spread_constraints_that_honour_taints_compare_numbers_too() -> None:
    spread = {
        "maxSkew": 1,
        "topologyKey": "kubernetes.io/hostname",
        "whenUnsatisfiable": "DoNotSchedule",
        "labelSelector": {"matchLabels": {"app": "a"}},
        "nodeTaintsPolicy": "Honor",
    }
    pod = tolerating(
        {"key": "k", "operator": "Gt", "value": "1"}, labels={"app": "a"}, topologySpreadConstraints=[spread]
    )
    nodes = [a_node("m"), a_node("n", taints=[taint(value="2")])]
    placed = a_pod("placed", node="m", labels={"app": "a"})

    # The tainted node counts as a domain without pods where the pod tolerates its taint.
    assert explained(pod, *nodes, placed, minor="1.37", gates=NUMBERS).feasible == ["n"]
    off = {"TaintTolerationComparisonOperators": False}
    assert explained(pod, *nodes, placed, minor="1.37", gates=off).feasible == ["m"]


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
