"""Words for a scheduler extender: what it is called for, for which pods, and what happens without its answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, pgettext_lazy

from clusters.wording.amounts import grouped
from clusters.wording.lists import listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine.configuration import Extender

_FILTER: Final = pgettext_lazy("what an extender is called for", "filtering")
_SCORE: Final = pgettext_lazy("what an extender is called for", "scoring with weight %(weight)s")
_PREEMPT: Final = pgettext_lazy("what an extender is called for", "preemption")
_BIND: Final = pgettext_lazy("what an extender is called for", "binding")


def extender_sentences(extender: Extender) -> str:
    """Say what an extender is called for, for which pods, and what happens while it does not answer."""
    verbs = tuple(_verbs(extender))
    said = [_("Called for %(verbs)s.") % {"verbs": listed(verbs)} if verbs else _("Never called: it has no verb.")]
    if extender.managed_resources:
        names = listed(resource.name for resource in extender.managed_resources)
        said.append(_("Only for pods that request %(resources)s.") % {"resources": names})
    if extender.ignorable:
        said.append(_("Ignorable: scheduling continues without its answer."))
    else:
        said.append(_("Not ignorable: without its answer no pod is scheduled."))
    return " ".join(said)


def _verbs(extender: Extender) -> Iterator[str]:
    if extender.filter_verb:
        yield str(_FILTER)
    if extender.prioritize_verb:
        yield str(_SCORE % {"weight": grouped(extender.weight)})
    if extender.preempt_verb:
        yield str(_PREEMPT)
    if extender.bind_verb:
        yield str(_BIND)
