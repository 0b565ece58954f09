"""A small review as data, with names as hostile as one likes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from tests.dashboard.rows import a_gap

GIB = 1024**3
BEGIN = datetime(2026, 11, 1, tzinfo=UTC)
MADE = datetime(2026, 11, 21, 16, 40, tzinfo=UTC)

# Names that would be markup, code or formulas somewhere, and where they would be.
HOSTILE = (
    "#panic(1)",
    "$x^2$ *bold* _it_ `code`",
    "[link](http://evil.example)",
    "<script>alert(1)</script>",
    "</text></svg><img src=x onerror=alert(1)>",
    '"onload="alert(1)',
    "=cmd|' /C calc'!A0",
    "\\u{41} @label // comment /* too */",
    "{% include 'x' %}{{ y }}",
    "שלום-עולם",
    "long-" + "name-" * 40 + "end",
)


def a_document(
    *, zones: tuple[str, ...] = ("zone-a", "zone-b"), nodes: int = 3, title: str = "Review"
) -> dict[str, Any]:
    """Return a review with the sections that have figures, charts, tables, callouts and recommendations."""
    return {
        "schema": "berth-review",
        "version": 2,
        "title": title,
        "cluster": {
            "name": "prod-eu-1",
            "kube_version": "v1.34.1",
            "feature_gates": {},
            "source": "live",
            "revision": 7,
        },
        "run": None,
        "period": {"from": BEGIN.isoformat(), "to": MADE.isoformat()},
        "as_of": MADE.isoformat(),
        "made_at": MADE.isoformat(),
        "made_by": "ada",
        "time_zone": "UTC",
        "notes": "We bought #4 nodes.\n\nThey come in *December*.",
        "gaps": [a_gap("ResourceSlice", "It may not be listed.")],
        "units": {"cpu": "millicores", "memory": "bytes"},
        "sections": [_utilisation(zones), _trend(), _headroom(), _maintenance(nodes), _recommendations()],
    }


def _table(name: str, columns: dict[str, str], rows: list[dict[str, Any]], **total: Any) -> dict[str, Any]:
    heads: list[dict[str, str]] = []
    for key, kind in columns.items():
        resource, _, measure = key.partition("_")
        amount = resource in ("cpu", "memory") and measure
        heads.append({"key": key, "kind": kind, **({"resource": resource, "measure": measure} if amount else {})})
    return {"name": name, "columns": heads, "rows": rows, "total": total or None}


def _utilisation(zones: tuple[str, ...]) -> dict[str, Any]:
    rows = [
        {
            "zone": zone,
            "nodes": 10,
            "cpu_allocatable": 40_000,
            "cpu_requested": 20_000 + 1_000 * at,
            "memory_allocatable": 160 * GIB,
            "memory_requested": 80 * GIB,
        }
        for at, zone in enumerate(zones)
    ]
    columns = {"zone": "name", "nodes": "number", "cpu_allocatable": "cpu", "cpu_requested": "cpu"}
    columns |= {"memory_allocatable": "memory", "memory_requested": "memory"}
    found = {
        "cpu": {"capacity": 84_000, "allocatable": 80_000, "requested": 41_000},
        "memory": {"capacity": 336 * GIB, "allocatable": 320 * GIB, "requested": 160 * GIB},
        "pods": {"capacity": 2_200, "allocatable": 2_200, "requested": 240},
    }
    units = {"cpu": "millicores", "memory": "bytes", "pods": "count"}
    left = [
        {"resource": name, "unit": units[name], **each, "left": each["allocatable"] - each["requested"]}
        for name, each in found.items()
    ]
    return {
        "key": "utilisation",
        "facts": {
            "nodes": {"total": 20, "usable": 19, "cordoned": 1, "not_ready": 0, "pressure": 0},
            "pods": {"placed": 240, "pending": 2},
            "resources": found,
        },
        "tables": [
            _table("zones", columns, rows, nodes=20, cpu_allocatable=80_000),
            _table("resources", {"resource": "name", **dict.fromkeys(("capacity", "left"), "amount")}, left),
        ],
    }


def _trend() -> dict[str, Any]:
    times = [(BEGIN + timedelta(hours=6 * at)).isoformat() for at in range(8)]
    requested: list[int | None] = [40_000 + 150 * at for at in range(8)]
    # An hour in which nobody looked.
    requested[3] = None
    return {
        "key": "trend",
        "facts": {
            "taken": 8,
            "times": times,
            "series": {
                "cpu": {"requested": requested, "allocatable": [80_000] * 8},
                "memory": {"requested": [160 * GIB] * 8, "allocatable": [320 * GIB] * 8},
                "pods": {"requested": [240] * 8, "allocatable": [2_200] * 8},
            },
            "nodes": [20] * 8,
            "pending": [2] * 8,
            "changes": {},
        },
        "tables": [],
    }


def _headroom() -> dict[str, Any]:
    columns = {"shape": "name", "cpu_requested": "cpu", "memory_requested": "memory", "now": "number"}
    columns |= {"after_node": "number", "worst_node": "name", "after_zone": "number", "worst_zone": "name"}
    room: dict[str, Any] = {"cpu_requested": 500, "memory_requested": GIB, "worst_node": "n-1", "worst_zone": "zone-a"}
    room |= dict.fromkeys(("is_capped", "after_node_is_capped", "after_zone_is_capped"), False)
    rows = [
        {"shape": "small", "now": 1_240, "after_node": 1_180, "after_zone": 610, **room},
        {"shape": "huge", "now": None, "after_node": None, "after_zone": None, **room},
    ]
    return {
        "key": "headroom",
        "facts": {
            "worst_zone": None,
            "shapes": 2,
            "uncounted": 0,
            "nodes": 20,
            "is_played": True,
            "nodes_played": 6,
            "kinds_of_nodes": 4,
            "zones": 2,
            "most_pods": 2_000,
            "most_played": 20_000,
        },
        "tables": [_table("shapes", columns, rows)],
    }


def _maintenance(nodes: int) -> dict[str, Any]:
    columns = {"node": "name", "outlook": "text", "refused": "number", "budgets": "names"}
    rows = [
        {"node": f"node-{at}", "outlook": "lasting", "refused": 1, "budgets": ["shop/checkout"]} for at in range(nodes)
    ]
    outlook = {"now": 4, "allowed": 10, "waits": 0, "force": 0, "room": 0, "lasting": nodes}
    return {
        "key": "maintenance",
        "facts": {
            "budgets": 3,
            "blocking": 1,
            "lasting": 1,
            "shared": 0,
            "bare": 0,
            "host_ports": 0,
            "nodes": 20,
            "outlook": outlook,
            "evictions": 40,
            "plan": {"batches": 2, "nodes": 6, "evictions": 40, "not_drained": nodes},
            "most_evictions": 2_000,
        },
        "tables": [_table("blocked_nodes", columns, rows)],
    }


def _recommendations() -> dict[str, Any]:
    made = {
        "rule": "add-nodes",
        "object": {"kind": "Node", "namespace": "", "name": "general-1"},
        "changes": [{"change": "add-nodes", "count": 2, "like": "general-1"}],
        "facts": {"count": 2, "like": "general-1", "pool": "general", "instance_type": "c6i.2xlarge"},
        "base_run": 11,
        "run": 12,
        "before": {"pending": 2},
        "after": {"pending": 0},
        "gain": {
            **dict.fromkeys(("nodes_drainable", "nodes_removed", "cpu_milli", "memory_bytes"), 0),
            "pods_scheduled": 2,
        },
        "cost": {
            "nodes_added": 2,
            **dict.fromkeys(("pods_evicted", "pods_restarted", "newly_pending", "workloads_fewer"), 0),
            **dict.fromkeys(("quorums_lost", "budgets_broken"), 0),
        },
        "worth": 900,
        "helped": ["shop/big-1", "shop/big-2"],
        "covered_by": [],
        "beside": None,
        "zone_loss": None,
    }
    return {
        "key": "recommendations",
        "facts": {"made": [made], "tried": 3, "is_sought": True, "most_pods": 50_000},
        "tables": [],
    }
