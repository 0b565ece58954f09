"""Which changes of a pod a real API server takes, and what it says of the others."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from clusters.adapters.prune import KINDS
from clusters.engine.admission.plugins import update_refusals
from clusters.engine.admission.problems import UpdateRefused
from tests.controlplane.api import JSON_PATCH, Api, ApiError, Object

pytestmark = pytest.mark.controlplane

GATES = [{"name": "test.berth/a"}, {"name": "test.berth/b"}]
REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"
DISK = {"key": "disk", "operator": "In", "values": ["ssd"]}
ZONE = {"key": "zone", "operator": "Exists"}


def affinity(*terms: list[Object]) -> Object:
    return {"nodeAffinity": {REQUIRED: {"nodeSelectorTerms": [{"matchExpressions": each} for each in terms]}}}


def preferring(*expressions: Object) -> Object:
    return {"nodeAffinity": {PREFERRED: [{"weight": 1, "preference": {"matchExpressions": list(expressions)}}]}}


BEFORE: dict[str, Object] = {
    "plain": {},
    "chosen": {"nodeSelector": {"disk": "ssd"}, "affinity": affinity([DISK], [ZONE])},
    "preferring": {"affinity": preferring(DISK), "activeDeadlineSeconds": 60},
    "tolerant": {"tolerations": [{"key": "gpu", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 9}]},
}
EDITS: dict[str, Object] = {
    "selector": {"nodeSelector": {"disk": "ssd", "zone": "a"}},
    "other-selector": {"nodeSelector": {"zone": "a"}},
    "required": {"affinity": affinity([DISK, ZONE], [ZONE])},
    "fewer": {"affinity": affinity([DISK])},
    "turned": {"affinity": affinity([ZONE], [DISK])},
    "preferring-else": {"affinity": preferring(ZONE)},
    "one-gate": {"schedulingGates": GATES[1:]},
    "no-gate": {"schedulingGates": []},
    "new-gate": {"schedulingGates": [{"name": "test.berth/c"}]},
    "toleration": {"tolerations": [{"key": "other", "operator": "Exists"}]},
    "longer": {"tolerations": [{"key": "gpu", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 99}]},
    "image": {"container": {"image": "web:2"}},
    "request": {"container": {"resources": {"requests": {"cpu": "1"}}}},
    "sooner": {"activeDeadlineSeconds": 30},
    "later": {"activeDeadlineSeconds": 90},
    "class": {"priorityClassName": "system-cluster-critical"},
}


def changed(pod: Object, **spec: Any) -> Object:
    found = deepcopy(pod)
    found["spec"] |= spec
    return found


@pytest.mark.parametrize("is_gated", [True, False])
@pytest.mark.parametrize("name", BEFORE)
def test_changes_of_a_pod_are_taken_or_refused_alike(api: Api, namespace: str, name: str, *, is_gated: bool) -> None:
    spec = {"containers": [{"name": "web", "image": "web:1"}], "schedulerName": "nobody", **BEFORE[name]}
    gates = {"schedulingGates": GATES} if is_gated else {}
    metadata = {"name": "web", "namespace": namespace}
    stored = api.create({"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": {**spec, **gates}})
    prune = KINDS["Pod"].prune
    for edit, asked in EDITS.items():
        fields = {field: value for field, value in asked.items() if field != "container"}
        if "container" in asked:
            fields["containers"] = [{**stored["spec"]["containers"][0], **asked["container"]}]
        wanted = changed(stored, **fields)
        said = ""
        patch = [{"op": "add", "path": f"/spec/{field}", "value": value} for field, value in fields.items()]
        try:
            answer = api.patch("v1", "Pod", "web?dryRun=All", patch, namespace=namespace, how=JSON_PATCH)
        except ApiError as error:
            answer, said = {}, error.message
        mine = list(update_refusals(prune(stored), prune(wanted)))
        assert bool(mine) is not bool(answer), (edit, mine)
        for field, problem in mine:
            assert isinstance(problem, UpdateRefused)
            assert problem.message in said, (edit, field, said)
