"""Why pods are pending, in words."""

from __future__ import annotations

from django.utils.translation import gettext as _

from clusters.engine.analysis import Cause, Kind
from clusters.wording.conclusions import uncertainty_clauses


def cause_reason(cause: Cause) -> str:
    """Return the reason of a cause for a column of a table: the scheduler's words, gates, or what is not computed."""
    if cause.has_no_nodes:
        return _("no nodes")
    if cause.kind is Kind.VOLUME:
        return _("a volume is being provisioned")
    if cause.uncertainties:
        return uncertainty_clauses(cause.uncertainties)
    return cause.quoted
