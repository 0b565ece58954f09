"""What the data ring tells whoever listens; it knows none of them."""

from __future__ import annotations

from django.dispatch import Signal

# After the commit of an ingest. Arguments: cluster_id, revision, and changed: whether the revision is a new one.
snapshot_ready = Signal()
