""""""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from clusters.engine.evidence import CountedPod
from clusters.engine.plugins.inter_pod_affinity import (
    ByRange,
    PodTerm,
    PreferenceSource,
    TermComparison,
    TermScore,
    TermSource,
)
from clusters.engine.selectors import LabelSelector, Operator, Requirement
from clusters.engine.status import Code
from tests.engine.builders import (
    HOSTNAME,
    ZONE,
    Document,
    a_node,
    a_pod,
    explanation_of,
    scores_of,
    with_arguments,
)
from tests.engine.storage_builders import rejections as rejections_in
from tests.support.answers import known
from tests.support.constraints import about

NAME = "InterPodAffinity"
NODES = (a_node("a1", zone="a"), a_node("a2", zone="a"), a_node("b1", zone="b"), a_node("none"))


def term(app: str = "db", key: str = ZONE, **more: Any) -> Document:
    return {"labelSelector": {"matchLabels": {"app": app}}, "topologyKey": key, **more}


def rule(kind: str, *terms: Document) -> dict[str, Any]:
    """Required affinity or anti-affinity, or preferred where terms come with a weight."""
    weighted = [{"weight": each["weight"], "podAffinityTerm": each} for each in terms if "weight" in each]
    name = "preferred" if weighted else "required"
    return {kind: {f"{name}DuringSchedulingIgnoredDuringExecution": weighted or list(terms)}}


def near(*terms: Document, **more: Any) -> Document:
    return a_pod(affinity=rule("podAffinity", *terms), **more)


def apart(*terms: Document, **more: Any) -> Document:
    return a_pod(affinity=rule("podAntiAffinity", *terms), **more)


def placed(app: str, node: str, **more: Any) -> Document:
    return a_pod(f"{app}-{node}", node=node, labels={"app": app}, **more)


def scored(pod: Document, *objects: Document, **configuration: Any) -> dict[str, tuple[int, int]]:
    return scores_of(explanation_of(pod, *NODES, *objects, **configuration), NAME)


# -- filtering ---------------------------------------------------------------------------------------------------


def test_a_term_that_cannot_be_read_ends_the_search() -> None:
    bad = {"labelSelector": {"matchExpressions": [{"key": "app", "operator": "Near"}]}, "topologyKey": ZONE}
    stopped = known(explanation_of(near(bad), *NODES).cycle.stopped_by)

    assert (stopped.plugin, stopped.status.code) == (NAME, Code.UNRESOLVABLE)


def meaning(app: str, key: str = ZONE) -> PodTerm:
    """The term that means pods of one app in the pod's own namespace."""
    return PodTerm(key, LabelSelector((Requirement("app", Operator.IN, (app,)),)), ("default",), None)


def test_each_term_can_be_lifted_and_shows_whom_it_meets() -> None:
    pod = near(term("web"), labels={"app": "db"})
    pod["spec"]["affinity"] |= rule("podAntiAffinity", term("cache", HOSTNAME))
    objects = (placed("web", "b1"), placed("cache", "a1"), apart(term("db"), name="p", node="a2"))
    plugin = explanation_of(pod, *NODES, *objects).cycle.plugins[NAME]

    assert list(map(about, plugin.constraints())) == [
        f"affinity: pods with app In web per {ZONE}",
        f"anti-affinity: pods with app In cache per {HOSTNAME}",
        f"anti-affinity of existing pods: pods with app In db per {ZONE}",
    ]
    assert plugin.evidence(0) == (
        TermComparison(TermSource.AFFINITY, meaning("web"), "a", 0, (), first_of_group=False),
        TermComparison(
            TermSource.ANTI_AFFINITY,
            meaning("cache", HOSTNAME),
            "a1",
            1,
            (CountedPod("default/cache-a1"),),
            first_of_group=False,
        ),
        TermComparison(
            TermSource.ANTI_AFFINITY_OF_PODS, meaning("db"), "a", 1, (CountedPod("default/p"),), first_of_group=False
        ),
    )
    assert [each.holds for each in plugin.evidence(0)] == [False, False, False]
    assert [each.holds for each in plugin.evidence(2)] == [True, True, True]
    assert set(rejections_in(plugin, lifted={0})) == {"a1", "a2"}
    assert set(rejections_in(plugin, lifted={0, 2})) == {"a1"}
    assert set(rejections_in(plugin, lifted={0, 1})) == {"a1", "a2"}
    assert rejections_in(plugin, lifted={0, 1, 2}) == {}


# -- scoring -----------------------------------------------------------------------------------------------------


def test_score_evidence_adds_up() -> None:
    pod = near(term("web", weight=5), labels={"app": "db"})
    objects = (placed("web", "a1"), placed("web", "a2"), near(term(weight=4), name="p", node="a1"))
    explanation = explanation_of(pod, *NODES, *objects)

    assert explanation.score_evidence(0, NAME) == (
        TermScore(PreferenceSource.AFFINITY, meaning("web"), "a", 2, 5),
        TermScore(PreferenceSource.PODS, meaning("db"), "a", 1, 4),
    )
    assert scores_of(explanation, NAME)["a1"][0] == 14
    assert explanation.score_evidence(2, NAME) == ()


def test_equal_scores_all_become_0() -> None:
    plugin = explanation_of(a_pod(), *NODES).cycle.plugins[NAME]

    assert plugin.normalise(np.array([7, 7])).tolist() == [0, 0]
    assert plugin.normalisation(np.array([7, 7]), 1) == ByRange(raw=7, normalised=0, highest=7, lowest=7)


HOMES = ["a", "b", "unlabelled", "unknown"]


def namespace(name: str, **labels: str) -> Document:
    return {"kind": "Namespace", "metadata": {"name": name, "labels": labels}}


def requirement(key: str, operator: str, *values: str) -> dict[str, Any]:
    return {"matchExpressions": [{"key": key, "operator": operator, **({"values": list(values)} if values else {})}]}


def avoiding(namespace_selector: dict[str, Any]) -> Document:
    """A pod that will not lie beside any pod of app=db in the namespaces that a selector finds."""
    term = {
        "topologyKey": HOSTNAME,
        "labelSelector": {"matchLabels": {"app": "db"}},
        "namespaceSelector": namespace_selector,
    }
    return a_pod(affinity={"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}})


@pytest.mark.parametrize(
    ("selector", "found"),
    [
        (requirement("team", "NotIn", "a"), ["b", "unlabelled"]),
        (requirement("team", "DoesNotExist"), ["unlabelled"]),
    ],
)
def test_until_1_36_a_selector_that_only_excludes_reaches_every_namespace(
    selector: dict[str, Any], found: list[str]
) -> None:
    for minor in ("1.34", "1.35", "1.36"):
        assert reached(selector, minor) == HOMES
    assert reached(selector, "1.37") == found


def reached(selector: dict[str, Any], minor: str) -> list[str]:
    """The namespaces whose pods a term of the pending pod reaches; the last one has no object."""
    namespaces = [namespace("a", team="a"), namespace("b", team="b"), namespace("unlabelled")]
    nodes = [a_node(home) for home in HOMES]
    placed = [a_pod(f"db-{home}", namespace=home, node=home, labels={"app": "db"}) for home in HOMES]
    found = explanation_of(avoiding(selector), *namespaces, *nodes, *placed, kubernetes=minor)
    return [home for home in HOMES if home not in found.feasible]


@pytest.mark.parametrize(
    ("pod", "objects", "raw"),
    [
        pytest.param(
            near(term(weight=5)), [placed("db", "a1"), placed("db", "a2")], {"a1": 10, "a2": 10}, id="each pod counts"
        ),
        pytest.param(apart(term(weight=5)), [placed("db", "a1")], {"a1": -5, "a2": -5}, id="preferred anti-affinity"),
        pytest.param(
            near(term(weight=5), term(key=HOSTNAME, weight=3)), [placed("db", "a1")], {"a1": 8, "a2": 5}, id="two terms"
        ),
        pytest.param(
            a_pod(labels={"app": "db"}),
            [near(term(weight=4), name="p", node="b1"), apart(term(weight=9), name="q", node="a1")],
            {"a1": -9, "a2": -9, "b1": 4},
            id="what placed pods prefer",
        ),
        pytest.param(
            a_pod(labels={"app": "db"}),
            [placed("db", "a1"), near(term(), name="p", node="a1")],
            {"a1": 1, "a2": 1},
            id="what placed pods require counts 1",
        ),
        pytest.param(near(term(weight=5)), [placed("db", "none")], {}, id="a pod without the label counts nowhere"),
    ],
)
def test_preferred_terms(pod: Document, objects: list[Document], raw: dict[str, int]) -> None:
    found = {node: score for node, (score, _) in scored(pod, *objects).items()}

    assert found == ({"a1": 0, "a2": 0, "b1": 0, "none": 0} | raw if raw else {})


def test_preferences_of_placed_pods_may_be_ignored() -> None:
    arguments = with_arguments(NAME, ignorePreferredTermsOfExistingPods=True)
    objects = (near(term(weight=4), name="p", node="b1"), placed("web", "a1"))

    assert scored(a_pod(labels={"app": "db"}), *objects)["b1"] == (4, 100)
    assert scored(a_pod(labels={"app": "db"}), *objects, **arguments) == {}
