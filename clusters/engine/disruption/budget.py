"""PodDisruptionBudgets as typed values: what they demand, and what the cluster reports about them.

Upstream: ``k8s.io/api/policy/v1`` and the conversion of ``policy/v1beta1`` in ``pkg/apis/policy/v1beta1``, v1.34.1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from clusters.engine.matching.selectors import NOTHING, LabelSelector, SelectorError
from clusters.engine.objects import Document, key_of, metadata, name_of, namespace_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.objects import Labels
    from clusters.engine.snapshot import Snapshot

KIND = "PodDisruptionBudget"
# The API server refuses evictions once so many are under way that the controller has not seen.
MOST_DISRUPTED = 2_000


@dataclass(frozen=True, slots=True)
class ReportedStatus:
    """The status that the disruption controller wrote; zeros where it wrote none.

    ``disrupted``: pods whose eviction was granted but whose deletion has not been seen; the controller drops those
    that stay for more than two minutes. ``failure``: why it could not compute the status, empty when it could.
    """

    expected: int
    healthy: int
    desired: int
    allowed: int
    disrupted: frozenset[str]
    failure: str

    @classmethod
    def from_dict(cls, status: Document) -> ReportedStatus:
        failures = [
            str(condition.get("message") or condition["reason"])
            for condition in status.get("conditions") or ()
            if condition.get("type") == "DisruptionAllowed" and condition.get("reason") == "SyncFailed"
        ]
        return cls(
            expected=int(status.get("expectedPods") or 0),
            healthy=int(status.get("currentHealthy") or 0),
            desired=int(status.get("desiredHealthy") or 0),
            allowed=int(status.get("disruptionsAllowed") or 0),
            disrupted=frozenset(status.get("disruptedPods") or ()),
            failure=failures[0] if failures else "",
        )


@dataclass(frozen=True, slots=True)
class DisruptionBudget:
    """A budget. At most one of ``min_available`` and ``max_unavailable`` is set: a count, or a percentage as text.

    ``always_allows_unhealthy``: unhealthyPodEvictionPolicy AlwaysAllow instead of IfHealthyBudget. ``is_observed``:
    whether the status is about the present spec. ``problem``: why the selector cannot be read; it then selects nothing.
    """

    namespace: str
    name: str
    selector: LabelSelector
    min_available: int | str | None
    max_unavailable: int | str | None
    always_allows_unhealthy: bool
    is_observed: bool
    reported: ReportedStatus
    problem: str = ""

    @classmethod
    def from_dict(cls, document: Document) -> DisruptionBudget:
        spec, status = document.get("spec") or {}, document.get("status") or {}
        problem = ""
        try:
            selector = LabelSelector.from_dict(spec.get("selector"))
        except SelectorError as error:
            selector, problem = NOTHING, error.kubernetes
        if document.get("apiVersion") == "policy/v1beta1" and selector.matches_everything:
            selector = NOTHING
        generation = int(metadata(document).get("generation") or 0)
        return cls(
            namespace=namespace_of(document),
            name=name_of(document),
            selector=selector,
            min_available=spec.get("minAvailable"),
            max_unavailable=spec.get("maxUnavailable"),
            always_allows_unhealthy=spec.get("unhealthyPodEvictionPolicy") == "AlwaysAllow",
            is_observed=bool(status) and int(status.get("observedGeneration") or 0) >= generation,
            reported=ReportedStatus.from_dict(status),
            problem=problem,
        )

    @property
    def key(self) -> str:
        return f"{self.namespace}/{self.name}"

    @property
    def grants(self) -> int:
        """How many evictions the API server would grant at the expense of the budget before it refuses."""
        if not self.is_observed or len(self.reported.disrupted) > MOST_DISRUPTED:
            return 0
        return max(0, self.reported.allowed)

    @property
    def spares_unhealthy(self) -> bool:
        """Whether pods that are not ready go without being counted."""
        healthy_enough = self.reported.healthy >= self.reported.desired > 0
        return self.always_allows_unhealthy or healthy_enough


def disruption_budgets(snapshot: Snapshot) -> tuple[DisruptionBudget, ...]:
    """Every budget of a cluster, in order of namespace and name."""
    return snapshot.derived(_read, KIND)


def budgets_of(snapshot: Snapshot, namespace: str, labels: Labels) -> list[DisruptionBudget]:
    """The budgets that select a pod."""
    return [
        budget for budget in snapshot.derived(_by_namespace, KIND).get(namespace, ()) if budget.selector.matches(labels)
    ]


def _read(snapshot: Snapshot) -> tuple[DisruptionBudget, ...]:
    return tuple(DisruptionBudget.from_dict(document) for document in sorted(snapshot.objects(KIND), key=key_of))


def _by_namespace(snapshot: Snapshot) -> Mapping[str, list[DisruptionBudget]]:
    found: dict[str, list[DisruptionBudget]] = {}
    for budget in disruption_budgets(snapshot):
        found.setdefault(budget.namespace, []).append(budget)
    return found
