"""Words of the page of a scheduler configuration: its origin, its form, its extenders and its search."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.wording.amounts import grouped
from clusters.wording.lists import listed
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.engine.configuration import Extender

# Whose configuration is in force.
GIVEN_TO_LIVE: Final = gettext_lazy("A configuration given to Berth applies.")
GIVEN_INSTEAD_OF_DEFAULTS: Final = gettext_lazy(
    "A configuration given to Berth applies, also to newer dumps: the dump has none."
)
GIVEN_INSTEAD_OF_DUMP: Final = gettext_lazy(
    "A configuration given to Berth applies instead of the dump's, also to newer dumps."
)
OF_DUMP: Final = gettext_lazy("The dump's configuration applies.")
DEFAULTS_OF_LIVE: Final = gettext_lazy(
    "kube-scheduler's defaults apply: the API server does not tell its configuration."
)
DEFAULTS_OF_DUMP: Final = gettext_lazy("kube-scheduler's defaults apply: the dump has no configuration.")

# The form.
FILE_LABEL: Final = gettext_lazy("Or a file")
TEXT_HELP: Final = gettext_lazy("YAML or JSON; a Policy and versions before v1 are translated.")
FILE_TOO_LONG = message("The file has %(size)s bytes, a configuration at most %(most)s.")
NOTHING_GIVEN: Final = gettext_lazy("Paste the configuration, choose a file, or restore the previous one.")
GIVEN_ONE_REMOVED: Final = gettext_lazy("The configuration that was given to Berth is removed.")
NEW_ONE_IN_FORCE: Final = gettext_lazy("The new configuration is in force.")
RESTORED_DUMP: Final = gettext_lazy("Go back to the dump's own")
RESTORED_DEFAULTS: Final = gettext_lazy("Go back to kube-scheduler's defaults")

# At how many feasible nodes the search ends.
NO_NODES: Final = gettext_lazy("This cluster has no nodes.")
EVERY_NODE_EVALUATED = plural(
    "With %(nodes)s node the scheduler evaluates every node.",
    "With %(nodes)s nodes the scheduler evaluates every node.",
    by="nodes",
)
SEARCH_ENDS_AT = message(
    "The search ends at %(feasible)s feasible of %(nodes)s nodes and scores only these; where it starts is not known."
)

# Extenders.
_FILTER: Final = pgettext_lazy("what an extender is called for", "filtering")
_SCORE: Final = pgettext_lazy("what an extender is called for", "scoring with weight %(weight)s")
_PREEMPT: Final = pgettext_lazy("what an extender is called for", "preemption")
_BIND: Final = pgettext_lazy("what an extender is called for", "binding")
_CALLED_FOR = message("Called for %(verbs)s.")
_NEVER_CALLED = message("Never called: it has no verb.")
_ONLY_FOR = message("Only for pods that request %(resources)s.")
_IGNORABLE = message("Ignorable: scheduling continues without its answer.")
_NOT_IGNORABLE = message("Not ignorable: without its answer no pod is scheduled.")


def extender_sentences(extender: Extender) -> str:
    """Say what an extender is called for, for which pods, and what happens while it does not answer."""
    verbs = tuple(_verbs(extender))
    said = [_CALLED_FOR(verbs=listed(verbs)) if verbs else _NEVER_CALLED()]
    if extender.managed_resources:
        said.append(_ONLY_FOR(resources=listed(resource.name for resource in extender.managed_resources)))
    said.append(_IGNORABLE() if extender.ignorable else _NOT_IGNORABLE())
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
