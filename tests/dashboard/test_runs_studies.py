"""Studies on the web: room for shapes, nodes that are needed or removable, and sweeps."""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING

import pytest

from clusters.models import Cluster, Study
from clusters.services.runs.working import work
from clusters.services.studies.asking import work_on_part
from tests.clusters.dumps import node
from tests.dashboard.test_runs import MORE, done
from tests.support.gangs import group, member
from tests.support.mirrored import load, text

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

pytestmark = pytest.mark.django_db

ASK = "/clusters/shop/headroom/"


def answered(client: Client, ask: str, **fields: str) -> str:
    """Ask, have it answered, and return the study's address."""
    response = client.post(ASK, {"ask": ask, **{f"{ask}-{name}": value for name, value in fields.items()}})
    assert response.status_code == 302, response.text
    for part in Study.objects.latest("pk").parts.all():
        work_on_part(part.pk)
    return str(response["Location"])


def test_room_is_counted_for_each_shape_and_as_a_mix(shop: Cluster, signed_in_client: Client) -> None:
    page = answered(signed_in_client, "headroom", workloads="Deployment shop/web", sizes="4 1Gi\n1 1Gi")

    said = text(signed_in_client, page)
    assert "shop/web Done 30 more on 4 nodes." in said
    assert "4 CPU, 1Gi Done 3 more on 3 nodes." in said
    rows = list(csv.DictReader(io.StringIO(signed_in_client.get(f"{page}study.csv").text)))
    assert [row["answer"] for row in rows[:2]] == ["30 more on 4 nodes.", "3 more on 3 nodes."]

    mix = text(signed_in_client, answered(signed_in_client, "headroom", sizes="2x 1 CPU, 1 GiB\n500m 1Gi", is_mix="on"))
    assert "Of the mix:" in mix


def test_gangs_are_counted_whole(shop: Cluster, signed_in_client: Client) -> None:
    page = answered(signed_in_client, "headroom", sizes="1 1Gi", gang="4")

    said = text(signed_in_client, page)
    (found,) = re.findall(r"One by one (\d+) fit on", said)
    pods = int(found)
    assert f"{pods // 4} more gangs of 4 pods. Of the next one {pods % 4} find a node." in said
    assert "Gangs by domain" not in said

    wrong = {"ask": "headroom", "headroom-sizes": "1 1Gi", "headroom-gang": "4", "headroom-is_mix": "on"}
    assert "exclude each other" in signed_in_client.post(ASK, wrong).text


def test_gangs_of_a_workload_go_where_its_group_asks(tmp_path: Path, signed_in_client: Client) -> None:
    key, gates = "example.com/rack", {"GenericWorkload": True, "TopologyAwareWorkloadScheduling": True}
    racks = {"n1": "a", "n2": "a", "n3": "b"}
    nodes = [node(name) for name in racks]
    for each in nodes:
        each["metadata"]["labels"][key] = racks[each["metadata"]["name"]]
        each["status"]["nodeInfo"] = {"kubeletVersion": "v1.37.2"}
    topology = {"schedulingConstraints": {"topology": [{"key": key}]}}
    pod = member("train-0", "train", cpu="1", owner=("Job", "train"))
    cluster = load(tmp_path, "racks", [*nodes, group("train", 2, spec=topology), pod])
    Cluster.objects.filter(pk=cluster.pk).update(chosen_feature_gates=gates)
    asked = {"ask": "headroom", "headroom-workloads": "Job ml/train", "headroom-gang": "3"}
    response = signed_in_client.post("/clusters/racks/headroom/", asked)
    (part,) = Study.objects.latest("pk").parts.all()
    work_on_part(part.pk)

    said = text(signed_in_client, response["Location"])

    # Of 8 CPUs in rack a two gangs, and of 4 in rack b one.
    assert "3 more gangs of 3 pods. Of the next one 2 find a node." in said
    assert f"All pods of a gang are on nodes with one value of {key}." in said
    assert "Gangs by domain a 2 b 1" in said


def test_nodes_that_are_needed_and_those_that_are_removable(shop: Cluster, signed_in_client: Client) -> None:
    needed = answered(signed_in_client, "needed", workload="Deployment shop/web", count="40", like="a1")
    gone = answered(signed_in_client, "removable")

    # Ten of the forty find no room, and a node takes eight.
    assert "2 more nodes for 40 pods." in text(signed_in_client, needed)
    assert "of 4 nodes are removable" in text(signed_in_client, gone)
    rows = list(csv.DictReader(io.StringIO(signed_in_client.get(f"{gone}study.csv").text)))
    assert {row["node"] for row in rows} == {"a1", "a2", "b1", "c1"}
    assert {row["removable"] for row in rows} <= {"yes", "no"}
    listed = text(signed_in_client, "/studies/?cluster=shop")
    assert "Nodes needed for 40 more replicas of shop/web" in listed


def test_what_cannot_be_asked_says_why(shop: Cluster, signed_in_client: Client) -> None:
    for ask, fields, problem in [
        ("headroom", {}, "Choose a workload, requests or a manifest."),
        ("headroom", {"sizes": "lots"}, "“lots” is not like 500m 1Gi."),
        ("headroom", {"workloads": "Deployment shop/ghost"}, "Deployment shop/ghost has no pod"),
        ("needed", {"workload": "Deployment shop/web", "like": "a1"}, "This field is required."),
        ("needed", {"workload": "Deployment shop/web", "count": "1"}, "Choose either a node to copy"),
        ("needed", {"workload": "Deployment shop/ghost", "count": "1", "like": "a1"}, "There is no Deployment shop/gh"),
        ("needed", {"workload": "Deployment shop/web", "count": "1", "like": "ghost"}, "No such nodes: ghost."),
    ]:
        sent = {"ask": ask, **{f"{ask}-{name}": value for name, value in fields.items()}}
        response = signed_in_client.post(ASK, sent)
        assert response.status_code == 400
        assert problem in response.text
        assert all(value in response.text for value in fields.values()), "what was written stays"
        assert not Study.objects.exists()


def test_a_run_is_tried_under_several_configurations(shop: Cluster, signed_in_client: Client) -> None:
    run = done(signed_in_client, MORE)
    empty = signed_in_client.post(f"/simulations/{run.pk}/sweep/", {"ask": "sweep"})
    assert "Choose at least one." in empty.text

    sent = {"sweep-built_in": ["as-is", "most-allocated"], "sweep-weights": "ImageLocality=0"}
    page = signed_in_client.post(f"/simulations/{run.pk}/sweep/", sent)["Location"]
    study = Study.objects.latest("pk")
    assert "Running: 0 of 3 done." in text(signed_in_client, page)
    for each in study.runs.all():
        work(each.pk)

    said = text(signed_in_client, page)
    assert "Bin packing (MostAllocated)" in said
    assert said.count("30 of 40") == 6, "in the bars and in the table"
    assert signed_in_client.post(f"{page}delete/").status_code == 302
    assert not Study.objects.exists()
