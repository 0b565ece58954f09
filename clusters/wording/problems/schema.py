"""Words for what the Kubernetes API’s types do not allow."""

from __future__ import annotations

from django.utils.translation import gettext as _

from clusters.problems.inputs import (
    EmptyItem,
    IsNot,
    KindOfOtherVersion,
    NeedsField,
    NoApiGroup,
    NoFieldOf,
    NoKind,
    NotAnIntegerOrText,
    NotFieldsOf,
)
from clusters.wording.lists import listed
from clusters.wording.problems.registry import Words, words


@words.register(IsNot)
def is_not(problem: IsNot) -> Words:
    """Say what it must be."""
    said = _("%(found)s is not %(right)s.") % {"found": problem.found, "right": problem.right}
    return Words(said, _("Write %(right)s.") % {"right": problem.right})


@words.register(NotFieldsOf)
def not_fields_of(problem: NotFieldsOf) -> Words:
    """Say what type belongs there."""
    said = _("%(found)s is not a map.") % {"found": problem.found}
    return Words(said, _("A map with fields of %(type_name)s belongs here.") % {"type_name": problem.type_name})


@words.register(NoFieldOf)
def no_field_of(problem: NoFieldOf) -> Words:
    """Name the type and the field."""
    said = _("%(type_name)s has no field %(found)s.") % {"type_name": problem.type_name, "found": problem.found}
    return Words(said, _instead(problem))


@words.register(NeedsField)
def needs_field(problem: NeedsField) -> Words:
    """Name the type and the field."""
    said = _("%(type_name)s needs the field %(field)s.") % {"type_name": problem.type_name, "field": problem.field}
    return Words(said, _("Add %(field)s.") % {"field": problem.field})


@words.register(EmptyItem)
def empty_item(problem: EmptyItem) -> Words:
    """Say that an item is empty."""
    said = _("The item is empty.")
    return Words(said, _("Fill it or remove its dash."))


@words.register(NotAnIntegerOrText)
def not_an_integer_or_text(problem: NotAnIntegerOrText) -> Words:
    """Say what it must be."""
    said = _("%(found)s is not a whole number or a text.") % {"found": problem.found}
    return Words(said, _("Write such as 8080 or http."))


@words.register(NoApiGroup)
def no_api_group(problem: NoApiGroup) -> Words:
    """Name the group."""
    said = _("There is no API group %(found)s.") % {"found": problem.found}
    return Words(said, _group_remedy(problem))


@words.register(KindOfOtherVersion)
def kind_of_other_version(problem: KindOfOtherVersion) -> Words:
    """Name the right version."""
    said = _("%(found)s has no %(kind_name)s.") % {"found": problem.found, "kind_name": problem.kind_name}
    return Words(said, _("Write %(right)s.") % {"right": problem.right})


@words.register(NoKind)
def no_kind(problem: NoKind) -> Words:
    """Name the kind."""
    said = _("%(version)s has no kind %(found)s.") % {"version": problem.version, "found": problem.found}
    return Words(said, _kind_remedy(problem))


def _instead(problem: NoFieldOf) -> str:
    if problem.close:
        return _("Did you mean %(field)s?") % {"field": problem.close}
    return _("Remove it. Among its fields are %(known)s.") % {"known": listed(problem.known)}


def _group_remedy(problem: NoApiGroup) -> str:
    if problem.close:
        return _("Did you mean %(version)s?") % {"version": problem.close}
    return _("Groups that are not Kubernetes' own have a dot in their name.")


def _kind_remedy(problem: NoKind) -> str:
    if problem.close:
        return _("Did you mean %(kind)s?") % {"kind": problem.close}
    return _("Among its kinds are %(known)s.") % {"known": listed(problem.known)}
