"""What the data ring tells whoever listens; it knows none of them."""

from __future__ import annotations

from django.dispatch import Signal

# After the commit of an ingest, of a live cluster's batch, or of judgements on its decisions. Arguments: cluster_id,
# revision, changed: whether the revision is a new one, and kinds: the names of the kinds that changed, empty where any
# may have; Berth's own Decision is named like them.
snapshot_ready = Signal()
