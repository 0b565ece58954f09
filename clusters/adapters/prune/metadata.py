"""Object metadata."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from clusters.adapters.bad_input import shown
from clusters.adapters.prune.shapes import (
    Pruner,
    WrongField,
    boolean,
    each,
    fields,
    integer,
    labels,
    text,
    texts,
    timestamp,
    token,
)
from clusters.engine.problems import NotAMap, NotAnObjectName, Problem
from clusters.problems.objects import NotADriverName, NotANamespaceName, NotAPathSegment, NotAUid

if TYPE_CHECKING:
    from collections.abc import Callable

# What volume plugins, the autoscaler's view of a drain and controllers read, and what LimitRanges have set. Recorded
# scheduling results are kept elsewhere, as observations.
_ANNOTATIONS = frozenset(
    {
        # Of a Job's pod: its index, and how many pods of that failed before it.
        "batch.kubernetes.io/job-completion-index",
        "batch.kubernetes.io/job-index-failure-count",
        "batch.kubernetes.io/job-index-ignored-failure-count",
        "cluster-autoscaler.kubernetes.io/safe-to-evict",
        # Of a ReplicaSet: by what its part of a Deployment that is scaled in a rollout is measured.
        "deployment.kubernetes.io/max-replicas",
        "kubernetes.io/limit-ranger",
        # Of a claim that kube-scheduler made for a pod's extended resources.
        "resource.kubernetes.io/extended-resource-claim",
        "storage.alpha.kubernetes.io/migrated-plugins",
        "storageclass.beta.kubernetes.io/is-default-class",
        "storageclass.kubernetes.io/is-default-class",
        "volume.beta.kubernetes.io/storage-class",
        "volume.beta.kubernetes.io/storage-provisioner",
    }
)
_ANNOTATION_PREFIXES = (
    "alibabacloud.com/gpu-",
    "pv.kubernetes.io/",
    "volume.kubernetes.io/",
)

_LABEL = r"[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?"
_NAMESPACE = re.compile(_LABEL)
_NAME = re.compile(r"(?=.{1,253}\Z)[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*")
_LONGEST_UID = 128


def _annotations(value: Any) -> dict[str, str]:
    if type(value) is not dict:
        raise WrongField(NotAMap(shown(value)))
    kept = {}
    for key, content in value.items():
        if type(key) is str and (key in _ANNOTATIONS or key.startswith(_ANNOTATION_PREFIXES)):
            try:
                kept[token(key)] = text(content)
            except WrongField as error:
                error.within(key)
                raise
    return kept


def _name(pattern: re.Pattern[str], wrong: Callable[[str], Problem]) -> Callable[[Any], str]:
    def check(value: Any) -> str:
        if type(value) is not str or not pattern.fullmatch(value):
            raise WrongField(wrong(shown(value)))
        return value

    return check


def _uid(value: Any) -> str:
    if type(value) is not str or not value or len(value) > _LONGEST_UID or not value.isprintable():
        raise WrongField(NotAUid(shown(value), _LONGEST_UID))
    return value


def _metadata(name: Callable[[Any], str]) -> Pruner:
    return fields(
        {
            "name": name,
            "namespace": _name(_NAMESPACE, NotANamespaceName),
            "uid": _uid,
            "labels": labels,
            "annotations": _annotations,
            "creationTimestamp": timestamp,
            "deletionTimestamp": timestamp,
            "resourceVersion": token,
            "generation": integer,
            "finalizers": texts,
            "ownerReferences": each(
                fields({"apiVersion": token, "kind": token, "name": token, "uid": token, "controller": boolean})
            ),
        }
    )


metadata = _metadata(_name(_NAME, NotAnObjectName))
# Of events and budgets, whose names the API server checks as parts of a path alone.
path_metadata = _metadata(_name(re.compile(r"(?!\.{1,2}\Z)[^/%\x00-\x1f\x7f]{1,253}"), NotAPathSegment))
# A CSI driver may have capitals in its name.
driver_metadata = _metadata(_name(re.compile(_NAME.pattern, re.IGNORECASE | re.ASCII), NotADriverName))
# Of a template: what its pods or claims will carry.
template_metadata = fields({"labels": labels})
