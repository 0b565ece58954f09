"""What a run keeps of a manifest is all that its pods are made from."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.engine import SchedulerConfiguration
from clusters.engine.objects import labels_of, name_of
from clusters.engine.simulation.changes import prepared
from clusters.services.runs.spec import read_spec
from tests.engine.builders import a_node
from tests.engine.simulation.changing import a_workload

CLAIMS = [{"metadata": {"name": "data"}, "spec": {"storageClassName": "none"}}]


@pytest.mark.parametrize(
    ("manifest", "names"),
    [
        (a_workload("ReplicaSet", replicas=2), ["web-1", "web-2"]),
        (a_workload("StatefulSet", ordinals={"start": 4}, volumeClaimTemplates=CLAIMS), ["web-4"]),
        (a_workload("DaemonSet"), ["web-n1", "web-n2"]),
        (a_workload("Job", completions=2, parallelism=2, completionMode="Indexed"), ["web-0", "web-1"]),
    ],
)
def test_every_kind_is_kept_whole(manifest: dict[str, Any], names: list[str]) -> None:
    change = {"change": "add-workload", "manifest": manifest}
    spec = read_spec({"version": 1, "base": {"kind": "empty"}, "changes": [change]})
    case = prepared([a_node("n1"), a_node("n2")], spec.changes_read, SchedulerConfiguration.default()).case

    assert [name_of(each.pod) for each in case.wanted] == names
    assert all(labels_of(each.pod)["app"] == "web" for each in case.wanted)
    assert len(case.snapshot.objects("PersistentVolumeClaim")) == ("volumeClaimTemplates" in manifest["spec"])
