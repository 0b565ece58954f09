"""Why quotas refuse an object, as typed values; ``message`` has the API server's words, of status 403 (Forbidden)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from clusters.engine.problems import Problem


@dataclass(frozen=True, slots=True)
class QuotaExceeded(Problem):
    """With the object more than ``limited`` would be used; amounts are quantities, in the order of ``resources``."""

    in_api_words: ClassVar[bool] = True

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

    in_api_words: ClassVar[bool] = True

    namespace: str
    quota: str
    message: str
    resources: tuple[str, ...]
    containers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class QuotaUncovered(Problem):
    """The API server limits ``resources`` by default, or else ``scopes``, and no quota of the namespace covers them.

    Of scopes its answer is an error of its own (status 500) instead of Forbidden.
    """

    in_api_words: ClassVar[bool] = True

    namespace: str
    message: str
    resources: tuple[str, ...]
    scopes: tuple[str, ...]


QuotaRefusal = QuotaExceeded | QuotaUnspecified | QuotaUncovered
