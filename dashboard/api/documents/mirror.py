"""Clusters, explanations and decisions as the API answers them; docs/api.md explains every field."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired

from pydantic import WithJsonSchema
from typing_extensions import TypedDict


class ErrorParts(TypedDict):
    """A code for programs, a sentence that says what is wrong, the parameter, field or path, and what to do."""

    code: str
    what: str
    where: str
    remedy: str


class Error(TypedDict):
    """Any answer that is no success."""

    error: ErrorParts


# ruff: noqa: UP013 - names in camel case are no attributes of classes here


# `dashboard.api.site` puts the schemas of the documents in their places.
EXPLANATION, POD_GROUP = "ExplanationDocument", "PodGroupDocument"
Explanation = Annotated[dict[str, Any], WithJsonSchema({"type": "object", "title": EXPLANATION})]
GroupAttempted = Annotated[dict[str, Any], WithJsonSchema({"type": "object", "title": POD_GROUP})]

UncertaintyInWords = TypedDict(
    "UncertaintyInWords",
    {
        "kind": Literal[
            "uncomputed-field",
            "uncomputed-object",
            "foreign-plugin",
            "extender",
            "resource-quota",
            "not-computed",
            "possible-error",
        ],
        "sentence": str,
        # Of a plugin, and of the field of the pod that it decides by.
        "plugin": NotRequired[str],
        # Of one that may fail on a node.
        "node": NotRequired[str],
        "field": NotRequired[str],
        # Of an extender.
        "urlPrefix": NotRequired[str],
        "resources": NotRequired[list[str]],
        "ignorable": NotRequired[bool],
        # Of an answer that failed: what Berth's log has the error under.
        "reference": NotRequired[str],
        # Of an object that is not computed.
        "objectKind": NotRequired[str],
        # Of that object, and of a ResourceQuota.
        "namespace": NotRequired[str],
        "name": NotRequired[str],
    },
)


# ruff: noqa: UP013 - names in camel case are no attributes of classes here


State = TypedDict(
    "State",
    {
        "name": str,
        "kubeVersion": str | None,
        "answeredAs": str,
        "featureGates": dict[str, bool],
        "releaseNotice": str | None,
        "source": str,
        "revision": int,
        "lastSync": str | None,
        "gaps": list[dict[str, Any]],
    },
)
ListedCluster = TypedDict(
    "ListedCluster",
    {
        "name": str,
        "kubeVersion": str | None,
        "answeredAs": str,
        "featureGates": dict[str, bool],
        "releaseNotice": str | None,
        "source": str,
        "revision": int,
        "lastSync": str | None,
        "gaps": list[dict[str, Any]],
        "nodes": int,
        "pods": int,
        "pendingPods": int,
        "page": str,
    },
)


FailingWorkload = TypedDict(
    "FailingWorkload",
    {
        "workload": dict[str, str],
        "fails": str,
        "missing": int | None,
        "sentence": str,
        "reason": str,
        "message": str,
        "since": str | None,
        "because": str | None,
        "refusal": dict[str, Any] | None,
        "nextTry": dict[str, Any] | None,
        "remedy": str,
        "page": str | None,
    },
)


class FailingWorkloads(TypedDict):
    """What controllers report of pods that they cannot create or delete, of rollouts and of Jobs."""

    cluster: State
    failures: list[FailingWorkload]


class Clusters(TypedDict):
    """The mirrored clusters by name."""

    clusters: list[ListedCluster]


class Words(TypedDict):
    """Sentences that stand beside an explanation; their wording may change."""

    verdict: str
    uncertainties: list[str]
    doubts: list[str]
    volumes: list[str]
    ways: list[str]
    circumstances: list[str]
    context: list[str]


Explained = TypedDict(
    "Explained",
    {
        "cluster": State,
        "page": str | None,
        "profile": str,
        "state": str,
        "nodeName": str | None,
        "terminations": list[dict[str, Any]],
        "reported": dict[str, Any] | None,
        "explanation": Explanation,
        "words": Words,
        "observed": dict[str, Any] | None,
        "admission": NotRequired[list[dict[str, Any]]],
    },
)
DecisionRow = TypedDict(
    "DecisionRow",
    {
        "id": int,
        "kind": str,
        "pod": dict[str, str],
        "workload": dict[str, str] | None,
        "schedulerName": str | None,
        "priority": int | None,
        "node": str | None,
        "message": str | None,
        "event": dict[str, Any] | None,
        "preemptor": dict[str, str] | None,
        "heardAt": str | None,
        "lastHeardAt": str | None,
        "reportedAt": str | None,
        "attempts": int,
        "verdict": str,
        "reason": str | None,
        "basis": dict[str, Any] | None,
        "judgedAt": str | None,
        "page": str,
        "explanation": NotRequired[Explanation | None],
    },
)


class Decisions(TypedDict):
    """A page of the journal; `next` is the cursor of the page after it, null at the end."""

    cluster: State
    decisions: list[DecisionRow]
    next: str | None


class OneDecision(TypedDict):
    """One decision with what Berth computed."""

    cluster: State
    decision: DecisionRow


class Agreement(TypedDict):
    """How often Berth agrees with the scheduler, by window, cluster and kind."""

    windows: dict[str, Any]
    clusters: list[dict[str, Any]]
    kinds: dict[str, Any]
    searches: dict[str, Any] | None
    page: str
