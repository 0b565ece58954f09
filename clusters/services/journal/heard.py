"""What a watcher heard, as the judge of decisions takes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clusters.adapters.rows import Row
    from clusters.services.journal.ledger import PodFact


class Heard(NamedTuple):
    """One change as it was heard, none left out: of an object's states a batch writes only the last."""

    kind: str
    uid: str
    version: str
    # None of an object that is gone.
    row: Row | None
    # By the monotonic clock.
    moment: float


class HeardBatch(NamedTuple):
    """What judging needs of a batch that the writer committed; no list, which may be as large as the cluster."""

    # Changes of kinds that were not listed in the same batch; None where some are missing.
    heard: list[Heard] | None
    # The objects that the batch replaced or removed as they were, by kind and UID.
    before: Mapping[str, Mapping[str, Mapping[str, Any]]]
    facts: list[PodFact]
    revision: int
