"""Feature gates that decide nothing here, and that kube-scheduler of a later minor does not let be set any more.

Upstream: ``pkg/features/kube_features.go`` of v1.34.1, v1.35.4, v1.36.3 and v1.37.2, without the gates that the API
server's library brings; ``Set`` of ``k8s.io/component-base/featuregate`` refuses gates that are not there, and other
values for those that are locked. Gates that decide something are in ``gates``.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

# By the minor that locks them, with the value that is left.
LOCKED: Final[Mapping[str, Mapping[str, bool]]] = MappingProxyType(
    {
        "1.35": {
            "AllowOverwriteTerminationGracePeriodSeconds": False,
            **dict.fromkeys(
                (
                    "DisableAllocatorDualWrite",
                    "DynamicResourceAllocation",
                    "ExecProbeTimeout",
                    "ImageMaximumGCAge",
                    "InPlacePodVerticalScaling",
                    "JobManagedBy",
                    "PodObservedGenerationTracking",
                    "PreferSameTrafficDistribution",
                    "SupplementalGroupsPolicy",
                    "SystemdWatchdog",
                ),
                True,
            ),
        },
        "1.36": {
            "GitRepoVolumeDriver": False,
            **dict.fromkeys(
                (
                    "CSIServiceAccountTokenSecrets",
                    "DisableNodeKubeProxyVersion",
                    "ExternalServiceAccountTokenSigner",
                    "ImageVolume",
                    "KubeletFineGrainedAuthz",
                    "KubeletPSI",
                    "KubeletPodResourcesDynamicResources",
                    "KubeletPodResourcesGet",
                    "MutableCSINodeAllocatableCount",
                    "NodeLogQuery",
                    "ProcMountType",
                    "SELinuxChangePolicy",
                    "SELinuxMountReadWriteOncePod",
                    "TopologyManagerPolicyOptions",
                    "UserNamespacesSupport",
                    "VolumeAttributesClass",
                ),
                True,
            ),
        },
        "1.37": dict.fromkeys(
            (
                "DisableCPUQuotaWithExclusiveCPUs",
                "HPAConfigurableTolerance",
                "HostnameOverride",
                "InPlacePodVerticalScalingInitContainers",
                "PLEGOnDemandRelist",
                "PodReadyToStartContainersCondition",
                "RelaxedServiceNameValidation",
            ),
            True,
        ),
    }
)
# By the first minor without them.
REMOVED: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        "1.35": frozenset(
            {
                "AllowServiceLBStatusOnNonLB",
                "CronJobsScheduledAnnotation",
                "LoadBalancerIPMode",
                "PodIndexLabel",
                "ProbeHostPodSecurityStandards",
                "SizeMemoryBackedVolumes",
                "StatefulSetAutoDeletePVC",
                "UserNamespacesPodSecurityStandards",
            }
        ),
        "1.36": frozenset(
            {
                "CSIMigrationPortworx",
                "HonorPVReclaimPolicy",
                "InPlacePodVerticalScalingAllocatedStatus",
                "InTreePluginPortworxUnregister",
                "MemoryManager",
                "ServiceTrafficDistribution",
                "TopologyAwareHints",
            }
        ),
        "1.37": frozenset(
            {
                "AnyVolumeDataSource",
                "AuthorizeNodeWithSelectors",
                "JobBackoffLimitPerIndex",
                "JobPodReplacementPolicy",
                "JobSuccessPolicy",
                "LogarithmicScaleDown",
                "OrderedNamespaceDeletion",
                "PodLifecycleSleepAction",
                "PodLifecycleSleepActionAllowZero",
                "PreventStaticPodAPIReferences",
                "RelaxedDNSSearchValidation",
                "SchedulerQueueingHints",
                "SidecarContainers",
                "StreamingCollectionEncodingToJSON",
                "StreamingCollectionEncodingToProtobuf",
            }
        ),
    }
)
NAMES: Final = frozenset(name for tables in (LOCKED, REMOVED) for names in tables.values() for name in names)


def of_minor(minor: str) -> tuple[Mapping[str, bool], frozenset[str]]:
    """Return the gates that a minor has locked, with the values that are left, and those that it has removed."""
    reached = [each for each in REMOVED if _number(each) <= _number(minor)]
    removed = frozenset(name for each in reached for name in REMOVED[each])
    return {name: value for each in reached for name, value in LOCKED.get(each, {}).items()}, removed


def _number(minor: str) -> tuple[int, ...]:
    return tuple(map(int, minor.split(".")))
