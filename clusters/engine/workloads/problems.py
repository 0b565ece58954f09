"""Why the API server refuses an object that a controller creates, as its answer says it.

What quotas and LimitRanges refuse stands with them: ``clusters.engine.quotas.problems`` and
``clusters.engine.admission.problems``. A field ``said`` has words of others.
"""

from __future__ import annotations

from dataclasses import dataclass

from clusters.engine.problems import Problem


@dataclass(frozen=True, slots=True)
class NoCoveringQuota(Problem):
    """Resources or scopes that are limited by default, as the API server is configured, and no quota covers them."""

    namespace: str
    said: str


@dataclass(frozen=True, slots=True)
class QuotaNotCounted(Problem):
    """The quota controller has not written yet what is used of ``resources``."""

    namespace: str
    quota: str
    resources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PodSecurityViolated(Problem):
    """The namespace enforces a Pod Security Standard, ``level:version``, that ``said`` violates."""

    namespace: str
    standard: str
    said: str


@dataclass(frozen=True, slots=True)
class WebhookDenied(Problem):
    """An admission webhook denies the request; ``said`` is empty without an explanation."""

    webhook: str
    said: str


@dataclass(frozen=True, slots=True)
class WebhookFailed(Problem):
    """An admission webhook that must answer could not be called, or answered nothing that can be used."""

    webhook: str
    said: str


@dataclass(frozen=True, slots=True)
class PolicyDenied(Problem):
    """A ValidatingAdmissionPolicy denies the request, by one of its bindings, empty where none is named."""

    policy: str
    binding: str
    said: str


@dataclass(frozen=True, slots=True)
class AbsentServiceAccount(Problem):
    """The ServiceAccount that the pod names does not exist."""

    namespace: str
    name: str


@dataclass(frozen=True, slots=True)
class AbsentPriorityClass(Problem):
    """The PriorityClass that the pod names does not exist."""

    name: str


@dataclass(frozen=True, slots=True)
class AbsentRuntimeClass(Problem):
    """The RuntimeClass that the pod names does not exist."""

    name: str


@dataclass(frozen=True, slots=True)
class InvalidField(Problem):
    """Validation refuses a field of an object of ``of_kind``."""

    of_kind: str
    field: str
    said: str


@dataclass(frozen=True, slots=True)
class NamespaceTerminating(Problem):
    """The namespace is being deleted."""

    namespace: str


@dataclass(frozen=True, slots=True)
class NamespaceGone(Problem):
    """The namespace does not exist."""

    namespace: str


@dataclass(frozen=True, slots=True)
class NotPermitted(Problem):
    """The controller's user may not create such objects."""

    user: str
    verb: str
    resource: str


@dataclass(frozen=True, slots=True)
class NodeSelectorConflict(Problem):
    """The pod's node selector conflicts with the one that the namespace's annotation adds, or is not allowed there."""

    namespace: str


@dataclass(frozen=True, slots=True)
class NameTaken(Problem):
    """An object of this name exists; ``is_leaving``: and is being deleted."""

    resource: str
    name: str
    is_leaving: bool


@dataclass(frozen=True, slots=True)
class Unclassified(Problem):
    """An answer of another form than those that are read."""

    said: str
