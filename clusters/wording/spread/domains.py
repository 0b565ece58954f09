"""The domains of a spread constraint: how many pods each has, and whether the next pod is allowed in it."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy, pgettext, pgettext_lazy

from clusters.wording.amounts import grouped
from clusters.wording.messages import message

ALLOWED: Final = pgettext_lazy("next pod in a domain", "Allowed")
EXCEEDS: Final = pgettext_lazy("next pod in a domain", "Allowed; exceeds maxSkew")
NOT_ALLOWED: Final = pgettext_lazy("next pod in a domain", "Not allowed; exceeds maxSkew")
NOT_COUNTED: Final = pgettext_lazy("next pod in a domain", "Not counted")
EMPTY_VALUE: Final = gettext_lazy("(empty value)")
NO_CONTROLLER: Final = gettext_lazy("no controller")


OVER = message("%(pods)s over maxSkew", context="note beside a number of pods")


def not_counted() -> str:
    """Say beside a number of pods that their domain does not count."""
    return pgettext("note beside a number of pods", "not counted")


def scale(*, minimum: int, max_skew: int) -> str:
    """Say what the lines across the bars mean: the global minimum, and the most pods that a domain is allowed."""
    return _("Limit %(limit)s = minimum %(minimum)s + maxSkew %(max_skew)s.") % {
        "limit": grouped(minimum + max_skew),
        "minimum": grouped(minimum),
        "max_skew": grouped(max_skew),
    }


COUNTED_NODES = message("%(counted)s of %(nodes)s")
UNREADABLE = message("%(workload)s, %(pods)s: %(message)s")
