"""Volumes: the identities that volume plugins compare, never a secret's name or a driver's parameters."""

from __future__ import annotations

from clusters.adapters.prune.metadata import metadata, template_metadata
from clusters.adapters.prune.selectors import label_selector, node_selector
from clusters.adapters.prune.shapes import (
    boolean,
    each,
    fields,
    integer,
    quantities,
    quantity,
    small_integer,
    text,
    texts,
    token,
)

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
