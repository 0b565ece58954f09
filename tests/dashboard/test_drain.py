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
from clusters.engine.disruption.drains import Block, DrainOptions
from clusters.services import disruption as drains
from clusters.services.disruption import QUESTION, DrainChoice, PlannedDrain, budgets_of, drains_of, plan_of
from clusters.services.evaluation import Progress, end, tell
from clusters.services.workers import finish
from clusters.wording import drains as drains_words
from clusters.wording.amounts import grouped
from clusters.wording.drains import BLOCKS_OF
from dashboard.presenters.drains import page as presenter
from dashboard.presenters.drains.page import plan_map
from dashboard.presenters.drains.plan import workload_tiles, workloads_view
from tests.clusters.live_batches import apply, followed_cluster
from tests.clusters.test_drains import EVENT
from tests.dashboard.rows import a_gap
from tests.support.answers import known
from tests.support.decision_cluster import node, pod
from tests.support.mirrored import load, text

if TYPE_CHECKING:
    from collections.abc import Mapping
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
    rows = rows_of(signed_in_client, f"{PAGE}nodes.csv")
    for state in {row["state"] for row in rows}:
        for row in [row for row in rows if row["state"] == state][::6]:
            blocked = the_plan(demo, nodes=(row["node"],)).blocked
            assert row["state"] == states[blocked[0].kind if blocked else None], row["node"]
            for blocker in blocked[0].blockers if blocked else ():
                if blocker.landing is not None:
                    assert f"{blocker.pod}: {blocker.landing.message}" in row["blocked by"]
                elif blocker.answer is not None:
                    assert all(f"/{budget}: " in row["blocked by"] for budget in blocker.answer.budgets)

    of_one = text(signed_in_client, f"{PAGE}?node=compute-a-01")
    assert "evictions refused by budgets 1" in of_one
    assert "compute-a-01 cannot be drained. kubectl drain evicts 1 of 2 pods. It waits for 1." in of_one


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

    assert "ash cannot be drained. kubectl drain evicts 1 of 2 pods. It ends with an error: 1 eviction fails." in ash
    assert rows_of(signed_in_client, f"{PAGE}nodes.csv")[0]["pods to evict"] == "2"
    assert "kubectl drain evicts 1 of 3 pods. It waits for 1. It ends with an error: 1 eviction fails." in birch


@pytest.fixture
def small(tmp_path: Path) -> Cluster:
    """Two nodes in two zones, one of which has six pods of a controller."""
    owner = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web", "uid": "web", "controller": True}
    pods = [pod(f"web-{number}", cpu="100m", nodeName="ash") for number in range(6)]
    for each in pods:
        each["metadata"]["ownerReferences"] = [owner]
    return load(tmp_path, "demo", [node("ash", "north"), node("birch", "south"), *pods])


def test_list_of_too_many_pods_says_that_room_is_not_looked_for(
    small: Cluster, signed_in_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drains, "MOST_ROOM_SOUGHT", 5)
    monkeypatch.setattr(presenter, "MOST_ROOM_SOUGHT", 5)

    said = text(signed_in_client, PAGE)

    assert "Allowed by budgets: 1 node" in said
    assert "there are 6, more than 5." in said


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


def test_plan_of_an_earlier_state_says_so(small: Cluster, signed_in_client: Client, tmp_path: Path) -> None:
    address = f"{PAGE}?node=ash"
    text(signed_in_client, address)
    load(tmp_path, "demo", [node("ash", "north"), node("birch", "south")])

    old = text(signed_in_client, f"{address}&as_of={small.revision}")

    assert f"As of revision {small.revision}; the cluster has changed since. Plan again" in old
    assert f"As of revision {small.revision + 1}, the present one." in text(signed_in_client, address)


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
    small: Cluster, signed_in_client: Client, monkeypatch: pytest.MonkeyPatch, *, is_long: bool
) -> None:
    wrong = {**EMPTY_CONFIGURATION, "profiles": [{"percentageOfNodesToScore": 101}]}
    type(small).objects.filter(pk=small.pk).update(chosen_configuration=wrong, revision=small.revision + 1)
    if is_long:
        monkeypatch.setattr(drains, "MOST_AT_ONCE", 5)

    said = text(signed_in_client, f"{PAGE}?zone=north")

    assert "profiles[0].percentageOfNodesToScore: 101 is not a whole number from 0 to 100." in said


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


# -- workloads of a plan: headline, key numbers, map and table say the same numbers ------------------------------------


def planned(cluster: Cluster, **choice: Any) -> tuple[Plan, Mapping[str, Any]]:
    found = plan_of(cluster=cluster, choice=DrainChoice(**choice))
    assert isinstance(found, PlannedDrain)
    assert found.plan is not None
    assert found.workloads is not None
    return found.plan, found.workloads


def test_one_number_for_one_question(demo: Cluster, signed_in_client: Client) -> None:
    plan, workloads = planned(demo, zone=ZONE)
    blockers = [blocker for node in plan.blocked for blocker in node.blockers]
    homeless = sum(blocker.kind is Block.NO_ROOM for blocker in blockers)
    tiles = dict(workload_tiles(workloads, plan))
    of_map = {key.label: key.together for key in plan_map(drains_of(cluster=demo).snapshot, plan).keys}
    view = known(workloads_view(workloads, demo))
    rows = (*view["rows"], *view["more"])

    said = text(signed_in_client, f"{PAGE}?zone={ZONE}")

    assert tiles["evictions"] == str(sum(row.workload["evicted"] for row in rows))
    assert of_map[str(drains_words.DRAINED)] == f"{tiles['evictions']} evictions"
    assert f"{tiles['evictions']} pods are evicted." in said
    assert tiles["replacements unschedulable"] == str(homeless)
    assert homeless == sum(row.workload["unschedulable"] for row in rows)
    assert of_map[str(BLOCKS_OF[Block.NO_ROOM])] == f"{homeless} pods"
    assert tiles["evictions refused by budgets"] == str(len(blockers) - homeless)
    assert len(blockers) - homeless == sum(row.workload["refused"] for row in rows)
    affected = sum(bool(row.workload["evicted"]) for row in rows)
    assert tiles["affected workloads"] == str(affected)
    assert 0 < affected < len(rows)
    assert f"0 of {affected} affected workloads run fewer pods." in said
    assert all(row.url in signed_in_client.get(f"{PAGE}?zone={ZONE}").text for row in view["rows"])


def test_pods_that_nothing_recreates_are_named_in_the_headline(tmp_path: Path, signed_in_client: Client) -> None:
    running = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}
    load(tmp_path, "demo", [node("ash", "north"), node("birch", "south"), pod("alone", nodeName="ash", status=running)])

    said = text(signed_in_client, f"{PAGE}?node=ash&flags=force")

    assert "1 of 1 affected workload runs fewer pods." in said
    assert re.search(r"No pod left of Pod shop/ ?alone\.", said)


# -- a plan that a worker makes: its page follows it, by websocket or by asking again ----------------------------------


@pytest.mark.redis
def test_a_long_plan_is_followed_and_its_page_loaded_anew_when_nobody_makes_it_any_more(
    small: Cluster, signed_in_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drains, "MOST_AT_ONCE", 5)
    key = QUESTION.key(small, DrainChoice(zone="north").text)
    plan = key.rpartition(":")[2]
    tell(key, Progress(3, 27))

    page = get(signed_in_client, f"{PAGE}?zone=north")
    part = signed_in_client.get(f"{PAGE}progress/?plan={plan}")
    swapped = signed_in_client.get(f"{PAGE}?zone=north", headers={"HX-Request": "true"})
    again = signed_in_client.get(f"{PAGE}?zone=north&again=1")
    end(key)
    over = signed_in_client.get(f"{PAGE}progress/?plan={plan}")

    assert "3 of 27 nodes" in page
    assert f'data-socket="/ws/drains/{small.pk}/{plan}/"' in page
    assert f'data-fragment="{PAGE}progress/?plan={plan}"' in page
    assert "3 of 27 nodes" in part.text
    assert "<html" not in part.text
    assert "HX-Refresh" not in part.headers
    assert swapped.headers["HX-Refresh"] == over.headers["HX-Refresh"] == "true"
    # It is asked for once; the page is loaded anew when the plan is there.
    assert (again.status_code, again["Location"]) == (302, f"{PAGE}?zone=north")
