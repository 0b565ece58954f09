# ruff: noqa: UP013 - names in camel case are no attributes of classes here
"""What an upgrade changes as the API answers it; docs/upgrade.md explains every field."""

from __future__ import annotations

from typing import Any, Literal

from typing_extensions import TypedDict

from clusters.engine.group_states import GroupPhase
from clusters.engine.scheduling import GroupVerdict
from dashboard.api.documents.mirror import State


class UpgradeRuleSchema(TypedDict):
    """An entry of the table of versions, and what it says; the name of the default plugins' is empty."""

    kind: Literal["rule", "device-rule", "gate", "plugins"]
    name: str
    sentence: str


class UpgradeWorkloadSchema(TypedDict):
    """A workload; kind and name are empty for pods without a controller."""

    namespace: str
    kind: str
    name: str


class UpgradeRefusalSchema(TypedDict):
    """The first minor that does not start with the scheduler's configuration."""

    release: str
    field: str
    problem: str


class UpgradeObstacleSchema(TypedDict):
    """A feature gate or a plugin with which a minor does not start."""

    release: str
    kind: Literal["locked-gate", "removed-gate", "taken-name"]
    name: str
    value: bool | None
    sentence: str


class UpgradeWordsSchema(TypedDict):
    """Sentences for people."""

    headline: str
    drains: str
    podGroups: str
    notes: list[str]


class UpgradePodRefusalSchema(TypedDict):
    """What the API server has against a pod: who says so, about which field, and why."""

    by: str
    field: str
    problem: str


class UpgradeRefusedPodSchema(TypedDict):
    """The next pod of a workload, which is not created under either release."""

    workload: UpgradeWorkloadSchema
    refusals: list[UpgradePodRefusalSchema]


UpgradeAnswerSchema = TypedDict(
    "UpgradeAnswerSchema",
    {
        "verdict": Literal["fits", "unschedulable", "uncertain"],
        "message": str | None,
        "nodes": list[str],
        "nodeCount": int,
        "preemptedOn": str | None,
        "victims": list[str],
        "refusals": list[UpgradePodRefusalSchema],
    },
)
UpgradeTipSchema = TypedDict(
    "UpgradeTipSchema",
    {"plugin": str, "nodeBefore": str, "nodeAfter": str, "leadBefore": int, "leadAfter": int},
)
UpgradeDifferenceSchema = TypedDict(
    "UpgradeDifferenceSchema",
    {
        "release": str,
        "difference": Literal["admission", "verdict", "preemption", "nodes", "message"],
        "rules": list[UpgradeRuleSchema],
        "plugins": list[str],
        "role": Literal["pending", "next"],
        "workload": UpgradeWorkloadSchema,
        "pods": list[str],
        "podCount": int,
        "before": UpgradeAnswerSchema,
        "after": UpgradeAnswerSchema,
        "tip": UpgradeTipSchema | None,
    },
)


class UpgradeDefaultSchema(TypedDict):
    """Something that a release reads into a profile otherwise than the minor before it."""

    release: str
    profile: str
    kind: Literal["plugin", "order", "setting"]
    plugin: str
    name: str
    before: Any
    after: Any
    sentence: str


class UpgradePendingSchema(TypedDict):
    """A pod whose replacement would have no node."""

    pod: str
    message: str


UpgradeReplacementSchema = TypedDict("UpgradeReplacementSchema", {"pod": str, "node": str, "isCertain": bool})
UpgradeDrainAnswerSchema = TypedDict(
    "UpgradeDrainAnswerSchema",
    {
        "block": Literal["flag", "two-budgets", "never", "budget", "no-room", "not-computed"] | None,
        "replacements": list[UpgradeReplacementSchema],
        "replacementCount": int,
        "pending": list[UpgradePendingSchema],
        "pendingCount": int,
        "refused": list[str],
        "refusedCount": int,
        "budgets": list[str],
    },
)


class UpgradeDrainDifferenceSchema(TypedDict):
    """One thing that the drain of a node meets otherwise under a release."""

    release: str
    difference: Literal["verdict", "nodes", "message"]
    rules: list[UpgradeRuleSchema]
    node: str
    before: UpgradeDrainAnswerSchema
    after: UpgradeDrainAnswerSchema


UpgradePoolSchema = TypedDict(
    "UpgradePoolSchema",
    {
        "pool": str,
        "nodeCount": int,
        "nodesDrained": int,
        "nodesChanged": int,
        "differences": list[UpgradeDrainDifferenceSchema],
    },
)
UpgradePlacementSchema = TypedDict(
    "UpgradePlacementSchema",
    {
        "state": GroupPhase,
        "verdict": GroupVerdict | None,
        "minCount": int | None,
        "pods": int,
        "found": int,
        "nodes": list[str],
        "nodeCount": int,
        "domain": str,
        "victims": list[str],
        "victimCount": int,
    },
)


class UpgradePodGroupSchema(TypedDict):
    """A group of pods that a release places otherwise than the minor before it."""

    release: str
    rules: list[UpgradeRuleSchema]
    group: str
    before: UpgradePlacementSchema
    after: UpgradePlacementSchema


UpgradeSchema = TypedDict(
    "UpgradeSchema",
    {
        "before": str,
        "after": str,
        "nodes": int,
        "pendingPods": int,
        "pendingPodsChanged": int,
        "workloads": int,
        "workloadsChanged": int,
        "leftOut": int,
        "notComputed": int,
        "refusal": UpgradeRefusalSchema | None,
        "obstacles": list[UpgradeObstacleSchema],
        "defaults": list[UpgradeDefaultSchema],
        "differences": list[UpgradeDifferenceSchema],
        "refusedPods": list[UpgradeRefusedPodSchema],
        "refusedPodCount": int,
        "drains": list[UpgradePoolSchema],
        "poolsLeftOut": int,
        "podGroups": list[UpgradePodGroupSchema],
        "podGroupCount": int,
        "podGroupsLeftOut": int,
        "words": UpgradeWordsSchema,
    },
)
Upgrade = TypedDict("Upgrade", {"cluster": State, "evaluatedRevision": int | None, "upgrade": UpgradeSchema | None})
