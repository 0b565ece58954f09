"""Pods that are pending because of the queue: gates, priorities, nominations."""

from __future__ import annotations

from clusters.demo.running import NOMINATED_NODE
from clusters.demo.wishes import (
    TOLERATES_GPU,
    on_pool,
)
from clusters.demo.workload import PATIENT, Workload, pinned_to

QUEUE_STORIES = (
    Workload(
        "batch",
        "quarterly-report",
        1,
        500,
        1024,
        kind="Job",
        spec={"schedulingGates": [{"name": "finance.shop.example/approval"}]},
        pending=1,
        shows="SchedulingGated: without its scheduling gate it would fit",
    ),
    Workload(
        "payments",
        "payments-api",
        7,
        2450,
        1024,
        priority="business-critical",
        spec=on_pool("general"),
        pending=1,
        shows="preemption would help: many candidates, and the one whose victims matter least",
    ),
    Workload(
        "warehouse",
        "forecast",
        1,
        2450,
        1024,
        kind="Job",
        spec=on_pool("general"),
        pending=1,
        shows="preemption would help; on some nodes it would break a budget that allows no disruption",
    ),
    Workload(
        "search",
        "reindex",
        1,
        2700,
        1024,
        kind="Job",
        priority=PATIENT,
        spec=on_pool("general"),
        pending=1,
        shows="may not preempt, though that would help: preemptionPolicy Never",
    ),
    Workload(
        "payments",
        "fraud-scoring",
        1,
        2600,
        1024,
        priority="business-critical",
        spec=on_pool("general"),
        nominated=NOMINATED_NODE,
        pending=1,
        shows="nominated: its victim is still terminating",
    ),
    Workload(
        "shop",
        "price-sync",
        1,
        600,
        256,
        spec=pinned_to(NOMINATED_NODE),
        pending=1,
        shows="there is room on its node, but that is kept for the nominated pod",
    ),
    Workload(
        "ml",
        "gang-trainer",
        1,
        8000,
        32768,
        kind="Job",
        spec={**TOLERATES_GPU, "schedulerName": "volcano"},
        pending=1,
        shows="another scheduler's pod",
    ),
)
