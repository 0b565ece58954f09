"""What pages of lessons and classrooms say where nothing is, or where something cannot be taken."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy

NO_LESSON: Final = gettext_lazy("It may have been removed. Start again from the list of lessons.")
NO_CLASSROOM: Final = gettext_lazy("The classroom may have ended, or be another trainer's.")
NO_PLACE: Final = gettext_lazy("No classroom at this address. Ask the trainer for the code.")
TO_LESSONS: Final = gettext_lazy("All lessons")
TO_CLASSROOMS: Final = gettext_lazy("Your classrooms")
TO_JOINING: Final = gettext_lazy("Join a classroom")
UNREADABLE: Final = gettext_lazy("Nothing was changed: the request is not understood. Reload the page and try again.")
