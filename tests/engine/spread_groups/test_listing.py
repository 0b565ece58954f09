from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.engine.spreading import SpreadGroup, counted_pods, spreading_of

ZONE = "topology.kubernetes.io/zone"


def objects() -> list[dict[str, Any]]:
    constraint = {"maxSkew": 1, "topologyKey": ZONE, "whenUnsatisfiable": "DoNotSchedule", "nodeTaintsPolicy": "Honor"}
    tolerations = [{"key": key, "operator": "Exists"} for key in ("one", "two", "three")]
    nodes = [
        {"kind": "Node", "metadata": {"name": name, "labels": {ZONE: zone}}, "spec": {"taints": taints}}
        for name, zone, taints in (
            ("ash", "north", []),
            ("birch", "south", []),
            ("cedar", "west", [{"key": "x", "effect": "NoSchedule"}]),
        )
    ]
    pods = [
        {
            "kind": "Pod",
            "metadata": {"name": f"web-{number}", "namespace": "shop", "uid": f"{number}", "labels": {"app": "web"}},
            "spec": {
                "nodeName": on,
                "tolerations": tolerations,
                "topologySpreadConstraints": [{**constraint, "labelSelector": {"matchLabels": {"app": "web"}}}],
            },
        }
        for number, on in enumerate(("birch", "ash", "birch", "cedar"))
    ]
    return [*nodes, *pods]


def found() -> tuple[Snapshot, SpreadGroup]:
    snapshot = Snapshot.from_objects(objects())
    (group,) = spreading_of(snapshot, SchedulerConfiguration.default().profiles).groups
    return snapshot, group


def test_counted_pods_are_those_on_nodes_that_count() -> None:
    snapshot, group = found()

    assert counted_pods(snapshot, group) == ["shop/web-0", "shop/web-1", "shop/web-2"]
    assert counted_pods(snapshot, group, "south") == ["shop/web-0", "shop/web-2"]
    assert counted_pods(snapshot, group, "west") == counted_pods(snapshot, group, "elsewhere") == []


def test_first_domains_are_the_first_of_all() -> None:
    _, group = found()

    assert [domain.value for domain in group.domains()] == ["south", "north", "west"]
    assert group.domains(2) == group.domains()[:2]


def test_identity_is_the_same_in_every_process() -> None:
    program = "from tests.engine.spread_groups.test_listing import found; print(found()[1].identity)"
    seeded = [{**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(Path.cwd())} for seed in ("1", "2", "3")]

    said = {
        subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, check=True).stdout
        for env in seeded
    }

    assert said == {f"{found()[1].identity}\n".encode()}
