"""The fields of a KubeletConfiguration; a kubelet logs a warning about any other one, and ignores it.

Upstream: ``KubeletConfiguration`` of ``k8s.io/kubelet`` v0.34.1, package ``config/v1beta1``.
"""

from __future__ import annotations

from typing import Final

KNOWN_FIELDS: Final = frozenset(
    """
    address allowedUnsafeSysctls apiVersion authentication authorization cgroupDriver cgroupRoot cgroupsPerQOS
    clusterDNS clusterDomain configMapAndSecretChangeDetectionStrategy containerLogMaxFiles containerLogMaxSize
    containerLogMaxWorkers containerLogMonitorInterval containerRuntimeEndpoint contentType cpuCFSQuota
    cpuCFSQuotaPeriod cpuManagerPolicy cpuManagerPolicyOptions cpuManagerReconcilePeriod crashLoopBackOff
    enableContentionProfiling enableControllerAttachDetach enableDebugFlagsHandler enableDebuggingHandlers
    enableProfilingHandler enableServer enableSystemLogHandler enableSystemLogQuery enforceNodeAllocatable
    eventBurst eventRecordQPS evictionHard evictionMaxPodGracePeriod evictionMinimumReclaim
    evictionPressureTransitionPeriod evictionSoft evictionSoftGracePeriod failCgroupV1 failSwapOn featureGates
    fileCheckFrequency hairpinMode healthzBindAddress healthzPort httpCheckFrequency imageGCHighThresholdPercent
    imageGCLowThresholdPercent imageMaximumGCAge imageMinimumGCAge imagePullCredentialsVerificationPolicy
    imageServiceEndpoint iptablesDropBit iptablesMasqueradeBit kernelMemcgNotification kind kubeAPIBurst kubeAPIQPS
    kubeReserved kubeReservedCgroup kubeletCgroups localStorageCapacityIsolation logging makeIPTablesUtilChains
    maxOpenFiles maxParallelImagePulls maxPods memoryManagerPolicy memorySwap memoryThrottlingFactor
    mergeDefaultEvictionSettings nodeLeaseDurationSeconds nodeStatusMaxImages nodeStatusReportFrequency
    nodeStatusUpdateFrequency oomScoreAdj podCIDR podLogsDir podPidsLimit podsPerCore port
    preloadedImagesVerificationAllowlist protectKernelDefaults providerID qosReserved readOnlyPort registerNode
    registerWithTaints registryBurst registryPullQPS reservedMemory reservedSystemCPUs resolvConf rotateCertificates
    runOnce runtimeRequestTimeout seccompDefault serializeImagePulls serverTLSBootstrap showHiddenMetricsForVersion
    shutdownGracePeriod shutdownGracePeriodByPodPriority shutdownGracePeriodCriticalPods singleProcessOOMKill
    staticPodPath staticPodURL staticPodURLHeader streamingConnectionIdleTimeout syncFrequency systemCgroups
    systemReserved systemReservedCgroup tlsCertFile tlsCipherSuites tlsMinVersion tlsPrivateKeyFile
    topologyManagerPolicy topologyManagerPolicyOptions topologyManagerScope tracing userNamespaces volumePluginDir
    volumeStatsAggPeriod
    """.split()  # noqa: SIM905 - names, one after the other
)
