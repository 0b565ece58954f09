"""Changes that need no YAML: what each makes of a pod, and which of them are offered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from clusters.demo import demo_objects
from clusters.engine import Explanation, SchedulerConfiguration, Snapshot, explain
from clusters.engine.admission import admit
from clusters.engine.analysis import offered
from clusters.engine.edits import REQUIRED, Edit, RemoveGates, RemoveNodeSelector, digest, edit_of, text_of
from tests.support.answers import known
from tests.support.decision_cluster import objects

if TYPE_CHECKING:
    from collections.abc import Iterable

FAST = {"key": "disk", "operator": "In", "values": ["ssd", "nvme"]}
ANY_GPU = {"key": "gpu", "operator": "Exists"}


def changed(name: str, spec: dict[str, Any]) -> dict[str, Any]:
    change = known(edit_of(name))
    assert text_of(change) == name
    found: dict[str, Any] = change.apply({"spec": spec})["spec"]
    return found


def asking(**requests: str) -> dict[str, Any]:
    return {"containers": [{"name": "main", "resources": {"requests": requests}}]}


def requests(spec: dict[str, Any]) -> list[dict[str, str]]:
    return [container["resources"]["requests"] for container in spec["containers"]]


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("no-node-selector", {"nodeSelector": {"a": "1"}, "os": {}}, {"os": {}}),
        ("no-selector:a=1", {"nodeSelector": {"a": "1", "b": "2"}}, {"nodeSelector": {"b": "2"}}),
        ("no-selector:a=1", {"nodeSelector": {"a": "1"}}, {}),
        ("no-selector:a=1", {"nodeSelector": {"a": "2"}}, {"nodeSelector": {"a": "2"}}),
        ("no-gates", {"schedulingGates": [{"name": "g"}]}, {}),
        ("no-node-name", {"nodeName": "ash"}, {}),
        (
            f"no-spread:{digest({'maxSkew': 1})}",
            {"topologySpreadConstraints": [{"maxSkew": 1}, {"maxSkew": 2}, {"maxSkew": 1}]},
            {"topologySpreadConstraints": [{"maxSkew": 2}]},
        ),
        (
            f"no-spread:{digest({'maxSkew': 7})}",
            {"topologySpreadConstraints": [{"maxSkew": 1}]},
            {"topologySpreadConstraints": [{"maxSkew": 1}]},
        ),
        ("no-node-affinity", {"affinity": {"nodeAffinity": {REQUIRED: {}}}}, {}),
        (
            f"no-node-requirement:{digest(['matchExpressions', 'disk', 'In', ['nvme', 'ssd']])}",
            {"affinity": {"nodeAffinity": {REQUIRED: {"nodeSelectorTerms": [{"matchExpressions": [FAST, ANY_GPU]}]}}}},
            {"affinity": {"nodeAffinity": {REQUIRED: {"nodeSelectorTerms": [{"matchExpressions": [ANY_GPU]}]}}}},
        ),
        (
            f"no-node-requirement:{digest(['matchExpressions', 'gpu', 'Exists', []])}",
            {"affinity": {"nodeAffinity": {REQUIRED: {"nodeSelectorTerms": [{"matchExpressions": [ANY_GPU]}]}}}},
            {},
        ),
        (
            "no-host-port:0.0.0.0:80/TCP",
            {"containers": [{"ports": [{"containerPort": 80, "hostPort": 80}, {"hostPort": 81}]}]},
            {"containers": [{"ports": [{"containerPort": 80}, {"hostPort": 81}]}]},
        ),
        (
            "no-host-port:0.0.0.0:80/TCP",
            {"hostNetwork": True, "containers": [{"ports": [{"containerPort": 80, "hostPort": 80}]}]},
            {"hostNetwork": True, "containers": [{}]},
        ),
        (
            f"no-pod-anti-affinity:{digest(2)}",
            {"affinity": {"podAntiAffinity": {REQUIRED: [1, 2, 3]}}},
            {"affinity": {"podAntiAffinity": {REQUIRED: [1, 3]}}},
        ),
        (
            f"no-pod-affinity:{digest(1)}",
            {"affinity": {"podAffinity": {REQUIRED: [1]}, "nodeAffinity": {}}},
            {"affinity": {"nodeAffinity": {}}},
        ),
        ("priority:high", {"priority": 5, "preemptionPolicy": "Never"}, {"priorityClassName": "high"}),
        (
            "tolerate:gpu=yes:NoSchedule",
            {},
            {"tolerations": [{"key": "gpu", "operator": "Equal", "value": "yes", "effect": "NoSchedule"}]},
        ),
        ("tolerate:gpu:NoExecute", {}, {"tolerations": [{"key": "gpu", "operator": "Exists", "effect": "NoExecute"}]}),
    ],
)
def test_each_change_does_what_it_says(name: str, before: dict[str, Any], after: dict[str, Any]) -> None:
    assert changed(name, before) == after


def test_requests_are_halved_and_doubled_and_limits_raised_along() -> None:
    spec = asking(cpu="250m", memory="1Gi")
    assert requests(changed("halve-requests", spec)) == [{"cpu": "125m", "memory": "512Mi"}]
    spec["containers"][0]["resources"]["limits"] = {"cpu": "300m", "memory": "4Gi"}
    doubled = changed("double-requests", spec)
    assert requests(doubled) == [{"cpu": "500m", "memory": "2Gi"}]
    assert doubled["containers"][0]["resources"]["limits"] == {"cpu": "500m", "memory": "4Gi"}


def test_asking_for_less_lowers_all_containers_alike_and_never_raises_one() -> None:
    spec = {"containers": asking(cpu="3")["containers"] + asking(cpu="1")["containers"]}
    assert requests(changed("ask:cpu=1000m", spec)) == [{"cpu": "750m"}, {"cpu": "250m"}]
    assert requests(changed("ask:cpu=9000m", spec)) == [{"cpu": "3"}, {"cpu": "1"}]


def test_asking_for_less_makes_up_for_what_a_runtime_class_adds() -> None:
    spec = {**asking(cpu="3"), "overhead": {"cpu": "1"}}
    assert requests(changed("ask:cpu=2000m", spec)) == [{"cpu": "1"}]
    assert requests(changed("ask:cpu=500m", spec)) == [{"cpu": "0"}]
    document = {"kind": "Pod", "metadata": {"name": "vm", "namespace": "shop"}, "spec": spec}
    node = {"kind": "Node", "metadata": {"name": "ash"}, "status": {"allocatable": {"cpu": "2", "pods": "9"}}}
    snapshot = Snapshot.from_objects([node])
    explanation = explain(snapshot, document, SchedulerConfiguration.default().profiles[0])
    (reduction,) = explanation.relaxations.reductions
    assert explain(snapshot, reduction.edit.apply(document), explanation.profile).fits


def test_requests_of_the_whole_pod_are_changed_with_those_of_its_containers() -> None:
    spec = {**asking(cpu="1"), "resources": {"requests": {"cpu": "2"}}}
    halved = changed("halve-requests", spec)
    assert (requests(halved), halved["resources"]) == ([{"cpu": "500m"}], {"requests": {"cpu": "1"}})
    less = changed("ask:cpu=500m", spec)
    assert (requests(less), less["resources"]) == ([{"cpu": "250m"}], {"requests": {"cpu": "500m"}})


def test_an_entry_has_one_name_before_and_after_admission() -> None:
    entry = {"topologyKey": "zone", "matchLabelKeys": ["version"], "labelSelector": {"matchLabels": {"app": "web"}}}
    document = {
        "kind": "Pod",
        "metadata": {"name": "p", "namespace": "shop", "labels": {"version": "7"}},
        "spec": {"topologySpreadConstraints": [{**entry, "minDomains": None}]},
    }
    (stored,) = admit(document, Snapshot.from_objects([])).pod["spec"]["topologySpreadConstraints"]

    assert "matchExpressions" in stored["labelSelector"]
    assert digest(stored) == digest(entry)
    assert digest({**entry, "topologyKey": "rack"}) != digest(entry)


@pytest.mark.parametrize(("twice", "once"), [(0, 1), (1, 0)])
def test_of_three_entries_the_two_that_say_the_same_are_lifted_together(twice: int, once: int) -> None:
    """Zone a has too many pods for each constraint, so that it takes another one only without all three."""
    labels = {"app": "web"}
    spread = [
        {
            "maxSkew": skew,
            "topologyKey": "zone",
            "whenUnsatisfiable": "DoNotSchedule",
            "labelSelector": {"matchLabels": labels},
        }
        for skew in (1, 2)
    ]
    entries = [spread[twice], spread[once], dict(reversed(spread[twice].items()))]
    pod = {
        "kind": "Pod",
        "metadata": {"name": "p", "namespace": "shop", "labels": labels},
        "spec": {"topologySpreadConstraints": entries},
    }
    cluster: list[dict[str, Any]] = [
        {
            "kind": "Node",
            "metadata": {"name": zone, "labels": {"zone": zone}},
            "status": {"allocatable": {"pods": "9"}},
        }
        for zone in "ab"
    ]
    cluster[1]["spec"] = {"taints": [{"key": key, "effect": "NoSchedule"} for key in ("gpu", "team")]}
    cluster += [
        {"kind": "Pod", "metadata": {"name": name, "namespace": "shop", "labels": labels}, "spec": {"nodeName": "a"}}
        for name in ("q", "r")
    ]
    explanation = explain(Snapshot.from_objects(cluster), pod, SchedulerConfiguration.default().profiles[0])
    spreads = explanation.cycle.plugins["PodTopologySpread"].constraints()
    assert (spreads[0], len(set(spreads))) == (spreads[2], 2)

    first = known(spreads[0].edit)
    assert first.apply(pod)["spec"]["topologySpreadConstraints"] == [entries[1]]
    (pair,) = (lift for lift in explanation.relaxations.pairs if set(lift.lifted) == set(spreads))
    document: dict[str, Any] = pod
    for edit in pair.edits:
        document = edit.apply(document)
    assert "topologySpreadConstraints" not in document["spec"]
    assert explain(explanation.snapshot, document, explanation.profile).feasible == ["a"]


@pytest.mark.parametrize(
    "spec",
    [
        None,
        [],
        {"containers": "x"},
        {"containers": [None]},
        {"affinity": [], "nodeSelector": 1, "tolerations": "x", "topologySpreadConstraints": {}},
    ],
)
def test_changes_take_any_document_as_it_comes(spec: Any) -> None:
    for kind in (
        "double-requests",
        "no-host-ports",
        "no-node-affinity",
        "no-node-requirement:0123456789ab",
        "no-host-port:0.0.0.0:80/TCP",
        "no-selector:a=b",
        "no-spread:0123456789ab",
        "no-pod-affinity:0123456789ab",
        "tolerate:a:NoSchedule",
        "ask:cpu=1",
    ):
        change = known(edit_of(kind))
        change.apply({"spec": spec})


def explained(name: str) -> Explanation:
    pod = next(each for each in objects() if each["kind"] == "Pod" and each["metadata"]["name"] == name)
    return explain(Snapshot.from_objects(objects()), pod, SchedulerConfiguration.default().profile_for(pod))


def kept_promises(explanation: Explanation, document: dict[str, Any]) -> int:
    """Follow every change that is said to help by its name, as a new pod; return how many there are."""
    found, names = explanation.relaxations, explanation.snapshot.nodes.names

    def then(edits: Iterable[Edit]) -> set[str]:
        changed = document
        for edit in edits:
            named = edit_of(text_of(edit))
            assert named == edit
            changed = named.apply(changed)
        pod = admit(changed, explanation.snapshot).pod
        return set(explain(explanation.snapshot, pod, explanation.profile).feasible)

    before, tried = set(explanation.feasible), 0
    for lift in (*found.filters, *found.singles, *found.pairs):
        if lift.edits:
            after = then(lift.edits)
            assert {names[row] for row in lift.rows} == after - before, lift
            assert lift.lost == len(before - after)
            tried += 1
    for reductions in (*((each,) for each in found.reductions), found.together):
        if reductions:
            assert names[reductions[0].row] in then(each.edit for each in reductions)
            tried += 1
    return tried


@pytest.mark.parametrize("name", ["plain", "huge", "choosy", "urgent", "only"])
def test_what_lifts_a_requirement_gains_the_nodes_that_the_relaxation_promised(name: str) -> None:
    explanation = explained(name)
    assert kept_promises(explanation, dict(explanation.pod.document)) or name == "plain"


def test_in_the_demo_cluster_every_change_that_is_offered_as_a_help_helps() -> None:
    everything = list(demo_objects())
    snapshot, configuration = Snapshot.from_objects(everything), SchedulerConfiguration.default()
    tried = 0
    for pod in everything:
        if pod["kind"] != "Pod" or pod["status"]["phase"] != "Pending":
            continue
        admission = admit(pod, snapshot)
        assert (admission.additions, admission.refusals) == ((), ()), "it came from an API server"
        if pod["spec"].get("schedulerName") == "default-scheduler":
            tried += kept_promises(explain(snapshot, pod, configuration.profile_for(pod)), pod)
    assert tried > 50


def test_only_changes_that_change_something_are_offered() -> None:
    explanation = explained("choosy")
    document = dict(explanation.pod.document)
    found = list(offered(document, explanation))
    assert RemoveNodeSelector() in found
    assert RemoveGates() not in found
    assert all(change.apply(document) != document for change in found)
