"""What a review says of an upgrade, beside what the upgrade preview says."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from clusters.wording.amounts import grouped

DRAINS: Final = pgettext_lazy("differences by release", "Drains of nodes")
ADMISSION: Final = {
    "created": pgettext_lazy("answer of the API server", "created"),
    "refused": pgettext_lazy("answer of the API server", "refused"),
}
TARGET: Final = pgettext_lazy("label of a field", "Upgrade preview to Kubernetes")
TARGET_HINT: Final = gettext_lazy("What kube-scheduler of that minor decides otherwise; a section of its own.")
NO_TARGET: Final = pgettext_lazy("choice of a field", "none")


def other_messages(release: str, *, pods: int, rules: str) -> str:
    """Count the pods of which a release words the message otherwise, by the same rules."""
    return ngettext(
        "Kubernetes %(release)s: %(pods)s pod has another message. %(rules)s",
        "Kubernetes %(release)s: %(pods)s pods have another message. %(rules)s",
        pods,
    ) % {"release": release, "pods": grouped(pods), "rules": rules}


def not_later(*, before: str, after: str) -> str:
    """Say that the minor to which an upgrade was asked for is not later any more."""
    return _("Kubernetes %(after)s is not later than %(before)s, as which the cluster is answered.") % {
        "before": before,
        "after": after,
    }
