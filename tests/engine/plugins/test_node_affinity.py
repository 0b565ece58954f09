from __future__ import annotations

from typing import Any

import pytest

from clusters.engine.evidence import NodeRequirement, NodeTerm
from clusters.engine.plugins.node_affinity import (
    NoEnforcedAffinity,
    NoNodeAffinity,
    PreferredTerm,
    RequirementComparison,
    SelectorComparison,
    TermsComparison,
)
from clusters.engine.selectors import Operator
from clusters.engine.status import SUCCESS, unresolvable
from tests.engine.builders import Document, a_node, a_pod, explanation_of, scores_of, with_arguments
from tests.support.constraints import about

REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"
NODES = (
    a_node("n0"),
    a_node("n1", labels={"disk": "ssd", "size": "10"}),
    a_node("n2", labels={"disk": "hdd", "size": "x"}),
)


def term(*expressions: Document, names: tuple[str, ...] = ()) -> Document:
    fields = [{"key": "metadata.name", "operator": "In", "values": [name]} for name in names]
    return {
        **({"matchExpressions": list(expressions)} if expressions else {}),
        **({"matchFields": fields} if names else {}),
    }


def label(key: str, operator: str, *values: str) -> Document:
    return {"key": key, "operator": operator, **({"values": list(values)} if values else {})}


def requiring(*terms: Document, **spec: Any) -> Document:
    return a_pod(affinity={"nodeAffinity": {REQUIRED: {"nodeSelectorTerms": list(terms)}}}, **spec)


def preferring(*preferences: tuple[int, Document]) -> Document:
    weighted = [{"weight": weight, "preference": preference} for weight, preference in preferences]
    return a_pod(affinity={"nodeAffinity": {PREFERRED: weighted}})


@pytest.mark.parametrize(
    ("terms", "nodes"),
    [
        pytest.param((term(label("disk", "In", "ssd", "nvme")),), ["n1"], id="In"),
        pytest.param((term(label("disk", "NotIn", "ssd")),), ["n0", "n2"], id="NotIn: also without the label"),
        pytest.param((term(label("disk", "Exists")),), ["n1", "n2"], id="Exists"),
        pytest.param((term(label("disk", "DoesNotExist")),), ["n0"], id="DoesNotExist"),
        pytest.param((term(label("size", "Gt", "9")),), ["n1"], id="Gt: numbers, not texts"),
        pytest.param((term(label("size", "Lt", "11")),), ["n1"], id="Lt"),
        pytest.param((term(label("size", "Gt", "10")),), [], id="Gt is strict"),
        pytest.param((term(label("disk", "Exists"), label("size", "Lt", "11")),), ["n1"], id="all of a term"),
        pytest.param((term(label("disk", "In", "ssd")), term(label("disk", "In", "hdd"))), ["n1", "n2"], id="any term"),
        pytest.param((term(label("disk", "Exists"), names=("n2",)),), ["n2"], id="labels and name"),
        pytest.param((term(names=("n2",)), term(label("disk", "In", "ssd"))), ["n1", "n2"], id="name or label"),
        pytest.param(({"matchFields": [label("metadata.name", "NotIn", "n1")]},), ["n0", "n2"], id="any but one"),
        pytest.param((term(), term(names=("n0",))), ["n0"], id="an empty term matches nothing"),
        pytest.param((term(),), [], id="nothing but an empty term"),
        pytest.param((), [], id="no term at all"),
        pytest.param((term(label("disk", "Near", "x")), term(label("disk", "In", "hdd"))), ["n2"], id="unreadable"),
    ],
)
def test_required_terms(terms: tuple[Document, ...], nodes: list[str]) -> None:
    explanation = explanation_of(requiring(*terms), *NODES)

    assert explanation.feasible == nodes
    for row, name in enumerate(explanation.snapshot.nodes.names):
        assert explanation.rejections_of(row) == (
            {} if name in nodes else {"NodeAffinity": unresolvable(NoNodeAffinity())}
        )


@pytest.mark.parametrize(
    ("terms", "names"),
    [
        pytest.param((term(names=("n1",)), term(names=("n2", "n2"))), {"n1", "n2"}, id="names of all terms"),
        pytest.param((term(names=("n1", "n2")), term(names=("n0",))), {"n0"}, id="one term contradicts itself"),
        pytest.param((term(names=("n1",)), term(label("disk", "Exists"))), None, id="one term is not by name"),
        pytest.param(({"matchFields": [label("metadata.name", "NotIn", "n1")]},), None, id="not by any name"),
    ],
)
def test_names_restrict_which_nodes_are_looked_at(terms: tuple[Document, ...], names: set[str] | None) -> None:
    result = explanation_of(requiring(*terms), *NODES).cycle.pre_filters["NodeAffinity"]

    assert result.status == SUCCESS
    assert result.node_names == names


def test_affinity_that_the_profile_adds() -> None:
    """It is asked first, and a pod that requires nothing has to meet it too."""
    added = {REQUIRED: {"nodeSelectorTerms": [term(label("disk", "In", "ssd"))]}}
    profile = with_arguments("NodeAffinity", addedAffinity=added)

    assert explanation_of(a_pod(), *NODES, **profile).feasible == ["n1"]
    explanation = explanation_of(a_pod(nodeSelector={"disk": "hdd"}), *NODES, **profile)
    assert [explanation.rejections_of(row)["NodeAffinity"].reasons for row in range(3)] == [
        (NoEnforcedAffinity(),),
        (NoNodeAffinity(),),
        (NoEnforcedAffinity(),),
    ]
    plugin = explanation.cycle.plugins["NodeAffinity"]
    assert list(map(about, plugin.constraints())) == [
        "nodeSelector disk=hdd",
        "addedAffinity",
    ]
    own, enforced = plugin.evidence(1)
    assert own == SelectorComparison("disk", "hdd", "ssd")
    assert isinstance(enforced, TermsComparison)
    assert enforced.added_by_profile
    assert (own.holds, enforced.holds) == (False, True)
    assert [plugin.filter(None, frozenset({0})).at(row).ok for row in range(3)] == [False, True, False]
    assert [plugin.filter(None, frozenset({1})).at(row).ok for row in range(3)] == [False, False, True]


def test_requirements_of_one_term_can_be_lifted_one_by_one() -> None:
    pod = requiring(
        term(label("disk", "In", "ssd"), label("size", "Exists"), names=("n2",)), nodeSelector={"size": "x"}
    )
    plugin = explanation_of(pod, *NODES).cycle.plugins["NodeAffinity"]

    assert list(map(about, plugin.constraints())) == [
        "nodeSelector size=x",
        "disk In ssd",
        "size Exists",
        "metadata.name In n2",
    ]
    assert [each.holds for each in plugin.evidence(2)] == [True, False, True, True]
    assert plugin.filter(None, frozenset({1})).at(2).ok
    assert not plugin.filter(None, frozenset({2})).at(2).ok
    assert plugin.evidence(2) == (
        SelectorComparison("size", "x", "x"),
        RequirementComparison(NodeRequirement("disk", Operator.IN, ("ssd",), "hdd", matches=False)),
        RequirementComparison(NodeRequirement("size", Operator.EXISTS, (), "x", matches=True)),
        RequirementComparison(NodeRequirement("metadata.name", Operator.IN, ("n2",), "n2", matches=True)),
    )


def test_several_terms_are_one_requirement() -> None:
    pod = requiring(term(label("disk", "In", "a")), term(label("disk", "In", "b")))
    plugin = explanation_of(pod, *NODES).cycle.plugins["NodeAffinity"]

    assert list(map(about, plugin.constraints())) == ["any of 2 terms"]
    (found,) = plugin.evidence(0)
    assert found == TermsComparison(
        added_by_profile=False,
        terms=tuple(
            NodeTerm((NodeRequirement("disk", Operator.IN, (value,), None, matches=False),), matches=False)
            for value in "ab"
        ),
    )
    assert not found.holds
    assert plugin.filter(None, frozenset({0})).failed is None


# -- scoring -----------------------------------------------------------------------------------------------------


def test_weights_of_the_preferences_that_match_are_added() -> None:
    """The highest sum, 5 + 2, is 100: 100 × 5 / 7 = 71.4."""
    pod = preferring(
        (5, term(label("disk", "Exists"))),
        (2, term(label("size", "Gt", "9"))),
        (0, term(label("disk", "Near", "x"))),
        (9, term()),
    )
    explanation = explanation_of(pod, *NODES)

    assert scores_of(explanation, "NodeAffinity") == {"n0": (0, 0), "n1": (7, 100), "n2": (5, 71)}
    for row, disk, size in ((1, "ssd", "10"), (2, "hdd", "x")):
        assert explanation.score_evidence(row, "NodeAffinity") == (
            PreferredTerm(
                5, NodeTerm((NodeRequirement("disk", Operator.EXISTS, (), disk, matches=True),), matches=True)
            ),
            PreferredTerm(
                2,
                NodeTerm(
                    (NodeRequirement("size", Operator.GREATER_THAN, ("9",), size, matches=row == 1),), matches=row == 1
                ),
            ),
        )
