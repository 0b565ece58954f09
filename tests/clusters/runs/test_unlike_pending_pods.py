"""However many kinds of pods a run leaves pending, the cause of each is evaluated; explanations are kept of some."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine import SchedulerConfiguration, Snapshot
from clusters.services.runs import summary as pending_pods
from clusters.services.runs.summary import PendingPods, PendingRunPod
from tests.clusters.dumps import node, pod

if TYPE_CHECKING:
    import pytest


def test_every_kind_has_its_cause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pending_pods, "_MOST_KEPT", 1)
    waiting = {
        f"shop/p{number}": pod(
            f"p{number}", containers=[{"name": "main", "resources": {"requests": {"cpu": f"{number + 90}"}}}]
        )
        for number in range(3)
    }
    left = {key: PendingRunPod(document, "", (), True, "") for key, document in waiting.items()}

    found = PendingPods(Snapshot.from_objects([node()]), SchedulerConfiguration.default(), left)

    (cause,) = found.causes
    assert (cause["kind"], cause["plugin"], cause["pods"]) == ("unschedulable", "NodeResourcesFit", 3)
    assert [found.packed(key) is not None for key in waiting] == [True, False, False]
