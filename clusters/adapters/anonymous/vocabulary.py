"""Words that stay as they are: those of Kubernetes' own API, by list, and amounts and times by their form.

Whatever is not here is taken for a name that somebody gave.
"""

from __future__ import annotations

import re
from typing import Final

from clusters.adapters.schema.types import all_words
from clusters.engine.versions import RELEASES


def _words_of(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Values of the API's fields: those of its schema, and what statuses, reasons and arguments hold beside them.
WORDS: Final = all_words() | _words_of(
    """
    ABAC AllocationMode Allocatable Balanced Bound Burstable Completed ContainersReady DeletionByTaintManager
    DisruptionAllowed DisruptionTarget DiskPressure EvictionByEvictionAPI ForceTerminated Guaranteed Initialized
    InsufficientPods KubeletNotReady KubeletReady Lost Memory MemoryPressure NetworkUnavailable NodeStatusUnknown
    NotReady PIDPressure Pending Persistent Ephemeral PodResizeInProgress PodResizePending PodReadyToStartContainers
    PodScheduled PreemptionByScheduler Preempting Ready Released Available Running SchedulerError SchedulingGated
    Succeeded SufficientPods SyncFailed TerminationByKubelet Active Unschedulable Infeasible Deferred Proposed
    InProgress HugePages HugePages-2Mi HugePages-1Gi LeastAllocated MostAllocated RequestedToCapacityRatio List
    System CompositePodGroup DaemonSet Deployment Job CronJob Node PodGroup ReplicaSet ReplicationController
    StatefulSet Workload ResourceClaim KubeSchedulerConfiguration metadata.name pods v1 apps/v1 batch/v1 apps batch
    """
)
# Names that every cluster has, and values that say nothing about whose it is.
NAMES: Final = _words_of(
    """
    amd64 arm64 linux windows true false yes no *
    default kube-system kube-public kube-node-lease default-scheduler
    system-cluster-critical system-node-critical
    0.0.0.0 127.0.0.1 ::
    """
)
PLUGINS: Final = frozenset(name for release in RELEASES.values() for name in release.points)
# What the arguments of plugins call themselves.
PLUGIN_ARGUMENTS: Final = frozenset(f"{name}Args" for name in PLUGINS)
API_VERSION: Final = re.compile(r"(?:[a-z.]+\.k8s\.io|policy|autoscaling)(?:/v\d+(?:(?:alpha|beta)\d+)?)?")

LABEL_KEYS: Final = _words_of(
    """
    kubernetes.io/hostname kubernetes.io/os kubernetes.io/arch kubernetes.io/metadata.name
    beta.kubernetes.io/os beta.kubernetes.io/arch beta.kubernetes.io/instance-type
    topology.kubernetes.io/zone topology.kubernetes.io/region
    failure-domain.beta.kubernetes.io/zone failure-domain.beta.kubernetes.io/region
    topology.gke.io/zone topology.ebs.csi.aws.com/zone topology.cinder.csi.openstack.org/zone
    node.kubernetes.io/instance-type node.kubernetes.io/windows-build
    node-role.kubernetes.io/control-plane node-role.kubernetes.io/worker
    node.kubernetes.io/exclude-from-external-load-balancers
    app.kubernetes.io/name app.kubernetes.io/instance app.kubernetes.io/component app.kubernetes.io/part-of
    app.kubernetes.io/managed-by app.kubernetes.io/version
    apps.kubernetes.io/pod-index statefulset.kubernetes.io/pod-name
    batch.kubernetes.io/controller-uid batch.kubernetes.io/job-name batch.kubernetes.io/job-completion-index
    controller-revision-hash pod-template-hash pod-template-generation controller-uid job-name
    """
)
TAINT_KEYS: Final = _words_of(
    """
    node.kubernetes.io/not-ready node.kubernetes.io/unreachable node.kubernetes.io/memory-pressure
    node.kubernetes.io/disk-pressure node.kubernetes.io/pid-pressure node.kubernetes.io/network-unavailable
    node.kubernetes.io/unschedulable node.kubernetes.io/out-of-service
    node.cloudprovider.kubernetes.io/uninitialized node-role.kubernetes.io/control-plane
    """
)
RESOURCES: Final = _words_of(
    """
    cpu memory ephemeral-storage storage pods nvidia.com/gpu amd.com/gpu intel.com/gpu
    attachable-volumes-aws-ebs attachable-volumes-gce-pd attachable-volumes-azure-disk attachable-volumes-cinder
    """
)
HUGE_PAGES: Final = re.compile(r"hugepages-\d+[KMGT]i")
RESOURCE_DOMAINS: Final = frozenset({"nvidia.com", "amd.com", "intel.com", "kubernetes.io"})
# Volume plugins that the scheduler knows by name, and the drivers that took over from those in Kubernetes' tree.
DRIVERS: Final = _words_of(
    """
    kubernetes.io/aws-ebs kubernetes.io/gce-pd kubernetes.io/azure-disk kubernetes.io/azure-file kubernetes.io/cinder
    kubernetes.io/vsphere-volume kubernetes.io/portworx-volume kubernetes.io/no-provisioner kubernetes.io/host-path
    ebs.csi.aws.com pd.csi.storage.gke.io disk.csi.azure.com file.csi.azure.com cinder.csi.openstack.org
    csi.vsphere.vmware.com pxd.portworx.com
    """
)
# Attributes and capacities of devices that Kubernetes defines or that mean the same everywhere.
ATTRIBUTES: Final = frozenset({"resource.kubernetes.io", "pcieRoot", "pciBusID", "memory", "cpu"})
# Of annotations only those that the volume plugins read.
ANNOTATIONS: Final = _words_of(
    """
    pv.kubernetes.io/bind-completed pv.kubernetes.io/bound-by-controller pv.kubernetes.io/provisioned-by
    storage.alpha.kubernetes.io/migrated-plugins
    storageclass.beta.kubernetes.io/is-default-class storageclass.kubernetes.io/is-default-class
    volume.beta.kubernetes.io/storage-class volume.beta.kubernetes.io/storage-provisioner
    volume.kubernetes.io/selected-node volume.kubernetes.io/storage-provisioner
    resource.kubernetes.io/extended-resource-claim
    """
)

INTEGER: Final = re.compile(r"[+-]?\d+")
PERCENTAGE: Final = re.compile(r"\d+%")
QUANTITY: Final = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+|[numkMGTPEK]i?)?")
TIME: Final = re.compile(r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)")
VERSION: Final = re.compile(r"v?\d+\.\d+(?:\.\d+)?")
