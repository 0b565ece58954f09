"""The kinds of numbers that a question may ask for, by the names under which the files of lessons have them."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from clusters.engine.lessons.values import amounts, counts, kubelets, lives, scores, thresholds
from clusters.engine.lessons.values.value import NumberUnit, NumberValue

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["VALUES", "NumberUnit", "NumberValue"]

VALUES: Final[Mapping[str, type[NumberValue]]] = MappingProxyType(
    {
        each.name: each
        for each in (
            scores.PluginScoreValue,
            scores.RawScoreValue,
            scores.WeightedScoreValue,
            scores.TotalValue,
            scores.BinPackingValue,
            amounts.RequestValue,
            amounts.LimitValue,
            amounts.AllocatableValue,
            amounts.RequestedValue,
            amounts.FreeValue,
            amounts.QuotaUsedValue,
            amounts.QuotaLeftValue,
            counts.FeasibleValue,
            counts.ReplicasThatFitValue,
            counts.NodesToFindValue,
            counts.PercentageOfNodesValue,
            counts.AllowedDisruptionsValue,
            counts.HealthyPodsRequiredValue,
            counts.MatchingValue,
            counts.SkewValue,
            kubelets.KubeletAllocatableValue,
            lives.StayValue,
            lives.OomScoreValue,
            lives.PriorityValue,
            lives.NodeGracePeriodValue,
            lives.EvictionRateValue,
            thresholds.EvictionThresholdValue,
            thresholds.ReclaimTargetValue,
        )
    }
)
