"""Words for what one scheduler configuration has otherwise than another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from clusters.wording.amounts import grouped
from clusters.wording.lists import listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def all_default(*, profiles: Sequence[str], minor: str) -> str:
    """Say which profiles there are, none of which differs from the default one."""
    return ngettext(
        "%(count)s profile: %(profiles)s; nothing differs from the defaults of Kubernetes %(minor)s.",
        "%(count)s profiles: %(profiles)s; nothing differs from the defaults of Kubernetes %(minor)s.",
        len(profiles),
    ) % {"count": grouped(len(profiles)), "profiles": listed(profiles), "minor": minor}


def only_profile_differs(*, profile: str, minor: str) -> str:
    """Say that the only profile differs from the default one."""
    return _("1 profile: %(profile)s; it differs from the defaults of Kubernetes %(minor)s.") % {
        "profile": profile,
        "minor": minor,
    }


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


def not_enabled() -> str:
    """Say that a plugin takes part nowhere, where the other profile has it."""
    return pgettext("state of a plugin", "not enabled")


def enabled_at(points: Iterable[str]) -> str:
    """Say at which extension points a plugin is enabled."""
    return _("enabled at %(points)s") % {"points": listed(points)}


def weighted_point(point: str, *, weight: int) -> str:
    """Name an extension point with the weight that a plugin has there."""
    return _("%(point)s (weight %(weight)s)") % {"point": point, "weight": grouped(weight)}


def weight_of(plugin: str) -> str:
    """Name the weight of a plugin, as what changed."""
    return _("%(plugin)s, weight") % {"plugin": plugin}


def foreign_plugin(plugin: str) -> str:
    """Name a plugin that Kubernetes does not bring, as what changed."""
    return _("%(plugin)s, not part of Kubernetes") % {"plugin": plugin}


def order_at(point: str) -> str:
    """Name the order of the plugins at an extension point, as what changed."""
    return _("Order at %(point)s") % {"point": point}


def by_default(value: str) -> str:
    """Mark a value as that of the defaults."""
    return _("%(value)s, by default") % {"value": value}


def profile_itself() -> str:
    """Name a profile as a whole, as what changed."""
    return _("Profile")


def all_profiles() -> str:
    """Name all profiles, as those of which something changed."""
    return _("All profiles")


def profile_absent() -> str:
    """Say that a configuration does not have a profile."""
    return pgettext("a profile", "absent")


def profile_present() -> str:
    """Say that a configuration has a profile."""
    return pgettext("a profile", "present")


def profile_added(*, pods: int) -> str:
    """Say for how many pods a profile is added."""
    return ngettext("present, for %(pods)s pod", "present, for %(pods)s pods", pods) % {"pods": grouped(pods)}


def profile_removed(*, pods: int) -> str:
    """Say how many pods a profile leaves to another scheduler."""
    return ngettext(
        "absent: %(pods)s pod is left to another scheduler",
        "absent: %(pods)s pods are left to another scheduler",
        pods,
    ) % {"pods": grouped(pods)}


def extenders() -> str:
    """Name the extenders of a configuration, as what changed."""
    return _("Extenders")


def no_extenders() -> str:
    """Say that a configuration has no extenders."""
    return pgettext("extenders", "none")
