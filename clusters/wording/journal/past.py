"""A cluster at a moment of its past, in words: what happened last, and how far the journal knows it."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy, pgettext_lazy

from clusters.wording.messages import message, plural

NODE: Final = pgettext_lazy("what happened", "Node")
GONE: Final = pgettext_lazy("what happened", "Gone")
NOTHING: Final = gettext_lazy("Nothing is recorded between the beginning of this period and this moment.")


OF_POD = message("%(pod)s: %(decision)s.")
POD_GONE = message("%(pod)s is gone from %(node)s.")
NODE_GONE = message("%(node)s is gone.")
ENDED = message("%(sentence)s.")
LATE = plural(
    "%(pods)s pod was found missing only when Berth listed the cluster anew; it may have gone earlier.",
    "%(pods)s pods were found missing only when Berth listed the cluster anew; they may have gone earlier.",
    by="pods",
)
UNKNOWN_BEFORE = message("What ran before %(since)s is not known: the journal records removed pods from then on.")
NEVER_RECORDED: Final = gettext_lazy(
    "The journal has no record of removed pods here, so it cannot say what ran when. They are recorded while Berth "
    "follows a live cluster."
)
