"""The scheduler's configuration; addresses, credentials and arguments of foreign plugins stay outside.

And what the API server limits by default, and what kubelets decide by.
"""

from __future__ import annotations

from clusters.adapters.extenders import listed_address
from clusters.adapters.prune.pods import node_affinity, spread_constraint
from clusters.adapters.prune.shapes import (
    boolean,
    each,
    fields,
    integer,
    mapping,
    short_text,
    small_integer,
    text,
    texts,
    then,
    token,
)

_weighted = each(fields({"name": token, "weight": small_integer}))
_plugin_set = fields({"enabled": _weighted, "disabled": _weighted})
_shape = each(fields({"utilization": small_integer, "score": small_integer}))
_extension_points = (
    "preEnqueue",
    "queueSort",
    "preFilter",
    "filter",
    "postFilter",
    "preScore",
    "score",
    "reserve",
    "permit",
    "preBind",
    "bind",
    "postBind",
    "multiPoint",
    # Of groups of pods, from 1.36 and 1.37 on.
    "placementGenerate",
    "placementScore",
    "podGroupPostFilter",
)
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
        "percentageOfNodesToScore": small_integer,
        "parallelism": small_integer,
        "podInitialBackoffSeconds": integer,
        "podMaxBackoffSeconds": integer,
        "profiles": each(
            fields(
                {
                    "schedulerName": token,
                    "percentageOfNodesToScore": small_integer,
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
