"""What a review says of an upgrade, beside what the upgrade preview says."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.wording.messages import message, plural

DRAINS: Final = pgettext_lazy("differences by release", "Drains of nodes")
ADMISSION: Final = {
    "created": pgettext_lazy("answer of the API server", "created"),
    "refused": pgettext_lazy("answer of the API server", "refused"),
}
TARGET: Final = pgettext_lazy("label of a field", "Upgrade preview to Kubernetes")
TARGET_HINT: Final = gettext_lazy("What kube-scheduler of that minor decides otherwise.")
NO_TARGET: Final = pgettext_lazy("choice of a field", "none")


OTHER_MESSAGES = plural(
    "Kubernetes %(release)s: %(pods)s pod has another message. %(rules)s",
    "Kubernetes %(release)s: %(pods)s pods have another message. %(rules)s",
    by="pods",
)
NOT_LATER = message("Kubernetes %(after)s is not later than %(before)s, as which the cluster is answered.")
