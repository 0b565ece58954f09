"""The day before the demo's present: a simulation that begins 24 hours earlier and ends in the cluster as it is shown.

``recorded_day`` runs it. What happens is in ``happenings``: nodes that come, are drained, get lost and fail,
Deployments that are scaled and rolled out, Jobs. What comes of that is decided by the engine alone.
"""

from __future__ import annotations

from clusters.demo.day.happenings import Happening, Incident
from clusters.demo.day.recording import Day, DayError, RecordedDecision, RecordedDeparture
from clusters.demo.day.simulating import recorded_day

__all__ = ["Day", "DayError", "Happening", "Incident", "RecordedDecision", "RecordedDeparture", "recorded_day"]
