"""Words for giving a cluster another scheduler configuration."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clusters.wording.amounts import grouped

FILE_LABEL: Final = gettext_lazy("Or a file")
TEXT_HELP: Final = gettext_lazy(
    "In YAML or JSON, as kube-scheduler's --config takes it. A Policy, and versions before v1, are translated."
)


def file_too_long(*, size: int, most: int) -> str:
    """Say how many bytes a file may have."""
    said = ngettext("The file has %(size)s byte.", "The file has %(size)s bytes.", size) % {"size": grouped(size)}
    return " ".join((said, _("A configuration has at most %(most)s bytes.") % {"most": grouped(most)}))


def nothing_given() -> str:
    """Say that neither text nor file was given."""
    return _("Paste the configuration, choose a file, or restore the configuration from before.")


def given_one_removed() -> str:
    """Say that the configuration that was given to Berth no longer counts."""
    return _("The configuration that was given to Berth is removed.")


def new_one_in_force() -> str:
    """Say that the new configuration counts."""
    return _("The new configuration is in force from now on.")


def restored_dump() -> str:
    """Name the button that lets the dump's configuration count again."""
    return _("Go back to the dump's own")


def restored_defaults() -> str:
    """Name the button that lets the defaults count again."""
    return _("Go back to kube-scheduler's defaults")
