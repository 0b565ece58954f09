"""Disruption budgets: healthy ones, and every way to get one wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from clusters.demo.identity import Document, ago, metadata

if TYPE_CHECKING:
    from collections.abc import Iterable


class Budget(Struct, frozen=True):
    """A PodDisruptionBudget; exactly one of the two bounds is given, as an integer or as ``n%``."""

    namespace: str
    name: str
    selector: dict[str, str]
    minimum: int | str | None = None
    maximum: int | str | None = None
    shows: str = ""


BUDGETS = (
    Budget("shop", "checkout", {"app": "checkout"}, minimum=10, shows="healthy: allows disruptions"),
    Budget("shop", "frontend", {"tier": "frontend"}, maximum="10%", shows="overlaps with checkout and storefront"),
    Budget("shop", "storefront", {"app": "storefront"}, minimum="80%", shows="overlaps with frontend"),
    Budget("shop", "sessions", {"app": "sessions"}, minimum=4, shows="minAvailable 4 exceeds 3 replicas"),
    Budget("payments", "ledger", {"app": "ledger"}, maximum=1, shows="healthy: one at a time"),
    Budget("payments", "payments-api", {"app": "payments-api"}, minimum="50%", shows="healthy"),
    Budget("payments", "legacy-gateway", {"app": "legacy-gateway"}, minimum=1, shows="selects no pods"),
    Budget("search", "elastic", {"app": "elastic"}, maximum=1, shows="blocking: the pending pod is the one allowed"),
    Budget("data", "kafka", {"app": "kafka"}, maximum=1, shows="blocking: a broker that crashes is the one allowed"),
    Budget("data", "postgres", {"app": "postgres"}, minimum=2, shows="healthy: one at a time"),
    Budget("batch", "image-resizer", {"app": "image-resizer"}, maximum=0, shows="maxUnavailable 0 allows none"),
    Budget("platform", "prometheus", {"app": "prometheus"}, maximum=1, shows="healthy: one at a time"),
)


def budgets(pods: Iterable[Document]) -> list[Document]:
    """Return the budgets with their status as the disruption controller would write it."""
    everyone = list(pods)
    return [_budget(budget, everyone) for budget in BUDGETS]


def _budget(budget: Budget, pods: list[Document]) -> Document:
    chosen = [
        pod
        for pod in pods
        if pod["metadata"]["namespace"] == budget.namespace
        and budget.selector.items() <= pod["metadata"]["labels"].items()
        and pod["status"]["phase"] not in ("Succeeded", "Failed")
    ]
    expected, healthy = len(chosen), sum(map(_is_healthy, chosen))
    if budget.maximum is not None:
        desired = max(0, expected - _amount(budget.maximum, expected))
        bound = {"maxUnavailable": budget.maximum}
    else:
        desired = _amount(budget.minimum or 0, expected)
        bound = {"minAvailable": budget.minimum or 0}
    allowed = max(0, healthy - desired) if expected else 0
    return {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": metadata("PodDisruptionBudget", budget.name, budget.namespace),
        "spec": {"selector": {"matchLabels": budget.selector}, **bound},
        "status": {
            "conditions": [
                {
                    "type": "DisruptionAllowed",
                    "status": "True" if allowed else "False",
                    "reason": "SufficientPods" if allowed else "InsufficientPods",
                    "lastTransitionTime": ago(hours=3),
                }
            ],
            "currentHealthy": healthy,
            "desiredHealthy": desired,
            "disruptionsAllowed": allowed,
            "expectedPods": expected,
        },
    }


def _is_healthy(pod: Document) -> bool:
    if "deletionTimestamp" in pod["metadata"]:
        return False
    return any(each["type"] == "Ready" and each["status"] == "True" for each in pod["status"].get("conditions", ()))


def _amount(bound: int | str, expected: int) -> int:
    """Return a bound as a number of pods; percentages are rounded up."""
    if isinstance(bound, int):
        return bound
    return -(-int(bound.removesuffix("%")) * expected // 100)
