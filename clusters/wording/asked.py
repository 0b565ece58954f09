"""What the map says of the outcome of changes that are asked on it."""

from __future__ import annotations

from typing import Final

from django.utils.translation import pgettext_lazy

from clusters.wording.messages import message, plural

GONE: Final = pgettext_lazy("nodes of an outcome", "gone")
DOWN: Final = pgettext_lazy("nodes of an outcome", "not reporting")
KEEPS: Final = pgettext_lazy("nodes of an outcome", "drain blocked")
ADDED: Final = pgettext_lazy("nodes of an outcome", "new")
LOSES: Final = pgettext_lazy("nodes of an outcome", "losing pods")
UNTOUCHED: Final = pgettext_lazy("nodes of an outcome", "as before")
BEFORE: Final = pgettext_lazy("step of an outcome", "Before")
AFTER: Final = pgettext_lazy("step of an outcome", "After")
COURSE: Final = pgettext_lazy("steps of an outcome", "Moves")
ONE_MOVES = message("%(pod)s goes from %(source)s to %(target)s.")
ONE_ARRIVES = message("%(pod)s is placed on %(node)s.")
ARRIVE_ON = message("On %(nodes)s.")
ONE_LEAVES = message("%(pod)s leaves %(node)s and has no node.")
SOME_MOVE = plural("%(pods)s pod leaves or arrives", "%(pods)s pods leave or arrive", by="pods")
