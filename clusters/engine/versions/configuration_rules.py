"""What KubeSchedulerConfiguration may hold in one Kubernetes minor and not in another.

Upstream: ``pkg/scheduler/apis/config``, its ``v1`` and ``validation``, and the plugins' ``registry.go`` of v1.34.1,
v1.35.4, v1.36.3 and v1.37.2. All of them read ``kubescheduler.config.k8s.io/v1`` alone, and take the same
flags of kube-scheduler's own.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class ConfigurationRules:
    """The fields of one minor beside those that every minor has.

    ``plugin_sets``: of extension points for groups of pods, which are read and not computed. ``arguments``: of plugins.
    ``forbids_idle_ratio``: whether NodeResourcesFit takes requestedToCapacityRatio for the strategy of that name alone.
    ``in_tree``: plugins whose names nobody else's plugins may have any more, beside those that take part here.
    """

    plugin_sets: tuple[str, ...] = ()
    arguments: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    forbids_idle_ratio: bool = False
    in_tree: frozenset[str] = frozenset()
