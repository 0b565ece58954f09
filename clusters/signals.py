"""What the data ring tells whoever listens; it knows none of them."""

from __future__ import annotations

from django.dispatch import Signal

# After the commit of an ingest, of a live cluster's batch, or of judgements on its decisions. Arguments: cluster_id,
# revision, changed: whether the revision is a new one, and kinds: the names of the kinds that changed, empty where any
# may have; Berth's own Decision is named like them.
snapshot_ready = Signal()

# After the commit of anything that a run's page shows: more steps, another state. Arguments: run_id, cluster_id (None
# for a run on an empty cluster), study_id (None for a run by itself), state.
run_progressed = Signal()
