"""How much computing one user may ask for."""

from __future__ import annotations

from clusters.wording.messages import message, plural

A_MINUTE = message("At most %(most)s a minute.")
COMPUTING_A_MINUTE = plural(
    "At most %(seconds)s second of computing a minute.",
    "At most %(seconds)s seconds of computing a minute.",
    by="seconds",
)
ASK_AGAIN = plural("Ask again in %(seconds)s second.", "Ask again in %(seconds)s seconds.", by="seconds")
