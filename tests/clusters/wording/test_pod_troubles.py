"""What kubelets did to pods, in words."""

from __future__ import annotations

import pytest

from clusters.engine.kubelet import REJECTIONS, HeldByFinalizers, KubeletRejection, KubeletTermination, PodTrouble
from clusters.engine.kubelet.pod_states import ENDINGS
from clusters.wording.pods import ENDED, REJECTED, trouble_remedy, trouble_sentence

AGAIN = "The pod does not start again: a controller recreates it, or you do."


def test_each_reason_has_a_meaning() -> None:
    # Evicted is a rejection by its message alone.
    assert set(REJECTED) == {*REJECTIONS, "Evicted"}
    assert set(ENDED) == ENDINGS


@pytest.mark.parametrize(
    ("trouble", "meaning"),
    [
        (KubeletRejection("n", "OutOfcpu", ""), "reserve room for static pods."),
        (KubeletRejection("n", "OutOfnvidia.com/gpu", ""), "reserve room for static pods."),
        (KubeletRejection("n", "OutOfpods", ""), "Raise maxPods of the kubelet"),
        (KubeletRejection("n", "TopologyAffinityError", ""), "which the scheduler does not see"),
        (KubeletRejection("n", "SMTAlignmentError", ""), "Request whole cores"),
        (KubeletRejection("n", "Evicted", ""), "Free the named disk"),
        (KubeletRejection("n", "SomethingNew", ""), "Read the kubelet's log on the node."),
        (KubeletTermination("n", "Evicted", ""), "who uses more goes first."),
        (KubeletTermination("n", "Preempting", ""), "Reserve room for static pods"),
    ],
)
def test_what_to_do_follows_from_the_reason(trouble: PodTrouble, meaning: str) -> None:
    said = trouble_remedy(trouble)

    assert meaning in said
    assert said.endswith(AGAIN)


@pytest.mark.parametrize(
    ("node", "finalizers", "said"),
    [
        (
            "n",
            ("batch.kubernetes.io/job-tracking",),
            "the finalizer batch.kubernetes.io/job-tracking (the Job controller).",
        ),
        (
            "n",
            ("example.com/a", "orphan"),
            "and orphan (the garbage collector). Its containers ended, but it still counts on n.",
        ),
        ("", ("example.com/a",), "held by the finalizer example.com/a."),
    ],
)
def test_finalizers_are_named_with_who_sets_them(node: str, finalizers: tuple[str, ...], said: str) -> None:
    assert said in trouble_sentence(HeldByFinalizers(node, "2026-11-20T04:05:35Z", finalizers))
