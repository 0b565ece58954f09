"""Nodes, events and devices: what is kept of each."""

from __future__ import annotations

from typing import Any

from clusters.adapters.prune.pods import condition
from clusters.adapters.prune.shapes import (
    boolean,
    each,
    fields,
    integer,
    mapping,
    metadata,
    node_selector,
    path_metadata,
    quantities,
    quantity,
    short_text,
    small_integer,
    taint,
    text,
    texts,
    then,
    timestamp,
    token,
)

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
_reference = fields({"kind": short_text(63), "namespace": short_text(63), "name": short_text(253), "uid": token})
_series = fields({"count": small_integer, "lastObservedTime": timestamp})

event = fields(
    {
        "metadata": path_metadata,
        "type": token,
        "reason": token,
        "action": token,
        "eventTime": timestamp,
        "series": _series,
        "related": _reference,
        "reportingComponent": token,
        "reportingController": token,
        # core/v1
        "involvedObject": _reference,
        "message": text,
        "count": small_integer,
        "firstTimestamp": timestamp,
        "lastTimestamp": timestamp,
        "source": fields({"component": token}),
        # events.k8s.io/v1
        "regarding": _reference,
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


_claim_spec = fields(
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
        "spec": _claim_spec,
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
resource_claim_template = fields({"metadata": metadata, "spec": fields({"spec": _claim_spec})})
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
