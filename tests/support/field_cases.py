"""What people asked in public about pods that did not start, and what helped them: rows of the table of outcomes."""

from __future__ import annotations

from typing import Final

from tests.support.outcome_cases import DOES_NOT_FIT, FITS, UNCERTAIN, Row


def _row(name: str, pod: str, *says: str, never: tuple[str, ...] = ()) -> Row:
    first, *also = says
    return Row(name, DOES_NOT_FIT, first, pod=pod, dump=f"field/{name}.dump.json", also=tuple(also), never=never)


FIELD: Final = (
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
        "shop/term1 and shop/term2, which are terminating on t-1",
        "Raise the node pod limit",
    ),
    *(
        _row(
            "daemonset-surge-host-port",
            f"shop/edge-{new}",
            "Set maxSurge: 0 and maxUnavailable: 1 in DaemonSet shop/edge",
            f"shop/edge-{old}, of its earlier revision",
        )
        for new, old in (("cc", "aa"), ("dd", "bb"))
    ),
    _row(
        "deferred-resize",
        "shop/worker-0",
        "Revert the resize of shop/cache-0 on n-1, or wait for it",
        "5 CPU is counted for it that the pod does not run with",
    ),
    _row(
        "device-plugin-down",
        "shop/train-0",
        "Repair the device plugin of gpu-1: the node has capacity 8 of nvidia.com/gpu, and allocatable 0",
    ),
    _row(
        "karpenter-node-coming",
        "shop/testapp-1-3",
        "Wait: k-new is joining",
        "fargate-1 is a node of AWS Fargate",
        never=("tolerate eks.amazonaws.com", "tolerate karpenter.sh", "tolerate node.kubernetes.io"),
    ),
    _row(
        "min-domains",
        "shop/es-2",
        "Lower minDomains from 3 to 2",
        "the minimum counts as 0, as minDomains is 3 and there are 2 domains",
    ),
    _row(
        "pv-zone-without-node",
        "shop/db-0",
        "Add a node with topology.kubernetes.io/zone=eu-1b: there is none, and the volume pv-db",
        "One like n-eu-1a would take the pod",
        never=("provide a volume",),
    ),
    _row(
        "rwop-own-predecessor",
        "shop/one-2-b",
        "Set the strategy Recreate, or maxSurge: 0 and maxUnavailable: 1, in Deployment shop/one",
        "shop/one-1-a, of its earlier revision",
        never=("wait until shop/one-1-a",),
    ),
    _row(
        "selected-node-gone",
        "shop/db-0",
        "Remove the annotation volume.kubernetes.io/selected-node from the claim data-db-0",
        "the node n-gone, which does not exist",
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
    _row(
        "device-plugin-down",
        "shop/train-0",
        "Repair the device plugin of gpu-1",
        "capacity 8 of nvidia.com/gpu, and allocatable 0",
        never=("add one more node like gpu-1",),
    ),
    _row("deferred-resize", "shop/worker-0", "Revert the resize of shop/cache-0 on n-1", "Add one more node like n-1"),
    Row("event-name-with-dot", FITS, pod="shop/a", dump="field/event-name-with-dot.dump.json"),
    *(
        Row(f"hostile: {name}", UNCERTAIN, dump=f"hostile/{name}.yaml", pod="default/p1")
        for name in ("cel-bind", "cel-regex")
    ),
    # The expression ends in an error, as it does in the scheduler.
    Row("hostile: cel-double", DOES_NOT_FIT, dump="hostile/cel-double.yaml", pod="default/p1"),
)
