""""""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from clusters.engine.evidence import CountedPod
from clusters.engine.plugins.inter_pod_affinity import (
    ByRange,
    ExistingAntiAffinity,
    NoPodAffinity,
    PodAntiAffinity,
    PodTerm,
    PreferenceSource,
    TermComparison,
    TermScore,
    TermSource,
)
from clusters.engine.selectors import LabelSelector, Operator, Requirement
from clusters.engine.status import Code, unresolvable, unschedulable
from clusters.engine.world import World
from tests.engine.builders import (
    HOSTNAME,
    ZONE,
    Document,
    a_node,
    a_pod,
    explanation_of,
    raw_scores_of,
    scores_of,
    with_arguments,
)
from tests.engine.storage_builders import rejections as rejections_in, without
from tests.support.constraints import about

NAME = "InterPodAffinity"
FAR, NEAR, UNWANTED = (
    unresolvable(NoPodAffinity()),
    unschedulable(PodAntiAffinity()),
    unschedulable(ExistingAntiAffinity()),
)
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


def a_namespace(name: str, **labels: str) -> Document:
    return {"kind": "Namespace", "metadata": {"name": name, "labels": labels}}


def rejections(pod: Document, *objects: Document) -> dict[str, Any]:
    explanation = explanation_of(pod, *NODES, *objects)
    return {
        name: status
        for row, name in enumerate(explanation.snapshot.nodes.names)
        if (status := explanation.rejections_of(row).get(NAME)) is not None
    }


def scored(pod: Document, *objects: Document, **configuration: Any) -> dict[str, tuple[int, int]]:
    return scores_of(explanation_of(pod, *NODES, *objects, **configuration), NAME)


# -- filtering ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pod", "objects", "rejected"),
    [
        pytest.param(near(term()), [placed("db", "a1")], {"b1": FAR, "none": FAR}, id="near"),
        pytest.param(
            near(term(key=HOSTNAME)), [placed("db", "a1")], {"a2": FAR, "b1": FAR, "none": FAR}, id="same node"
        ),
        pytest.param(
            near(term()), [placed("web", "a1")], dict.fromkeys(("a1", "a2", "b1", "none"), FAR), id="near nobody"
        ),
        pytest.param(
            near(term(), term("web")),
            [placed("db", "a1"), placed("web", "a1")],
            dict.fromkeys(("a1", "a2", "b1", "none"), FAR),
            id="all terms must mean the same pod",
        ),
        pytest.param(
            near(term(), term(labelSelector={"matchLabels": {"tier": "x"}})),
            [a_pod("p", node="a1", labels={"app": "db", "tier": "x"}), placed("db", "b1")],
            {"b1": FAR, "none": FAR},
            id="one pod that all terms mean",
        ),
        pytest.param(apart(term()), [placed("db", "a1")], {"a1": NEAR, "a2": NEAR}, id="apart"),
        pytest.param(
            apart(term(), term("web", HOSTNAME)),
            [placed("db", "a1"), placed("web", "none")],
            {"a1": NEAR, "a2": NEAR, "none": NEAR},
            id="apart from either",
        ),
        pytest.param(
            a_pod(labels={"app": "db"}),
            [apart(term(), name="p", node="a1"), apart(term("web"), name="q", node="b1")],
            {"a1": UNWANTED, "a2": UNWANTED},
            id="kept apart by a placed pod",
        ),
        pytest.param(
            a_pod(labels={"app": "db"}),
            [apart(term(), name="p", node="none")],
            {},
            id="a zone that is none",
        ),
    ],
)
def test_required_terms(pod: Document, objects: list[Document], rejected: dict[str, Any]) -> None:
    assert rejections(pod, *objects) == rejected


def test_of_several_rejections_the_own_affinity_is_named_first() -> None:
    pod = near(term("web"), labels={"app": "db"})
    pod["spec"]["affinity"] |= rule("podAntiAffinity", term("db", HOSTNAME))
    objects = (placed("web", "a1"), placed("db", "a2"), apart(term("db"), name="p", node="a1"), placed("db", "b1"))

    assert rejections(pod, *objects) == {"a1": UNWANTED, "a2": NEAR, "b1": FAR, "none": FAR}


@pytest.mark.parametrize(
    ("labels", "objects", "rejected"),
    [
        pytest.param({"app": "db"}, [], {"none": FAR}, id="the first of its group goes where there is a zone"),
        pytest.param({"app": "db"}, [placed("db", "none")], {"none": FAR}, id="one without a zone is still none"),
        pytest.param({"app": "db"}, [placed("db", "b1")], {"a1": FAR, "a2": FAR, "none": FAR}, id="the second follows"),
        pytest.param({"app": "web"}, [], dict.fromkeys(("a1", "a2", "b1", "none"), FAR), id="not of the group itself"),
        pytest.param(
            {"app": "db"},
            [a_pod("p", node="b1", labels={"app": "db"}, namespace="other")],
            {"none": FAR},
            id="the group of another namespace",
        ),
    ],
)
def test_first_pod_of_a_group(labels: dict[str, str], objects: list[Document], rejected: dict[str, Any]) -> None:
    assert rejections(near(term(), labels=labels), *objects) == rejected


def test_the_first_pod_must_meet_all_of_its_own_terms() -> None:
    pod = near(term("db"), term("web", HOSTNAME), labels={"app": "db"})
    assert set(rejections(pod)) == {"a1", "a2", "b1", "none"}

    elsewhere = near(term("db", namespaces=["other"]), labels={"app": "db"})
    assert set(rejections(elsewhere)) == {"a1", "a2", "b1", "none"}


TEAM = {"matchLabels": {"team": "x"}}


@pytest.mark.parametrize(
    ("scope", "reached"),
    [
        pytest.param({}, {"default"}, id="its own"),
        pytest.param({"namespaces": ["x1", "y"]}, {"x1", "y"}, id="by name"),
        pytest.param({"namespaceSelector": TEAM}, {"x1", "x2"}, id="by label"),
        pytest.param({"namespaceSelector": TEAM, "namespaces": ["y"]}, {"x1", "x2", "y"}, id="by label and by name"),
        pytest.param({"namespaceSelector": {}}, {"default", "x1", "x2", "y", "unknown"}, id="all"),
        pytest.param({"namespaceSelector": None}, {"default"}, id="null is as if absent"),
    ],
)
def test_namespaces_that_a_term_reaches(scope: dict[str, Any], reached: set[str]) -> None:
    spaces = (
        a_namespace("default"),
        a_namespace("x1", team="x"),
        a_namespace("x2", team="x"),
        a_namespace("y", team="y"),
    )

    def meets(namespace: str) -> bool:
        other = a_pod("p", node="a1", namespace=namespace, labels={"app": "db"})
        return rejections(apart(term(**scope)), *spaces, other) != {}

    def is_met_by(namespace: str) -> bool:
        pod = a_pod("pod", namespace=namespace, labels={"app": "db"})
        return rejections(pod, *spaces, apart(term(**scope), name="p", node="a1")) != {}

    everywhere = ("default", "x1", "x2", "y", "unknown")
    assert {namespace for namespace in everywhere if meets(namespace)} == reached
    assert {namespace for namespace in everywhere if is_met_by(namespace)} == reached


def test_a_term_that_cannot_be_read_ends_the_search() -> None:
    bad = {"labelSelector": {"matchExpressions": [{"key": "app", "operator": "Near"}]}, "topologyKey": ZONE}
    stopped = explanation_of(near(bad), *NODES).cycle.stopped_by

    assert stopped is not None
    assert (stopped.plugin, stopped.status.code) == (NAME, Code.UNRESOLVABLE)


def test_a_pod_that_nobody_minds_skips() -> None:
    others = (placed("db", "a1"), apart(term("web"), name="p", node="a2"))

    assert NAME in explanation_of(a_pod(), *NODES, *others).cycle.skipped
    assert NAME not in explanation_of(a_pod(labels={"app": "web"}), *NODES, *others).cycle.skipped


def meaning(app: str, key: str = ZONE) -> PodTerm:
    """The term that means pods of one app in the pod's own namespace."""
    selector = LabelSelector((Requirement("app", Operator.IN, (app,)),))
    return PodTerm(key, selector, ("default",), None)


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


def test_pods_that_are_imagined_to_join_or_leave() -> None:
    nominated = a_pod("nominated", nominated="a1", labels={"app": "db"})
    plugin = explanation_of(apart(term()), *NODES, nominated, placed("db", "b1")).cycle.plugins[NAME]

    assert set(rejections_in(plugin)) == {"b1"}
    joining = World.adding(plugin.snapshot.pods, [plugin.snapshot.pods.slot_of["default/nominated"]])
    # Each node in its own world: on a2 nobody has joined.
    assert set(rejections_in(plugin, joining)) == {"a1", "b1"}
    assert rejections_in(plugin, without(plugin, "default/db-b1")) == {}


# -- scoring -----------------------------------------------------------------------------------------------------


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


def test_scores_are_stretched_from_the_lowest_to_the_highest() -> None:
    """-9, 0 and 4: 100 × (0 + 9) / 13 = 69.2."""
    objects = (near(term(weight=4), name="p", node="b1"), apart(term(weight=9), name="q", node="a1"))

    assert scored(a_pod(labels={"app": "db"}), *objects) == {
        "a1": (-9, 0),
        "a2": (-9, 0),
        "b1": (4, 100),
        "none": (0, 69),
    }


@pytest.mark.parametrize(("weight", "raw"), [(0, None), (1, 1), (7, 7)])
def test_weight_of_what_placed_pods_require(weight: int, raw: int | None) -> None:
    pods = (placed("web", "a2"), near(term(), name="p", node="a1"))
    found = scored(a_pod(labels={"app": "db"}), *pods, **with_arguments(NAME, hardPodAffinityWeight=weight))

    assert found.get("a1", (None,))[0] == raw


def test_preferences_of_placed_pods_may_be_ignored() -> None:
    arguments = with_arguments(NAME, ignorePreferredTermsOfExistingPods=True)
    objects = (near(term(weight=4), name="p", node="b1"), placed("web", "a1"))

    assert scored(a_pod(labels={"app": "db"}), *objects)["b1"] == (4, 100)
    assert scored(a_pod(labels={"app": "db"}), *objects, **arguments) == {}


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
    ("selector", "avoided"),
    [
        (requirement("team", "In", "a"), ["a"]),
        (requirement("team", "Exists"), ["a", "b"]),
        ({}, ["a", "b", "unlabelled", "unknown"]),
    ],
)
@pytest.mark.parametrize("minor", ["1.36", "1.37"])
def test_namespaces_that_a_term_of_the_pending_pod_reaches(
    selector: dict[str, Any], avoided: list[str], minor: str
) -> None:
    assert reached(selector, minor) == avoided


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


@pytest.mark.parametrize(("minor", "scores"), [("1.36", {"n0": -1, "n1": 0}), ("1.37", {})])
def test_a_pod_that_prefers_to_avoid_namespaces_scores_as_it_would_be_filtered(
    minor: str, scores: dict[str, int]
) -> None:
    pod = avoiding(requirement("team", "NotIn", "a"))
    rules = pod["spec"]["affinity"]["podAntiAffinity"]
    term = rules.pop("requiredDuringSchedulingIgnoredDuringExecution")[0]
    rules["preferredDuringSchedulingIgnoredDuringExecution"] = [{"weight": 1, "podAffinityTerm": term}]
    db = a_pod("db", namespace="a", node="n0", labels={"app": "db"})

    found = explanation_of(pod, namespace("a", team="a"), a_node("n0"), a_node("n1"), db, kubernetes=minor)

    assert raw_scores_of(found, "InterPodAffinity") == scores


def test_terms_of_placed_pods_read_the_labels_of_the_pending_pods_namespace() -> None:
    guard = avoiding(requirement("team", "NotIn", "a"))
    guard["metadata"].update(name="guard", namespace="b")
    guard["spec"]["nodeName"] = "n0"
    pending = a_pod("db", namespace="a", labels={"app": "db"})

    kept_out = explanation_of(pending, namespace("a"), a_node("n0"), guard)
    let_in = explanation_of(pending, namespace("a", team="a"), a_node("n0"), guard)

    assert kept_out.feasible == []
    assert let_in.feasible == ["n0"]
