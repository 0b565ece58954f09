"""What could not be computed, and what to do about it."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

DEFECT: Final = gettext_lazy("The other pods are not affected. This is a defect of Berth: report it with that error.")
TRY_WHAT_IF: Final = gettext_lazy(
    "The other pods are not affected. Try a what-if without what is unusual about this one, and report the error."
)


def not_computed(reference: str) -> str:
    """Say that an explanation failed, and where its traceback is."""
    return _("Could not be computed: Berth's log has the error under %(reference)s.") % {"reference": reference}


def here(error: str) -> str:
    """Say which limit an explanation exceeds, in numbers."""
    return _("Here, %(error)s.") % {"error": error}
