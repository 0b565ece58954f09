"""What plugins do otherwise from one Kubernetes minor to the next, each by a name that its plugin reads."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one minor.

    ``features``: those of kubelets that NodeDeclaredFeatures looks at.
    ``names_taints``: TaintToleration's reason names the taint (until 1.34.1).
    ``counts_label_bytes``: of a label key or value that is too long it is said how many bytes it may have, and a key is
    called a label key (from 1.35).
    ``compares_unnamed_namespaces``: a namespaceSelector of the pod's own affinity terms that only excludes reaches
    every namespace (until 1.36), not those alone that it finds.
    ``balances_by_improvement``: NodeResourcesBalancedAllocation scores by how much the pod improves the balance of a
    node (from 1.36), not by the balance that there is with it.
    ``scores_image_volumes``: ImageLocality adds images that are mounted as volumes (from 1.36);
    ``counts_image_volumes``: and expects as much more of them (from 1.37).
    ``asks_nodes_about_portworx``: NodeVolumeLimits counts volumes of Portworx where the CSINode says that they have
    been migrated (until 1.35), not wherever there is a CSINode.
    ``asks_drivers_to_prevent``: NodeVolumeLimits rejects nodes without a CSI driver where the driver wants that
    (otherwise in 1.35 alone, where the gate VolumeLimitScaling is on).
    ``counts_whole_pods``: pods that are resized count as ``Counting.is_of_whole_pod`` says (from 1.37).
    ``scores_claims_by_position``: DynamicResources takes the allocations that it makes for those of the pod's first
    claims, and fails where a claim had devices before (1.35, until its patch 5).
    ``completes_pods_after_admission``: the API server derives what a pod requests and is limited to as a whole after
    LimitRanges gave its containers theirs (from 1.37).
    ``names_groups_in_workloads``: a pod names its group by a Workload, and a pod group of that (1.35 alone); from 1.36
    by a PodGroup.
    ``evaluates_groups_first``: of a group, pods are tried while enough can be reached, and preemption comes after all
    of them (from 1.37), not with each.
    ``tells_nodes_by_name``: a scheduler that starts is told of the nodes that are there by name, and searches them in
    that order, zone by zone in turn (until 1.34; later ones are told of these nodes in no order).
    ``takes_first_found``: of equally good nodes the first that a search found is taken (from 1.35), not a random one.
    ``names_preemptions``: the FailedScheduling text says where preemption makes room, and of how many pods (from 1.37).
    ``looks_at_victims_once``: of victims that have not started, the one that came first counts as started first (from
    1.37), not whichever a comparison looks at first.
    ``says_what_devices_lack``: DynamicResources' PostFilter has words for a pod whose claims it cannot free (until
    1.36).
    ``requeues_for_classes``: a DeviceClass that is added or changes requeues pods that NodeResourcesFit rejected, where
    classes stand for extended resources (from 1.35).
    ``requeues_for_deleted_claims``: a ResourceClaim that is deleted requeues pods that DynamicResources rejected (from
    1.37).
    """

    features: frozenset[str] = frozenset()
    names_taints: bool = True
    counts_label_bytes: bool = False
    compares_unnamed_namespaces: bool = True
    balances_by_improvement: bool = False
    scores_image_volumes: bool = False
    counts_image_volumes: bool = False
    asks_nodes_about_portworx: bool = True
    asks_drivers_to_prevent: bool = True
    counts_whole_pods: bool = False
    scores_claims_by_position: bool = False
    completes_pods_after_admission: bool = False
    names_groups_in_workloads: bool = True
    evaluates_groups_first: bool = False
    tells_nodes_by_name: bool = True
    takes_first_found: bool = False
    names_preemptions: bool = False
    looks_at_victims_once: bool = False
    says_what_devices_lack: bool = True
    requeues_for_classes: bool = False
    requeues_for_deleted_claims: bool = False
