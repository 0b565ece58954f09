"""How often Berth agrees with the scheduler: never a percentage where nothing was judged."""

from __future__ import annotations

from clusters.wording.messages import message, plural

WHOLE_JOURNAL = message("whole journal")
HOURS = message("%(hours)s h")
AGREES = message("Agrees (%(window)s)")
JUDGED = message("Judged (%(window)s)")
RATE = plural(
    "Agrees with the scheduler: %(rate)s of %(decisions)s decision (%(window)s).",
    "Agrees with the scheduler: %(rate)s of %(decisions)s decisions (%(window)s).",
    by="decisions",
)
NONE_JUDGED = message("No rate: no decision judged (%(window)s); observed: %(decisions)s.")
PLACES = message(
    "Of the latest %(decisions)s decisions that agree by where their search began, half left at most %(share)s of all "
    "places for its begin."
)
WITH_SHARE = message("%(number)s (%(share)s)")
