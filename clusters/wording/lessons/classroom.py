"""What classrooms say: to those who join them, and to those who teach."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy

from clusters.wording.messages import message, plural

FREE: Final = gettext_lazy("Everybody at their own pace")
LED: Final = gettext_lazy("Led by the trainer")
MAY_TEACH: Final = gettext_lazy("Can open classrooms")
NOT_IN_CLASSROOM: Final = gettext_lazy("This lesson is not one of the classroom's.")
NO_CODE: Final = gettext_lazy("A code has eight letters and digits, such as K7MF-2QXR. Ask the trainer.")
# The same for a code that never was, and for one that is not valid any more.
NO_CLASSROOM: Final = gettext_lazy("No classroom has this code. Ask the trainer.")
NAME_TAKEN: Final = gettext_lazy("Somebody has this name. Choose another.")
UNPRINTABLE_NAME: Final = gettext_lazy("The name has a character that cannot be shown.")
CONNECTED: Final = gettext_lazy("Connected: this page follows the class.")
CONNECTING: Final = gettext_lazy("Connecting…")
ASKING: Final = gettext_lazy("Not connected since {since}. The page asks every few seconds.")
AWAY: Final = gettext_lazy("Not connected since {since}. The server does not respond.")
ANSWER_SHOWN: Final = gettext_lazy("The trainer shows the answer.")
OWN_PACE: Final = gettext_lazy("Everybody goes on at their own pace now.")
ELSEWHERE: Final = gettext_lazy("The class is at another step now.")
MANY_TRIES: Final = gettext_lazy("Too many have tried to join within a minute.")


STEP_BEGUN = message("Next step of the class: %(title)s")
FULL = plural(
    "The classroom is full: %(most)s participant is in it.",
    "The classroom is full: %(most)s participants are in it.",
    by="most",
)
