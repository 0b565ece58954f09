"""Pods that are pending because of their volumes."""

from __future__ import annotations

from clusters.demo.nodes import ZONE
from clusters.demo.wishes import (
    dedicated,
    on_pool,
    with_claim,
)
from clusters.demo.workload import Claim, Workload

# Every plugin by name: each pod of the demo shows one plugin.
VOLUME_STORIES = (
    Workload(
        "payments",
        "ledger-export",
        1,
        200,
        512,
        kind="Job",
        spec=with_claim("ledger-archive"),
        pending=1,
        shows="VolumeRestrictions: its claim is ReadWriteOncePod, and the archiver uses it",
    ),
    Workload(
        "search",
        "elastic",
        7,
        4000,
        10240,
        kind="StatefulSet",
        claims=(Claim("index", "gp3", 500), Claim("translog", "gp3", 50)),
        spec=dedicated("compute", "search"),
        pending=1,
        shows="NodeVolumeLimits: two volumes, and every compute node has its two already; giving up one is not enough",
    ),
    Workload(
        "data",
        "reports-db",
        1,
        500,
        2048,
        spec=with_claim("reports-db"),
        pending=1,
        shows="VolumeBinding: a claim with immediate binding that is not bound, so no node is evaluated",
    ),
    Workload(
        "shop",
        "banner-renderer",
        1,
        200,
        256,
        spec=with_claim("banner-assets"),
        pending=1,
        shows="its claim does not exist, so no node is evaluated",
    ),
    Workload(
        "data",
        "clickhouse",
        1,
        4000,
        8192,
        spec={**dedicated("data", "data"), **with_claim("clickhouse-parts")},
        pending=1,
        shows="VolumeBinding: its local volume is on the one data node that has no room for it",
    ),
    Workload(
        "data",
        "spill-writer",
        1,
        500,
        1024,
        spec={**dedicated("data", "data"), **with_claim("spill-space")},
        pending=1,
        shows="VolumeBinding: no local volume is large enough for its claim",
    ),
    Workload(
        "shop",
        "reviews-db",
        1,
        300,
        1024,
        spec={**on_pool("general", **{ZONE: "eu-central-1a"}), **with_claim("reviews-db")},
        pending=1,
        shows="VolumeZone: its volume is labelled with another zone than the one it requires",
    ),
)
