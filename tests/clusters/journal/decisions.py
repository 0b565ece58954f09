"""Decisions as the journal holds them, for tests that do not make them from a cluster's changes."""

from __future__ import annotations

from datetime import timedelta
from itertools import count
from typing import Any

from django.utils import timezone

from clusters.models import Cluster, Decision

_numbers = count()


def a_decision(
    cluster: Cluster, name: str = "web-1", *, ago: timedelta = timedelta(minutes=5), **fields: Any
) -> Decision:
    """Store a decision that was heard some time ago: placed and agreed with, unless told otherwise."""
    heard = timezone.now() - ago
    explanation = fields.pop("explanation", None)
    defaults: dict[str, Any] = {
        "kind": Decision.Kind.BOUND,
        "pod_uid": f"uid-{name}",
        "namespace": "shop",
        "owner_kind": "ReplicaSet",
        "owner_name": "web",
        "scheduler_name": "default-scheduler",
        "priority": 0,
        "heard_at": heard,
        "last_heard_at": heard,
        "resource_version": str(next(_numbers)),
        "node_name": "n1",
        "verdict": Decision.Verdict.AGREES,
        "basis": {"state": "before", "ahead": 0, "behind": 0, "milliseconds": 0},
    }
    decision = Decision(cluster=cluster, name=name, **{**defaults, **fields})
    decision.explanation = explanation
    decision.save()
    return decision
