"""What `manage.py explain` shows of a pod whose scheduler is not known: what that one, and others, recorded."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.clusters.dumps import as_json, listed, node, pod
from tests.clusters.explaining import run, words

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_what_another_scheduler_recorded_is_all_that_there_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    condition = {"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": "gang is not ready"}
    waiting = {**pod("gang", schedulerName="volcano"), "status": {"phase": "Pending", "conditions": [condition]}}
    event = {
        "apiVersion": "v1",
        "kind": "Event",
        "metadata": {"name": "gang.1", "namespace": "shop"},
        "involvedObject": {"kind": "Pod", "namespace": "shop", "name": "gang"},
        "reason": "NotTriggerScaleUp",
        "message": "pod didn't trigger scale-up",
        "source": {"component": "cluster-autoscaler"},
        "lastTimestamp": "2026-01-01T00:00:00Z",
    }
    path = tmp_path / "dump.json"
    path.write_bytes(as_json(listed([node(), waiting, event])))

    assert run(path) == 3
    out = words(capsys.readouterr().out)
    assert "volcano (Unschedulable): gang is not ready" in out
    assert "cluster-autoscaler (NotTriggerScaleUp): pod didn't trigger scale-up" in out
    assert run(path, "-o", "json") == 3
    assert len(json.loads(capsys.readouterr().out)["recorded"]) == 2
    assert run(path, "--all-pending") == 0
    assert "Another scheduler: volcano. volcano (Unschedulable): gang is not ready" in words(capsys.readouterr().out)
