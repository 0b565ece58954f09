"""Simulations on the web: put together, run, looked at step by step, compared, and ended."""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING, Any

import orjson
import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from clusters.models import RunPod, SimulationRun
from clusters.services.runs.working import work
from dashboard.presenters.run_links import simulate_url
from dashboard.run_state import packed, unpacked
from tests.clusters.test_workloads import deployed, zones
from tests.support.mirrored import load, text

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.django_db

NEW = "/clusters/shop/simulations/new"
MORE = {"change": "scale", "kind": "Deployment", "namespace": "shop", "name": "web", "by": 40}
LOST = {"change": "lose-zone", "zone": "b", "how": "gone"}
MANIFEST = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: api, namespace: shop}
spec:
  replicas: 2
  selector: {matchLabels: {app: api}}
  template:
    metadata: {labels: {app: api}}
    spec: {containers: [{name: main, image: api, resources: {requests: {cpu: 100m}}}]}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: shop}
"""


@pytest.fixture
def shop(tmp_path: Path) -> None:
    """Four nodes of 4 CPUs in three zones, and a Deployment of which two pods of half a CPU run."""
    load(tmp_path, "shop", [*zones(), *deployed({"a1": 2})])


def built(response: Any) -> list[dict[str, Any]]:
    """Return the changes that a form carries."""
    (state,) = re.findall(r'name="changes" value="([\w-]*)"', response.text)
    return unpacked(state)


def ordered(client: Client, *changes: dict[str, Any], **more: Any) -> SimulationRun:
    """Order a run from the form."""
    response = client.post(NEW, {"changes": packed(list(changes)), "seed": "0", "start": "1", **more})
    assert response.status_code == 302, response.text
    run = SimulationRun.objects.latest("pk")
    assert response["Location"] == f"/simulations/{run.pk}/"
    return run


def done(client: Client, *changes: dict[str, Any], **more: Any) -> SimulationRun:
    """Order a run from the form and work on it."""
    run = ordered(client, *changes, **more)
    work(run.pk)
    run.refresh_from_db()
    assert run.state == SimulationRun.State.DONE, run.error
    return run


# -- the form ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "fields", "entry", "words"),
    [
        (
            "scale",
            {"workload": "Deployment shop/web", "count": "40", "how": "more"},
            MORE,
            "Add 40 replicas to Deployment",
        ),
        ("lose-zone", {"zone": "b", "how": "gone"}, LOST, "Lose zone b: its nodes are gone"),
        ("drain-nodes", {"nodes": "a1, b1"}, {"change": "drain-nodes", "nodes": ["a1", "b1"]}, "Drain nodes a1 and b1"),
        ("remove-nodes", {"zone": "c"}, {"change": "remove-nodes", "zone": "c"}, "Remove all nodes of zone c"),
        (
            "cordon",
            {"what": "uncordon", "selector": "pool=spot"},
            {"change": "uncordon", "selector": "pool=spot"},
            "Uncordon nodes with pool=spot",
        ),
        (
            "taint-nodes",
            {"nodes": "a1", "taints": "team=x:NoSchedule old-"},
            {
                "change": "taint-nodes",
                "nodes": ["a1"],
                "taints": [{"key": "team", "effect": "NoSchedule", "value": "x"}],
                "remove": ["old"],
            },
            "Taint node a1 with team=x:NoSchedule and take the taint old from them",
        ),
        (
            "label-nodes",
            {"nodes": "a1", "labels": "pool=spot, old-"},
            {"change": "label-nodes", "nodes": ["a1"], "labels": {"pool": "spot", "old": None}},
            "Label node a1 pool=spot and take the label old from them",
        ),
        (
            "add-nodes",
            {"count": "3", "cpu": "8", "memory": "32Gi", "zones": "a, b"},
            {"change": "add-nodes", "count": 3, "cpu": "8", "memory": "32Gi", "zones": ["a", "b"]},
            "Add 3 nodes with 8 CPU and 32Gi in a and b",
        ),
        (
            "remove-budget",
            {"budget": "shop/web"},
            {"change": "remove-budget", "namespace": "shop", "name": "web"},
            "Remove disruption budget shop/web",
        ),
    ],
)
def test_each_small_form_adds_its_change(
    shop: None, signed_in_client: Client, name: str, fields: dict[str, str], entry: dict[str, Any], words: str
) -> None:
    sent = {f"{name}-{field}": value for field, value in fields.items()}

    response = signed_in_client.post(NEW, {"changes": packed([LOST]), "add": name, **sent})

    assert built(response) == [LOST, entry]
    assert words in re.sub(r"\s+", " ", response.text)


def test_changes_are_removed_and_words_of_other_forms_stay(shop: None, signed_in_client: Client) -> None:
    sent = {"changes": packed([MORE, LOST]), "take_out": "0", "scale-workload": "Deployment shop/half-written"}

    response = signed_in_client.post(NEW, sent)

    assert built(response) == [LOST]
    assert response.status_code == 200
    assert 'value="Deployment shop/half-written"' in response.text


def test_a_manifest_adds_what_is_simulated_and_says_what_is_not(shop: None, signed_in_client: Client) -> None:
    response = signed_in_client.post(NEW, {"changes": "", "add": "manifest", "manifest-manifest": MANIFEST})

    (change,) = built(response)
    assert (change["change"], change["manifest"]["metadata"]["name"]) == ("add-workload", "api")
    assert "Add Deployment shop/api" in response.text
    assert "Not all of it is simulated" in response.text


def test_a_trace_travels_in_the_form(shop: None, signed_in_client: Client) -> None:
    rows = (
        "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time"
    )
    pods = SimpleUploadedFile("pods.csv", f"{rows}\np-1,1000,1024,0,0,,LS,Running,0,10,0\n".encode())
    broken = SimpleUploadedFile("pods.csv", f"{rows}\np-1,many,1024,0,0,,LS,Running,0,10,0\n".encode())

    taken = signed_in_client.post(NEW, {"changes": "", "add": "trace", "trace-pods": pods})
    refused = signed_in_client.post(NEW, {"changes": "", "add": "trace", "trace-pods": broken})

    (change,) = built(taken)
    assert (change["change"], len(change["pods"])) == ("trace", 1)
    assert "Replay a trace of 1 pod" in taken.text
    assert refused.status_code == 400
    assert "pods.csv" in refused.text


@pytest.mark.parametrize(
    ("sent", "problem"),
    [
        ({"add": "scale"}, "Say which workload: its kind and name."),
        ({"add": "scale", "scale-workload": "web", "scale-count": "3"}, "“web” is no workload."),
        ({"add": "lose-zone", "lose-zone-zone": "z"}, "There is no zone z. There are a, b, c."),
        ({"add": "taint-nodes", "taint-nodes-nodes": "a1", "taint-nodes-taints": "x"}, "“x” is no taint."),
        ({"add": "manifest", "manifest-manifest": "kind: [unclosed"}, "id_manifest-manifest"),
        ({"start": "1", "changes": packed([{"change": "drain-nodes", "nodes": ["ghost"]}])}, "There is no node ghost."),
        ({"start": "1", "configuration": "profiles: 3"}, "profiles"),
        ({"start": "1", "changes": "%%%"}, "The changes in the form are damaged. Start over."),
        ({"start": "1", "seed": "-1"}, "Write 0 or more."),
    ],
)
def test_what_is_wrong_is_said_where_it_is(
    shop: None, signed_in_client: Client, sent: dict[str, str], problem: str
) -> None:
    response = signed_in_client.post(NEW, {"changes": "", "seed": "0", **sent})

    assert response.status_code == 400
    assert problem in response.text
    assert not SimulationRun.objects.exists()


def test_a_filled_form_is_not_forgotten_at_the_start(shop: None, signed_in_client: Client) -> None:
    run = ordered(signed_in_client, **{"lose-zone-zone": "b", "lose-zone-how": "unreachable", "scheduler": "batch"})

    assert run.spec["changes"] == [{**LOST, "how": "unreachable"}]
    assert run.spec["scheduler"]["kind"] == "batch"
    assert run.title == "Lose zone b: its nodes stop answering"


def test_links_and_earlier_runs_fill_the_form(shop: None, signed_in_client: Client) -> None:
    run = ordered(signed_in_client, MORE, seed="7")

    assert built(signed_in_client.get(simulate_url("shop", MORE, LOST))) == [MORE, LOST]
    again = signed_in_client.get(f"{NEW}?run={run.pk}")
    assert built(again) == [MORE]
    assert 'name="seed" value="7"' in again.text
    assert signed_in_client.get(f"{NEW}?change=oops").status_code == 400
    for page, words in (
        ("workloads/Deployment/shop/web/", "Simulate 20 more beside everything else"),
        ("nodes/a1/", "Simulate losing it"),
        ("drain/?node=a1", "Simulate this drain"),
        ("?now=1", "Simulate losing it"),
    ):
        assert words in signed_in_client.get(f"/clusters/shop/{page}").text


# -- what came of it ---------------------------------------------------------------------------------------------------


def test_a_run_is_told_and_its_files_hold_the_same(shop: None, signed_in_client: Client) -> None:
    run = done(signed_in_client, MORE)
    page = f"/simulations/{run.pk}/"

    said = text(signed_in_client, page)

    # Four nodes of four CPUs hold 32 pods of half a CPU, and two are there.
    assert "30 of 40 pods placed. 10 pods left over." in said
    assert "10 pods left over for lack of CPU" in said
    assert "Began with shop at revision 1" in said
    assert "Pods that wait 40 10 −30" in said
    rows = list(csv.DictReader(io.StringIO(b"".join(_streamed(signed_in_client, f"{page}pods.csv")).decode())))
    assert len(rows) == RunPod.objects.filter(run=run).count() == 40
    left = _streamed(signed_in_client, f"{page}pods.csv?outcome=unschedulable")
    assert len(list(csv.DictReader(io.StringIO(b"".join(left).decode())))) == 10
    document = orjson.loads(signed_in_client.get(f"{page}run.json").content)
    assert document["spec"]["changes"] == [MORE]
    assert document["summary"]["pods"]["unschedulable"] == 10
    filtered = text(signed_in_client, f"{page}?outcome=unschedulable")
    assert "10 of 40 pods shown. 30 hidden by: outcome: unschedulable." in filtered


def _streamed(client: Client, address: str) -> list[bytes]:
    response: Any = client.get(address)
    return list(response.streaming_content)


def test_every_step_can_be_looked_at_and_every_decision(shop: None, signed_in_client: Client) -> None:
    run = done(signed_in_client, MORE)
    base = f"/simulations/{run.pk}"
    stuck = RunPod.objects.filter(run=run, outcome="unschedulable").order_by("step")[0]
    placed = RunPod.objects.filter(run=run, outcome="placed").order_by("step")[0]

    first = text(signed_in_client, f"{base}/steps/0/")
    assert f"{placed.namespace}/{placed.name} is placed on {placed.node_name}" in first
    assert "Pods request 1.5 CPU of 16 CPU" in first
    assert "No pod waits" in first
    at_last = text(signed_in_client, f"{base}/steps/{run.steps - 1}/")
    assert "10 pods wait" in at_last
    assert "Pods request 16 CPU of 16 CPU" in at_last
    assert f"{base}/steps/{stuck.step}/" in signed_in_client.get(f"{base}/steps/0/").text, "the next trouble"
    asked = signed_in_client.get(f"{base}/steps/?step=3")
    assert asked["Location"] == f"{base}/steps/2/"
    assert signed_in_client.get(f"{base}/steps/{run.steps}/").status_code == 404
    picture = orjson.loads(signed_in_client.get(f"{base}/steps/0/picture/").content)
    assert sum(picture["nodes"]["pods"]) == 3

    why = text(signed_in_client, f"{base}/decisions/{stuck.step}/")
    assert "0/4 nodes are available: 4 Insufficient cpu." in why
    ranked = text(signed_in_client, f"{base}/decisions/0/?node={placed.node_name}&plugin=NodeResourcesFit")
    assert f"NodeResourcesFit on {placed.node_name}:" in ranked
    assert signed_in_client.get(f"{base}/pods/{stuck.namespace}/{stuck.name}/")["Location"] == (
        f"{base}/decisions/{stuck.step}/"
    )


def test_two_runs_are_compared(shop: None, signed_in_client: Client) -> None:
    left, right = done(signed_in_client, MORE), done(signed_in_client, MORE, LOST)
    ticked = signed_in_client.get(f"/simulations/compare/?run={left.pk}&run={right.pk}")

    assert ticked["Location"] == f"/simulations/compare/?left={left.pk}&right={right.pk}"
    said = text(signed_in_client, ticked["Location"])
    assert "leaves 18 pods over" in said
    assert "Change – Lose zone b: its nodes are gone" in said
    assert "There is no node b1 in the right run." in said
    query = f"left={left.pk}&right={right.pk}"
    rows = list(csv.DictReader(io.StringIO(signed_in_client.get(f"/simulations/compare.csv?{query}").text)))
    assert {row["left"] for row in rows} >= {"b1"}
    document = orjson.loads(signed_in_client.get(f"/simulations/compare.json?{query}").content)
    assert len(document["placements"]) == len(rows)
    alone = text(signed_in_client, f"/simulations/compare/?left={left.pk}")
    assert "Choose two" in alone


# -- the list, and who may do what -------------------------------------------------------------------------------------


def test_lists_say_what_was_asked_and_what_filters_hide(shop: None, signed_in_client: Client) -> None:
    done(signed_in_client, MORE)
    ordered(signed_in_client, LOST)

    said = text(signed_in_client, "/simulations/?state=done")

    assert "1 of 2 simulations shown. 1 hidden by: state: done." in said
    assert "30 of 40 pods placed. 10 pods left over." in said
    assert "It waits for a worker." in text(signed_in_client, "/clusters/shop/simulations/?q=Lose")
    assert "Every simulation is hidden" in text(signed_in_client, "/simulations/?q=nothing")


def test_a_run_that_waits_is_followed_and_cancelled(shop: None, signed_in_client: Client) -> None:
    run = ordered(signed_in_client, MORE)
    page = f"/simulations/{run.pk}/"

    assert "It waits for a worker." in text(signed_in_client, page)
    assert f'data-socket="/ws/simulations/{run.pk}/"' in signed_in_client.get(page).text
    assert "It waits for a worker." in text(signed_in_client, f"{page}progress/")
    assert signed_in_client.get(f"{page}steps/0/").status_code == 404
    signed_in_client.post(f"{page}cancel/")
    assert signed_in_client.get(f"{page}progress/")["HX-Refresh"] == "true"
    assert "Cancelled before it began." in text(signed_in_client, page)
    signed_in_client.post(f"{page}go-on/")
    run.refresh_from_db()
    assert run.state == SimulationRun.State.QUEUED


def test_only_who_ordered_it_or_changes_clusters_may_end_it(shop: None, signed_in_client: Client) -> None:
    run = ordered(signed_in_client, MORE)
    other, staff = Client(), Client()
    other.force_login(User.objects.create_user("other"))
    staff.force_login(User.objects.create_user("chief", is_staff=True))
    page = f"/simulations/{run.pk}/"

    assert other.get(page).status_code == 200
    assert {other.post(f"{page}{what}/").status_code for what in ("cancel", "delete", "go-on")} == {403}
    assert "Cancel</button>" not in other.get(page).text
    again = other.post(f"{page}again/", {"seed": "5"})
    assert again.status_code == 302, "everybody may simulate"
    assert SimulationRun.objects.latest("pk").spec["seed"] == 5
    assert staff.post(f"{page}delete/").status_code == 302
    assert not SimulationRun.objects.filter(pk=run.pk).exists()
    assert Client().get("/simulations/").status_code == 302, "strangers sign in first"
