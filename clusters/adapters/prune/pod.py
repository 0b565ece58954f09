"""Pods: what the scheduler's plugins, disruption and the pages read of them."""

from __future__ import annotations

import re
from typing import Any

from clusters.adapters.prune.metadata import metadata
from clusters.adapters.prune.selectors import label_selector, node_selector, node_selector_term
from clusters.adapters.prune.shapes import (
    boolean,
    each,
    fields,
    integer,
    labels,
    quantities,
    quantity,
    short_text,
    small_integer,
    text,
    texts,
    then,
    timestamp,
    token,
)
from clusters.adapters.prune.volumes import inline_volume

_resources = fields(
    {
        "requests": quantities,
        "limits": quantities,
        "claims": each(fields({"name": token, "request": token})),
    }
)


def _without_plain_mounts(container: dict[str, Any]) -> dict[str, Any]:
    """Leave out mounts without options, which is all of them but for few."""
    mounts = [each for each in container.pop("volumeMounts", ()) if each]
    return {**container, "volumeMounts": mounts} if mounts else container


_container = then(
    fields(
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
            "volumeMounts": each(fields({"bindMountOptions": texts})),
        }
    ),
    _without_plain_mounts,
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
        "ephemeralContainers": each(fields({"name": token, "image": text})),
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


def _only_backoff(waiting: dict[str, Any]) -> dict[str, Any]:
    """Keep the kubelet's back-off of a message; of any other nothing, as those may quote the program."""
    told = _BACKOFF.match(waiting.pop("message", ""))
    return {**waiting, "message": told[0]} if told else waiting


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
                    "waiting": then(fields({"reason": token, "message": text}), _only_backoff),
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
