"""What could not be computed, and what to do about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy

from clusters.wording.messages import message
from clusters.wording.resources import COUNTED, limit_sentence

if TYPE_CHECKING:
    from clusters.engine.scheduling import Failure

DEFECT: Final = gettext_lazy("Other pods are not affected. This is a defect of Berth: report it with that error.")
TRY_WHAT_IF: Final = gettext_lazy(
    "Other pods are not affected. Try the what-if without its unusual part, and report the error."
)


NOT_COMPUTED = message("Could not be computed: Berth's log has the error under %(reference)s.")


def error_of(failure: Failure) -> str:
    """Return the error itself, as Python names it; or which limit an explanation exceeds, and by what."""
    if failure.excess is None:
        return failure.error
    return f"{limit_sentence(failure.excess.measure)} {COUNTED(counted=failure.excess.counted)}"
