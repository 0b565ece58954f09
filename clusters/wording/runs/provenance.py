"""What a simulation was made from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy, ngettext

from clusters.wording.amounts import grouped

if TYPE_CHECKING:
    from collections.abc import Sequence

BEGAN_WITH: Final = gettext_lazy("Began with")
SCHEDULER: Final = gettext_lazy("Scheduler")
CONFIGURATION: Final = gettext_lazy("Configuration")
SEED: Final = gettext_lazy("Seed")
ORDERED_BY: Final = gettext_lazy("Ordered by")
DEFAULT_CONFIGURATION: Final = gettext_lazy("Kubernetes’ defaults")


def own_configuration(profiles: Sequence[str]) -> str:
    """Name the profiles of a configuration that came with the simulation."""
    return ngettext(
        "Its own, with %(number)s profile: %(profiles)s",
        "Its own, with %(number)s profiles: %(profiles)s",
        len(profiles),
    ) % {"number": grouped(len(profiles)), "profiles": ", ".join(profiles)}
