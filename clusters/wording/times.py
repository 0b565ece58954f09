"""How long ago something was."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy

from clusters.wording.messages import message

AGO = message("%(age)s ago")
EARLIER = message("%(age)s earlier")
UNKNOWN: Final = gettext_lazy("unknown")
