"""Numbers that follow from the configuration of a node's kubelet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from clusters.engine.lessons.lesson import SituationParts
from clusters.engine.lessons.problems import NotInSituation
from clusters.engine.lessons.question import UnsolvableError
from clusters.engine.lessons.situation import build_situation
from tests.engine.lessons.clusters import node, question

if TYPE_CHECKING:
    from clusters.engine.lessons.situation import Situation


def with_kubelet(**fields: Any) -> Situation:
    """A node of 10 GiB of memory and 40 GiB of storage, and one that reports no storage."""
    large = node("large", capacity={"memory": "10Gi", "ephemeral-storage": "40Gi"})
    document = {"apiVersion": "kubelet.config.k8s.io/v1beta1", "kind": "KubeletConfiguration", **fields}
    return build_situation(SituationParts((large, node("plain")), kubelet=document if fields else None))


@pytest.mark.parametrize(
    ("fields", "value", "arguments", "answer"),
    [
        # Without a configuration a kubelet evicts below 100 MiB of memory and a tenth of its storage.
        ({}, "kubeletAllocatable", {"resource": "memory"}, "10140Mi"),
        ({}, "evictsBelow", {"signal": "memory.available"}, "100Mi"),
        (
            {
                "systemReserved": {"memory": "1Gi", "cpu": "250m"},
                "kubeReserved": {"memory": "512Mi"},
                "evictionHard": {"memory.available": "500Mi"},
                "evictionSoft": {"memory.available": "2Gi"},
                "evictionSoftGracePeriod": {"memory.available": "1m"},
            },
            "kubeletAllocatable",
            {"resource": "memory"},
            "8204Mi",
        ),
        ({"systemReserved": {"cpu": "250m"}}, "kubeletAllocatable", {"resource": "cpu"}, "3750m"),
        ({"evictionHard": {"memory.available": "25%"}}, "evictsBelow", {"signal": "memory.available"}, "2560Mi"),
        ({"evictionHard": {"memory.available": "1Gi"}}, "evictsBelow", {"signal": "nodefs.available"}, "0"),
        ({"evictionHard": {"memory.available": "1Gi"}}, "evictsUntil", {"signal": "nodefs.available"}, "0"),
        (
            {
                "evictionHard": {"nodefs.available": "1Gi", "memory.available": "1Gi"},
                "evictionMinimumReclaim": {"nodefs.available": "512Mi"},
            },
            "evictsUntil",
            {"signal": "nodefs.available"},
            "1536Mi",
        ),
        ({"evictionHard": {"memory.available": "1Gi"}}, "evictsUntil", {"signal": "memory.available"}, "1Gi"),
    ],
)
def test_a_number_of_a_kubelet(fields: dict[str, Any], value: str, arguments: dict[str, str], answer: str) -> None:
    asked = question("number", value=value, node="large", **arguments)

    assert asked.solution(with_kubelet(**fields)) == answer


@pytest.mark.parametrize(
    ("value", "arguments", "problem"),
    [
        ("kubeletAllocatable", {"resource": "pods"}, NotInSituation("pods", ("cpu", "memory"))),
        (
            "evictsBelow",
            {"signal": "nodefs.available"},
            NotInSituation("ephemeral-storage", ("pods", "cpu", "memory")),
        ),
    ],
)
def test_what_a_node_does_not_report(value: str, arguments: dict[str, str], problem: NotInSituation) -> None:
    with pytest.raises(UnsolvableError) as raised:
        question("number", value=value, node="plain", **arguments).solution(with_kubelet())

    assert raised.value.problem == problem


def test_a_configuration_with_which_no_kubelet_starts_has_no_number() -> None:
    here = with_kubelet(evictionHard={"memory.available": "much"})

    with pytest.raises(UnsolvableError):
        question("number", value="evictsBelow", node="large", signal="memory.available").solution(here)
