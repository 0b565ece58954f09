"""What a simulation was made from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy, ngettext

from clusters.wording.amounts import grouped
from clusters.wording.messages import message

if TYPE_CHECKING:
    from collections.abc import Sequence

BEGAN_WITH: Final = gettext_lazy("Began with")
SCHEDULER: Final = gettext_lazy("Scheduler")
CONFIGURATION: Final = gettext_lazy("Configuration")
KUBERNETES: Final = gettext_lazy("Kubernetes")
SEED: Final = gettext_lazy("Seed")
ORDERED_BY: Final = gettext_lazy("Started by")
DEFAULT_CONFIGURATION: Final = gettext_lazy("Kubernetes’ defaults")
EMPTY_CLUSTER: Final = gettext_lazy("An empty cluster")

# Who places the pods.
ON_EVERY_NODE: Final = gettext_lazy("Pod by pod, looking at every node")
ON_SAMPLED_NODES: Final = gettext_lazy("Pod by pod, with as many nodes as the scheduler samples")
# All pods at once: the keys say whether placed pods may move, and whether pod groups are placed whole.
BATCH: Final = {
    (False, False): gettext_lazy("All pods at once, as a flow; placed pods stay"),
    (True, False): gettext_lazy("All pods at once, as a flow; placed pods may be moved"),
    (False, True): gettext_lazy("All pods at once, as a flow; placed pods stay; groups whole or not at all"),
    (True, True): gettext_lazy("All pods at once, as a flow; placed pods may move; groups whole or not at all"),
}


CLUSTER_AT = message("%(cluster)s at revision %(revision)s")


def own_configuration(profiles: Sequence[str]) -> str:
    """Name the profiles of a configuration that came with the simulation."""
    return ngettext(
        "Its own, with %(number)s profile: %(profiles)s",
        "Its own, with %(number)s profiles: %(profiles)s",
        len(profiles),
    ) % {"number": grouped(len(profiles)), "profiles": ", ".join(profiles)}
