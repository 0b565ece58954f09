"""Words for what can be wrong with any field: its type, its bounds, its name."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clusters.engine.problems import (
    BelowLeast,
    Empty,
    Missing,
    NotABoolean,
    NotALabelKey,
    NotALabelValue,
    NotAList,
    NotAMap,
    NotAnAmount,
    NotAnInteger,
    NotAnObject,
    NotAnObjectName,
    NotAText,
    NotOneOf,
    OutOfRange,
    Quoted,
    TooLong,
    TooMany,
    UnknownField,
)
from clusters.wording.amounts import grouped
from clusters.wording.lists import alternatives, listed
from clusters.wording.problems.registry import Words, words


@words.register(Quoted)
def quoted(problem: Quoted) -> Words:
    """Repeat what others said."""
    return Words(problem.text, problem.remedy)


@words.register(Missing)
def missing(problem: Missing) -> Words:
    """Say that a field is missing."""
    remedy = _("Write %(known)s.") % {"known": alternatives(problem.known)} if problem.known else _("Add it.")
    return Words(_("The field is missing."), remedy)


@words.register(Empty)
def empty(problem: Empty) -> Words:
    """Say that there is nothing in it."""
    return Words(_("It is empty."), _("Fill it in, or leave it out."))


@words.register(UnknownField)
def unknown_field(problem: UnknownField) -> Words:
    """Say that there is no such field, and which one was probably meant."""
    if problem.close:
        remedy = _("Did you mean %(field)s?") % {"field": problem.close}
    else:
        remedy = _("Its fields are %(fields)s.") % {"fields": listed(problem.known)}
    return Words(_("There is no field %(found)s.") % {"found": problem.found}, remedy)


@words.register(NotAMap)
def not_a_map(problem: NotAMap) -> Words:
    """Say that it is no map."""
    if problem.fields:
        remedy = _("Write a map with %(fields)s.") % {"fields": listed(problem.fields)}
    else:
        remedy = _("Write keys with their values.")
    return Words(_("%(found)s is not a map.") % {"found": problem.found}, remedy)


@words.register(NotAList)
def not_a_list(problem: NotAList) -> Words:
    """Say that it is no list."""
    return Words(_("%(found)s is not a list.") % {"found": problem.found}, _("Write a list."))


@words.register(NotAText)
def not_a_text(problem: NotAText) -> Words:
    """Say that it is no text."""
    return Words(_("%(found)s is not a text.") % {"found": problem.found}, _("Write a text; put quotes around it."))


@words.register(NotABoolean)
def not_a_boolean(problem: NotABoolean) -> Words:
    """Say that it is neither true nor false."""
    said = _("%(found)s is neither true nor false.") % {"found": problem.found}
    return Words(said, _("Write true or false, without quotes."))


@words.register(NotAnInteger)
def not_an_integer(problem: NotAnInteger) -> Words:
    """Say that it is no whole number."""
    said = _("%(found)s is not a whole number of %(bits)s bits.") % {"found": problem.found, "bits": problem.bits}
    return Words(said, _("Write it without quotes or point."))


@words.register(NotAnObject)
def not_an_object(problem: NotAnObject) -> Words:
    """Say that it is no Kubernetes object."""
    said = _("%(found)s is not a Kubernetes object.") % {"found": problem.found}
    return Words(said, _("Write one Kubernetes object, with kind and metadata."))


@words.register(NotAnObjectName)
def not_an_object_name(problem: NotAnObjectName) -> Words:
    """Say what is no name."""
    said = _("%(found)s is not the name of an object.") % {"found": problem.found}
    return Words(
        said, _("Kubernetes takes lower-case letters, digits, '-' and '.', with a letter or digit at both ends.")
    )


@words.register(NotAnAmount)
def not_an_amount(problem: NotAnAmount) -> Words:
    """Say that it is no amount of a resource."""
    said = _("%(found)s is not an amount.") % {"found": problem.found}
    return Words(said, _("Write an amount such as 4, 500m or 16Gi."))


@words.register(NotOneOf)
def not_one_of(problem: NotOneOf) -> Words:
    """Say that a word is not known, and which ones are."""
    said = _("%(found)s is not known.") % {"found": problem.found}
    known = problem.close or alternatives(problem.known)
    return Words(said, _("Write %(known)s.") % {"known": known})


@words.register(OutOfRange)
def out_of_range(problem: OutOfRange) -> Words:
    """Say between which numbers it must be."""
    bounds = {"least": grouped(problem.least), "most": grouped(problem.most)}
    said = _("%(found)s is not a whole number from %(least)s to %(most)s.") % {
        "found": problem.found,
        "least": grouped(problem.least),
        "most": grouped(problem.most),
    }
    return Words(said, _("Write a whole number from %(least)s to %(most)s.") % bounds)


@words.register(BelowLeast)
def below_least(problem: BelowLeast) -> Words:
    """Say what the least is."""
    said = _("%(found)s is less than %(least)s.") % {"found": problem.found, "least": grouped(problem.least)}
    return Words(said, _("Write %(least)s or more.") % {"least": grouped(problem.least)})


@words.register(TooMany)
def too_many(problem: TooMany) -> Words:
    """Say how many entries there are and may be."""
    said = ngettext("It has %(found)s entry.", "It has %(found)s entries.", problem.found) % {
        "found": grouped(problem.found)
    }
    return Words(said, _("Write at most %(most)s.") % {"most": grouped(problem.most)})


@words.register(TooLong)
def too_long(problem: TooLong) -> Words:
    """Say how long a text is and may be."""
    said = ngettext(
        "%(found)s has %(characters)s character.", "%(found)s has %(characters)s characters.", problem.characters
    ) % {"found": problem.found, "characters": grouped(problem.characters)}
    remedy = ngettext("Write at most %(most)s character.", "Write at most %(most)s characters.", problem.most) % {
        "most": grouped(problem.most)
    }
    return Words(said, remedy)


@words.register(NotALabelKey)
def not_a_label_key(problem: NotALabelKey) -> Words:
    """Say that it is no key of a label."""
    remedy = _(
        "Write 1 to 63 letters, digits, “-”, “_” or “.”, with a letter or digit at both ends; "
        "a lower-case DNS name and a slash may stand before them."
    )
    return Words(_("%(found)s is not a label key.") % {"found": problem.found}, remedy)


@words.register(NotALabelValue)
def not_a_label_value(problem: NotALabelValue) -> Words:
    """Say that it is no value of a label."""
    remedy = _(
        "Write at most 63 letters, digits, “-”, “_” or “.”, with a letter or digit at both ends, or leave it empty."
    )
    return Words(_("%(found)s is not a label value.") % {"found": problem.found}, remedy)
