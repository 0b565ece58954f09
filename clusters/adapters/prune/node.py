"""Nodes."""

from __future__ import annotations

from clusters.adapters.prune.metadata import metadata
from clusters.adapters.prune.pod import condition
from clusters.adapters.prune.selectors import taint
from clusters.adapters.prune.shapes import boolean, each, fields, integer, quantities, text, texts, token

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
