# ruff: noqa: UP013 - names in camel case are no attributes of classes here
"""ResourceQuotas as the API answers them; docs/api.md explains every field."""

from __future__ import annotations

from typing_extensions import TypedDict

from dashboard.api.documents.mirror import State


class QuotaResource(TypedDict):
    """A resource of a quota; amounts are quantities, `share` is what is used of what there is."""

    resource: str
    used: str
    hard: str
    share: float


class QuotaWorkload(TypedDict):
    """A workload; pods without a controller have none."""

    namespace: str
    kind: str
    name: str


class QuotaUserDocument(TypedDict):
    """What the pods of a workload use of a quota, and how many further ones like the largest it lets in.

    `more` is null where nothing that such a pod is charged for is bounded; `unspecified` names the resources that keep
    it out, as its containers do not specify them.
    """

    workload: QuotaWorkload | None
    pods: int
    used: dict[str, str]
    share: float
    more: int | None
    unspecified: list[str]


QuotaDocument = TypedDict(
    "QuotaDocument",
    {
        "namespace": str,
        "name": str,
        "scopes": list[str],
        "isExhausted": bool,
        "resources": list[QuotaResource],
        "users": list[QuotaUserDocument],
    },
)
Quotas = TypedDict(
    "Quotas",
    {
        "cluster": State,
        "total": int,
        "quotas": list[QuotaDocument],
        "podsCut": bool,
        "next": int | None,
    },
)
