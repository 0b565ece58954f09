"""A spread constraint field by field, and where it comes from."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy, pgettext_lazy

from clusters.engine.spreading import Source
from clusters.wording.amounts import grouped
from clusters.wording.messages import message

NAMESPACE: Final = pgettext_lazy("field of a spread group", "Namespace")
WORKLOADS: Final = pgettext_lazy("field of a spread group", "Workloads")
SELECTOR: Final = pgettext_lazy("field of a spread group", "Counts pods with")
SOURCE: Final = pgettext_lazy("field of a spread group", "Constraint from")
PODS: Final = pgettext_lazy("field of a spread group", "Pods that have it")
GLOBAL_MINIMUM: Final = pgettext_lazy("field of a spread group", "Global minimum")

SOURCES: Final = {
    Source.POD: gettext_lazy("the pods' own spec"),
    Source.SYSTEM: gettext_lazy("Kubernetes' defaults"),
    Source.LIST: gettext_lazy("the profile's defaults"),
}


def effect(action: str, *, blocks: bool) -> str:
    """Say what a constraint does with a pod that would exceed maxSkew; ``action``: its whenUnsatisfiable."""
    if blocks:
        return _("%(action)s: pods stay pending") % {"action": action}
    return _("%(action)s: a preference") % {"action": action}


def pods(*, placed: int, pending: int) -> str:
    """Count the pods that have a constraint."""
    return _("%(placed)s on nodes, %(pending)s pending") % {"placed": grouped(placed), "pending": grouped(pending)}


NAMED = message("%(domains)s, %(action)s")
