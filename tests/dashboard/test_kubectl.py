"""Commands that make a change: what they patch, and what they leave to its author."""

from __future__ import annotations

import json
import shlex
from typing import Any

import pytest

from clusters.engine.edits import LowerRequest, Tolerate
from clusters.engine.owners import Workload
from clusters.engine.taints import Taint
from dashboard.presenters.shared.page import edit_command, spec_patch
from tests.engine.builders import a_pod

DEFAULTS = [
    {"key": f"node.kubernetes.io/{name}", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300}
    for name in ("not-ready", "unreachable")
]
SPREAD = {"topologyKey": "zone", "maxSkew": 1}
OTHER = {"topologyKey": "zone", "maxSkew": 5}


@pytest.mark.parametrize(
    ("before", "after", "patch"),
    [
        ({"nodeSelector": {"a": "1", "b": "2"}}, {"nodeSelector": {"b": "2"}}, {"nodeSelector": {"a": None}}),
        ({"nodeSelector": {"a": "1"}}, {}, {"nodeSelector": None}),
        (
            {"affinity": {"podAffinity": {"required": [1]}, "nodeAffinity": {"required": [2], "preferred": [3]}}},
            {"affinity": {"podAffinity": {"required": [1]}, "nodeAffinity": {"preferred": [3]}}},
            {"affinity": {"nodeAffinity": {"required": None}}},
        ),
        # Both entries have one topologyKey, by which a patch could not tell them apart.
        (
            {"topologySpreadConstraints": [SPREAD, OTHER]},
            {"topologySpreadConstraints": [OTHER]},
            {"topologySpreadConstraints": [{"$patch": "replace"}, OTHER]},
        ),
        # What the API server gave the pod is not in its template.
        (
            {"tolerations": DEFAULTS},
            {"tolerations": [*DEFAULTS, {"key": "gpu", "operator": "Exists"}]},
            {"tolerations": [{"key": "gpu", "operator": "Exists"}]},
        ),
        ({"hostNetwork": True}, {}, None),
        (
            {"containers": [{"name": "a", "ports": [{"containerPort": 80, "hostPort": 80}]}]},
            {"containers": [{"name": "a", "ports": [{"containerPort": 80}]}]},
            None,
        ),
    ],
)
def test_a_patch_names_what_is_changed(before: Any, after: Any, patch: Any) -> None:
    assert spec_patch(before, after) == patch


def test_a_lower_request_names_its_container_alone() -> None:
    pod = a_pod(requests={"cpu": "2", "memory": "1Gi"})
    pod["spec"]["containers"].append({"name": "idle", "image": "idle"})

    command = edit_command(Workload("shop's", "StatefulSet", "db"), pod, [LowerRequest("cpu", 1500)])

    *said, patch = shlex.split(command)
    assert said == ["kubectl", "-n", "shop's", "patch", "statefulset", "db", "--type=strategic", "-p"]
    assert json.loads(patch) == {
        "spec": {"template": {"spec": {"containers": [{"name": "main", "resources": {"requests": {"cpu": "1500m"}}}]}}}
    }


@pytest.mark.parametrize("kind", ["", "Job", "VirtualMachine"])
def test_there_is_no_command_for_a_template_that_cannot_be_changed(kind: str) -> None:
    assert not edit_command(Workload("shop", kind, "web"), a_pod(), [Tolerate(Taint("gpu", "", "NoSchedule"))])
