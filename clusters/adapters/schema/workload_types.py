"""What the Kubernetes API of v1.34 says about what makes pods, and about budgets, priority and runtime classes.

Names and types as ``k8s.io/api`` of v1.34.1 has them, written as in ``pod.json``. The parts that are pods are
"anything" here: they are checked as pods.
"""

from __future__ import annotations

from typing import Final

from clusters.adapters.schema.pod_types import PodType


def _type(*required: str, **fields: str) -> PodType:
    return PodType(fields, required)


def _object(spec: str) -> PodType:
    return _type(apiVersion="string", kind="string", metadata="ObjectMeta", spec=spec, status="anything")


_REPLICATED: Final = {"replicas": "int32", "minReadySeconds": "int32", "selector": "LabelSelector"}
_UPDATED: Final = {"minReadySeconds": "int32", "revisionHistoryLimit": "int32", "selector": "LabelSelector"}
_TEMPLATED: Final = {"template": "PodTemplateSpec"}
_ROLLING: Final = {"maxSurge": "int-or-string", "maxUnavailable": "int-or-string"}

WORKLOAD_TYPES: Final[dict[str, PodType]] = {
    "DaemonSet": _object("DaemonSetSpec"),
    "DaemonSetSpec": _type(**_UPDATED, **_TEMPLATED, updateStrategy="DaemonSetUpdateStrategy"),
    "DaemonSetUpdateStrategy": _type(type="string", rollingUpdate="RollingUpdateDaemonSet"),
    "RollingUpdateDaemonSet": _type(**_ROLLING),
    "Deployment": _object("DeploymentSpec"),
    "DeploymentSpec": _type(
        **_REPLICATED,
        **_TEMPLATED,
        paused="boolean",
        progressDeadlineSeconds="int32",
        revisionHistoryLimit="int32",
        strategy="DeploymentStrategy",
    ),
    "DeploymentStrategy": _type(type="string", rollingUpdate="RollingUpdateDeployment"),
    "RollingUpdateDeployment": _type(**_ROLLING),
    "Job": _object("JobSpec"),
    "JobSpec": _type(
        **_TEMPLATED,
        activeDeadlineSeconds="int64",
        backoffLimit="int32",
        backoffLimitPerIndex="int32",
        completionMode="string",
        completions="int32",
        managedBy="string",
        manualSelector="boolean",
        maxFailedIndexes="int32",
        parallelism="int32",
        podFailurePolicy="PodFailurePolicy",
        podReplacementPolicy="string",
        selector="LabelSelector",
        successPolicy="SuccessPolicy",
        suspend="boolean",
        ttlSecondsAfterFinished="int32",
    ),
    "PodFailurePolicy": _type("rules", rules="[]PodFailurePolicyRule"),
    "PodFailurePolicyRule": _type(
        "action",
        action="string",
        onExitCodes="PodFailurePolicyOnExitCodesRequirement",
        onPodConditions="[]PodFailurePolicyOnPodConditionsPattern",
    ),
    "PodFailurePolicyOnExitCodesRequirement": _type(
        "operator", "values", containerName="string", operator="string", values="[]int32"
    ),
    "PodFailurePolicyOnPodConditionsPattern": _type("type", type="string", status="string"),
    "SuccessPolicy": _type("rules", rules="[]SuccessPolicyRule"),
    "SuccessPolicyRule": _type(succeededCount="int32", succeededIndexes="string"),
    "PersistentVolumeClaim": _object("PersistentVolumeClaimSpec"),
    "PodDisruptionBudget": _object("PodDisruptionBudgetSpec"),
    "PodDisruptionBudgetSpec": _type(
        maxUnavailable="int-or-string",
        minAvailable="int-or-string",
        selector="LabelSelector",
        unhealthyPodEvictionPolicy="string",
    ),
    "PodTemplateSpec": _type(metadata="anything", spec="anything"),
    "PriorityClass": _type(
        "value",
        apiVersion="string",
        description="string",
        globalDefault="boolean",
        kind="string",
        metadata="ObjectMeta",
        preemptionPolicy="string",
        value="int32",
    ),
    "ReplicaSet": _object("ReplicaSetSpec"),
    "ReplicaSetSpec": _type(**_REPLICATED, **_TEMPLATED),
    "RuntimeClass": _type(
        "handler",
        apiVersion="string",
        handler="string",
        kind="string",
        metadata="ObjectMeta",
        overhead="Overhead",
        scheduling="RuntimeClassScheduling",
    ),
    "Overhead": _type(podFixed="{}quantity"),
    "RuntimeClassScheduling": _type(nodeSelector="{}string", tolerations="[]Toleration"),
    "StatefulSet": _object("StatefulSetSpec"),
    "StatefulSetSpec": _type(
        **_REPLICATED,
        **_TEMPLATED,
        ordinals="StatefulSetOrdinals",
        persistentVolumeClaimRetentionPolicy="StatefulSetPersistentVolumeClaimRetentionPolicy",
        podManagementPolicy="string",
        revisionHistoryLimit="int32",
        serviceName="string",
        updateStrategy="StatefulSetUpdateStrategy",
        volumeClaimTemplates="[]PersistentVolumeClaim",
    ),
    "StatefulSetOrdinals": _type(start="int32"),
    "StatefulSetPersistentVolumeClaimRetentionPolicy": _type(whenDeleted="string", whenScaled="string"),
    "StatefulSetUpdateStrategy": _type(type="string", rollingUpdate="RollingUpdateStatefulSetStrategy"),
    "RollingUpdateStatefulSetStrategy": _type(maxUnavailable="int-or-string", partition="int32"),
}
