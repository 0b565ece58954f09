"""Words for giving a cluster another scheduler configuration."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy, ngettext

from clusters.wording.amounts import grouped

FILE_LABEL: Final = gettext_lazy("Or a file")
TEXT_HELP: Final = gettext_lazy(
    "YAML or JSON, as kube-scheduler's --config takes it. A Policy and versions before v1 are translated."
)


def file_too_long(*, size: int, most: int) -> str:
    """Say how many bytes a file may have."""
    said = ngettext("The file has %(size)s byte.", "The file has %(size)s bytes.", size) % {"size": grouped(size)}
    return " ".join((said, _("A configuration has at most %(most)s bytes.") % {"most": grouped(most)}))


NOTHING_GIVEN: Final = gettext_lazy("Paste the configuration, choose a file, or restore the configuration from before.")
GIVEN_ONE_REMOVED: Final = gettext_lazy("The configuration that was given to Berth is removed.")
NEW_ONE_IN_FORCE: Final = gettext_lazy("The new configuration is in force from now on.")
RESTORED_DUMP: Final = gettext_lazy("Go back to the dump's own")
RESTORED_DEFAULTS: Final = gettext_lazy("Go back to kube-scheduler's defaults")
