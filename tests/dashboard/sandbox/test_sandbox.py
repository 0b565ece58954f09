"""The page of the sandbox: built by forms and YAML, scheduled, broken, undone; each user's own, and within limits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.contrib.auth import get_user_model
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from clusters.engine.sandbox import SandboxCluster
from clusters.services.sandbox import FIRST, STARTS, start
from clusters.wording.lessons import sandbox as words
from dashboard.models import Sandbox
from dashboard.sandbox import storing, views
from dashboard.sandbox.storing import sandbox_of

if TYPE_CHECKING:
    from django.contrib.auth.models import User

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

HERE = "/lessons/sandbox/"
NODE = {"act": "add-node", "name": "extra", "zone": "zone-a", "cpu": "16", "memory": "32Gi", "pods": "20", "gpus": "0"}
WORKLOAD = {
    "act": "add-workload",
    "kind": "Deployment",
    "name": "shopfront",
    "namespace": "shop",
    "replicas": "2",
    "cpu": "100m",
    "memory": "64Mi",
    "gpus": "0",
    "priority": "0",
    "available": "0",
}


def act(client: Client, value: str, **fields: Any) -> Any:
    return client.post(HERE, {"act": value, **fields})


def cluster(user: User) -> SandboxCluster:
    return SandboxCluster(sandbox_of(user).history.objects)


def nodes_of(user: User, name: str) -> list[str]:
    return [pod["spec"].get("nodeName", "") for key, pod in cluster(user).pods.items() if name in key]


def test_it_begins_with_a_cluster_and_nothing_is_stored_before_something_is_done(
    signed_in_client: Client, user: User
) -> None:
    page = signed_in_client.get(HERE)
    assert page.status_code == 200
    assert "Schedule the next pod" in page.text
    assert "node-a-1" in page.text
    assert not Sandbox.objects.exists()
    # The list of lessons leads there.
    assert f'href="{HERE}"' in signed_in_client.get("/lessons/").text


def test_acts_need_the_token_against_forgery(user: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(user)
    assert act(client, "all").status_code == 403
    assert not Sandbox.objects.exists()


@pytest.mark.parametrize("name", STARTS)
def test_each_cluster_to_begin_with_is_one_click_away(signed_in_client: Client, user: User, name: str) -> None:
    act(signed_in_client, "next")
    act(signed_in_client, f"start:{name}")
    page = signed_in_client.get(HERE)
    assert page.status_code == 200
    assert words.done(sandbox_of(user).history.acts[-1].kind, name) in page.text
    act(signed_in_client, "undo")
    assert len(sandbox_of(user).history.acts) == 1


def test_pods_are_scheduled_one_by_one_or_all_and_each_leads_to_its_decision(
    signed_in_client: Client, user: User
) -> None:
    response = act(signed_in_client, "next")
    assert response.headers["Location"].startswith(f"{HERE}?pod=shop%2Fapi-")
    page = signed_in_client.get(response.headers["Location"]).text
    assert "Scheduled to node-" in page
    assert 'id="scores"' in page
    assert [bool(node) for node in nodes_of(user, "api")] == [True, False, False]

    act(signed_in_client, "all")
    assert all(nodes_of(user, "api"))
    [report] = [key for key in cluster(user).pods if "report" in key]
    page = signed_in_client.get(HERE, {"pod": report}).text
    assert "FailedScheduling" in page
    assert "0/6 nodes are available: 6 Insufficient cpu." in page
    assert "One change is enough. Request at most" in page
    for part in ("map/", "map/lines/?first=0", "nodes/?node=node", "nodes/node-a-1/", "why-not/?node=node-a-1"):
        assert signed_in_client.get(f"{HERE}pods/{report}/{part}").status_code == 200
    assert signed_in_client.get(f"{HERE}pods/{report}/scores/").status_code == 404
    assert signed_in_client.get(f"{HERE}pods/shop/no-such/map/").status_code == 404
    # Nobody is left to be tried.
    response = act(signed_in_client, "next")
    assert response.status_code == 400
    assert "There is no pod that kube-scheduler would try now" in response.text


def test_a_node_is_added_duplicated_broken_and_taken_back(signed_in_client: Client, user: User) -> None:
    assert signed_in_client.post(HERE, NODE).status_code == 302
    assert nodes_of(user, "agent-extra") == [""]
    act(signed_in_client, "duplicate:extra")
    assert {"extra", "extra-2"} <= set(cluster(user).situation.node_names)
    for value, said in (
        ("cordon:extra", "unschedulable (cordoned)"),
        ("fail:extra", "not ready"),
        ("recover:extra", ""),
        ("uncordon:extra", ""),
    ):
        assert act(signed_in_client, value).status_code == 302
        panel = signed_in_client.get(f"{HERE}node/", {"node": "extra"}).text
        assert said in panel
        assert ("badge-warn" in panel) == (value != "uncordon:extra")
    act(signed_in_client, "remove:Node/extra")
    assert "extra" not in cluster(user).situation.node_names
    before = len(sandbox_of(user).history.acts)
    for _ in range(before):
        assert act(signed_in_client, "undo").status_code == 302
    assert cluster(user).objects == start(FIRST)
    assert act(signed_in_client, "undo").status_code == 400
    assert signed_in_client.get(f"{HERE}node/", {"node": "extra"}).status_code == 404


def test_a_failed_node_can_evict_its_pods(signed_in_client: Client, user: User) -> None:
    assert 'value="evict:node-a-1"' not in signed_in_client.get(HERE).text
    act(signed_in_client, "fail:node-a-1")
    assert 'value="evict:node-a-1"' in signed_in_client.get(HERE).text
    act(signed_in_client, "evict:node-a-1")
    assert "node-a-1" not in nodes_of(user, "web")
    assert nodes_of(user, "web").count("") == 1


def test_reset_goes_back_to_the_cluster_one_began_with_and_can_be_undone(signed_in_client: Client, user: User) -> None:
    act(signed_in_client, "start:gpu-nodes")
    act(signed_in_client, "all")
    act(signed_in_client, "remove:Node/gpu-1")
    done = cluster(user).objects
    act(signed_in_client, "reset")
    assert cluster(user).objects == start("gpu-nodes")
    act(signed_in_client, "undo")
    assert cluster(user).objects == done


def test_a_workload_is_added_by_its_form(signed_in_client: Client, user: User) -> None:
    fields = {"priority": "1000", "available": "1", "spread": "zones", "apart": "nodes", "zones": "zone-a, zone-b"}
    assert signed_in_client.post(HERE, {**WORKLOAD, **fields}).status_code == 302
    assert nodes_of(user, "shopfront") == ["", ""]
    kinds = {name.kind for name in cluster(user).objects if name.name in ("shopfront", "priority-1000")}
    assert kinds == {"Deployment", "PodDisruptionBudget", "PriorityClass"}
    act(signed_in_client, "next")
    # It goes before the others.
    assert sum(map(bool, nodes_of(user, "shopfront"))) == 1


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({**NODE, "name": ""}, "This field is required."),
        ({**NODE, "name": "Not A Name"}, "Names have lower-case letters"),
        ({**NODE, "cpu": "many"}, "status.capacity"),
        ({**NODE, "labels": "pool"}, "pool is no label."),
        ({**NODE, "taint_key": "gpu"}, "Choose the effect of the taint."),
        ({**NODE, "taint_effect": "NoSchedule"}, "The taint has no key."),
        ({**NODE, "gpus": "999"}, "less than or equal to 16"),
        ({**WORKLOAD, "cpu": "-"}, "spec.template.spec"),
        ({**WORKLOAD, "replicas": "501"}, "less than or equal to 500"),
        ({**WORKLOAD, "replicas": "500"}, "Too many objects"),
        ({**WORKLOAD, "tolerates": "no=such:NoSchedule"}, "Select a valid choice"),
        ({"act": "apply", "object": "new", "text": "kind: Nothing"}, "apiVersion"),
        ({"act": "apply", "object": "new", "text": " "}, "The text holds no object."),
        ({"act": "apply", "object": "Node/gone", "text": "apiVersion: v1\nkind: Node\nmetadata: {name: x}"}, "no such"),
        ({"act": "remove:Node/gone"}, "There is no such object now."),
        ({"act": "cordon:gone"}, "There is no Node gone."),
        ({"act": "start:elsewhere"}, "does not know this act"),
        ({"act": "dance"}, "does not know this act"),
        ({"act": "upload"}, "Choose a file first."),
    ],
)
def test_what_cannot_be_done_says_why_and_changes_nothing(
    signed_in_client: Client, fields: dict[str, str], said: str
) -> None:
    response = signed_in_client.post(HERE, fields)
    assert response.status_code == 400
    assert said in response.text
    assert not Sandbox.objects.exists()


def test_any_object_is_edited_as_yaml(signed_in_client: Client, user: User) -> None:
    assert "replicas: 6" in signed_in_client.get(HERE, {"object": "Deployment/shop/web"}).text
    text = "apiVersion: v1\nkind: Node\nmetadata: {name: node-a-1}\nstatus: {capacity: {cpu: '64', memory: 64Gi}}"
    assert act(signed_in_client, "apply", object="Node/node-a-1", text=text).status_code == 302
    act(signed_in_client, "all")
    assert nodes_of(user, "report") == ["node-a-1"]
    # An object that is given another name takes the place of the one that was edited.
    act(signed_in_client, "apply", object="Node/node-a-1", text=text.replace("node-a-1", "node-x"))
    assert {"node-x"} <= set(cluster(user).situation.node_names)
    assert "node-a-1" not in cluster(user).situation.node_names
    # What is wrong in a text is told with its line, and the text is kept.
    response = act(signed_in_client, "apply", object="new", text="apiVersion: v1\nkind: Pod\nmetadata: {name: 7}")
    assert "line 3" in response.text
    assert "metadata: {name: 7}" in response.text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("kind: PodDisruptionBudget\nspec: {minAvailable: 1, maxUnavailable: 1}", "exclude each other"),
        ("kind: PodDisruptionBudget\nspec: {minAvailable: -1}", "-1 is not valid here"),
        ("kind: PodDisruptionBudget\nspec: {maxUnavailable: 150%}", "&#x27;150%&#x27; is not valid here"),
        ("kind: PodDisruptionBudget\nspec: {maxUnavailable: foo}", "&#x27;foo&#x27; is not valid here"),
        ("kind: PodDisruptionBudget\nspec: {unhealthyPodEvictionPolicy: Foo}", "&#x27;Foo&#x27; is not valid here"),
        ("kind: PriorityClass\nvalue: 2000000000", "to 1\u202f000\u202f000\u202f000"),
        ("kind: PriorityClass\nvalue: 5\nglobalDefault: true", "globalDefault is in PriorityClass web, too"),
    ],
)
def test_what_the_api_server_refuses_is_not_put_in_place(
    signed_in_client: Client, user: User, text: str, said: str
) -> None:
    version = "policy/v1" if "Budget" in text else "scheduling.k8s.io/v1"
    default = (
        "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: web}\nvalue: 1\nglobalDefault: true"
    )
    act(signed_in_client, "apply", object="new", text=default)
    before = set(cluster(user).objects)
    text = f"apiVersion: {version}\nmetadata: {{name: other, namespace: shop}}\n{text}"
    response = act(signed_in_client, "apply", object="new", text=text)
    assert response.status_code == 400
    assert said in response.text
    assert set(cluster(user).objects) == before


def test_the_file_is_downloaded_and_opened_again(signed_in_client: Client, user: User) -> None:
    act(signed_in_client, "all")
    response = signed_in_client.get(f"{HERE}file/")
    assert response.headers["Content-Disposition"] == 'attachment; filename="sandbox.yaml"'
    before = cluster(user)
    act(signed_in_client, "start:empty")
    file = SimpleUploadedFile("sandbox.yaml", response.content)
    assert act(signed_in_client, "upload", file=file).status_code == 302
    assert set(cluster(user).objects) >= set(before.objects)
    assert nodes_of(user, "web") == [
        pod["spec"].get("nodeName", "") for key, pod in before.pods.items() if "web" in key
    ]

    bad = SimpleUploadedFile("bad.yaml", b"apiVersion: v1\nkind: Node\nmetadata: {name: a}\nspec: {taints: 7}")
    refused = act(signed_in_client, "upload", file=bad)
    assert refused.status_code == 400
    assert "spec.taints" in refused.text
    assert sandbox_of(user).history.acts[-1].subject == "sandbox.yaml"


def test_each_user_has_a_sandbox_of_their_own(signed_in_client: Client, user: User) -> None:
    other = get_user_model().objects.create_user("somebody")
    stranger = Client()
    stranger.force_login(other)
    act(signed_in_client, "start:gpu-nodes")
    assert "gpu-1" not in stranger.get(HERE).text
    act(stranger, "remove:Node/node-a-1")
    assert "gpu-1" in cluster(user).situation.node_names
    assert stranger.get(f"{HERE}node/", {"node": "gpu-1"}).status_code == 404
    assert "gpu-1" not in stranger.get(f"{HERE}file/").text


def test_of_two_windows_none_overwrites_what_the_other_did(user: User) -> None:
    first, second = sandbox_of(user), sandbox_of(user)
    storing.store(first, first.history)
    with pytest.raises(storing.ChangedElsewhereError):
        storing.store(second, second.history)
    third, fourth = sandbox_of(user), sandbox_of(user)
    storing.store(third, third.history)
    with pytest.raises(storing.ChangedElsewhereError):
        storing.store(fourth, fourth.history)


def test_so_many_acts_are_computed_within_a_minute(
    signed_in_client: Client, monkeypatch: pytest.MonkeyPatch, redis_url: str
) -> None:
    monkeypatch.setattr(views, "_MOST_ACTS", 1)
    assert act(signed_in_client, "next").status_code == 302
    response = act(signed_in_client, "next")
    assert response.status_code == 429
    assert int(response.headers["Retry-After"]) >= 1
    assert "At most 1 a minute" in response.text
