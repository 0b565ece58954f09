"""A KubeSchedulerConfiguration as kube-scheduler runs it: profiles with plugins in order, weights and arguments."""

from __future__ import annotations

from clusters.engine.configuration.arguments import (
    Arguments,
    DefaultingType,
    DefaultPreemptionArgs,
    DynamicResourcesArgs,
    InterPodAffinityArgs,
    NodeAffinityArgs,
    NodeResourcesBalancedAllocationArgs,
    NodeResourcesFitArgs,
    PodTopologySpreadArgs,
    ResourceWeight,
    ScoringStrategy,
    ShapePoint,
    StrategyType,
    VolumeBindingArgs,
)
from clusters.engine.configuration.errors import ConfigurationError, UnknownScheduler
from clusters.engine.configuration.extenders import Extender, ManagedResource
from clusters.engine.configuration.profiles import Profile
from clusters.engine.configuration.releases import ExtensionPoint
from clusters.engine.configuration.scheduler import SchedulerConfiguration

__all__ = [
    "Arguments",
    "ConfigurationError",
    "DefaultPreemptionArgs",
    "DefaultingType",
    "DynamicResourcesArgs",
    "Extender",
    "ExtensionPoint",
    "InterPodAffinityArgs",
    "ManagedResource",
    "NodeAffinityArgs",
    "NodeResourcesBalancedAllocationArgs",
    "NodeResourcesFitArgs",
    "PodTopologySpreadArgs",
    "Profile",
    "ResourceWeight",
    "SchedulerConfiguration",
    "ScoringStrategy",
    "ShapePoint",
    "StrategyType",
    "UnknownScheduler",
    "VolumeBindingArgs",
]
