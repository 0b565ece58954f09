"""Words for what the API server refuses of objects beside pods."""

from __future__ import annotations

from django.utils.translation import gettext as _

from clusters.engine.admission import (
    AboveOther,
    BothZero,
    DefaultClassTwice,
    NeedsOneOf,
    NoSuchRequest,
    NotAPodCount,
    NotASchedule,
    NotTogether,
    OnlyBeside,
    Repeated,
    ReservedClass,
    TemplateNotSelected,
)
from clusters.wording.lists import alternatives, listed
from clusters.wording.problems.registry import Words, words


@words.register(NotAPodCount)
def not_a_pod_count(problem: NotAPodCount) -> Words:
    """Say that it is no number of pods."""
    said = _("%(found)s is not a number of pods.") % {"found": problem.found}
    return Words(said, _("Write a whole number from 0 on, or a percentage from 0% to 100% in quotes."))


@words.register(NotTogether)
def not_together(problem: NotTogether) -> Words:
    """Say which exclude each other."""
    said = _("%(fields)s exclude each other.") % {"fields": listed(problem.fields)}
    return Words(said, _("Keep one of them."))


@words.register(NeedsOneOf)
def needs_one_of(problem: NeedsOneOf) -> Words:
    """Say of which fields one is needed."""
    said = _("It needs exactly one of %(fields)s.") % {"fields": alternatives(problem.fields)}
    return Words(said, _("Write one of them."))


@words.register(OnlyBeside)
def only_beside(problem: OnlyBeside) -> Words:
    """Say where it is allowed."""
    said = _("It is allowed only where %(field)s is %(value)s.") % {"field": problem.field, "value": problem.value}
    return Words(said, _("Remove it."))


@words.register(Repeated)
def repeated(problem: Repeated) -> Words:
    """Say that it is there twice."""
    return Words(_("%(found)s is there twice.") % {"found": problem.found}, _("Remove one of the two."))


@words.register(AboveOther)
def above_other(problem: AboveOther) -> Words:
    """Say which amount it exceeds."""
    said = _("%(found)s is above %(field)s, %(other)s.") % {
        "found": problem.found,
        "field": problem.field,
        "other": problem.other,
    }
    return Words(said, _("Write %(other)s or less.") % {"other": problem.other})


@words.register(BothZero)
def both_zero(problem: BothZero) -> Words:
    """Say which are 0."""
    said = _("%(fields)s are both 0.") % {"fields": listed(problem.fields)}
    return Words(said, _("Write 1 or more for one of them."))


@words.register(ReservedClass)
def reserved_class(problem: ReservedClass) -> Words:
    """Say whose names these are."""
    said = _("Names that begin with system- are reserved for %(known)s.") % {"known": listed(problem.known)}
    return Words(said, _("Write another name than %(found)s.") % {"found": problem.found})


@words.register(DefaultClassTwice)
def default_class_twice(problem: DefaultClassTwice) -> Words:
    """Name the class that is the default."""
    said = _("PriorityClass %(other)s is marked as default already.") % {"other": problem.other}
    return Words(said, _("Remove globalDefault from one of the two."))


@words.register(NotASchedule)
def not_a_schedule(problem: NotASchedule) -> Words:
    """Say what a schedule is."""
    said = _("%(found)s is not a schedule.") % {"found": problem.found}
    return Words(said, _("Write minute, hour, day of the month, month and day of the week, such as 0 3 * * 1-5."))


@words.register(NoSuchRequest)
def no_such_request(problem: NoSuchRequest) -> Words:
    """Name the requests that there are."""
    said = _("The claim has no request %(found)s.") % {"found": problem.found}
    return Words(said, _("It has %(known)s.") % {"known": listed(problem.known)})


@words.register(TemplateNotSelected)
def template_not_selected(problem: TemplateNotSelected) -> Words:
    """Say that a workload would not find its own pods."""
    said = _("The selector does not match the labels of the pod template.")
    return Words(said, _("Write the labels of the template's metadata as the selector."))
