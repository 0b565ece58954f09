"""What is kept of each kind, of the scheduler's configuration, of a kubelet's and of quotas': an allow-list."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from clusters.adapters.bad_input import shown
from clusters.adapters.extenders import listed_address
from clusters.adapters.prune.shapes import (
    Pruner,
    WrongField,
    alike,
    among,
    boolean,
    each,
    fields,
    filled,
    holding,
    integer,
    integer_or_text,
    label_selector,
    labels,
    mapping,
    metadata,
    node_selector,
    node_selector_term,
    path_metadata,
    quantities,
    quantity,
    short_text,
    small_integer,
    taint,
    template_metadata,
    text,
    texts,
    then,
    timestamp,
    token,
)

# NodeDeclaredFeatures by name: it says which values of fields matter, all others of which stay outside.
from clusters.engine.plugins.node_declared_features import MLDSA_KEYS, PULLED_PROFILE
from clusters.engine.problems import BelowLeast, Missing, NotOneOf
from clusters.engine.versions import RELEASES, ExtensionPoint

if TYPE_CHECKING:
    from collections.abc import Mapping

# Volumes: the identities that volume plugins compare, never a secret's name or a driver's parameters.

# Pods: what the scheduler's plugins, disruption and the pages read of them.

_in_tree_sources = {
    "awsElasticBlockStore": fields({"volumeID": text, "partition": small_integer, "readOnly": boolean}),
    "azureDisk": fields({"diskName": text, "diskURI": text, "kind": token, "readOnly": boolean}),
    "azureFile": fields({"shareName": text, "readOnly": boolean}),
    "cinder": fields({"volumeID": text, "readOnly": boolean}),
    "gcePersistentDisk": fields({"pdName": text, "partition": small_integer, "readOnly": boolean}),
    "iscsi": fields({"targetPortal": text, "iqn": text, "lun": small_integer, "readOnly": boolean}),
    "portworxVolume": fields({"volumeID": text, "readOnly": boolean}),
    "rbd": fields({"monitors": each(text), "pool": text, "image": text, "readOnly": boolean}),
    "vsphereVolume": fields({"volumePath": text}),
}
_claim_spec = fields(
    {
        "accessModes": texts,
        "resources": fields({"requests": quantities, "limits": quantities}),
        "selector": label_selector,
        "storageClassName": token,
        "volumeAttributesClassName": token,
        "volumeMode": token,
        "volumeName": token,
    }
)
inline_volume = fields(
    {
        "name": token,
        "persistentVolumeClaim": fields({"claimName": token, "readOnly": boolean}),
        "ephemeral": fields({"volumeClaimTemplate": fields({"metadata": template_metadata, "spec": _claim_spec})}),
        "csi": fields({"driver": token, "readOnly": boolean}),
        # A drain asks whether a pod would lose local data.
        "emptyDir": fields({"medium": token, "sizeLimit": quantity}),
        # That they are on the node's own disks is all that matters, as the kubelet counts them.
        "configMap": fields({}),
        # Images that are mounted count for where images are already.
        "image": fields({"reference": text}),
        "gitRepo": fields({}),
        "hostPath": fields({}),
        # The kubelet has to know how to make such keys; of others nothing matters.
        "projected": holding({"sources": filled(holding({"podCertificate": holding({"keyType": among(MLDSA_KEYS)})}))}),
        **_in_tree_sources,
    }
)
persistent_volume_claim = fields(
    {
        "metadata": metadata,
        "spec": _claim_spec,
        "status": fields({"phase": token, "accessModes": texts, "capacity": quantities}),
    }
)
# What a StatefulSet makes the claims of its pods from.
claim_template = fields({"metadata": template_metadata, "spec": _claim_spec})
persistent_volume = fields(
    {
        "metadata": metadata,
        "spec": fields(
            {
                "accessModes": texts,
                "capacity": quantities,
                "claimRef": fields({"namespace": token, "name": token, "uid": token}),
                "csi": fields({"driver": token, "volumeHandle": text, "readOnly": boolean}),
                # That it is local is all that matters, not where on the node.
                "local": fields({}),
                "hostPath": fields({}),
                "nfs": fields({}),
                "nodeAffinity": fields({"required": node_selector}),
                "persistentVolumeReclaimPolicy": token,
                "storageClassName": token,
                "volumeAttributesClassName": token,
                "volumeMode": token,
                **_in_tree_sources,
            }
        ),
        "status": fields({"phase": token, "reason": token}),
    }
)
storage_class = fields(
    {
        "metadata": metadata,
        "provisioner": token,
        "reclaimPolicy": token,
        "volumeBindingMode": token,
        "allowVolumeExpansion": boolean,
        "allowedTopologies": each(fields({"matchLabelExpressions": each(fields({"key": token, "values": texts}))})),
    }
)
csi_node = fields(
    {
        "metadata": metadata,
        "spec": fields(
            {
                "drivers": each(
                    fields(
                        {
                            "name": token,
                            "nodeID": text,
                            "topologyKeys": texts,
                            "allocatable": fields({"count": small_integer}),
                        }
                    )
                )
            }
        ),
    }
)
csi_storage_capacity = fields(
    {
        "metadata": metadata,
        "capacity": quantity,
        "maximumVolumeSize": quantity,
        "nodeTopology": label_selector,
        "storageClassName": token,
    }
)
volume_attachment = fields(
    {
        "metadata": metadata,
        "spec": fields({"attacher": token, "nodeName": token, "source": fields({"persistentVolumeName": token})}),
        "status": fields({"attached": boolean}),
    }
)
csi_driver_spec = fields(
    {
        "attachRequired": boolean,
        "storageCapacity": boolean,
        "volumeLifecycleModes": texts,
        "nodeAllocatableUpdatePeriodSeconds": integer,
        "preventPodSchedulingIfMissing": boolean,
    }
)

_resources = alike(
    fields(
        {
            "requests": quantities,
            "limits": quantities,
            "claims": each(fields({"name": token, "request": token})),
        }
    )
)


# The kubelet has to know how to pull such profiles; of others nothing matters.
_security = holding({"seccompProfile": holding({"type": among((PULLED_PROFILE,))})})
_container = fields(
    {
        "name": token,
        "image": text,
        "ports": each(
            fields(
                {
                    "name": token,
                    "containerPort": small_integer,
                    "hostPort": small_integer,
                    "hostIP": token,
                    "protocol": token,
                }
            )
        ),
        "resources": _resources,
        "resizePolicy": each(fields({"resourceName": token, "restartPolicy": token})),
        "restartPolicy": token,
        "restartPolicyRules": each(fields({"action": token})),
        "securityContext": _security,
        # Those without options, which is all of them but for few, are left out.
        "volumeMounts": filled(fields({"bindMountOptions": texts})),
    }
)
_pod_affinity_term = fields(
    {
        "labelSelector": label_selector,
        "namespaceSelector": label_selector,
        "namespaces": texts,
        "topologyKey": token,
        "matchLabelKeys": texts,
        "mismatchLabelKeys": texts,
    }
)
_pod_affinity = fields(
    {
        "requiredDuringSchedulingIgnoredDuringExecution": each(_pod_affinity_term),
        "preferredDuringSchedulingIgnoredDuringExecution": each(
            fields({"weight": small_integer, "podAffinityTerm": _pod_affinity_term})
        ),
    }
)
node_affinity = fields(
    {
        "requiredDuringSchedulingIgnoredDuringExecution": node_selector,
        "preferredDuringSchedulingIgnoredDuringExecution": each(
            fields({"weight": small_integer, "preference": node_selector_term})
        ),
    }
)
spread_constraint = fields(
    {
        "maxSkew": small_integer,
        "minDomains": small_integer,
        "topologyKey": token,
        "whenUnsatisfiable": token,
        "labelSelector": label_selector,
        "matchLabelKeys": texts,
        "nodeAffinityPolicy": token,
        "nodeTaintsPolicy": token,
    }
)
pod_spec = fields(
    {
        # What quotas of the scopes Terminating and NotTerminating tell pods by.
        "activeDeadlineSeconds": integer,
        "affinity": fields(
            {"nodeAffinity": node_affinity, "podAffinity": _pod_affinity, "podAntiAffinity": _pod_affinity}
        ),
        "containers": each(_container),
        "initContainers": each(_container),
        "ephemeralContainers": each(fields({"name": token, "image": text, "securityContext": _security})),
        "hostNetwork": boolean,
        "hostUsers": boolean,
        "nodeName": token,
        "nodeSelector": labels,
        "os": fields({"name": token}),
        "overhead": quantities,
        "preemptionPolicy": token,
        "priority": small_integer,
        "priorityClassName": token,
        "resourceClaims": each(fields({"name": token, "resourceClaimName": token, "resourceClaimTemplateName": token})),
        "resources": _resources,
        "restartPolicy": token,
        "runtimeClassName": token,
        "schedulerName": token,
        "schedulingGates": each(fields({"name": token})),
        "schedulingGroup": fields({"podGroupName": token}),
        "securityContext": _security,
        "terminationGracePeriodSeconds": integer,
        "tolerations": each(
            fields({"key": token, "operator": token, "value": token, "effect": token, "tolerationSeconds": integer})
        ),
        "topologySpreadConstraints": each(spread_constraint),
        "volumes": each(inline_volume),
        "workloadRef": fields({"name": token, "podGroup": token, "podGroupReplicaKey": token}),
    }
)
condition = fields(
    {
        "type": token,
        "status": token,
        "reason": token,
        "message": text,
        "lastTransitionTime": timestamp,
        "observedGeneration": integer,
    }
)
# What the kubelet says of a container that it restarts; the rest of its message names the pod.
_BACKOFF = re.compile(r"back-off [0-9hms.]+ restarting failed container")


def _backoff(value: Any) -> str | None:
    """Keep the kubelet's back-off of a message; of any other nothing, as those may quote the program."""
    told = _BACKOFF.match(text(value))
    return told and told[0]


_ended = fields({"reason": token, "exitCode": small_integer, "startedAt": timestamp, "finishedAt": timestamp})
_container_statuses = each(
    fields(
        {
            "name": token,
            "ready": boolean,
            "started": boolean,
            "restartCount": small_integer,
            "resources": _resources,
            "allocatedResources": quantities,
            # Why a container waits or ended, without messages that quote the program.
            "state": fields(
                {
                    "waiting": fields({"reason": token, "message": _backoff}),
                    "running": fields({"startedAt": timestamp}),
                    "terminated": _ended,
                }
            ),
            "lastState": fields({"terminated": _ended}),
        }
    )
)
_status = fields(
    {
        # Phases are single words; lists are sorted and filtered by an index that holds them.
        "phase": short_text(40),
        "reason": token,
        "message": text,
        "conditions": each(condition),
        "nominatedNodeName": token,
        "startTime": timestamp,
        "qosClass": token,
        "observedGeneration": integer,
        "resize": token,
        "resources": _resources,
        "allocatedResources": quantities,
        "containerStatuses": _container_statuses,
        "initContainerStatuses": _container_statuses,
        "resourceClaimStatuses": each(fields({"name": token, "resourceClaimName": token})),
        "nodeAllocatableResourceClaimStatuses": each(
            fields(
                {
                    "resourceClaimName": token,
                    "containers": texts,
                    "resources": quantities,
                    "mapping": each(fields({"name": token, "quantity": quantity})),
                    "overhead": each(fields({"name": token, "perPod": quantity, "perContainer": quantity})),
                }
            )
        ),
        "extendedResourceClaimStatus": fields(
            {
                "resourceClaimName": token,
                "requestMappings": each(fields({"containerName": token, "resourceName": token, "requestName": token})),
            }
        ),
    }
)
pod = fields({"metadata": metadata, "spec": pod_spec, "status": _status})

# Owners of pods, services, budgets, classes and namespaces.

# What the next pods are made of, and how the API server would answer to them.
_template = fields({"metadata": template_metadata, "spec": pod_spec})
# How many pods an update may add and take away meanwhile, and from which ordinal on it goes.
_pace = fields({"maxSurge": integer_or_text, "maxUnavailable": integer_or_text, "partition": small_integer})
_strategy = fields({"type": token, "rollingUpdate": _pace})
_replicas = {"replicas": small_integer, "readyReplicas": small_integer, "observedGeneration": integer}
# What goes wrong with pods that are not there: without the times that change with every attempt.
_conditions = each(
    fields({"type": token, "status": token, "reason": token, "message": text, "lastTransitionTime": timestamp})
)


def _owner(selector: Pruner, status: Mapping[str, Pruner] | None = None, **spec: Pruner) -> Pruner:
    """Build the allow-list of something that keeps replicas: how many, and by which labels it knows them."""
    return fields(
        {
            "metadata": metadata,
            "spec": fields({"replicas": small_integer, "selector": selector, "template": _template, **spec}),
            "status": fields({**_replicas, "conditions": _conditions, **(status or {})}),
        }
    )


def _without_owned_template(document: dict[str, Any]) -> dict[str, Any]:
    """Leave out the pods' spec of a ReplicaSet that its Deployment has as well, and of which old ones are kept."""
    owners = (document.get("metadata") or {}).get("ownerReferences") or ()
    template = (document.get("spec") or {}).get("template")
    if template and any(owner.get("controller") for owner in owners):
        template.pop("spec", None)
    return document


replica_set = then(_owner(label_selector), _without_owned_template)
replication_controller = _owner(labels)
deployment = _owner(label_selector, strategy=_strategy, paused=boolean, progressDeadlineSeconds=small_integer)
stateful_set = _owner(
    label_selector,
    # Which of its pods are of the template as it is.
    {"updateRevision": token},
    updateStrategy=_strategy,
    podManagementPolicy=token,
    ordinals=fields({"start": small_integer}),
    volumeClaimTemplates=each(claim_template),
)
daemon_set = fields(
    {
        "metadata": metadata,
        "spec": fields({"updateStrategy": _strategy, "template": _template}),
        "status": fields({"desiredNumberScheduled": small_integer}),
    }
)
# Which failed pods of a Job count: by the exit code of a container, or by a condition.
_failure_rule = fields(
    {
        "action": token,
        "onExitCodes": fields({"containerName": token, "operator": token, "values": each(small_integer)}),
        "onPodConditions": each(fields({"type": token, "status": token})),
    }
)
# Indexes of a Job: as many as there are, so in a text of any length.
_success_rule = fields({"succeededIndexes": text, "succeededCount": small_integer})
job = fields(
    {
        "metadata": metadata,
        "spec": fields(
            {
                "parallelism": small_integer,
                "completions": small_integer,
                "completionMode": token,
                "suspend": boolean,
                "backoffLimit": small_integer,
                "backoffLimitPerIndex": small_integer,
                "maxFailedIndexes": small_integer,
                "podFailurePolicy": fields({"rules": each(_failure_rule)}),
                "podReplacementPolicy": token,
                "successPolicy": fields({"rules": each(_success_rule)}),
                "managedBy": token,
                "activeDeadlineSeconds": integer,
                "template": _template,
            }
        ),
        "status": fields(
            {
                "succeeded": small_integer,
                "failed": small_integer,
                "completedIndexes": text,
                "failedIndexes": text,
                "startTime": timestamp,
                "conditions": _conditions,
            }
        ),
    }
)
cron_job = fields(
    {
        "metadata": metadata,
        "spec": fields(
            {
                "suspend": boolean,
                "schedule": short_text(400),
                "timeZone": token,
                "startingDeadlineSeconds": integer,
                "concurrencyPolicy": token,
            }
        ),
        "status": fields({"lastScheduleTime": timestamp, "active": each(fields({"name": token}))}),
    }
)
service = fields({"metadata": metadata, "spec": fields({"selector": labels})})
namespace = fields({"metadata": metadata, "status": fields({"phase": token})})
priority_class = fields(
    {
        "metadata": metadata,
        "value": small_integer,
        "globalDefault": boolean,
        "preemptionPolicy": token,
        "description": text,
    }
)
runtime_class = fields(
    {
        "metadata": metadata,
        "handler": token,
        "overhead": fields({"podFixed": quantities}),
        "scheduling": fields(
            {
                "nodeSelector": labels,
                "tolerations": each(
                    fields(
                        {
                            "key": token,
                            "operator": token,
                            "value": token,
                            "effect": token,
                            "tolerationSeconds": integer,
                        }
                    )
                ),
            }
        ),
    }
)
pod_disruption_budget = fields(
    {
        "metadata": path_metadata,
        "spec": fields(
            {
                "minAvailable": integer_or_text,
                "maxUnavailable": integer_or_text,
                "selector": label_selector,
                "unhealthyPodEvictionPolicy": token,
            }
        ),
        "status": fields(
            {
                "conditions": each(condition),
                "currentHealthy": small_integer,
                "desiredHealthy": small_integer,
                "disruptionsAllowed": small_integer,
                "disruptedPods": mapping(timestamp),
                "expectedPods": small_integer,
                "observedGeneration": integer,
            }
        ),
    }
)
limit_range = fields(
    {
        "metadata": metadata,
        "spec": fields(
            {
                "limits": each(
                    fields(
                        {
                            "type": token,
                            "default": quantities,
                            "defaultRequest": quantities,
                            "max": quantities,
                            "min": quantities,
                            "maxLimitRequestRatio": quantities,
                        }
                    )
                )
            }
        ),
    }
)
resource_quota = fields(
    {
        "metadata": metadata,
        "spec": fields(
            {
                "hard": quantities,
                "scopes": each(token),
                "scopeSelector": fields(
                    {"matchExpressions": each(fields({"scopeName": token, "operator": token, "values": each(token)}))}
                ),
            }
        ),
        "status": fields({"hard": quantities, "used": quantities}),
    }
)

# Workloads and groups of pods of scheduling.k8s.io.
#
# Whatever version an object is of, it is kept in the shape of v1beta1: v1alpha2 has the disruption mode as a word,
# and the template that a PodGroup was made of within ``podGroupTemplateRef``. The pod groups of a v1alpha1 Workload
# stay what they are: pods of 1.35 belong to them.

# How deep CompositePodGroups may lie within each other.
_DEEPEST = 4
_MODES = {"Pod": "single", "PodGroup": "all"}


def _count(value: Any) -> int:
    """Keep a number of members, which is at least one."""
    number = small_integer(value)
    if number < 1:
        raise WrongField(BelowLeast(shown(value), 1))
    return number


def _policy(least: str) -> Pruner:
    """Build a pruner of a policy whose gang has a number of that name."""

    def with_number(gang: dict[str, Any]) -> dict[str, Any]:
        if least not in gang:
            raise WrongField(Missing()).within(least)
        return gang

    return fields({"basic": fields({}), "gang": then(fields({least: _count}), with_number)})


def _disruption_mode(value: Any) -> dict[str, Any]:
    """Keep a disruption mode; a word of v1alpha2 as the map that stands for it later."""
    if type(value) is not str:
        kept: dict[str, Any] = fields({"single": fields({}), "all": fields({})})(value)
        return kept
    if value not in _MODES:
        raise WrongField(NotOneOf(shown(value), tuple(_MODES)))
    return {_MODES[value]: {}}


_constraints = fields({"topology": each(fields({"key": token}))})
_claims = each(fields({"name": token, "resourceClaimName": token, "resourceClaimTemplateName": token}))
_shared: dict[str, Pruner] = {
    "schedulingConstraints": _constraints,
    "disruptionMode": _disruption_mode,
    "priorityClassName": token,
    "priority": small_integer,
    "preemptionPolicy": token,
}
_of_pods: dict[str, Pruner] = {**_shared, "schedulingPolicy": _policy("minCount"), "resourceClaims": _claims}
_of_groups: dict[str, Pruner] = {**_shared, "schedulingPolicy": _policy("minGroupCount")}
_pod_groups_template = fields({"name": token, **_of_pods})


def _composite_templates(deep: int) -> Pruner:
    """Build a pruner of CompositePodGroup templates that may hold others, so many levels of them."""
    within = {"compositePodGroupTemplates": _composite_templates(deep - 1)} if deep > 1 else {}
    return each(fields({"name": token, **_of_groups, "podGroupTemplates": each(_pod_groups_template), **within}))


workload = fields(
    {
        "metadata": metadata,
        "spec": fields(
            {
                "controllerRef": fields({"apiGroup": token, "kind": token, "name": token}),
                "podGroups": each(fields({"name": token, "policy": _policy("minCount")})),
                "podGroupTemplates": each(_pod_groups_template),
                "compositePodGroupTemplates": _composite_templates(_DEEPEST),
            }
        ),
    }
)
_reference = fields({"workloadName": token, "templateName": token})


def _with_reference(spec: dict[str, Any]) -> dict[str, Any]:
    """A spec with the template of its group where v1beta1 has it."""
    found = (spec.pop("podGroupTemplateRef", None) or {}).get("workload")
    if not found:
        return spec
    named = {"workloadName": found.get("workloadName", ""), "templateName": found.get("podGroupTemplateName", "")}
    return {**spec, "workloadRef": named}


_template_reference = fields({"workload": fields({"workloadName": token, "podGroupTemplateName": token})})
_parts: dict[str, Pruner] = {"parentCompositePodGroupName": token, "workloadRef": _reference}
pod_group = fields(
    {
        "metadata": metadata,
        "spec": then(
            fields({**_of_pods, **_parts, "podGroupTemplateRef": _template_reference}),
            _with_reference,
        ),
        "status": fields(
            {
                "conditions": each(condition),
                "resourceClaimStatuses": each(fields({"name": token, "resourceClaimName": token})),
            }
        ),
    }
)
composite_pod_group = fields(
    {
        "metadata": metadata,
        "spec": fields({**_of_groups, **_parts}),
        "status": fields({"conditions": each(condition)}),
    }
)


# Groups of other batch systems: how many pods they need, their queue, what holds them, and what is reported of them.

_reported = fields({"phase": token, "conditions": each(condition)})


def _batch_group(**spec: Pruner) -> Pruner:
    return fields({"metadata": metadata, "spec": fields(spec), "status": _reported})


kueue_workload = _batch_group(
    active=boolean, queueName=token, podSets=each(fields({"name": token, "count": small_integer}))
)
volcano_pod_group = _batch_group(minMember=small_integer, queue=token)
coscheduling_pod_group = _batch_group(minMember=small_integer)
job_set = _batch_group(
    suspend=boolean,
    replicatedJobs=each(
        fields(
            {
                "name": token,
                "replicas": small_integer,
                "template": fields({"spec": fields({"parallelism": small_integer})}),
            }
        )
    ),
)
leader_worker_set = _batch_group(leaderWorkerTemplate=fields({"size": small_integer}))


# Nodes, events and devices: what is kept of each.

# Nodes.

node = fields(
    {
        "metadata": metadata,
        "spec": fields(
            {
                "taints": each(taint),
                "unschedulable": boolean,
                "providerID": text,
                "podPreemptionPolicy": fields({"disableResizePreemption": texts}),
            }
        ),
        "status": fields(
            {
                "allocatable": quantities,
                "capacity": quantities,
                # Without lastHeartbeatTime, which would make every node look changed every few minutes.
                "conditions": each(condition),
                "declaredFeatures": texts,
                "images": each(fields({"names": each(text), "sizeBytes": integer})),
                "nodeInfo": fields(
                    {
                        "architecture": token,
                        "containerRuntimeVersion": token,
                        "kernelVersion": token,
                        "kubeletVersion": token,
                        "operatingSystem": token,
                        "osImage": token,
                    }
                ),
                "volumesAttached": each(fields({"name": text})),
                "volumesInUse": each(text),
            }
        ),
    }
)

# Events of both APIs; they differ in the names of half their fields.

# Together they fit into an entry of PostgreSQL's index, which takes 2,704 bytes.
_claim_reference = fields({"kind": short_text(63), "namespace": short_text(63), "name": short_text(253), "uid": token})
_series = fields({"count": small_integer, "lastObservedTime": timestamp})

event = fields(
    {
        "metadata": path_metadata,
        "type": token,
        "reason": token,
        "action": token,
        "eventTime": timestamp,
        "series": _series,
        "related": _claim_reference,
        "reportingComponent": token,
        "reportingController": token,
        # core/v1
        "involvedObject": _claim_reference,
        "message": text,
        "count": small_integer,
        "firstTimestamp": timestamp,
        "lastTimestamp": timestamp,
        "source": fields({"component": token}),
        # events.k8s.io/v1
        "regarding": _claim_reference,
        "note": text,
        "deprecatedCount": small_integer,
        "deprecatedFirstTimestamp": timestamp,
        "deprecatedLastTimestamp": timestamp,
        "deprecatedSource": fields({"component": token}),
    }
)

# Dynamic resource allocation; a device's configuration is opaque to the scheduler and never kept.
#
# Whatever version an object is of, it is kept in the shape of resource.k8s.io/v1: v1beta1 has the body of a device
# under ``basic``, and what a request asks for in the request itself rather than under ``exactly``.

_selectors = each(fields({"cel": fields({"expression": text})}))
_amounts = mapping(
    fields(
        {
            "value": quantity,
            "requestPolicy": fields(
                {
                    "default": quantity,
                    "validValues": each(quantity),
                    "validRange": fields({"min": quantity, "max": quantity, "step": quantity}),
                }
            ),
        }
    )
)
_counters = mapping(fields({"value": quantity}))
_device: dict[str, Any] = {
    "attributes": mapping(
        fields(
            {
                "bool": boolean,
                "bools": each(boolean),
                "int": integer,
                "ints": each(integer),
                "string": text,
                "strings": texts,
                "version": token,
                "versions": texts,
            }
        )
    ),
    "capacity": _amounts,
    "consumesCounters": each(fields({"counterSet": token, "counters": _counters, "compatibilityGroups": texts})),
    "nodeAllocatableResources": mapping(
        fields(
            {
                "mapping": fields({"capacityKey": token, "capacityMultiplier": quantity, "deviceMultiplier": quantity}),
                "overhead": fields({"perPod": quantity, "perContainer": quantity}),
            }
        )
    ),
    "nodeAllocatableResourceMappings": mapping(fields({"capacityKey": token, "allocationMultiplier": quantity})),
    "taints": each(taint),
    "nodeName": token,
    "nodeSelector": node_selector,
    "allNodes": boolean,
    "allowMultipleAllocations": boolean,
    "bindsToNode": boolean,
    "bindingConditions": texts,
    "bindingFailureConditions": texts,
}


def _device_of_v1(given: dict[str, Any]) -> dict[str, Any]:
    """A device whose body is where v1 has it."""
    body = given.pop("basic", None)
    return given if body is None else {**given, **body}


resource_slice = fields(
    {
        "metadata": metadata,
        "spec": fields(
            {
                "driver": token,
                "nodeName": token,
                "nodeSelector": node_selector,
                "allNodes": boolean,
                "perDeviceNodeSelection": boolean,
                "skipNodeOperations": texts,
                "pool": fields({"name": token, "generation": integer, "resourceSliceCount": integer}),
                "devices": each(then(fields({"name": token, "basic": fields(_device), **_device}), _device_of_v1)),
                "sharedCounters": each(fields({"name": token, "counters": _counters})),
            }
        ),
    }
)
_toleration = fields({"key": token, "operator": token, "value": token, "effect": token, "tolerationSeconds": integer})
_request: dict[str, Any] = {
    "adminAccess": boolean,
    "allocationMode": token,
    "capacity": fields({"requests": mapping(quantity)}),
    "count": integer,
    "derivedAttributes": each(fields({"name": token, "expression": text})),
    "deviceClassName": token,
    "selectors": _selectors,
    "tolerations": each(_toleration),
}
_subrequests = each(fields({"name": token, **_request}))


def _request_of_v1(given: dict[str, Any]) -> dict[str, Any]:
    """A request with what it is for under ``exactly``, unless it has alternatives."""
    own = {name: given.pop(name) for name in _request if name in given}
    return {**given, "exactly": own} if own and not {"exactly", "firstAvailable"} & given.keys() else given


_device_claim_spec = fields(
    {
        "devices": fields(
            {
                "requests": each(
                    then(
                        fields(
                            {"name": token, "exactly": fields(_request), "firstAvailable": _subrequests, **_request}
                        ),
                        _request_of_v1,
                    )
                ),
                "constraints": each(fields({"requests": texts, "matchAttribute": token, "distinctAttribute": token})),
            }
        )
    }
)
resource_claim = fields(
    {
        "metadata": metadata,
        "spec": _device_claim_spec,
        "status": fields(
            {
                "allocation": fields(
                    {
                        "allocationTimestamp": timestamp,
                        "nodeSelector": node_selector,
                        "devices": fields(
                            {
                                "results": each(
                                    fields(
                                        {
                                            "request": token,
                                            "driver": token,
                                            "pool": token,
                                            "device": token,
                                            "adminAccess": boolean,
                                            "shareID": token,
                                            "consumedCapacity": mapping(quantity),
                                            "tolerations": each(_toleration),
                                            "bindingConditions": texts,
                                            "bindingFailureConditions": texts,
                                            "skipNodeOperations": texts,
                                        }
                                    )
                                )
                            }
                        ),
                    }
                ),
                "devices": each(
                    fields(
                        {
                            "driver": token,
                            "pool": token,
                            "device": token,
                            "conditions": each(fields({"type": token, "status": token})),
                        }
                    )
                ),
                "reservedFor": each(fields({"apiGroup": token, "resource": token, "name": token, "uid": token})),
            }
        ),
    }
)
resource_claim_template = fields({"metadata": metadata, "spec": fields({"spec": _device_claim_spec})})
device_taint_rule = fields(
    {
        "metadata": metadata,
        "spec": fields(
            {
                "deviceSelector": fields(
                    {
                        "deviceClassName": token,
                        "driver": token,
                        "pool": token,
                        "device": token,
                        "selectors": _selectors,
                    }
                ),
                "taint": taint,
            }
        ),
    }
)
device_class = fields({"metadata": metadata, "spec": fields({"selectors": _selectors, "extendedResourceName": token})})


# The scheduler's configuration; addresses, credentials and arguments of foreign plugins stay outside.

_weighted = each(fields({"name": token, "weight": small_integer}))
_plugin_set = fields({"enabled": _weighted, "disabled": _weighted})
_shape = each(fields({"utilization": small_integer, "score": small_integer}))
_of_releases = [release.configuration for release in RELEASES.values()]
_extension_points = (
    *map(str, ExtensionPoint),
    "multiPoint",
    *dict.fromkeys(name for each_one in _of_releases for name in each_one.plugin_sets),
)
_percentages = {
    "percentageOfNodesToScore": small_integer,
    **{name: small_integer for each_one in _of_releases for name in each_one.percentages},
}
# The arguments of all in-tree plugins together; their names do not collide.
_arguments = fields(
    {
        "apiVersion": token,
        "kind": token,
        "addedAffinity": node_affinity,
        "bindTimeoutSeconds": small_integer,
        "bindingTimeout": token,
        "defaultConstraints": each(spread_constraint),
        "defaultingType": token,
        "filterTimeout": token,
        "hardPodAffinityWeight": small_integer,
        "ignorePreferredTermsOfExistingPods": boolean,
        "ignoredResourceGroups": texts,
        "ignoredResources": texts,
        "minCandidateNodesAbsolute": small_integer,
        "minCandidateNodesPercentage": small_integer,
        "resources": _weighted,
        "scoringStrategy": fields(
            {"type": token, "resources": _weighted, "requestedToCapacityRatio": fields({"shape": _shape})}
        ),
        "shape": _shape,
    }
)
scheduler_configuration = fields(
    {
        **_percentages,
        "parallelism": small_integer,
        "podInitialBackoffSeconds": integer,
        "podMaxBackoffSeconds": integer,
        "profiles": each(
            fields(
                {
                    "schedulerName": token,
                    **_percentages,
                    "plugins": fields(dict.fromkeys(_extension_points, _plugin_set)),
                    "pluginConfig": each(fields({"name": token, "args": _arguments})),
                }
            )
        ),
        # Where extenders listen matters only if they may be asked; their credentials stay outside all the same.
        "extenders": each(
            fields(
                {
                    "urlPrefix": then(text, listed_address),
                    "enableHTTPS": boolean,
                    "httpTimeout": token,
                    "tlsConfig": fields({"insecure": boolean, "serverName": token, "caFile": text, "caData": text}),
                    "filterVerb": token,
                    "prioritizeVerb": token,
                    "preemptVerb": token,
                    "bindVerb": token,
                    "weight": small_integer,
                    "ignorable": boolean,
                    "nodeCacheCapable": boolean,
                    "managedResources": each(fields({"name": token, "ignoredByScheduler": boolean})),
                }
            )
        ),
    }
)
# What KubeletSettings reads.
_signals = mapping(short_text(100))
kubelet_configuration = fields(
    {
        "cpuCFSQuota": boolean,
        "enforceNodeAllocatable": texts,
        "evictionHard": _signals,
        "evictionMaxPodGracePeriod": small_integer,
        "evictionMinimumReclaim": _signals,
        "evictionPressureTransitionPeriod": token,
        "evictionSoft": _signals,
        "evictionSoftGracePeriod": _signals,
        "imageGCHighThresholdPercent": small_integer,
        "imageGCLowThresholdPercent": small_integer,
        "imageMaximumGCAge": token,
        "imageMinimumGCAge": token,
        "kubeReserved": _signals,
        "mergeDefaultEvictionSettings": boolean,
        "shutdownGracePeriod": token,
        "shutdownGracePeriodByPodPriority": each(
            fields({"priority": small_integer, "shutdownGracePeriodSeconds": integer})
        ),
        "shutdownGracePeriodCriticalPods": token,
        "systemReserved": _signals,
    }
)
quota_configuration = fields(
    {
        "limitedResources": each(
            fields(
                {
                    "apiGroup": token,
                    "resource": token,
                    "matchContains": texts,
                    "matchScopes": each(fields({"scopeName": token, "operator": token, "values": texts})),
                }
            )
        )
    }
)
