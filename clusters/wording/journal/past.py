"""A cluster at a moment of its past, in words: what happened last, and how far the journal knows it."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.wording.messages import message

NODE: Final = pgettext_lazy("past", "Node")
GONE: Final = pgettext_lazy("past", "Gone")
NOTHING: Final = gettext_lazy("Nothing is recorded since the period began.")


OF_POD = message("%(pod)s: %(decision)s.")
POD_GONE = message("%(pod)s is gone from %(node)s.")
NODE_GONE = message("%(node)s is gone.")
ENDED = message("%(sentence)s.")
LATE = message("Pods found missing later, which may have gone earlier: %(pods)s.")
UNKNOWN_BEFORE = message("Removed pods are recorded since %(since)s.")
NEVER_RECORDED: Final = gettext_lazy("Removed pods are not recorded here, only while Berth follows a live cluster.")
