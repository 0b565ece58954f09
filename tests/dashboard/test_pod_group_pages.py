from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING, Any

import pytest

from clusters.engine.group_states import GroupPhase
from clusters.engine.scheduling import GroupVerdict
from clusters.models import Cluster
from clusters.services.mirror.state import pod_groups_of
from clusters.services.pending.pods import outlook_of
from clusters.wording import pod_groups as words, states
from clusters.wording.decisions import nodes as nodes_words
from dashboard.pictures.specs import SlotsSpec
from dashboard.presenters.group_placements import MOST_DOMAINS, group_map, group_placements
from dashboard.presenters.pod_groups import members_figure
from tests.clusters.dumps import node, pod
from tests.support.gangs import group, load_gangs, member
from tests.support.mirrored import load, text
from tests.support.racks import gang, load_racks, one_rack
from tests.support.training import training_objects

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

    from clusters.engine import Snapshot
    from clusters.engine.batch_groups import AnyGroupState
    from clusters.engine.scheduling import GroupAttempt
    from dashboard.pictures.figure import Figure

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

LIST = "/clusters/gangs/pod-groups/"
COMMAND = "podgroups.scheduling.k8s.io"


def rows(client: Client, query: str = "") -> list[str]:
    return re.findall(r'<tr data-key="ml/([^"]+)"', client.get(f"{LIST}{query}").text)


def test_groups_that_need_somebody_come_first_and_all_are_counted(signed_in_client: Client, tmp_path: Path) -> None:
    load_gangs(tmp_path)

    said = text(signed_in_client, LIST)

    assert rows(signed_in_client) == ["lost", "train", "infer", "web", "idle"]
    assert "Of 5 pod groups: waiting for pods 2, pending 1." in said
    assert "Pods name 1 group that the source lacks." in said
    assert COMMAND in said


def test_filters_and_orders(signed_in_client: Client, tmp_path: Path) -> None:
    load_gangs(tmp_path)

    for query, found in [
        ("?q=infer", ["infer"]),
        ("?q=infer-2", ["infer"]),
        ("?q=ml/we", ["web"]),
        ("?state=waiting-for-pods", ["train"]),
        ("?policy=gang", ["train", "infer"]),
        ("?policy=basic", ["web", "idle"]),
        ("?workload=big", ["train"]),
        ("?workload=ml/big", ["train"]),
        ("?sort=name", ["idle", "infer", "lost", "train", "web"]),
        ("?sort=-missing&policy=gang", ["train", "infer"]),
        ("?sort=scheduled&policy=basic", ["idle", "web"]),
        # Which namespace was asked for is remembered, so these come last.
        ("?namespace=ml&q=nothing", []),
    ]:
        assert rows(signed_in_client, query) == found


def test_the_file_has_what_the_filter_lets_through(signed_in_client: Client, tmp_path: Path) -> None:
    load_gangs(tmp_path)

    content = signed_in_client.get(f"{LIST}pod-groups.csv?q=train").content.decode("utf-8-sig")

    (found,) = list(csv.DictReader(io.StringIO(content)))
    assert found == {
        "namespace": "ml",
        "group": "train",
        "system": "Kubernetes",
        "state": "Waiting for pods",
        "policy": "gang, minCount 5",
        "minCount": "5",
        "pods": "3",
        "scheduled": "0",
        "pending": "3",
        "missing": "2",
        "workload": "",
        "controller": "JobSet/big",
    }


def test_a_gang_that_lacks_pods_says_how_many_and_who_makes_them(signed_in_client: Client, tmp_path: Path) -> None:
    load_gangs(tmp_path)

    said = text(signed_in_client, f"{LIST}ml/train/")

    assert "3 of 5 pods exist" in said
    assert "Create 2 more pods of the group (by JobSet big)" in said
    assert "0 scheduled, 3 pending, 2 not created." in said


def test_a_pending_gang_names_the_pods_that_block_it_and_why(signed_in_client: Client, tmp_path: Path) -> None:
    load_gangs(tmp_path)

    html = signed_in_client.get(f"{LIST}ml/infer/").text
    said = text(signed_in_client, f"{LIST}ml/infer/")

    assert "1 of minCount 3 pods have or find a node" in said
    assert "insufficient CPU, larger than any node" in said
    assert "infer-1 0/1 nodes are available: 1 Insufficient cpu." in said
    assert "What helps: Request at most 3.7 CPU" in said
    assert "infer minCount (3) cannot be satisfied" in said
    assert "PodGroupScheduled=False (Unschedulable)" in said
    # What finds no node comes first; every pod has its link.
    assert re.findall(r'<tr data-key="ml/(infer-\d)"', html) == ["infer-1", "infer-0", "infer-2"]
    assert re.findall(r'data-column="Node">([^<]+)<', html) == ["finds none", "finds n1", "not tried"]


def test_pages_of_pods_and_the_api_say_what_becomes_of_their_group(signed_in_client: Client, tmp_path: Path) -> None:
    load_gangs(tmp_path, more=[group("pair", 2), *(member(f"pair-{number}", "pair") for number in range(2))])
    pages, found = {}, {}
    for name in ("train-0", "infer-0", "pair-0"):
        pages[name] = text(signed_in_client, f"/clusters/gangs/pods/ml/{name}/")
        answer = signed_in_client.get(f"/api/v1/clusters/gangs/pods/ml/{name}/explanation").json()
        found[name] = answer["explanation"]

    assert "GangScheduling keeps the pod out of the queue: waiting for minCount pods from a gang" in pages["train-0"]
    assert "its group ml/infer is not schedulable" in pages["infer-0"]
    assert (found["infer-0"]["conclusion"], found["infer-0"]["feasibleCount"]) == ("unschedulable", 1)
    assert found["infer-0"]["message"].startswith("pod group is unschedulable, ")
    assert "Its group ml/pair is scheduled: 2 pods of at least 2." in pages["pair-0"]
    assert (found["pair-0"]["conclusion"], found["pair-0"]["podGroup"]["verdict"]) == ("fits", "scheduled")


def test_where_the_gate_is_off_nothing_is_said_to_be_scheduled_together(
    signed_in_client: Client, tmp_path: Path
) -> None:
    load_gangs(tmp_path, gates={"GenericWorkload": False})

    whole, one = text(signed_in_client, LIST), text(signed_in_client, f"{LIST}ml/infer/")

    for said in (whole, one):
        assert "The feature gate GenericWorkload counts as off" in said
    assert "Of 5 pod groups" not in whole
    assert "or none" not in one


def test_a_group_that_nobody_names_is_not_found(signed_in_client: Client, tmp_path: Path) -> None:
    load_gangs(tmp_path)

    assert signed_in_client.get(f"{LIST}ml/nothing/").status_code == 404
    assert signed_in_client.get(f"{LIST}ml/nothing/else/").status_code == 404


def test_groups_of_1_35_have_a_page_by_workload_group_and_replica_key(signed_in_client: Client, tmp_path: Path) -> None:
    first = node("n1")
    first["status"]["nodeInfo"] = {"kubeletVersion": "v1.35.4"}
    policy = {"gang": {"minCount": 2}}
    workload = {
        "apiVersion": "scheduling.k8s.io/v1alpha1",
        "kind": "Workload",
        "metadata": {"name": "train", "namespace": "ml", "uid": "w"},
        "spec": {"podGroups": [{"name": "workers", "policy": policy}]},
    }
    reference = {"name": "train", "podGroup": "workers", "podGroupReplicaKey": "0"}
    cluster = load(tmp_path, "old", [first, workload, pod("a", "ml", workloadRef=reference)])
    cluster.chosen_feature_gates = {"GenericWorkload": True, "GangScheduling": True}
    cluster.save()

    said = text(signed_in_client, "/clusters/old/pod-groups/ml/train/workers/0/")

    assert "1 of 2 pods exist" in said
    assert list(pod_groups_of(cluster=cluster).states) == ["ml/train/workers/0"]


def test_the_picture_has_a_slot_for_each_pod_up_to_min_count(tmp_path: Path) -> None:
    cluster = load_gangs(tmp_path)
    found = pod_groups_of(cluster=cluster)

    def drawn(name: str) -> Figure | None:
        state = found.states[f"ml/{name}"]
        return members_figure(state, outlook_of(cluster=cluster, found=found, state=state).attempt)

    def slots(figure: Figure | None) -> list[int]:
        assert figure is not None
        assert isinstance(figure.spec, SlotsSpec)
        return [part.slots for part in figure.spec.parts]

    train, web = drawn("train"), drawn("web")
    assert slots(train) == [0, 0, 0, 0, 3, 2]
    assert slots(drawn("infer")) == [0, 1, 0, 1, 1, 0]
    assert slots(web) == [2, 0, 0, 0, 0, 0]
    assert train is not None
    assert web is not None
    assert "minCount: 5" in train.wide
    assert "minCount:" not in web.wide
    assert drawn("idle") is None


def test_refused_pods_have_the_cause_of_their_turn_and_others_that_of_the_list(tmp_path: Path) -> None:
    cluster = load_gangs(tmp_path)
    found = pod_groups_of(cluster=cluster)
    state = found.states["ml/infer"]

    causes = outlook_of(cluster=cluster, found=found, state=state).causes

    assert state.phase is GroupPhase.PENDING
    by_pod = {pod.name: group.cause for group in causes for pod in group.pods}
    assert set(by_pod) == {"infer-0", "infer-1", "infer-2"}
    assert by_pod["infer-1"].resources == ("cpu",)
    assert by_pod["infer-0"].plugins == ("GangScheduling",)
    web = found.states["ml/web"]
    assert outlook_of(cluster=cluster, found=found, state=web) == (None, (), None)


def test_a_gang_that_lacks_room_says_how_many_nodes_let_it_in(signed_in_client: Client, tmp_path: Path) -> None:
    load(tmp_path, "training", training_objects())
    address = "/clusters/training/pod-groups/ml/llama/"

    said = text(signed_in_client, address)
    html = signed_in_client.get(address).text
    found = signed_in_client.get("/api/v1/clusters/training/pod-groups/ml/llama").json()

    assert "2 of minCount 4 pods have or find a node" in said
    remedy = "Add 1 more node like gpu-a-1 (pool training): 4 pods then have or find a node, 2 more than now."
    assert f"What helps: {remedy} Simulate one more gpu-a-1" in said
    assert re.search(r'href="/clusters/training/\?change=[^"]*"[^>]*>Simulate one more gpu-a-1', html)
    assert found["remedy"] == remedy
    assert found["moreNodes"] == {"like": "gpu-a-1", "pool": "training", "nodes": 1, "found": 4, "gained": 2}
    urgent = signed_in_client.get("/api/v1/clusters/training/pod-groups/ml/urgent").json()
    assert urgent["moreNodes"] is None, "removing pods is enough"


def test_nodes_that_an_extender_would_be_asked_about_are_not_named(tmp_path: Path) -> None:
    cluster = load(tmp_path, "training", training_objects())
    found = pod_groups_of(cluster=cluster)
    assert outlook_of(cluster=cluster, found=found, state=found.states["ml/llama"]).nodes is not None

    Cluster.objects.filter(pk=cluster.pk).update(
        chosen_configuration={
            "apiVersion": "kubescheduler.config.k8s.io/v1",
            "kind": "KubeSchedulerConfiguration",
            "extenders": [{"urlPrefix": "http://extender", "filterVerb": "filter"}],
        }
    )
    cluster.refresh_from_db()

    assert outlook_of(cluster=cluster, found=found, state=found.states["ml/llama"]).nodes is None


def outlook(cluster: Cluster, name: str) -> tuple[AnyGroupState, GroupAttempt, Snapshot]:
    found = pod_groups_of(cluster=cluster)
    state = found.states[f"ml/{name}"]
    attempt = outlook_of(cluster=cluster, found=found, state=state).attempt
    assert attempt is not None
    return state, attempt, found.snapshot


def drawn_map(cluster: Cluster, name: str) -> tuple[list[tuple[str, int]], dict[str, int], dict[str, str]]:
    """The pools of a group's map, how many nodes have each key, and what stands on nodes."""
    found = group_map(*outlook(cluster, name))
    assert found is not None
    figures = {node: figure for node, figure in zip(found.names, found.figures, strict=True) if figure}
    return (
        [(pool.zone, pool.nodes) for pool in found.pools],
        {key.label: key.nodes for key in found.keys if key.nodes},
        figures,
    )


def test_a_gang_that_fits_in_no_domain_shows_each_with_what_came_of_it(
    signed_in_client: Client, tmp_path: Path
) -> None:
    cluster = load_racks(tmp_path)

    pools, nodes, figures = drawn_map(cluster, "wide")
    placements = group_placements(*outlook(cluster, "wide"))

    assert pools == [("r1: 4 of 8", 4), ("r2: 3 of 8", 3), ("r3: 2 of 8", 2)]
    assert nodes == {str(words.FOUND_ON): 4, str(words.NONE_THERE): 5}
    assert figures == dict.fromkeys(("r1-1", "r1-2", "r1-3", "r1-4"), "+1")
    assert placements is not None
    assert [(row.name, row.found, row.is_chosen) for row in placements.rows] == [
        ("r1", 4, False),
        ("r2", 3, False),
        ("r3", 2, False),
    ]
    said = text(signed_in_client, "/clusters/racks/pod-groups/ml/wide/")
    assert "r2 3 of 8 minCount (8) cannot be satisfied: 3 scheduled, 4 remaining" in said
    found = signed_in_client.get("/api/v1/clusters/racks/pod-groups/ml/wide").json()["attempt"]
    assert found["placements"][1] == {
        "domain": "r2",
        "nodes": 3,
        "found": 3,
        "feasible": False,
        "message": "minCount (8) cannot be satisfied: 3 scheduled, 4 remaining",
        "score": None,
    }


def test_the_domain_that_a_gang_goes_to_comes_first_with_the_scores_of_all(
    signed_in_client: Client, tmp_path: Path
) -> None:
    cluster = load_racks(tmp_path)

    pools, nodes, figures = drawn_map(cluster, "small")

    assert pools == [("✓ r3: 2 of 2", 2), ("r2: 2 of 2", 3), ("r1: 2 of 2", 4)]
    assert nodes == {str(words.TAKES): 2, str(words.NONE_THERE): 7}
    assert figures == {"r3-1": "+1", "r3-2": "+1"}
    said = text(signed_in_client, "/clusters/racks/pod-groups/ml/small/")
    assert "r3 chosen 2 of 2 131 r2 2 of 2 127 r1 2 of 2 125" in said
    assert "any" not in said.partition("Topology domains tried")[2].partition("Spec")[0]


def test_equally_good_domains_are_said_to_be_chance(signed_in_client: Client, tmp_path: Path) -> None:
    load_racks(tmp_path, {"r1": 2, "r2": 2})

    assert text(signed_in_client, "/clusters/racks/pod-groups/ml/small/").count("any is taken") == 1


def test_pods_that_are_removed_stand_where_they_are_with_the_pods_that_go_there(
    signed_in_client: Client, tmp_path: Path
) -> None:
    cluster = load_racks(tmp_path)

    pools, nodes, figures = drawn_map(cluster, "urgent")
    found = group_map(*outlook(cluster, "urgent"))

    assert pools[0] == ("✓ r1: 4 of 4", 4)
    assert nodes == {str(words.MAKES_ROOM): 4, str(words.NONE_THERE): 5}
    assert set(figures.values()) == {"−1 +1"}
    assert found is not None
    assert found.lines[0] == "Removed: ml/db-r1-1. Pods of the group: ml/urgent-0."
    html = signed_in_client.get("/clusters/racks/pod-groups/ml/urgent/").text
    assert re.findall(r'data-column="Node">([^<]+)<', html)[0] == "r1-1, once pods are removed"
    assert 'href="/clusters/racks/pods/ml/db-r1-4/"' in html
    attempt = signed_in_client.get("/api/v1/clusters/racks/pod-groups/ml/urgent").json()["attempt"]
    assert attempt["nominations"]["ml/urgent-3"] == "r1-4"


def test_of_many_domains_the_best_are_drawn_and_those_alike_are_one_row(tmp_path: Path) -> None:
    cluster = load_racks(tmp_path, {"big": 3, **{f"r{number}": 1 for number in range(49)}})

    found, placements = group_map(*outlook(cluster, "wide")), group_placements(*outlook(cluster, "wide"))

    assert found is not None
    assert (found.pools[0].zone, len(found.pools)) == ("big: 3 of 8", MOST_DOMAINS)
    assert found.notes == (words.MORE_DOMAINS(domains=50 - MOST_DOMAINS),)
    assert placements is not None
    assert [row.name for row in placements.rows] == ["big", "r0, r1, r10 and 46 more"]


def test_a_group_without_a_topology_is_drawn_on_all_nodes(tmp_path: Path) -> None:
    cluster = load(tmp_path, "training", training_objects())

    pools, nodes, figures = drawn_map(cluster, "urgent")

    assert pools == [("a", 2), ("b", 2)]
    assert nodes == {str(words.MAKES_ROOM): 4}
    assert "−1 +1" in figures.values()
    assert group_placements(*outlook(cluster, "urgent")) is None


def test_of_groups_that_are_tried_together_each_has_the_nodes_of_its_own_pods(tmp_path: Path) -> None:
    spec: dict[str, Any] = {"schedulingPolicy": {"gang": {"minGroupCount": 2}}, "priority": 1000}
    metadata = {"name": "tree", "namespace": "ml", "uid": "tree"}
    tree = {
        "apiVersion": "scheduling.k8s.io/v1alpha3", "kind": "CompositePodGroup", "metadata": metadata, "spec": spec
    }  # fmt: skip
    parts = [
        each
        for name in ("left", "right")
        for each in gang(name, 2, 2, "6", **one_rack(priority=1000, parentCompositePodGroupName="tree"))
    ]
    cluster = load_racks(tmp_path, more=[tree, *parts], gates={"CompositePodGroup": True})

    state, attempt, _ = outlook(cluster, "left")
    _, nodes, figures = drawn_map(cluster, "left")

    assert set(attempt.nominations) - set(state.members) == {"ml/right-0", "ml/right-1"}
    assert sum("+1" in figure for figure in figures.values()) == 2
    assert nodes[str(words.MAKES_ROOM)] >= 2


def test_pods_that_are_being_deleted_are_not_what_an_attempt_is_about(signed_in_client: Client, tmp_path: Path) -> None:
    _, attempt, _ = outlook(load_racks(tmp_path), "leaving")

    assert attempt.verdict is GroupVerdict.ERROR
    assert attempt.message == 'error in "DynamicResources" PodGroupPostFilter plugins: not found'
    assert f"leaving-0 {states.TERMINATING}" in text(signed_in_client, "/clusters/racks/pod-groups/ml/leaving/")


def test_pages_of_pods_agree_with_what_the_attempt_for_their_group_comes_to(
    signed_in_client: Client, tmp_path: Path
) -> None:
    load_racks(tmp_path)

    def said(pod: str) -> str:
        return text(signed_in_client, f"/clusters/racks/pods/ml/{pod}/")

    placed, found, unreached, preempting = said("small-0"), said("wide-0"), said("wide-7"), said("urgent-0")
    failing, held = said("leaving-1"), said("held-1")

    assert "All its pods go to r3." in placed
    assert "8 outside the domain of its group TopologyPlacementGenerator" in placed
    assert f"What helps: {words.SEE_GROUP}" in found
    assert "Ways to make it schedulable" not in found, "nothing about the pod itself matters"
    assert "The attempt for its group ml/wide ends before its turn." in unreached
    assert "Fits by preemption with its group ml/urgent, removing 4 pods" in preempting
    assert "No node passes Filter, and preemption" not in preempting
    assert str(states.SCHEDULER_ERROR) in failing.partition("Queue")[0]
    assert "ml/held-0 keeps its whole group ml/held out of the queue." in held
    listed = text(signed_in_client, "/clusters/racks/pending/")
    assert "Another pod keeps its whole group out of the queue." in listed
    why = text(signed_in_client, "/clusters/racks/pods/ml/small-0/why-not/?node=r2-1")
    assert str(nodes_words.OTHER_DOMAIN) in why


def test_only_a_group_that_says_so_never_preempts(signed_in_client: Client, tmp_path: Path) -> None:
    policies = {
        "silent": {},
        "keen": {"preemptionPolicy": "PreemptLowerPriority"},
        "calm": {"preemptionPolicy": "Never"},
    }
    load(tmp_path, "gangs", [node("n1"), *(group(name, 1, spec=policy) for name, policy in policies.items())])

    said = {name: "never preempts" in text(signed_in_client, f"{LIST}ml/{name}/") for name in policies}

    assert said == {"silent": False, "keen": False, "calm": True}
