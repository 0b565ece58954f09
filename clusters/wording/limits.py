"""How much computing one user may ask for."""

from __future__ import annotations

from clusters.wording.messages import plural

COMPUTING_USED_UP = plural(
    "Your requests took %(seconds)s second of computing within a minute, which is the limit for one user.",
    "Your requests took %(seconds)s seconds of computing within a minute, which is the limit for one user.",
    by="seconds",
)
CLASS_COMPUTING_USED_UP = plural(
    "The class has used %(seconds)s second of computing within a minute, its limit.",
    "The class has used %(seconds)s seconds of computing within a minute, its limit.",
    by="seconds",
)
ASK_AGAIN = plural("Ask again in %(seconds)s second.", "Ask again in %(seconds)s seconds.", by="seconds")
