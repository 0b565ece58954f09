"""Where the searches of a scheduler are, from one watcher to the next."""

from __future__ import annotations

from typing import Any

from django.db import models

from clusters.models.cluster import Cluster
from clusters.models.packed import packed, unpacked


class FollowedSearches(models.Model):
    """Where the next search of a cluster's scheduler can begin, as the watcher that ended last left it."""

    cluster = models.OneToOneField(Cluster, on_delete=models.CASCADE, related_name="followed_searches")
    # The newest decision that bound a pod, and was judged. When there is another one since, nothing is known any more.
    decision = models.BigIntegerField()
    parallelism = models.PositiveIntegerField()
    packed_state = models.BinaryField()

    def __str__(self) -> str:
        return str(self.cluster)

    @property
    def state(self) -> Any:
        """What `clusters.services.journal.judge` follows on from."""
        return unpacked(self.packed_state)

    @state.setter
    def state(self, document: Any) -> None:
        self.packed_state = packed(document)
