"""The drain planner's pages against the engine's own plan."""

from __future__ import annotations

import csv
import gzip
import io
import re
from collections import Counter
from html import unescape
from typing import TYPE_CHECKING, Any

import pytest

from clusters.adapters import shared_redis
from clusters.demo import demo_objects
from clusters.engine.disruption.drains import Block, DrainOptions
from clusters.services import disruption as drains
from clusters.services.disruption import DrainChoice, PlannedDrain, budgets_of, drains_of, plan_of
from clusters.services.workers import finish
from clusters.wording.amounts import grouped
from dashboard.presenters.drains import page as presenter
from tests.clusters.live_batches import apply, followed_cluster
from tests.clusters.test_drains import EVENT
from tests.dashboard.rows import a_cluster, a_gap
from tests.support.answers import known
from tests.support.decision_cluster import node, pod
from tests.support.mirrored import load, load_demo, text

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client
    from pytest_django import DjangoAssertNumQueries

    from clusters.engine.disruption.drains import Plan
    from clusters.models import Cluster

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

PAGE = "/clusters/demo/drain/"
ZONE = "eu-central-1a"
EMPTY_CONFIGURATION = {"apiVersion": "kubescheduler.config.k8s.io/v1", "kind": "KubeSchedulerConfiguration"}


def the_plan(cluster: Cluster, **choice: Any) -> Plan:
    found = plan_of(cluster=cluster, choice=DrainChoice(**choice))
    assert isinstance(found, PlannedDrain)
    assert found.plan is not None
    return found.plan


def get(client: Client, address: str) -> str:
    return client.get(address).content.decode()


def rows_of(client: Client, address: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(client.get(address).content.decode())))


def test_first_screen_counts_what_the_engine_finds(demo: Cluster, signed_in_client: Client) -> None:
    found = Counter(node.drain.outlook.value for node in drains_of(cluster=demo).nodes.values())

    said = text(signed_in_client, PAGE)

    assert (found["now"], found["room"], found["waits"]) == (12, 15, 3)
    assert "12 of 60 nodes can be drained now. Also blocked until pods are ready: 7 of the other blocked nodes." in said
    # Pages of budgets count all that budgets block, whatever else stands in the way.
    waiting = sum(not drain.lasts for drain in budgets_of(cluster=demo).drains)
    assert waiting == found["waits"] + 7
    assert f"{found['lasting']} until changed, {waiting} until pods are ready" in text(
        signed_in_client, "/clusters/demo/budgets/"
    )
    assert f"Blocked until changed: {found['lasting']} nodes" in said
    assert "Can be drained now: 12 nodes" in said
    assert "Replacements unschedulable: 15 nodes" in said
    listed = rows_of(signed_in_client, f"{PAGE}nodes.csv")
    assert Counter(row["state"] for row in listed)["Can be drained now"] == found["now"]
    assert all(not row["blocked by"] for row in listed if row["state"] == "Can be drained now")


def test_list_says_of_nodes_what_their_plans_say(demo: Cluster, signed_in_client: Client) -> None:
    states = {
        None: "Can be drained now",
        Block.TWO_BUDGETS: "Blocked until changed",
        Block.NEVER: "Blocked until changed",
        Block.FLAG: "Needs --force",
        Block.NO_ROOM: "Replacements unschedulable",
        Block.BUDGET: "Blocked until pods are ready",
    }
    for row in rows_of(signed_in_client, f"{PAGE}nodes.csv"):
        blocked = the_plan(demo, nodes=(row["node"],)).blocked
        assert row["state"] == states[blocked[0].kind if blocked else None], row["node"]
        for blocker in blocked[0].blockers if blocked else ():
            if blocker.landing is not None:
                assert f"{blocker.pod}: {blocker.landing.message}" in row["blocked by"]
            elif blocker.answer is not None:
                assert all(f"/{budget}: " in row["blocked by"] for budget in blocker.answer.budgets)
    of_one = text(signed_in_client, f"{PAGE}?node=compute-a-01")
    assert "evictions refused by budgets 1" in of_one
    assert "compute-a-01 cannot be drained. kubectl drain evicts 1 of 2 pods and waits for 1." in of_one


def test_a_drain_waits_for_what_is_refused_and_fails_for_pods_of_several_budgets(
    tmp_path: Path, signed_in_client: Client
) -> None:
    def budget(name: str, app: str) -> dict[str, Any]:
        status = {"observedGeneration": 1, "disruptionsAllowed": 0, "currentHealthy": 1, "desiredHealthy": 1}
        metadata = {"name": name, "namespace": "shop", "generation": 1}
        spec = {"minAvailable": 1, "selector": {"matchLabels": {"app": app}}}
        kind = {"apiVersion": "policy/v1", "kind": "PodDisruptionBudget"}
        return {**kind, "metadata": metadata, "spec": spec, "status": {**status, "expectedPods": 1}}

    def running(name: str, where: str) -> dict[str, Any]:
        status = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}
        owner = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": name, "uid": name, "controller": True}
        made = pod(f"{name}-{where}", nodeName=where, status=status)
        made["metadata"] |= {"labels": {"app": name}, "ownerReferences": [owner]}
        return made

    nodes = [node(name, "north") for name in ("ash", "birch", "cedar")]
    pods = [running(name, where) for name in ("free", "doubly") for where in ("ash", "birch")]
    budgets = [budget("one", "doubly"), budget("two", "doubly"), budget("lone", "alone")]
    load(tmp_path, "demo", [*nodes, *pods, *budgets, running("alone", "birch")])

    ash, birch = (text(signed_in_client, f"{PAGE}?node={name}") for name in ("ash", "birch"))

    assert "ash cannot be drained. kubectl drain evicts 1 of 2 pods and ends with an error: 1 eviction fails." in ash
    assert rows_of(signed_in_client, f"{PAGE}nodes.csv")[0]["pods to evict"] == "2"
    assert "kubectl drain evicts 1 of 3 pods, waits for 1, then ends with an error: 1 eviction fails." in birch


def test_list_of_too_many_pods_says_that_room_is_not_looked_for(
    tmp_path: Path, signed_in_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    load_demo(tmp_path)
    monkeypatch.setattr(drains, "MOST_ROOM_SOUGHT", 5)
    monkeypatch.setattr(presenter, "MOST_ROOM_SOUGHT", 5)

    said = text(signed_in_client, PAGE)

    assert "Budgets and controllers allow 20 of 60 drains now" in said
    assert "Allowed by budgets: 20 nodes" in said
    assert "there are 105, more than 5." in said
    assert "Can be drained now:" not in said


def test_list_needs_no_scheduler_configuration(demo: Cluster, signed_in_client: Client) -> None:
    type(demo).objects.filter(pk=demo.pk).update(chosen_configuration={"kind": "Nonsense"})

    said = text(signed_in_client, PAGE)

    assert "Budgets and controllers allow 20 of 60 drains now" in said
    assert "the scheduler configuration cannot be read" in said


def test_nodes_are_filtered_sorted_and_paged(demo: Cluster, signed_in_client: Client) -> None:
    blocked = text(signed_in_client, f"{PAGE}?q=ARM&state=lasting")
    most = signed_in_client.get(f"{PAGE}?sort=-evict", headers={"HX-Request": "true"}).content.decode()
    drains_by_name = drains_of(cluster=demo).nodes
    heaviest = max(drains_by_name.values(), key=lambda node: node.drain.evicted)

    assert "of 60 nodes" in blocked
    assert "shop/ sessions: 1 of 1 eviction refused" in blocked
    assert "<html" not in most
    assert most.index(f">{heaviest.name}<") == min(
        most.index(f">{name}<") for name in drains_by_name if f">{name}<" in most
    )
    assert "1 to 50 of 60" in text(signed_in_client, PAGE)
    matching = known(re.search(r'href="([^"]+)">Plan the drain of these 5', get(signed_in_client, f"{PAGE}?q=spot")))
    assert "Drain spot-a-01, spot-a-02, spot-b-01 and 2 more" in text(signed_in_client, unescape(matching[1]))


def test_plan_of_a_zone_says_what_the_engine_says(demo: Cluster, signed_in_client: Client) -> None:
    plan = the_plan(demo, zone=ZONE)
    evictions = [eviction for batch in plan.batches for eviction in batch.evictions]
    kept = Counter(node.kind for node in plan.blocked)

    said = text(signed_in_client, f"{PAGE}?zone={ZONE}")

    done = len(plan.nodes) - len(plan.blocked)
    assert f"{done} of {len(plan.nodes)} nodes can be drained" in said
    assert f"{len(evictions)} pods are evicted. {len(evictions)} replacements are placed on other nodes." in said
    assert f"Several budgets: {kept[Block.TWO_BUDGETS]}." in said
    assert f"Blocked nodes ({len(plan.blocked)})" in said
    for eviction in plan.batches[0].evictions:
        assert eviction.pod.replace("/", "/ ") in said
        assert eviction.landing is not None
        assert eviction.landing.node in said


def test_what_keeps_the_rest_names_budget_pod_and_message(demo: Cluster, signed_in_client: Client) -> None:
    plan = the_plan(demo, zone=ZONE)

    said = text(signed_in_client, f"{PAGE}?zone={ZONE}&show=kept")

    for stuck in plan.blocked:
        assert stuck.name in said
        for blocker in stuck.blockers[:1]:
            assert blocker.pod.replace("/", "/ ") in said
            if blocker.landing is not None:
                assert blocker.landing.message in said
            elif blocker.answer is not None:
                assert blocker.answer.message in said
    assert "Blocking the most nodes" in said


def test_a_message_of_the_scheduler_is_its_first_clause_until_somebody_opens_it(
    demo: Cluster, signed_in_client: Client
) -> None:
    pages = [signed_in_client.get(f"{PAGE}?{query}").text for query in ("state=room", f"zone={ZONE}&show=kept")]

    for page in pages:
        (opening, whole), *_ = re.findall(r"<summary><code>([^<]*) …</code></summary><code>([^<]*)</code>", page)
        assert opening == "0/60 nodes are available"
        assert whole.startswith("0/60 nodes are available: 1 ")
        assert whole.endswith("search}.")
    blocker = next(each for node in the_plan(demo, zone=ZONE).blocked for each in node.blockers if each.landing)
    assert f'/pods/{blocker.pod}/">' in pages[1]


def test_answers_as_of_now(demo: Cluster, signed_in_client: Client) -> None:
    plan = the_plan(demo, zone=ZONE)
    codes = Counter(asked.answer.code for asked in plan.asked if asked.answer is not None)

    said = text(signed_in_client, f"{PAGE}?zone={ZONE}&show=answers")
    doubly = text(signed_in_client, f"{PAGE}?zone={ZONE}&show=answers&answer=500")

    assert f"Allowed (200): {grouped(codes[200])}" in said
    assert f"Refused by a budget (429): {grouped(codes[429])}" in said
    assert f"Misconfigured (500): {grouped(codes[500])}" in said
    assert doubly.count("This pod has more than one PodDisruptionBudget") == codes[500]


def test_options_are_read_from_the_address(demo: Cluster, signed_in_client: Client) -> None:
    plan = the_plan(demo, pool="spot", options=DrainOptions(force=True, at_a_time=2, uncordon=True))

    said = text(signed_in_client, f"{PAGE}?pool=spot&parallel=2&flags=force&after=uncordon")

    assert f"It takes {len(plan.batches)} batches." in said
    assert all(f"Batch {number}" in said for number in range(1, len(plan.batches) + 1))
    assert "Only the nodes of a batch are cordoned" in said


def test_pods_that_nothing_brings_back_are_counted(tmp_path: Path, signed_in_client: Client) -> None:
    status = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}
    alone = pod("alone", nodeName="ash", status=status, volumes=[{"name": "scratch", "emptyDir": {}}])
    done = pod("done", nodeName="ash", status={"phase": "Succeeded"})
    load(tmp_path, "demo", [node("ash", "north"), node("birch", "south"), alone, done])

    listed = text(signed_in_client, PAGE)
    kept = text(signed_in_client, f"{PAGE}?node=ash&flags=careful")
    forced = text(signed_in_client, f"{PAGE}?node=ash&flags=force")

    assert "1 of 2 nodes can be drained now." in listed
    assert "1 pod without a controller needs --force" in listed
    assert ("Cannot drain ash without --delete-emptydir-data: emptyDir data would be lost of shop/alone.") in kept
    assert "Needs --delete-emptydir-data: its emptyDir data would be lost. Needs --force: it has no controller" in kept
    assert "2 pods are evicted. 1 needs no replacement. 1 is not recreated: it has no controller." in forced
    assert "emptyDir lost" in forced
    assert "The pod has finished." in forced


def test_plan_as_a_file(demo: Cluster, signed_in_client: Client) -> None:
    plan = the_plan(demo, zone=ZONE)

    rows = rows_of(signed_in_client, f"{PAGE}plan.csv?zone={ZONE}")

    evictions = [eviction for batch in plan.batches for eviction in batch.evictions]
    assert [row["pod"] for row in rows if row["batch"]] == [eviction.pod for eviction in evictions]
    assert {row["node"] for row in rows if not row["batch"]} == {node.name for node in plan.blocked}


def test_nodes_that_are_not_there_are_named(demo: Cluster, signed_in_client: Client) -> None:
    one = text(signed_in_client, f"{PAGE}?node=nope&node=general-a-01")
    none = text(signed_in_client, f"{PAGE}?node=nope&zone=mars")

    assert "Drain general-a-01" in one
    assert "These nodes do not exist and are left out. nope" in one
    assert "zone=mars" in none
    assert "No node is chosen" in none


def test_plan_of_an_earlier_state_says_so(signed_in_client: Client, tmp_path: Path) -> None:
    demo = load_demo(tmp_path)
    address = f"{PAGE}?pool=gpu"
    text(signed_in_client, address)
    load(tmp_path, "demo", [each for each in demo_objects() if each["kind"] != "PodDisruptionBudget"])

    old = text(signed_in_client, f"{address}&as_of={demo.revision}")

    assert f"As of revision {demo.revision}; the cluster has changed since. Plan again" in old
    assert f"As of revision {demo.revision + 1}, the present one." in text(signed_in_client, address)


def test_a_plan_is_the_present_one_although_an_event_came(signed_in_client: Client) -> None:
    _, lease = followed_cluster()
    apply(lease, put=(node("n1", "a"), node("n2", "b"), pod("web", nodeName="n1")))
    address = "/clusters/prod/drain/?node=n1"
    assert "As of revision 1, the present one." in text(signed_in_client, address)

    apply(lease, put=(EVENT,))

    assert "As of revision 2, the present one." in text(signed_in_client, address)
    assert "As of revision 2, the present one." in text(signed_in_client, f"{address}&again=1")


def test_long_plan_is_waited_for(demo: Cluster, signed_in_client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drains, "MOST_AT_ONCE", 5)
    choice = DrainChoice(zone=ZONE)

    waiting = text(signed_in_client, f"{PAGE}?zone={ZONE}")
    finish(cluster_id=demo.pk, question="drain", subject=(choice.text,))

    assert "A worker reads the cluster's state, then plans 21 nodes." in waiting
    assert "nodes can be drained" in text(signed_in_client, f"{PAGE}?zone={ZONE}")


@pytest.mark.parametrize("is_long", [False, True])
def test_plan_without_a_configuration_names_the_field(
    tmp_path: Path, signed_in_client: Client, monkeypatch: pytest.MonkeyPatch, *, is_long: bool
) -> None:
    demo = load_demo(tmp_path)
    wrong = {**EMPTY_CONFIGURATION, "profiles": [{"percentageOfNodesToScore": 101}]}
    type(demo).objects.filter(pk=demo.pk).update(chosen_configuration=wrong, revision=demo.revision + 1)
    if is_long:
        monkeypatch.setattr(drains, "MOST_AT_ONCE", 5)

    said = text(signed_in_client, f"{PAGE}?zone={ZONE}")

    assert "profiles[0].percentageOfNodesToScore: 101 is not a whole number from 0 to 100." in said
    assert "not a whole number from 0 to 100" in said


def test_too_many_pods_and_no_redis_say_what_to_do(
    demo: Cluster, signed_in_client: Client, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    monkeypatch.setattr(drains, "MOST_AT_ONCE", 5)
    settings.REDIS_URL = "unix:///nowhere/redis.sock"
    shared_redis.forget_silence()
    try:
        away = signed_in_client.get(f"{PAGE}?zone={ZONE}")
        swapped = signed_in_client.get(f"{PAGE}?zone={ZONE}", headers={"HX-Request": "true"})
    finally:
        shared_redis.forget_silence()
    monkeypatch.setattr(drains, "MOST_EVICTIONS", 5)

    assert away.status_code == 503
    assert "Start Redis, and try again." in away.content.decode()
    assert (swapped.status_code, "<html" in swapped.content.decode()) == (200, False)
    assert "Choose fewer nodes" in text(signed_in_client, f"{PAGE}?zone={ZONE}")


def test_cluster_without_nodes(db: None, signed_in_client: Client) -> None:
    a_cluster("bare")

    assert "There is nothing to drain" in text(signed_in_client, "/clusters/bare/drain/")


def test_blocked_drains_lead_to_the_planner(demo: Cluster, signed_in_client: Client) -> None:
    page = signed_in_client.get("/clusters/demo/budgets/blocked-drains/").content.decode()

    assert f"{PAGE}?node=" in page


def test_pages_stay_small_and_ask_few_questions(
    demo: Cluster, signed_in_client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for query in ("", f"?zone={ZONE}", "?version=v1.34.1&after=uncordon", f"?zone={ZONE}&show=kept"):
        signed_in_client.get(PAGE + query)
        with django_assert_max_num_queries(16):
            response = signed_in_client.get(PAGE + query)
        assert len(gzip.compress(response.content)) < 60_000


def test_budgets_that_the_source_lacks_make_drains_uncertain(tmp_path: Path, signed_in_client: Client) -> None:
    cluster = load(tmp_path, "demo", [node("ash", "north"), pod("web", nodeName="ash")])
    lack = a_gap("PodDisruptionBudget", "The dump has none.")
    notice = "PodDisruptionBudget: The dump has none. There may be unknown budgets."
    budgets = "/clusters/demo/budgets/"

    type(cluster).objects.filter(pk=cluster.pk).update(gaps=[lack])
    lacking = [text(signed_in_client, address) for address in (PAGE, f"{PAGE}?node=ash", budgets)]
    type(cluster).objects.filter(pk=cluster.pk).update(gaps=[])
    whole = [text(signed_in_client, address) for address in (PAGE, f"{PAGE}?node=ash", budgets)]

    assert all(notice in said for said in lacking)
    assert not any(notice in said for said in whole)
    assert "it is not known whether the cluster has any" in lacking[2]
    assert "no eviction is refused" not in lacking[2]
    assert "no eviction is refused" in whole[2]


def test_choice_of_no_node_is_told(demo: Cluster, signed_in_client: Client) -> None:
    page = get(signed_in_client, PAGE)
    sent = known(re.search(r'id="drain-choice".*?<input type="hidden" name="(\w+)" value="">', page, re.DOTALL))

    assert "Choose at least one node." not in page
    assert "Choose at least one node." in text(signed_in_client, f"{PAGE}?{sent[1]}=&zone=&pool=")
    assert "Choose at least one node." not in text(signed_in_client, f"{PAGE}?{sent[1]}=&pool=gpu")


def test_single_pod_that_nothing_brings_back(tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "demo", [node("ash", "north"), pod("alone", nodeName="ash")])

    said = text(signed_in_client, f"{PAGE}?node=ash&flags=force")

    assert "1 pod is evicted. 1 is not recreated: it has no controller." in said
