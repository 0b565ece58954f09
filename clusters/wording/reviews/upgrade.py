"""What a review says of an upgrade, beside what the upgrade preview says."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.wording.messages import message

DRAINS: Final = pgettext_lazy("release", "Drains of nodes")
ADMISSION: Final = {
    "created": pgettext_lazy("answer", "created"),
    "refused": pgettext_lazy("answer", "refused"),
}
TARGET: Final = pgettext_lazy("field", "Upgrade preview to Kubernetes")
TARGET_HINT: Final = gettext_lazy("What that minor decides otherwise.")
NO_TARGET: Final = pgettext_lazy("choice", "none")


OTHER_MESSAGES = message("Kubernetes %(release)s: other messages of %(pods)s pods. %(rules)s")
NOT_LATER = message("Kubernetes %(after)s is not later than %(before)s.")
