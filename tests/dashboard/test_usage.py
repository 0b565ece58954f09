"""The page about usage: requests beside what is used, recommended requests, and what is said without any usage."""

from __future__ import annotations

import csv
import json
import shlex
from typing import TYPE_CHECKING, Any

import pytest

from clusters.models import Study
from clusters.services.ingest.ingest import ingest_path
from clusters.services.studies.asking import work_on_part
from clusters.wording import nodes as nodes_words
from tests.clusters.dumps import as_json, node, pod
from tests.clusters.usage.builders import node_metrics, pod_metrics, raw
from tests.support.mirrored import load, text

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

    from clusters.models import Cluster

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

PAGE = "/clusters/prod/usage/"


def owned(made: dict[str, Any], kind: str, name: str) -> dict[str, Any]:
    owner = {"apiVersion": "apps/v1", "kind": kind, "name": name, "uid": name, "controller": True}
    made["metadata"]["ownerReferences"] = [owner]
    return made


def requesting(made: dict[str, Any], requests: dict[str, str], limits: dict[str, str] | None = None) -> dict[str, Any]:
    made["spec"]["containers"][0]["resources"] = {"requests": requests, **({"limits": limits} if limits else {})}
    return made


def objects() -> list[dict[str, Any]]:
    amounts = {"cpu": "200m", "memory": "200Mi"}
    return [
        node("n1"),
        *(
            owned(requesting(pod(f"web-{number}", on="n1"), {"cpu": "1", "memory": "1Gi"}), "StatefulSet", "web")
            for number in range(2)
        ),
        owned(requesting(pod("db-0", on="n1"), amounts, amounts), "StatefulSet", "db"),
        requesting(pod("bare", on="n1"), {}),
        owned(requesting(pod("mailer", on="n1"), {"cpu": "900m"}), "Job", "mailer"),
        owned(requesting(pod("silent-0", on="n1"), {"cpu": "1m"}), "StatefulSet", "silent"),
    ]


def take(cluster: Cluster, folder: Path, hours: int) -> None:
    items = []
    for number in range(hours):
        at = f"2026-03-{1 + number // 24:02}T{number % 24:02}:30:00Z"
        items += [
            pod_metrics("web-0", {"main": ("100m", "100Mi")}, at=at),
            pod_metrics("web-1", {"main": (f"{100 + number}m", "200Mi")}, at=at),
            pod_metrics("db-0", {"main": ("150m", "190Mi")}, at=at),
            pod_metrics("bare", {"main": ("5m", "5Mi")}, at=at),
            pod_metrics("mailer", {"main": ("1m", "5Mi")}, at=at),
            node_metrics("n1", "900m", "1Gi", at=at),
        ]
    path = folder / "usage.json"
    path.write_bytes(b"".join(map(as_json, items)))
    ingest_path(cluster=cluster, path=path)


@pytest.fixture
def measured(tmp_path: Path) -> Cluster:
    cluster = load(tmp_path, "prod", objects())
    take(cluster, tmp_path, 30)
    return cluster


def test_the_headline_says_what_is_requested_used_and_freed(measured: Cluster, signed_in_client: Client) -> None:
    said = text(signed_in_client, PAGE)

    # 2 × 1000m + 200m + 900m + 1m of a node with 4 CPU.
    assert "Right-sized CPU 3.101 CPU of 4 CPU 78 %" in said
    # All pods together: 356m and the hour's number; by nearest rank p95 of 30 hours is the 29th.
    assert "78 % 0.384 CPU of 4 CPU 10 %" in said
    # web 2 × (1000 - 150), mailer 900 - 10, bare 0 - 10; memory web 2 × (1024 - 230), bare and mailer 0 - 16.
    assert "Recommended requests change the sum by −2.58 CPU and −1.5 GiB of memory." in said
    assert "1 workload with pods has no sample." in said


def test_each_workload_has_its_recommendation(measured: Cluster, signed_in_client: Client) -> None:
    said = text(signed_in_client, PAGE)

    # web's p95: of 60 samples the 57th, that of 126m, in the bucket up to 127m; 115 % of that in steps of 5m.
    assert "shop/web StatefulSet, 2 pods Over-requested" in said
    assert "1 CPU requested, 0.127 CPU used recommended: 0.15 CPU Over-requested" in said
    assert "1 GiB requested, 200 MiB used recommended: 230 MiB Over-requested" in said
    assert "shop/db StatefulSet, 1 pod Fits usage" in said
    assert "none requested, 0.005 CPU used recommended: 0.01 CPU Not requested" in said
    assert "A Job cannot be changed: create it anew." in said


def test_a_patch_can_be_copied(measured: Cluster, signed_in_client: Client) -> None:
    response = signed_in_client.get(f"{PAGE}?q=web")

    (command,) = [
        line.partition("<code>")[2].partition("</code>")[0]
        for line in response.text.splitlines()
        if "kubectl -n shop" in line
    ]
    *words, patch = shlex.split(command.replace("&#x27;", "'").replace("&quot;", '"'))
    assert words == ["kubectl", "-n", "shop", "patch", "statefulset", "web", "--type=strategic", "-p"]
    requests = {"cpu": "150m", "memory": "230Mi"}
    containers = [{"name": "main", "resources": {"requests": requests}}]
    assert json.loads(patch) == {"spec": {"template": {"spec": {"containers": containers}}}}


def test_the_filters_choose(measured: Cluster, signed_in_client: Client) -> None:
    for query, shown, hidden in [
        ("state=over-requested", ("shop/web", "shop/mailer"), ("shop/db", "shop/bare")),
        ("state=not-requested", ("shop/bare", "shop/mailer"), ("shop/web", "shop/db")),
        ("state=fitting", ("shop/db",), ("shop/web", "shop/bare")),
        ("state=changes", ("shop/web", "shop/bare"), ("shop/db",)),
        ("q=shop/d", ("shop/db",), ("shop/web",)),
        ("q=nothing", ("No workload matches",), ("shop/web",)),
        # Which namespace was asked for is remembered, so these come last.
        ("namespace=shop", ("shop/db", "shop/web"), ()),
    ]:
        # Ahead of the page's own words the frame has examples of names.
        said = text(signed_in_client, f"{PAGE}?{query}").partition("Search")[2]
        assert all(each in said for each in shown)
        assert not any(each in said for each in hidden)


def test_the_file_has_every_percentile(measured: Cluster, signed_in_client: Client) -> None:
    head, cpu, memory = csv.reader(signed_in_client.get(f"{PAGE}usage.csv?q=web").text.splitlines())
    assert dict(zip(head, cpu, strict=True)) == {
        "namespace": "shop",
        "kind": "StatefulSet",
        "workload": "web",
        "pods": "2",
        "container": "main",
        "resource (CPU in milli-CPU, memory in bytes)": "cpu",
        "requested": "1000",
        "limit": "",
        "mean used": "108",
        "p50 used": "101",
        "p95 used": "127",
        "maximum used": "129",
        "recommended request": "150",
        "state": "over-requested",
        "samples": "60",
        "hours": "30",
    }
    assert memory[5:] == [
        "memory", str(1024**3), "", str(150 * 1024**2), *(memory[9:11]), str(200 * 1024**2), str(230 * 1024**2),
        "over-requested", "60", "30",
    ]  # fmt: skip


def test_a_capped_recommendation_and_a_lost_guarantee_are_said(tmp_path: Path, signed_in_client: Client) -> None:
    amounts = {"cpu": "1", "memory": "200Mi"}
    made = owned(requesting(pod("db-0", on="n1"), {**amounts, "memory": "100Mi"}, amounts), "StatefulSet", "db")
    other = owned(requesting(pod("api-0", on="n1"), amounts, amounts), "StatefulSet", "api")
    cluster = load(tmp_path, "prod", [node("n1"), made, other])
    path = tmp_path / "usage.json"
    used = {"main": ("10m", "190Mi")}
    path.write_bytes(as_json(raw("PodMetrics", [pod_metrics("db-0", used), pod_metrics("api-0", used)])))
    ingest_path(cluster=cluster, path=path)

    said = text(signed_in_client, PAGE)

    assert "Kept down by the limit of 200Mi: raise that first." in said
    assert "Guaranteed pods become Burstable." in said


def test_without_usage_it_is_said_plainly_with_the_command(tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "prod", objects())

    said = text(signed_in_client, PAGE)

    assert "No usage is known" in said
    assert "kubectl top pods --containers -A > usage.txt" in said
    assert "Requests by workload" not in said
    assert len(signed_in_client.get(f"{PAGE}usage.csv").text.splitlines()) == 1


def test_the_page_of_a_node_has_its_usage_and_its_pods(measured: Cluster, signed_in_client: Client) -> None:
    said = text(signed_in_client, "/clusters/prod/nodes/n1/usage/")

    assert "CPU: 0.9 CPU used (22 %), 3.101 CPU of 4 CPU requested." in said
    assert "Memory: 1 GiB used (12 %), 2.2 GiB of 8 GiB requested." in said
    assert "Over 30 hourly samples: CPU p95 0.9 CPU, memory at most 1 GiB." in said
    # Who uses most beyond its request comes first, and who has no sample is left out.
    assert said.index("shop/ bare") < said.index("shop/ db-0") < said.index("shop/ web-1") < said.index("shop/ web-0")
    assert "shop/ bare 0.005 CPU 0 CPU 5 MiB above request 0 B" in said
    assert "shop/ silent" not in said


def test_a_pod_that_took_over_a_name_has_no_usage_yet(
    measured: Cluster, tmp_path: Path, signed_in_client: Client
) -> None:
    newer = objects()
    newer[1]["metadata"]["uid"] = "another"
    load(tmp_path, "prod", newer)

    said = text(signed_in_client, "/clusters/prod/nodes/n1/usage/")

    assert "shop/ web-1" in said
    assert "shop/ web-0" not in said


def test_the_page_of_a_node_says_that_nothing_is_known(tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "prod", objects())

    assert "No sample of this node's usage." in text(signed_in_client, "/clusters/prod/nodes/n1/usage/")
    assert signed_in_client.get("/clusters/prod/nodes/other/usage/").status_code == 404


def test_the_api_answers_the_same(measured: Cluster, signed_in_client: Client) -> None:
    usage = signed_in_client.get("/api/v1/clusters/prod/usage?limit=1").json()["usage"]
    assert (usage["hours"], usage["source"], usage["total"], usage["withoutSamples"]) == (30, "file", 4, 1)
    assert usage["requested"]["cpu"] == 3101
    assert usage["freed"] == {"cpu": 2580, "memory": 1556 * 1024**2}
    (web,) = usage["workloads"]
    assert web["workload"] == {"kind": "StatefulSet", "namespace": "shop", "name": "web"}
    assert web["freed"] == {"cpu": 1700, "memory": 1588 * 1024**2}
    (container,) = web["containers"]
    assert (container["name"], container["samples"], container["hours"]) == ("main", 60, 30)
    assert container["cpu"] == {
        "requested": 1000,
        "limit": None,
        "usedMean": 108,
        "usedP50": 101,
        "usedP95": 127,
        "usedMaximum": 129,
        "recommended": 150,
        "state": "over-requested",
        "isCapped": False,
    }


def deployed(name: str, on: str, cpu: str) -> dict[str, Any]:
    return owned(requesting(pod(name, on=on), {"cpu": cpu, "memory": "64Mi"}), "StatefulSet", "web")


def test_which_nodes_could_go_with_recommended_requests_is_simulated(tmp_path: Path, signed_in_client: Client) -> None:
    pods = [deployed(f"web-{number}", f"n{number}", "3") for number in range(3)]
    cluster = load(tmp_path, "prod", [*(node(f"n{number}") for number in range(3)), *pods])
    path = tmp_path / "usage.json"
    used = [pod_metrics(f"web-{number}", {"main": ("400m", "50Mi")}) for number in range(3)]
    path.write_bytes(as_json(raw("PodMetrics", used)))
    ingest_path(cluster=cluster, path=path)

    def removable(address: str, **fields: str) -> str:
        response = signed_in_client.post(address, fields)
        assert response.status_code == 302, response.text
        for part in Study.objects.latest("pk").parts.all():
            work_on_part(part.pk)
        return text(signed_in_client, response["Location"])

    # Three quarters of each node are requested: no pod of another one would fit there.
    assert "0 of 3 nodes are removable." in removable("/clusters/prod/headroom/", ask="removable")
    said = removable("/clusters/prod/usage/simulate/")
    assert "2 of 3 nodes are removable" in said
    assert "Set the requests of 1 workload" in said


def test_nothing_is_simulated_where_nothing_should_change(tmp_path: Path, signed_in_client: Client) -> None:
    load(tmp_path, "prod", objects())

    response = signed_in_client.post("/clusters/prod/usage/simulate/", follow=True)

    assert "No workload should have other requests." in response.text
    assert not Study.objects.exists()
    assert signed_in_client.get("/clusters/prod/usage/simulate/").status_code == 405


def test_the_kubelet_evicts_by_what_was_measured(measured: Cluster, signed_in_client: Client) -> None:
    page = signed_in_client.get("/clusters/prod/nodes/n1/pressure/").text
    said = text(signed_in_client, "/clusters/prod/nodes/n1/pressure/")

    assert nodes_words.USED_AT(moment="2026-03-02T05:30:00Z") in said
    # bare and mailer request no memory, silent-0 none either and nobody measured it.
    assert nodes_words.CERTAINLY_ABOVE(pods=3) in said
    assert "200 MiB 200 MiB 190 MiB It uses no more than it requests." in said
    # Of those within their requests the one that uses most of its own comes first: 10 MiB less, then 824, then 924.
    order = [page.index(f">{name}</a>") for name in ("db-0", "web-1", "web-0")]
    assert order == sorted(order)


def test_workloads_whose_pods_were_ended_for_their_memory_say_so(admin_client: Client, tmp_path: Path) -> None:
    """Whatever was used: no sample has what it needed when it was ended."""
    found = objects()
    web = next(each for each in found if each["metadata"]["name"] == "web-0")
    ended = {"terminated": {"reason": "OOMKilled", "exitCode": 137}}
    web["status"]["containerStatuses"] = [{"name": "main", "restartCount": 2, "lastState": ended, "state": {}}]
    cluster = load(tmp_path, "prod", found)
    said = "OOMKilled in 1 pod: raise the memory limit."

    assert said in text(admin_client, "/clusters/prod/workloads/StatefulSet/shop/web/")
    take(cluster, tmp_path, 30)

    page = text(admin_client, PAGE)
    assert page.count(said) == 1
    assert said in text(admin_client, "/clusters/prod/workloads/StatefulSet/shop/web/")
    assert said not in text(admin_client, "/clusters/prod/workloads/StatefulSet/shop/db/")
