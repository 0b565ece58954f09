"""Errors of the API about simulation runs, studies, and dumps that are read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _, gettext_lazy

from clusters.wording.amounts import grouped
from clusters.wording.lists import alternatives, listed
from clusters.wording.messages import message, plural

if TYPE_CHECKING:
    from collections.abc import Iterable

FIND_RUN: Final = gettext_lazy("/api/v1/runs/ lists the runs.")
NOT_UTF8: Final = gettext_lazy("The manifests are no text.")
SAVE_AS_UTF8: Final = gettext_lazy("Save them as UTF-8.")
NO_OPTION: Final = gettext_lazy("There is no such option.")
MANIFESTS_TITLE: Final = gettext_lazy("Manifests from a pipeline")
WAIT_UNTIL_DONE: Final = gettext_lazy("Wait until its state is done.")
ASK_ANEW: Final = gettext_lazy("Ask again.")
NO_NAMESPACE: Final = gettext_lazy("No namespace has such a name.")
WRITE_WHOLE_NAME: Final = gettext_lazy("Write its whole name.")
USE_NUMBER_OF_STUDY: Final = gettext_lazy("Use the number in its first answer.")
USE_NUMBER_OF_DUMP: Final = gettext_lazy("Use the number in its answer.")
SEND_DUMP_AGAIN: Final = gettext_lazy("Send the dump again.")


def no_run(number: int) -> str:
    """Say that there is no such run."""
    return _("There is no run %(number)s.") % {"number": str(number)}


MANIFESTS_TOO_LARGE = plural("The manifests have %(found)s byte.", "The manifests have %(found)s bytes.", by="found")
SPLIT_MANIFESTS = plural("At most %(most)s is taken: split them.", "At most %(most)s are taken: split them.", by="most")


def known_options(names: Iterable[str]) -> str:
    """Say which options there are."""
    return _("There are %(names)s.") % {"names": listed(names)}


VALUE_NOT_KNOWN = message("%(parameter)s=%(found)s is not known.")


def write_one_of(values: Iterable[str]) -> str:
    """Say which values a parameter takes."""
    return _("Write %(values)s.") % {"values": alternatives(values)}


def not_done(number: int) -> str:
    """Say that a run is not done."""
    return _("Run %(number)s is not done.") % {"number": str(number)}


def in_state(*, number: int, state: str) -> str:
    """Say in which state a run is, by the state's name in the API."""
    return _("Run %(number)s is %(state)s.") % {"number": str(number), "state": state}


def no_step(*, number: int, step: int) -> str:
    """Say that a run has no such step."""
    return _("Run %(number)s has no step %(step)s.") % {"number": str(number), "step": grouped(step)}


STEPS_SO_FAR = plural("It has %(steps)s step by now.", "It has %(steps)s steps by now.", by="steps")


def no_study(number: int) -> str:
    """Say that there is no such study."""
    return _("There is no study %(number)s.") % {"number": str(number)}


def no_dump(*, cluster: str, number: int) -> str:
    """Say that a cluster has no such dump."""
    return _("%(cluster)s has no dump %(number)s.") % {"cluster": cluster, "number": str(number)}


ADDED_MEANWHILE = message("Somebody just added %(cluster)s.")
