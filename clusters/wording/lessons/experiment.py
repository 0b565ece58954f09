"""What the free experiments of lessons say."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _, gettext_lazy

NO_ROOM: Final = gettext_lazy("This experiment has no room for another change. Undo some, or reset it.")
NO_OBJECT: Final = gettext_lazy("There is no such object now.")
NO_EXPERIMENT: Final = gettext_lazy("There is no experiment here.")
ALL_EDITED: Final = gettext_lazy("All objects edited")
ADDED: Final = gettext_lazy("Objects added")


def edited(name: str, *, is_removed: bool) -> str:
    """Name a change of an experiment; ``name`` is that of the object, empty for all."""
    if not name:
        return str(ALL_EDITED)
    if name == "new":
        return str(ADDED)
    if is_removed:
        return _("%(name)s removed") % {"name": name}
    return _("%(name)s edited") % {"name": name}
