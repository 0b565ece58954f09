"""A KubeSchedulerConfiguration as kube-scheduler runs it: profiles with plugins in order, weights and arguments."""

from __future__ import annotations

from clusters.engine.configuration.arguments import (
    EMPTIEST_FIRST,
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
from clusters.engine.configuration.legacy import LegacyNote, PluginRole, TranslatedEntry, Translation
from clusters.engine.configuration.problems import NoScheduler
from clusters.engine.configuration.profiles import Extender, ManagedResource, Profile
from clusters.engine.configuration.reading import ConfigurationError, UnknownScheduler
from clusters.engine.configuration.scheduler import (
    LONGEST_WAIT,
    LOOKED_UP_EVERY,
    Backoff,
    SchedulerConfiguration,
    disabled_in_vain,
    translated,
    tried_again_by,
)
from clusters.engine.configuration.written import (
    ConfigurationDifference,
    PluginAtPoint,
    PluginChange,
    ProfileDifference,
    Reordered,
    Setting,
    compare_configurations,
    compare_profiles,
    plugins_at,
    spelled_out,
)
from clusters.engine.versions import ExtensionPoint

__all__ = [
    "EMPTIEST_FIRST",
    "LONGEST_WAIT",
    "LOOKED_UP_EVERY",
    "Arguments",
    "Backoff",
    "ConfigurationDifference",
    "ConfigurationError",
    "DefaultPreemptionArgs",
    "DefaultingType",
    "DynamicResourcesArgs",
    "Extender",
    "ExtensionPoint",
    "InterPodAffinityArgs",
    "LegacyNote",
    "ManagedResource",
    "NoScheduler",
    "NodeAffinityArgs",
    "NodeResourcesBalancedAllocationArgs",
    "NodeResourcesFitArgs",
    "PluginAtPoint",
    "PluginChange",
    "PluginRole",
    "PodTopologySpreadArgs",
    "Profile",
    "ProfileDifference",
    "Reordered",
    "ResourceWeight",
    "SchedulerConfiguration",
    "ScoringStrategy",
    "Setting",
    "ShapePoint",
    "StrategyType",
    "TranslatedEntry",
    "Translation",
    "UnknownScheduler",
    "VolumeBindingArgs",
    "compare_configurations",
    "compare_profiles",
    "disabled_in_vain",
    "plugins_at",
    "spelled_out",
    "translated",
    "tried_again_by",
]
