"""What a review says of spread constraints."""

from __future__ import annotations

from clusters.wording.messages import message

VIOLATED = message("Spread constraints violated: %(constraints)s of %(total)s.")
BLOCKING = message("DoNotSchedule: %(constraints)s.")
UNREADABLE = message("Pod templates with constraints that the API server would refuse: %(templates)s.")
