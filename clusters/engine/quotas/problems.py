"""Why quotas refuse an object, as typed values; ``message`` has the API server's words, of status 403 (Forbidden)."""

from __future__ import annotations

from dataclasses import dataclass

from clusters.engine.problems import Problem


@dataclass(frozen=True, slots=True)
class QuotaExceeded(Problem):
    """With the object more than ``limited`` would be used; amounts are quantities, in the order of ``resources``."""

    namespace: str
    quota: str
    message: str
    resources: tuple[str, ...]
    requested: tuple[str, ...]
    used: tuple[str, ...]
    limited: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class QuotaUnspecified(Problem):
    """The quota counts ``resources`` that ``containers`` of the pod do not specify."""

    namespace: str
    quota: str
    message: str
    resources: tuple[str, ...]
    containers: tuple[str, ...]


QuotaRefusal = QuotaExceeded | QuotaUnspecified
