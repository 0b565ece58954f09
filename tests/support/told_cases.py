"""What terminal, API and page tell about pods that are not pending, and about workloads without pods."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Told:
    """What ``explain`` with these ``arguments`` says, and what stands at these ``addresses``."""

    name: str
    dump: str
    arguments: tuple[str, ...]
    addresses: tuple[str, ...]
    says: tuple[str, ...]

    def __str__(self) -> str:
        return self.name


def _pod(name: str, pod: str, *says: str) -> Told:
    addresses = (f"/api/v1/clusters/case/pods/{pod}/explanation", f"/clusters/case/pods/{pod}/")
    return Told(f"{name}: {pod}", f"field/{name}.dump.json", ("--pod", pod), addresses, says)


TOLD: Final = (
    _pod("other-schedulers-words", "shop/mpi-0", "volcano", "3/3 tasks in gang unschedulable: pod group is not ready"),
    _pod("other-schedulers-words", "shop/job-x", "kueue.x-k8s.io/admission keeps the pod out of the queue"),
    *(
        _pod("kubelet-rejected-pods", f"shop/{pod}", "Rejected by the kubelet of n-1", said)
        for pod, said in (
            ("calc-0", "TopologyAffinityError: Resources cannot be allocated with Topology locality"),
            ("calc-1", "OutOfcpu: Node didn't have enough resource: cpu, requested: 4000, used: 14000"),
            ("calc-2", "NodeAffinity: Predicate NodeAffinity failed"),
            ("calc-3", "UnexpectedAdmissionError: Allocate failed due to no healthy devices present"),
        )
    ),
    _pod(
        "node-name-set-by-hand",
        "shop/pinned",
        "Cannot start on n-1: the claim aaa2 is not bound",
        "Instead of spec.nodeName select kubernetes.io/hostname in nodeSelector",
    ),
    _pod(
        "statefulset-on-lost-node",
        "shop/jenkins-0",
        "Terminating since 2026-11-20 04:05:35 UTC",
        "StatefulSet jenkins creates no replacement",
        "Bring n-2 back, or if it is off for good, delete it or taint it "
        "node.kubernetes.io/out-of-service=nodeshutdown:NoExecute",
    ),
    Told(
        "failedcreate",
        "failedcreate.json",
        ("--all-pending",),
        ("/api/v1/clusters/case/workloads/failing", "/clusters/case/"),
        ("cannot create 2 pods", "exceeded quota: q"),
    ),
    Told(
        "label-nodes-daemonset: a CronJob",
        "label-nodes-daemonset.json",
        ("--all-pending",),
        ("/api/v1/clusters/case/workloads/failing", "/clusters/case/"),
        ("minutely", "missed 151 starts"),
    ),
    Told(
        "label-nodes-daemonset: a container",
        "label-nodes-daemonset.json",
        ("--pod", "default/simmemleak-hra99"),
        (
            "/api/v1/clusters/case/pods/default/simmemleak-hra99/explanation",
            "/clusters/case/pods/default/simmemleak-hra99/",
        ),
        ("OOMKilled", "137", "05:58:43"),
    ),
    Told(
        "kubelet-rejected-pods: lists",
        "field/kubelet-rejected-pods.dump.json",
        ("--all-pending",),
        ("/clusters/case/pods/",),
        ("TopologyAffinityError", "OutOfcpu", "UnexpectedAdmissionError"),
    ),
    Told(
        "other-schedulers-words: lists",
        "field/other-schedulers-words.dump.json",
        ("--all-pending",),
        ("/clusters/case/pending/",),
        ("volcano", "kueue.x-k8s.io/admission", "pod group is not ready"),
    ),
)
