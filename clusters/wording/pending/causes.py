"""Names of what keeps pods pending: each completes `3 pods pending: …`, and heads a row or a group."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clusters.wording.lists import listed

if TYPE_CHECKING:
    from collections.abc import Sequence

IN_QUEUE: Final = gettext_lazy("schedulable, in the queue")
PREEMPTION: Final = gettext_lazy("preemption possible")
NOMINATED: Final = gettext_lazy("nominated, waiting for victims to terminate")
NOT_EVALUATED: Final = gettext_lazy("not evaluated here")
EVALUATING: Final = gettext_lazy("still being evaluated")
NOT_COMPUTED: Final = gettext_lazy("could not be computed")
NO_NODES: Final = gettext_lazy("no nodes mirrored")
VOLUME_PROVISIONING: Final = gettext_lazy("volume being provisioned")
CLAIM_NOT_FOUND: Final = gettext_lazy("PersistentVolumeClaim not found")
CLAIM_DELETED: Final = gettext_lazy("PersistentVolumeClaim being deleted")
CLAIM_NOT_BOUND: Final = gettext_lazy("PersistentVolumeClaim not bound")


def insufficient(resources: Sequence[str]) -> str:
    """Name the resources of which no node has enough free."""
    return _("insufficient %(resources)s") % {"resources": listed(resources)}


def too_large(resources: Sequence[str]) -> str:
    """Name the resources of which pods request more than any node has, whatever runs there."""
    return _("insufficient %(resources)s, larger than any node") % {"resources": listed(resources)}


def together(causes: Sequence[str]) -> str:
    """Name causes that keep pods pending only together."""
    return _("%(causes)s together") % {"causes": listed(causes)}


def gates(names: Sequence[str]) -> str:
    """Name the scheduling gates of pods."""
    return ngettext("scheduling gate %(names)s", "scheduling gates %(names)s", len(names)) % {"names": ", ".join(names)}


def kept_out(plugin: str) -> str:
    """Name the plugin that keeps pods out of the queue."""
    return _("kept out of the queue by %(plugin)s") % {"plugin": plugin}


def other_scheduler(name: str) -> str:
    """Name the scheduler that pods ask for."""
    return _("scheduler %(name)s") % {"name": name}


def error_of(plugin: str) -> str:
    """Name the plugin whose error ends every attempt."""
    return _("error of %(plugin)s") % {"plugin": plugin}


def uncertain(why: str) -> str:
    """Say that it is uncertain whether pods fit."""
    return _("uncertain: %(why)s") % {"why": why}


def volume(reason: str) -> str:
    """Name a reason of a volume plugin that has no name of its own."""
    return _("volume: %(reason)s") % {"reason": reason}


def of_plugin(plugin: str, reason: str) -> str:
    """Name a plugin's reason that has no name of its own."""
    return _("%(plugin)s: %(reason)s") % {"plugin": plugin, "reason": reason}
