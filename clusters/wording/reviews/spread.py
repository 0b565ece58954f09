"""What a review says of spread constraints."""

from __future__ import annotations

from clusters.wording.messages import plural

NONE_VIOLATED = plural(
    "The %(constraints)s spread constraint is not violated.",
    "None of %(constraints)s spread constraints is violated.",
    by="constraints",
)
VIOLATED = plural(
    "%(constraints)s of %(total)s spread constraints is violated.",
    "%(constraints)s of %(total)s spread constraints are violated.",
    by="constraints",
)
BLOCKING = plural(
    "%(constraints)s of them acts as DoNotSchedule.", "%(constraints)s of them act as DoNotSchedule.", by="constraints"
)
UNREADABLE = plural(
    "%(templates)s pod template has constraints that the API server would refuse.",
    "%(templates)s pod templates have constraints that the API server would refuse.",
    by="templates",
)
