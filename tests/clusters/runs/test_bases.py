"""Bases: a cluster as it was at a revision, whatever was replaced in it since."""

from __future__ import annotations

from copy import deepcopy
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from clusters.engine import Snapshot
from clusters.engine.objects import Pod as ReadPod, key_of, name_of
from clusters.models import Cluster, KubeObject, Node, Pod, PodDisruptionBudget, ReplacedObject, RunBase
from clusters.services.mirror import bases
from clusters.services.mirror.bases import beginning, free, hold
from clusters.services.mirror.snapshots import release_of
from tests.clusters.dumps import node, pod
from tests.support.mirrored import load

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


pytestmark = pytest.mark.django_db

BUDGET = {
    "kind": "PodDisruptionBudget",
    "metadata": {"name": "web", "namespace": "shop", "uid": "b"},
    "spec": {"minAvailable": 1, "selector": {"matchLabels": {"app": "web-1"}}},
}
JOB = {"kind": "Job", "metadata": {"name": "sum", "namespace": "shop", "uid": "j"}, "spec": {"parallelism": 2}}


def mirrored(cluster: Cluster) -> list[dict[str, Any]]:
    """All objects of the cluster as it is now."""
    models: Iterable[Any] = (Node, Pod, PodDisruptionBudget, KubeObject)
    return [each for model in models for each in model.objects.filter(cluster=cluster).values_list("object", flat=True)]


def is_as_it_was(base: RunBase, then: list[dict[str, Any]]) -> None:
    bases._bases.clear()
    found = beginning(RunBase.objects.get(pk=base.pk), release_of(base.cluster))

    assert found.snapshot.content() == Snapshot.from_objects(then, found.snapshot.release).content()
    pods = {key_of(each): each for each in then if each["kind"] == "Pod"}
    beside = {key for key, each in pods.items() if not ReadPod(each).node_name or ReadPod(each).finished}
    assert {key_of(each): each for each in found.beside} == {key: pods[key] for key in beside}
    assert found.read_pods(list(pods)) == pods
    nodes = {name_of(each): each for each in then if each["kind"] == "Node"}
    assert found.read_nodes(list(nodes)) == nodes


def changed(rng: Random, objects: list[dict[str, Any]], number: int) -> list[dict[str, Any]]:
    """Other objects: some gone, some changed, some new, and some of a name that another one had."""
    found = []
    for each in deepcopy(objects):
        chance = rng.random()
        if chance < 0.2 and each["kind"] != "Node":
            continue
        if chance < 0.4:
            each["metadata"]["labels"] = {"changed": str(number)}
        elif chance < 0.5:
            each["metadata"]["uid"] = f"{each['metadata']['name']}-{number}"
        elif chance < 0.6 and each["kind"] == "Pod":
            each["spec"].pop("nodeName", None)
        found.append(each)
    return [*found, pod(f"new-{number}", on=rng.choice(["n1", "n2", ""])), node(f"n-{number}")]


@pytest.mark.parametrize("seed", range(4))
def test_a_base_is_the_cluster_as_it_was(seed: int, tmp_path: Path) -> None:
    rng = Random(seed)
    done = pod("done", on="n1")
    done["status"] = {"phase": "Succeeded"}
    objects: list[dict[str, Any]] = [
        *(node("n1"), node("n2"), done, BUDGET, JOB),
        *(pod(f"web-{number}", on=rng.choice(["n1", "n2", ""])) for number in range(8)),
    ]
    held: dict[int, tuple[RunBase, list[dict[str, Any]]]] = {}
    for number in range(6):
        cluster = load(tmp_path, "prod", objects)
        if rng.random() < 0.6:
            base = hold(cluster)
            held[base.pk] = base, mirrored(cluster)
        objects = changed(rng, objects, number)
    load(tmp_path, "prod", objects)

    for pk in rng.sample(sorted(held), len(held)):
        for base, then in held.values():
            is_as_it_was(base, then)
        del held[pk]
        assert free(pk)
    assert not ReplacedObject.objects.exists()
