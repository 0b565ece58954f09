"""Words for what one scheduler configuration has otherwise than another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext, pgettext_lazy

from clusters.wording.amounts import grouped
from clusters.wording.lists import listed
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def all_default(*, profiles: Sequence[str], minor: str) -> str:
    """Say which profiles there are, none of which differs from the default one."""
    return ngettext(
        "%(count)s profile: %(profiles)s; nothing differs from the defaults of Kubernetes %(minor)s.",
        "%(count)s profiles: %(profiles)s; nothing differs from the defaults of Kubernetes %(minor)s.",
        len(profiles),
    ) % {"count": grouped(len(profiles)), "profiles": listed(profiles), "minor": minor}


ONLY_PROFILE_DIFFERS = message("1 profile: %(profile)s; it differs from the defaults of Kubernetes %(minor)s.")


def some_differ(*, profiles: Sequence[str], changed: Sequence[str], minor: str) -> str:
    """Say which of several profiles differ from the default one."""
    return ngettext(
        "%(count)s profiles: %(profiles)s; %(changed)s differs from the defaults of Kubernetes %(minor)s.",
        "%(count)s profiles: %(profiles)s; %(changed)s differ from the defaults of Kubernetes %(minor)s.",
        len(changed),
    ) % {
        "count": grouped(len(profiles)),
        "profiles": listed(profiles),
        "changed": listed(changed),
        "minor": minor,
    }


def unknown_disabled(*, names: Sequence[str], minor: str) -> str:
    """Say that what is to be disabled is no plugin of Kubernetes."""
    return ngettext(
        "“disabled” names %(names)s, which is not a plugin of Kubernetes %(minor)s. kube-scheduler ignores it; check "
        "the spelling.",
        "“disabled” names %(names)s, which are not plugins of Kubernetes %(minor)s. kube-scheduler ignores them; check "
        "the spelling.",
        len(names),
    ) % {"names": listed(names), "minor": minor}


NOT_ENABLED: Final = pgettext_lazy("state of a plugin", "not enabled")


def enabled_at(points: Iterable[str]) -> str:
    """Say at which extension points a plugin is enabled."""
    return _("enabled at %(points)s") % {"points": listed(points)}


WEIGHTED_POINT = message("%(point)s (weight %(weight)s)")
WEIGHT_OF = message("%(plugin)s, weight")
FOREIGN_PLUGIN = message("%(plugin)s, not part of Kubernetes")
ORDER_AT = message("Order at %(point)s")
BY_DEFAULT = message("%(value)s, by default")
PROFILE_ITSELF: Final = gettext_lazy("Profile")
ALL_PROFILES: Final = gettext_lazy("All profiles")
PROFILE_ABSENT: Final = pgettext_lazy("a profile", "absent")
PROFILE_PRESENT: Final = pgettext_lazy("a profile", "present")
PROFILE_ADDED = plural("present, for %(pods)s pod", "present, for %(pods)s pods", by="pods")
PROFILE_REMOVED = plural(
    "absent: %(pods)s pod is left to another scheduler",
    "absent: %(pods)s pods are left to another scheduler",
    by="pods",
)
EXTENDERS: Final = gettext_lazy("Extenders")
NO_EXTENDERS: Final = pgettext_lazy("extenders", "none")
