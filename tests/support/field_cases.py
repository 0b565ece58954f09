"""What people asked in public about pods that did not start, and what helped them: rows of the table of outcomes."""

from __future__ import annotations

from typing import Final

from tests.clusters.dumps import node, pod
from tests.support.outcome_cases import DOES_NOT_FIT, FITS, UNCERTAIN, Row


def _row(name: str, pod: str, *says: str, never: tuple[str, ...] = ()) -> Row:
    first, *also = says
    return Row(name, DOES_NOT_FIT, first, pod=pod, dump=f"field/{name}.dump.json", also=tuple(also), never=never)


# Pods that fit nowhere, with ways to make them schedulable.
ADVISED: Final = (
    _row(
        "autoscaler-removes-node",
        "shop/a",
        "cluster-autoscaler is removing n-1",
        "Add one more node like n-2",
        never=("tolerate ToBeDeleted", "one more node like n-1"),
    ),
    _row(
        "daemonset-pod-limit",
        "kube-system/fledged-x",
        "once shop/term1 and shop/term2 have terminated, the pod fits on t-1",
        "Raise the node pod limit",
    ),
    *(
        _row(
            "daemonset-surge-host-port",
            f"shop/edge-{new}",
            "Set maxSurge: 0 and maxUnavailable: 1 in DaemonSet shop/edge",
            f"shop/edge-{old} of its earlier revision",
        )
        for new, old in (("cc", "aa"), ("dd", "bb"))
    ),
    _row(
        "deferred-resize",
        "shop/worker-0",
        "Revert the deferred resize of shop/cache-0 on n-1, or wait for it",
        "5 CPU is counted for it",
        "Add one more node like n-1",
    ),
    _row(
        "device-plugin-down",
        "shop/train-0",
        "Repair the device plugin of gpu-1: 0 of 8 nvidia.com/gpu are allocatable",
        never=("add one more node like gpu-1",),
    ),
    _row(
        "karpenter-node-coming",
        "shop/testapp-1-3",
        "Wait: k-new is joining",
        "fargate-1 is only for pods that AWS Fargate binds",
        never=("tolerate eks.amazonaws.com", "tolerate karpenter.sh", "tolerate node.kubernetes.io"),
    ),
    _row(
        "min-domains",
        "shop/es-2",
        "Lower minDomains from 3 to 2",
        "the minimum counts as 0, as there are 2 domains of minDomains 3",
    ),
    _row(
        "pv-zone-without-node",
        "shop/db-0",
        "Add a node with topology.kubernetes.io/zone=eu-1b, where the volume pv-db",
        "One like n-eu-1a would take the pod",
        never=("provide a volume",),
    ),
    _row(
        "rwop-own-predecessor",
        "shop/one-2-b",
        "Set the strategy Recreate, or maxSurge: 0 and maxUnavailable: 1, in Deployment shop/one",
        "shop/one-1-a of its earlier revision",
        never=("wait until shop/one-1-a",),
    ),
    _row(
        "selected-node-gone",
        "shop/db-0",
        "Remove the annotation volume.kubernetes.io/selected-node from the claim data-db-0",
        "for the node n-gone",
        "The pod then fits on 2 nodes",
        never=("create a volume", "provide a volume"),
    ),
    *(
        _row(
            "spread-counts-control-plane",
            f"shop/bird-222-{number}",
            "Set nodeTaintsPolicy: Honor",
            "cp-1, cp-2 and cp-3 hold the minimum",
            "limit 1 = minimum 0 + maxSkew 1",
        )
        for number in (1, 2)
    ),
)

FIELD: Final = (
    *ADVISED,
    Row("event-name-with-dot", FITS, pod="shop/a", dump="field/event-name-with-dot.dump.json"),
    Row("support-bundle-link", FITS, pod="default/a", dump="field/support-bundle-link.tgz"),
    Row("support-bundle-resources", FITS, pod="default/a", dump="field/support-bundle-resources.tgz"),
    *(
        # The pod that a selector which only excludes does not reach as of 1.37 takes no node and no points away.
        Row(
            f"ns-negative-selector-137: {name}",
            FITS,
            "Fits on 2 of 2 nodes",
            pod="workload-a/new",
            dump=f"field/ns-negative-selector-137.jsonl#{name}",
            also=("470", "471"),
        )
        for name in ("req-anti-notin", "req-anti-doesnotexist", "pref-anti-notin")
    ),
    Row(
        "config-in-configmap",
        FITS,
        "The best is n1",
        pod="shop/web",
        objects=[node("n1"), node("n2"), pod("old", on="n1", overhead={"cpu": "2", "memory": "4Gi"}), pod()],
        config_file="field/config-in-configmap.input.json",
    ),
    Row(
        "manifest-generate-name-job",
        FITS,
        "2 of 2 placed",
        dump="field/event-name-with-dot.dump.json",
        manifest="field/manifest-generate-name-job.input.json",
    ),
    *(
        Row(f"hostile: {name}", UNCERTAIN, dump=f"hostile/{name}.yaml", pod="default/p1")
        for name in ("cel-bind", "cel-regex")
    ),
    # The expression's error ends the attempt, as it does in the scheduler: no node is chosen, and none rejects the pod.
    Row(
        "hostile: cel-double",
        DOES_NOT_FIT,
        "Scheduler error: DynamicResources fails in Filter on n1",
        dump="hostile/cel-double.yaml",
        pod="default/p1",
        also=("CEL compile error: program instantiation failed: type conversion error from 'string' to 'double'",),
    ),
)
