"""Owners of pods, services, budgets, classes and namespaces."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clusters.adapters.prune.metadata import metadata, path_metadata, template_metadata
from clusters.adapters.prune.pod import condition, pod_spec
from clusters.adapters.prune.selectors import label_selector
from clusters.adapters.prune.shapes import (
    Pruner,
    boolean,
    each,
    fields,
    integer,
    integer_or_text,
    labels,
    mapping,
    quantities,
    short_text,
    small_integer,
    text,
    then,
    timestamp,
    token,
)
from clusters.adapters.prune.volumes import claim_template

if TYPE_CHECKING:
    from collections.abc import Mapping

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
