"""Why the API server does not create an object that a controller asks for; ``message`` has the API server's words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from clusters.engine.problems import Problem
from clusters.engine.quotas.problems import QuotaRefusal


@dataclass(frozen=True, slots=True)
class LimitRangeRefusal(Problem):
    """A pod or claim does not keep bounds of a LimitRange on ``resources``; status 403 (Forbidden)."""

    in_api_words: ClassVar[bool] = True

    namespace: str
    limit_range: str
    message: str
    resources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class InvalidDefaults(Problem):
    """The defaults of LimitRanges make a pod invalid: requests of ``resources`` exceed limits; status 422 (Invalid)."""

    in_api_words: ClassVar[bool] = True

    namespace: str
    message: str
    resources: tuple[str, ...]


CreationRefusal = QuotaRefusal | LimitRangeRefusal | InvalidDefaults
