"""Lessons that a test wants stored, where it is not about storing them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.services.lessons.storing import store_lesson

if TYPE_CHECKING:
    from collections.abc import Callable

    from clusters.models import StoredLesson

# As they were stored first in this process: the key and the time stay, so that what was read of them is known again.
_kept: dict[str, StoredLesson] = {}
_FIRST_KEY = 1_000_000


def keep_lesson(name: str, archive: Callable[[], bytes]) -> None:
    """Store a lesson as a trainer uploads it: checked once in a process, and then written as it was."""
    if name not in _kept:
        row = store_lesson(data=archive(), file_name=f"{name}.zip", uploaded_by="trainer").lesson
        row.delete()
        row.pk = _FIRST_KEY + len(_kept)
        _kept[name] = row
    _kept[name].save_base(raw=True, force_insert=True)
