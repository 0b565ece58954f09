"""Numbers that follow from the configuration of a node's kubelet."""

from __future__ import annotations

from typing import Any

import pytest

from clusters.engine.lessons import Situation, SituationParts, UnsolvableError, build_situation
from clusters.engine.lessons.problems import NotInSituation
from tests.engine.lessons.clusters import node, question


def with_kubelet(**fields: Any) -> Situation:
    """A node of 10 GiB of memory and 40 GiB of storage, and one that reports no storage."""
    large = node("large", capacity={"memory": "10Gi", "ephemeral-storage": "40Gi"})
    document = {"apiVersion": "kubelet.config.k8s.io/v1beta1", "kind": "KubeletConfiguration", **fields}
    return build_situation(SituationParts((large, node("plain")), kubelet=document if fields else None))


@pytest.mark.parametrize(
    ("fields", "resource", "answer"),
    [
        # Without a configuration a kubelet evicts below 100 MiB of memory and a tenth of its storage.
        ({}, "memory", "10140Mi"),
        (
            {
                "systemReserved": {"memory": "1Gi", "cpu": "250m"},
                "kubeReserved": {"memory": "512Mi"},
                "evictionHard": {"memory.available": "500Mi"},
                "evictionSoft": {"memory.available": "2Gi"},
                "evictionSoftGracePeriod": {"memory.available": "1m"},
            },
            "memory",
            "8204Mi",
        ),
        ({"systemReserved": {"cpu": "250m"}}, "cpu", "3750m"),
        # A threshold for memory alone is in the place of all defaults.
        ({"evictionHard": {"memory.available": "1Gi"}}, "ephemeral-storage", "40Gi"),
        ({"evictionHard": {"nodefs.available": "25%"}}, "ephemeral-storage", "30Gi"),
    ],
)
def test_what_a_kubelet_leaves_to_pods(fields: dict[str, Any], resource: str, answer: str) -> None:
    asked = question("number", value="kubeletAllocatable", node="large", resource=resource)

    assert asked.solution(with_kubelet(**fields)) == answer


@pytest.mark.parametrize("resource", ["pods", "ephemeral-storage"])
def test_what_a_node_does_not_report(resource: str) -> None:
    with pytest.raises(UnsolvableError) as raised:
        question("number", value="kubeletAllocatable", node="plain", resource=resource).solution(with_kubelet())

    assert raised.value.problem == NotInSituation(resource, ("cpu", "memory"))
