"""What the data ring tells whoever listens; it knows none of them."""

from __future__ import annotations

from django.dispatch import Signal

# After the commit of an ingest or of a live cluster's batch. Arguments: cluster_id, revision, changed: whether the
# revision is a new one, and kinds: the names of the kinds that changed, empty where any may have.
snapshot_ready = Signal()
