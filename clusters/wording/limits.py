"""How much computing one user may ask for."""

from __future__ import annotations

from django.utils.translation import ngettext

from clusters.wording.amounts import grouped


def computing_used_up(seconds: int) -> str:
    """Say that a user has used up the computing of a minute."""
    return ngettext(
        "Your requests took %(seconds)s second of computing within a minute, which is the limit for one user.",
        "Your requests took %(seconds)s seconds of computing within a minute, which is the limit for one user.",
        seconds,
    ) % {"seconds": grouped(seconds)}


def class_computing_used_up(seconds: int) -> str:
    """Say that the participants of a classroom have used up the computing of a minute."""
    return ngettext(
        "The class has used %(seconds)s second of computing within a minute, which is its limit.",
        "The class has used %(seconds)s seconds of computing within a minute, which is its limit.",
        seconds,
    ) % {"seconds": grouped(seconds)}


def ask_again(seconds: int) -> str:
    """Say after how many seconds to ask again."""
    return ngettext("Ask again in %(seconds)s second.", "Ask again in %(seconds)s seconds.", seconds) % {
        "seconds": grouped(seconds)
    }
