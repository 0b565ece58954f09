"""Pods that are pending because of the pods around them."""

from __future__ import annotations

from clusters.demo.nodes import RACK
from clusters.demo.running import NOISY
from clusters.demo.wishes import (
    apart,
    dedicated,
    near,
    spread,
)
from clusters.demo.workload import Workload

# Every plugin by name: each pod of the demo shows one plugin.
POD_STORIES = (
    Workload(
        "platform",
        "edge-proxy",
        3,
        900,
        512,
        on=("ingress-a-01", "ingress-b-01"),
        spec={**dedicated("ingress", "ingress"), **spread("edge-proxy", hard=True)},
        pending=1,
        shows="PodTopologySpread: the one zone that would keep the balance has no CPU left",
    ),
    Workload(
        "data",
        "mirror-maker",
        2,
        300,
        512,
        spec=spread("mirror-maker", by=RACK, hard=True),
        pending=2,
        shows="PodTopologySpread: only the data nodes have a rack label, and their taint is not tolerated",
    ),
    Workload(
        "shop",
        "cart-cache",
        1,
        300,
        1024,
        spec=near({"app": "cart-session"}),
        pending=1,
        shows="InterPodAffinity: must be near pods that do not exist",
    ),
    Workload(
        "search",
        "search-api",
        7,
        1500,
        3072,
        spec={**dedicated("compute", "search"), **apart({"app": "search-api"})},
        pending=1,
        shows="InterPodAffinity: its own anti-affinity, one replica per node and all six nodes taken",
    ),
    Workload(
        "batch",
        "video-transcode",
        1,
        1000,
        2048,
        kind="Job",
        labels=NOISY,
        pending=1,
        shows="InterPodAffinity: the ledger's pods keep noisy neighbours out of their zones, which are all zones",
    ),
)
