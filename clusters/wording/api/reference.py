"""The reference of the API as a page."""

from __future__ import annotations

from clusters.wording.messages import message

PARAMETERS_CAPTION = message("Parameters of %(operation)s")
