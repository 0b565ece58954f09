"""Kubelets' configurations that a dump brings along: for which node they are, and what is kept of them."""

from __future__ import annotations

import tarfile
from typing import TYPE_CHECKING, Any

import orjson
import pytest

from clusters.adapters.bad_input import BadInput
from clusters.engine.kubelet import SettingsOrigin
from clusters.models import Cluster, KubeObject
from clusters.services.ingest.ingest import ingest_path
from clusters.services.mirror.state import mirrored_kubelet
from tests.clusters.dumps import listed, node
from tests.support.mirrored import load

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.django_db

KIND = "KubeletConfiguration"


def a_configuration(reserved: str, **fields: Any) -> dict[str, Any]:
    given = {"systemReserved": {"cpu": reserved}, "staticPodPath": "/etc/secret", **fields}
    return {"apiVersion": "kubelet.config.k8s.io/v1beta1", "kind": KIND, **given}


def answered(reserved: str) -> dict[str, Any]:
    """What a kubelet answers at /configz: its body need not say what it is."""
    body = a_configuration(reserved)
    return {"kubeletconfig": {name: body[name] for name in body if name not in ("apiVersion", "kind")}}


def of_archive(folder: Path, files: dict[str, Any]) -> Cluster:
    """Mirror an archive with these files beside two nodes, one of whose names has dots."""
    source = folder / "source"
    for name, document in {"nodes.json": listed([node("ash"), node("oak.shop.example")]), **files}.items():
        path = source / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(orjson.dumps(document))
    archive = folder / "dump.tar.gz"
    with tarfile.open(archive, "w:gz") as tar:
        tar.add(source, arcname="dump")
    cluster, _ = Cluster.objects.get_or_create(name="prod")
    ingest_path(cluster=cluster, path=archive)
    return cluster


def reserved(cluster: Cluster, name: str) -> tuple[int, SettingsOrigin] | None:
    """How much CPU is reserved on a node, and by whose configuration."""
    found = mirrored_kubelet(cluster=cluster, node=name)
    return None if found is None else (found[0].system_reserved["cpu"], found[1])


def test_one_that_names_no_node_is_that_of_all_and_goes_with_the_next_dump(tmp_path: Path) -> None:
    cluster = load(tmp_path, "prod", [node("ash"), a_configuration("100m")])

    assert reserved(cluster, "ash") == (100, SettingsOrigin.EVERY_NODE)
    assert "secret" not in str(KubeObject.objects.get(kind=KIND).object)

    load(tmp_path, "prod", [node("ash")])
    assert reserved(cluster, "ash") is None


def test_one_that_names_its_node_goes_before_that_of_all(tmp_path: Path) -> None:
    named = {**a_configuration("200m"), "metadata": {"name": "oak"}}

    cluster = load(tmp_path, "prod", [node("ash"), node("oak"), a_configuration("100m"), named])

    assert reserved(cluster, "ash") == (100, SettingsOrigin.EVERY_NODE)
    assert reserved(cluster, "oak") == (200, SettingsOrigin.NODE)


@pytest.mark.parametrize("file", ["{}.json", "configz/{}.json", "{}/configz.json", "nodes/{}/proxy/kubelet.json"])
def test_an_answer_at_configz_is_that_of_the_node_after_which_its_file_or_folder_is_called(
    tmp_path: Path, file: str
) -> None:
    files = {file.format("ash"): answered("300m"), file.format("oak.shop.example"): answered("400m")}

    cluster = of_archive(tmp_path, files)

    assert reserved(cluster, "ash") == (300, SettingsOrigin.NODE)
    assert reserved(cluster, "oak.shop.example") == (400, SettingsOrigin.NODE)


def test_of_two_for_the_same_node_the_first_counts_and_the_other_is_named(tmp_path: Path) -> None:
    cluster = load(tmp_path, "prod", [node("ash"), a_configuration("100m"), a_configuration("200m")])

    assert reserved(cluster, "ash") == (100, SettingsOrigin.EVERY_NODE)
    assert [each["count"] for each in cluster.ingests.get().skipped] == [1]


def test_one_with_which_no_kubelet_starts_is_kept_and_refused_where_it_is_read(tmp_path: Path) -> None:
    cluster = load(tmp_path, "prod", [node("ash"), a_configuration("100m", imageGCHighThresholdPercent=200)])

    with pytest.raises(BadInput) as refused:
        mirrored_kubelet(cluster=cluster, node="ash")
    assert refused.value.field == "imageGCHighThresholdPercent"
