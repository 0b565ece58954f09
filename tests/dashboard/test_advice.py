"""What would make a pod fit: in which order it is told, and in which words."""

from __future__ import annotations

import json
import shlex
from functools import cache
from typing import Any

import pytest

from clusters.demo import demo_objects
from clusters.engine import Explanation, SchedulerConfiguration, Snapshot, explain
from clusters.engine.analysis.causes import SuggestedChange, finding_of
from clusters.engine.analysis.remedies import CreateVolume, FreeClaim, PublishCapacity, advice, remedies_of
from clusters.engine.edits import LowerRequest, Tolerate
from clusters.engine.owners import Workload
from clusters.engine.simulation.node_counts import OneMoreNode
from clusters.engine.taints import Taint
from clusters.wording.advice import advice_summary
from clusters.wording.decisions.verdict import verdict_sentence
from clusters.wording.remedies import remedy_sentence
from dashboard.presenters.decisions.page import RelaxationsView, candidate_view, relaxations
from dashboard.presenters.shared.page import edit_command, spec_patch
from tests.engine.builders import Document, a_node, a_pod, explanation_of
from tests.engine.storage_builders import a_claim, a_class, a_volume, uses

UNREACHABLE: Document = {"key": "node.kubernetes.io/unreachable", "effect": "NoSchedule"}
GOLD: Document = {"key": "class", "value": "gold", "effect": "NoSchedule"}


@cache
def demo() -> tuple[Snapshot, list[Document]]:
    objects = demo_objects()
    return Snapshot.from_objects(objects), [each for each in objects if each["kind"] == "Pod"]


def of_demo(prefix: str) -> Explanation:
    """Explain the waiting pod of the demo whose name begins so."""
    snapshot, pods = demo()
    (pod,) = (
        pod
        for pod in pods
        if f"{pod['metadata']['namespace']}/{pod['metadata']['name']}".startswith(prefix)
        and not pod["spec"].get("nodeName")
    )
    return explain(snapshot, pod, SchedulerConfiguration.default().profile_for(pod))


def changes_of(explanation: Explanation) -> list[SuggestedChange]:
    """Return what a list would offer, what it would offer first first."""
    return sorted(finding_of(explanation).changes, key=lambda change: change.effort)


def told(view: RelaxationsView) -> list[tuple[str, list[str]]]:
    return [
        (each.title, [*(way.sentence for way in each.sentences), *(lift.sentence for lift in each.lifts)])
        for each in view.advice
    ]


def test_preemption_leads_then_less_then_requirements_and_unhealthy_nodes_come_last() -> None:
    view = relaxations(of_demo("payments/payments-api-"))

    assert view.summary == "Preemption would make room."
    assert view.preempting is not None
    assert (view.preempting.node, len(view.preempting.victims)) == ("general-a-04", 1)
    assert told(view)[:-1] == [
        ("Lower requests", ["Request at most 1.535 CPU instead of 2.45 CPU: it fits on general-a-01."]),
        ("Remove a requirement", ["Remove the node selector shop.example/pool=general: it fits on 9 nodes."]),
        (
            "Repair a node",
            ["Repair the nodes that have node.kubernetes.io/unreachable:NoSchedule: it fits on 1 node."],
        ),
    ]
    assert [lift.sentence for lift in view.advice[0].details] == ["Request no CPU: it fits on 24 nodes."]
    assert "unhealthy" in view.advice[2].note


@pytest.mark.parametrize(
    ("pod", "summary"),
    [
        (
            "search/reindex-",
            "One change is enough. Request at most 1.535 CPU instead of 2.7 CPU: it fits on general-a-01.",
        ),
        (
            "data/warehouse-rebuild-",
            "Request at most ",
        ),
        (
            "shop/banner-renderer-",
            "Create the claim banner-assets in namespace shop.",
        ),
        ("data/reports-db-", "Bind the claim "),
        ("batch/disk-audit-", "One change is enough. Uncordon the node: "),
        (
            "payments/fraud-scoring-",
            "Wait for batch/",
        ),
        ("ml/embedding-backfill-", "One change is enough. Tolerate nvidia.com/gpu=present:NoSchedule: "),
        ("payments/ledger-export-", "Stop payments/ledger-archiver-"),
    ],
)
def test_summary_names_what_can_be_done(pod: str, summary: str) -> None:
    assert relaxations(of_demo(pod)).summary.startswith(summary)


def pinned(kind: str) -> Document:
    """Return a pod that only the node `full` may take, made by a controller of this kind."""
    by_name = {"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["full"]}]}
    required = {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [by_name]}}
    pod = a_pod(requests={"cpu": "1"}, affinity={"nodeAffinity": required})
    owner = {"apiVersion": "apps/v1", "kind": kind, "name": "agent", "uid": "agent", "controller": True}
    return {**pod, "metadata": {**pod["metadata"], "ownerReferences": [owner]}}


def test_node_that_a_daemon_set_made_its_pod_for_is_the_last_thing_to_lift() -> None:
    unpinned = "Remove the node affinity metadata.name=full: it fits on 2 nodes."
    cluster = (a_node("full", taints=[GOLD]), a_node("free"), a_node("vacant"))
    daemon, other = (explanation_of(pinned(kind), *cluster) for kind in ("DaemonSet", "Job"))

    view = relaxations(daemon)

    tolerated = ("Tolerate a taint", ["Tolerate class=gold:NoSchedule: it fits on 1 node."])
    assert told(relaxations(other))[:2] == [tolerated, ("Prefer instead of require", [unpinned])]
    assert view.summary == "One change is enough. Tolerate class=gold:NoSchedule: it fits on 1 node."
    assert told(view)[0] == tolerated
    (apart,) = (each for each in view.advice if each.detail_title == "Without its DaemonSet's node")
    assert [lift.sentence for lift in apart.details] == [unpinned]
    assert [change.lifted[0].plugin for change in changes_of(daemon)] == ["TaintToleration", "NodeAffinity"]


def test_nothing_but_its_node_to_lift_is_no_advice_for_a_daemon() -> None:
    fits = relaxations(explanation_of(pinned("DaemonSet"), a_node("full"), a_node("free")))
    stuck = relaxations(explanation_of(pinned("DaemonSet"), a_node("full", taints=[GOLD, UNREACHABLE]), a_node("free")))

    assert fits.summary == "It fits on the node that its DaemonSet created it for."
    assert stuck.summary == "No change that was tried makes it fit on its DaemonSet's node."


def test_one_more_node_comes_before_changes_of_the_pod_and_unused_requests_before_taints() -> None:
    pod = a_pod(requests={"cpu": "10"})
    explanation = explanation_of(pod, a_node("n"), a_node("large", allocatable={"cpu": "16"}, taints=[GOLD]))

    more = relaxations(explanation, [OneMoreNode("large", "gold"), OneMoreNode("huge")])
    used = relaxations(explanation, needed={"cpu": 8_000, "memory": 0})
    unknown = relaxations(explanation, needed={"cpu": 8_001})

    assert more.summary == "Add one more node like large (pool gold): it would fit."
    assert more.advice[0].like == ("large", "huge")
    assert (more.like, used.like) == ("large", "")
    # Where the summary is read, the others follow.
    assert more.first == more.advice[0].sentences[0]
    assert [each.title for each in more.others] == [each.title for each in more.advice]
    assert used.first in used.advice[0].sentences
    assert [each.title for each in more.advice[:3]] == ["Add a node", "Tolerate a taint", "Lower requests"]
    assert [each.title for each in used.advice[:2]] == ["Lower requests", "Tolerate a taint"]
    assert used.advice[0].note == "The workload uses less than it requests."
    assert [each.title for each in unknown.advice[:2]] == ["Tolerate a taint", "Lower requests"]
    assert not unknown.advice[1].note


def test_the_way_that_leads_can_be_copied_as_a_command() -> None:
    owner = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web-5d", "uid": "web", "controller": True}
    pod = a_pod(labels={"pod-template-hash": "5d"}, nodeSelector={"disk": "ssd", "zone": "a"})
    pod["metadata"]["ownerReferences"] = [owner]

    view = relaxations(explanation_of(pod, a_node("n", labels={"zone": "a"})))

    assert view.summary == "One change is enough. Remove the node selector disk=ssd: it fits on 1 node."
    assert view.first is not None
    assert view.first.command == (
        "kubectl -n default patch deployment web --type=strategic -p "
        """'{"spec":{"template":{"spec":{"nodeSelector":{"disk":null}}}}}'"""
    )
    cordoned = relaxations(explanation_of(a_pod(), a_node("n", unschedulable=True))).first
    assert cordoned is not None
    assert cordoned.command == "kubectl uncordon n"
    tainted = relaxations(explanation_of(a_pod(), a_node("n", taints=[UNREACHABLE]))).first
    scoring = relaxations(of_demo("payments/fraud-scoring-")).first
    assert not any(each and each.command for each in (tainted, scoring))
    assert relaxations(of_demo("payments/payments-api-")).first is None


def test_pair_quantifies_the_request_that_would_do() -> None:
    cluster = (a_node("small", allocatable={"cpu": "2"}, taints=[GOLD]),)

    (two,) = (each for each in told(relaxations(explanation_of(a_pod(requests={"cpu": "3"}), *cluster))) if each[0])

    assert two == (
        "Two changes together",
        [
            (
                "Tolerate class=gold:NoSchedule and request at most 2 CPU: it fits on small. "
                "If it requests no CPU, it fits on 1 node."
            )
        ],
    )


def test_cordon_and_its_taint_are_one_condition() -> None:
    taint = {"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"}
    view = relaxations(explanation_of(a_pod(), a_node("n", unschedulable=True, taints=[taint])))

    assert view.summary == "One change is enough. Uncordon the node: it fits on 1 node."


def test_three_obstacles_are_not_told_as_what_they_may_not_be() -> None:
    node = a_node("n", taints=[GOLD, UNREACHABLE], unschedulable=True)

    view = relaxations(explanation_of(a_pod(), node))

    assert view.summary == "No change, nor two tried together, makes it fit anywhere."
    assert told(view) == []


def test_cluster_without_nodes_gets_no_advice_about_the_pod() -> None:
    view = relaxations(explanation_of(a_pod(requests={"cpu": "1"})))

    assert (view.summary, view.advice) == ("Upload the nodes too.", ())


# -- volumes -----------------------------------------------------------------------------------------------------------

STATIC = a_class(provisioner="kubernetes.io/no-provisioner")


@pytest.mark.parametrize(
    ("objects", "remedy"),
    [
        ((), "Create the claim data in namespace default, or upload the claims too."),
        ((a_claim("other"),), "Create the claim data in namespace default."),
        ((a_claim("data", deleted=True),), "Recreate the claim data once it is deleted."),
        (
            (a_claim("data", volume="pv", phase="Lost"),),
            "Recreate the claim data: it has lost its volume pv.",
        ),
        (
            (a_claim("data"), a_class(mode="Immediate")),
            ("Bind the claim data: its class wait has volumeBindingMode Immediate. Or use WaitForFirstConsumer."),
        ),
        (
            (a_claim("data"),),
            "Create the storage class wait, which the claim data names.",
        ),
        (
            (a_claim("data", storage_class=None),),
            "Bind the claim data to a volume, or set its storageClassName.",
        ),
        (
            (a_claim("data", volume="pv", bound=False), a_class()),
            "Bind the claim data to the volume pv that it names.",
        ),
        (
            (a_claim("data", volume="gone"),),
            ("Restore the missing volume gone, or recreate the claim data bound to it."),
        ),
        (
            (a_claim("data"), STATIC),
            (
                "Create a volume of the class wait for the claim data where the pod fits, or use a class "
                "that provisions."
            ),
        ),
    ],
)
def test_what_to_do_about_a_claim(objects: tuple[Document, ...], remedy: str) -> None:
    explanation = explanation_of(a_pod(volumes=[uses("data")]), a_node("n"), *objects)

    assert list(map(remedy_sentence, remedies_of(explanation))) == [remedy]


def test_each_claim_is_told_what_it_lacks_itself() -> None:
    driver = {"kind": "CSIDriver", "metadata": {"name": "csi.example.com"}, "spec": {"storageCapacity": True}}
    claims = (a_claim("large"), a_claim("static", storage_class="static"))
    classes = (a_class(provisioner="csi.example.com"), a_class("static", provisioner="kubernetes.io/no-provisioner"))
    pod = a_pod(volumes=[uses("large"), uses("static")])

    explanation = explanation_of(pod, a_node("n"), *claims, *classes, driver)

    assert remedies_of(explanation) == [
        PublishCapacity("large", "wait", "csi.example.com"),
        CreateVolume("static", "static"),
    ]


def test_claim_of_one_pod_names_who_holds_it() -> None:
    claim = a_claim("data", volume="pv", modes=["ReadWriteOncePod"])
    holder = a_pod("holder", node="n", volumes=[uses("data")])

    explanation = explanation_of(a_pod(volumes=[uses("data")]), a_node("n"), claim, a_volume("pv"), holder)

    assert remedies_of(explanation) == [FreeClaim("data", ("default/holder",))]


def test_a_resource_that_no_node_has_is_not_simply_given_up() -> None:
    explanation = explanation_of(a_pod(requests={"example.com/gpu": "1"}), a_node("n"))

    assert advice_summary(explanation, advice(explanation)) == (
        "Add a node with example.com/gpu, or repair what offers it, such as a device plugin."
    )


def test_victims_that_are_terminating_already_are_named() -> None:
    node = a_node("n", allocatable={"cpu": "4", "pods": "9"})
    going = a_pod("going", node="n", requests={"cpu": "2"})
    going = {**going, "metadata": {**going["metadata"], "deletionTimestamp": "2026-11-20T06:00:00Z"}}
    staying = a_pod("staying", node="n", requests={"cpu": "2"})

    explanation = explanation_of(a_pod(priority=9, requests={"cpu": "4"}), node, going, staying)

    assert "default/going is already terminating." in verdict_sentence(explanation)
    assert explanation.preemption is not None
    assert explanation.preemption.selected is not None
    view = candidate_view(explanation.preemption.selected, explanation.preemption, explanation.snapshot)
    assert {each.name: each.is_leaving for each in view.victims} == {"going": True, "staying": False}


# -- commands ----------------------------------------------------------------------------------------------------------


DEFAULTS = [
    {"key": f"node.kubernetes.io/{name}", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300}
    for name in ("not-ready", "unreachable")
]
SPREAD = {"topologyKey": "zone", "maxSkew": 1}
OTHER = {"topologyKey": "zone", "maxSkew": 5}


@pytest.mark.parametrize(
    ("before", "after", "patch"),
    [
        ({"nodeSelector": {"a": "1", "b": "2"}}, {"nodeSelector": {"b": "2"}}, {"nodeSelector": {"a": None}}),
        ({"nodeSelector": {"a": "1"}}, {}, {"nodeSelector": None}),
        (
            {"affinity": {"podAffinity": {"required": [1]}, "nodeAffinity": {"required": [2], "preferred": [3]}}},
            {"affinity": {"podAffinity": {"required": [1]}, "nodeAffinity": {"preferred": [3]}}},
            {"affinity": {"nodeAffinity": {"required": None}}},
        ),
        # Both entries have one topologyKey, by which a patch could not tell them apart.
        (
            {"topologySpreadConstraints": [SPREAD, OTHER]},
            {"topologySpreadConstraints": [OTHER]},
            {"topologySpreadConstraints": [{"$patch": "replace"}, OTHER]},
        ),
        # What the API server gave the pod is not in its template.
        (
            {"tolerations": DEFAULTS},
            {"tolerations": [*DEFAULTS, {"key": "gpu", "operator": "Exists"}]},
            {"tolerations": [{"key": "gpu", "operator": "Exists"}]},
        ),
        ({"hostNetwork": True}, {}, None),
        (
            {"containers": [{"name": "a", "ports": [{"containerPort": 80, "hostPort": 80}]}]},
            {"containers": [{"name": "a", "ports": [{"containerPort": 80}]}]},
            None,
        ),
    ],
)
def test_a_patch_names_what_is_changed(before: Any, after: Any, patch: Any) -> None:
    assert spec_patch(before, after) == patch


def test_a_lower_request_names_its_container_alone() -> None:
    pod = a_pod(requests={"cpu": "2", "memory": "1Gi"})
    pod["spec"]["containers"].append({"name": "idle", "image": "idle"})

    command = edit_command(Workload("shop's", "StatefulSet", "db"), pod, [LowerRequest("cpu", 1500)])

    *said, patch = shlex.split(command)
    assert said == ["kubectl", "-n", "shop's", "patch", "statefulset", "db", "--type=strategic", "-p"]
    assert json.loads(patch) == {
        "spec": {"template": {"spec": {"containers": [{"name": "main", "resources": {"requests": {"cpu": "1500m"}}}]}}}
    }


@pytest.mark.parametrize("kind", ["", "Job", "VirtualMachine"])
def test_there_is_no_command_for_a_template_that_cannot_be_changed(kind: str) -> None:
    assert not edit_command(Workload("shop", kind, "web"), a_pod(), [Tolerate(Taint("gpu", "", "NoSchedule"))])
