"""What `manage.py quotas` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy, pgettext, pgettext_lazy

from clusters.wording.lists import listed
from clusters.wording.messages import plural

if TYPE_CHECKING:
    from collections.abc import Iterable


NONE_FOUND: Final = gettext_lazy("No ResourceQuota here.")


def head(*, namespace: str, quota: str) -> str:
    """Name a quota above its resources."""
    return _("ResourceQuota %(namespace)s/%(quota)s") % {"namespace": namespace, "quota": quota}


def scoped_head(*, namespace: str, quota: str, scopes: str) -> str:
    """Name a quota with its scopes."""
    return _("ResourceQuota %(namespace)s/%(quota)s, scopes: %(scopes)s") % {
        "namespace": namespace,
        "quota": quota,
        "scopes": scopes,
    }


def resource_columns() -> tuple[str, str, str, str]:
    """Name the columns of a quota's resources."""
    return (
        pgettext("column in the terminal", "resource"),
        pgettext("column in the terminal", "used"),
        pgettext("column in the terminal", "hard"),
        pgettext("column in the terminal", "share"),
    )


def user_columns() -> tuple[str, str, str, str]:
    """Name the columns of the workloads that use a quota."""
    return (
        pgettext("column in the terminal", "used by"),
        pgettext("column in the terminal", "pods"),
        pgettext("column in the terminal", "further pods"),
        pgettext("column in the terminal", "used"),
    )


UNLIMITED: Final = pgettext_lazy("number of further pods", "any")


def has_to_specify(resources: Iterable[str]) -> str:
    """Say that further pods are refused as long as they do not specify some resources."""
    return _("none without %(resources)s") % {"resources": listed(resources)}


MORE_USERS = plural("and %(number)s more workload", "and %(number)s more workloads", by="number")
