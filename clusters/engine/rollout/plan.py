"""How a controller goes about replacing its pods: how many at a time, and which.

Upstream: ``ResolveFenceposts`` and ``MaxUnavailable`` in ``pkg/controller/deployment/util``,
``getStatefulSetMaxUnavailable`` in ``pkg/controller/statefulset``, ``SurgeCount`` and ``UnavailableCount`` in
``pkg/controller/daemon/util``, and the defaults of ``pkg/apis/apps/v1``, v1.34.1.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from clusters.engine.disruption.arithmetic import scaled
from clusters.engine.volumes.claims import spec_of
from clusters.engine.workloads.ordinals import Ordinals

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.engine.objects import Document

_PROGRESS_SECONDS: Final = 600
# So much in progressDeadlineSeconds stands for no deadline.
_NO_DEADLINE: Final = 2**31 - 1


class Way(enum.StrEnum):
    """What becomes of the old pods."""

    SURGE = "surge"
    """New pods are created beside old ones."""
    RECREATE = "recreate"
    """All old pods are deleted first, then the new ones are created."""
    ORDINALS = "ordinals"
    """Each pod is replaced in its turn, from the highest ordinal down."""
    NODES = "nodes"
    """Each node's pod is replaced by itself."""
    ON_DELETE = "on-delete"
    """A pod is replaced when somebody deletes it."""


@dataclass(frozen=True, slots=True)
class RolloutPlan:
    """An update of ``desired`` pods: at most ``surge`` more of them, at most ``unavailable`` of them missing.

    ``max_surge`` and ``max_unavailable`` are as written, or the defaults. ``partition``: the ordinal from which on pods
    are replaced. ``is_ordered``: nothing goes on while any pod is not ready. ``is_paused``: nothing goes on at all.
    ``is_assumed``: the object does not say how, so the defaults count. ``deadline``: the seconds without progress after
    which a Deployment says that it makes none; None where nothing says so.
    """

    way: Way
    desired: int
    surge: int = 0
    unavailable: int = 0
    max_surge: int | str = 0
    max_unavailable: int | str = 0
    partition: int = 0
    is_ordered: bool = False
    is_paused: bool = False
    is_assumed: bool = False
    deadline: int | None = None

    @property
    def most(self) -> int:
        """The number of pods that is never exceeded."""
        return self.desired + self.surge

    @property
    def fewest(self) -> int:
        """The number of available pods below which the controller takes none away."""
        return max(0, self.desired - self.unavailable)


def plan_of(document: Document, kind: str, desired: int) -> RolloutPlan | None:
    """How a Deployment, StatefulSet or DaemonSet updates; None for what has no updates. Raises PercentageError.

    ``document`` may be without a spec, as where only the pods are known: the defaults of the API count then.
    """
    spec = spec_of(document)
    if kind == "Deployment":
        return replace(_deployment(spec, desired), is_assumed="strategy" not in spec, deadline=_deadline(spec))
    if kind == "StatefulSet":
        return replace(_stateful_set(spec, desired), is_assumed="updateStrategy" not in spec)
    if kind == "DaemonSet":
        return replace(_daemon_set(spec, desired), is_assumed="updateStrategy" not in spec)
    return None


def _strategy(spec: Mapping[str, Any], field: str) -> tuple[str, Mapping[str, Any]]:
    strategy = spec.get(field) or {}
    return str(strategy.get("type") or "RollingUpdate"), strategy.get("rollingUpdate") or {}


def _deployment(spec: Mapping[str, Any], desired: int) -> RolloutPlan:
    kind, pace = _strategy(spec, "strategy")
    paused = bool(spec.get("paused"))
    if kind == "Recreate":
        return RolloutPlan(Way.RECREATE, desired, unavailable=desired, is_paused=paused)
    max_surge, max_unavailable = pace.get("maxSurge", "25%"), pace.get("maxUnavailable", "25%")
    surge, unavailable = scaled(max_surge, desired), scaled_down(max_unavailable, desired)
    if not surge and not unavailable:
        unavailable = 1
    return RolloutPlan(
        Way.SURGE, desired, surge, min(unavailable, desired), max_surge, max_unavailable, is_paused=paused
    )


def _deadline(spec: Mapping[str, Any]) -> int | None:
    """The seconds after which a Deployment without progress says so; one that is paused never does."""
    seconds = spec.get("progressDeadlineSeconds")
    seconds = _PROGRESS_SECONDS if seconds is None else int(seconds)
    return None if spec.get("paused") or seconds == _NO_DEADLINE else seconds


def _stateful_set(spec: Mapping[str, Any], desired: int) -> RolloutPlan:
    kind, pace = _strategy(spec, "updateStrategy")
    ordered = (spec.get("podManagementPolicy") or "OrderedReady") == "OrderedReady"
    if kind == "OnDelete":
        return RolloutPlan(Way.ON_DELETE, desired, is_ordered=ordered)
    written, partition = pace.get("maxUnavailable", 1), int(pace.get("partition") or 0)
    return RolloutPlan(
        Way.ORDINALS,
        desired,
        unavailable=max(1, scaled_down(written, desired)),
        max_unavailable=written,
        partition=Ordinals.of({"spec": spec}).start + partition if partition else 0,
        is_ordered=ordered,
    )


def _daemon_set(spec: Mapping[str, Any], desired: int) -> RolloutPlan:
    kind, pace = _strategy(spec, "updateStrategy")
    if kind == "OnDelete":
        return RolloutPlan(Way.ON_DELETE, desired)
    max_surge, max_unavailable = pace.get("maxSurge", 0), pace.get("maxUnavailable", 1)
    surge, unavailable = scaled(max_surge, desired), scaled(max_unavailable, desired)
    if not surge and not unavailable:
        unavailable = 1
    return RolloutPlan(Way.NODES, desired, surge, unavailable, max_surge, max_unavailable)


def scaled_down(amount: int | str, total: int) -> int:
    """A count as it is, a percentage of ``total`` rounded down. Raises PercentageError."""
    # Rounding up is the checked way; what it has read is a percentage.
    up = scaled(amount, total)
    return up if isinstance(amount, int) else int(amount[:-1]) * total // 100
