"""Words for what can be wrong with a Kubernetes object."""

from __future__ import annotations

from django.utils.translation import gettext as _

from clusters.problems.inputs import (
    AnotherPod,
    LargeObject,
    ListWithoutVersion,
    ManyObjects,
    NotADriverName,
    NotAListOfObjects,
    NotANamespaceName,
    NotAPathSegment,
    NotATimestamp,
    NotAType,
    NotAUid,
    NoType,
    NoUid,
    ObjectWithoutName,
    SharedUid,
)
from clusters.wording.amounts import grouped
from clusters.wording.problems.registry import Words, words


@words.register(ObjectWithoutName)
def object_without_name(problem: ObjectWithoutName) -> Words:
    """Say that the name is missing."""
    said = _("The object has no name.")
    return Words(said, _("Write metadata.name."))


@words.register(NoType)
def no_type(problem: NoType) -> Words:
    """Name what is missing."""
    said = _("The object has no %(field)s.") % {"field": problem.field}
    return Words(said, _("Every object needs apiVersion and kind, as in v1 and Pod."))


@words.register(NotAType)
def not_a_type(problem: NotAType) -> Words:
    """Say what is no type."""
    said = _("%(found)s is not a type.") % {"found": problem.found}
    return Words(said, _("Every object needs apiVersion and kind, as in v1 and Pod."))


@words.register(ListWithoutVersion)
def list_without_version(problem: ListWithoutVersion) -> Words:
    """Say that the version is missing."""
    said = _("The list has no apiVersion.")
    return Words(said, _("Write apiVersion, as in v1."))


@words.register(NotAListOfObjects)
def not_a_list_of_objects(problem: NotAListOfObjects) -> Words:
    """Say what is no list."""
    said = _("%(found)s is not a list of objects.") % {"found": problem.found}
    return Words(said, _("Write Kubernetes objects here."))


@words.register(ManyObjects)
def many_objects(problem: ManyObjects) -> Words:
    """Say how many objects are read."""
    said = _("There are more than %(most)s objects.") % {"most": grouped(problem.most)}
    return Words(said, _("Dump fewer namespaces or kinds, or raise BERTH_OBJECTS_LIMIT."))


@words.register(LargeObject)
def large_object(problem: LargeObject) -> Words:
    """Say how large an object is and may be."""
    said = _("The object has %(found)s bytes after pruning.") % {"found": grouped(problem.found)}
    return Words(said, _("At most %(most)s are taken.") % {"most": grouped(problem.most)})


@words.register(SharedUid)
def shared_uid(problem: SharedUid) -> Words:
    """Name the UID and its owner."""
    said = _("UID %(found)s belongs to %(owner)s already.") % {"found": problem.found, "owner": problem.owner}
    return Words(said, _("Dump one cluster only, and leave UIDs out of objects that are written by hand."))


@words.register(NoUid)
def no_uid(problem: NoUid) -> Words:
    """Say that the UID is missing."""
    said = _("The object has no UID.")
    return Words(said, _("API servers give every object one."))


@words.register(NotAUid)
def not_a_uid(problem: NotAUid) -> Words:
    """Say what is no UID."""
    said = _("%(found)s is not a UID.") % {"found": problem.found}
    return Words(said, _("Write a text of 1 to %(most)s printable characters.") % {"most": grouped(problem.most)})


@words.register(NotANamespaceName)
def not_an_object_namespace_name(problem: NotANamespaceName) -> Words:
    """Say what is no name of a namespace."""
    said = _("%(found)s is not a namespace's name.") % {"found": problem.found}
    return Words(said, _("Kubernetes takes lower-case letters, digits and '-', with a letter or digit at both ends."))


@words.register(NotAPathSegment)
def not_a_path_segment(problem: NotAPathSegment) -> Words:
    """Say what is no name of any object."""
    said = _("%(found)s is not the name of an object.") % {"found": problem.found}
    return Words(said, _("Kubernetes takes up to 253 characters without '/' and '%', and neither '.' nor '..'."))


@words.register(NotADriverName)
def not_a_driver_name(problem: NotADriverName) -> Words:
    """Say what is no name of a driver."""
    said = _("%(found)s is not a driver's name.") % {"found": problem.found}
    return Words(said, _("Kubernetes takes letters, digits, '-' and '.', with a letter or digit at both ends."))


@words.register(NotATimestamp)
def not_a_timestamp(problem: NotATimestamp) -> Words:
    """Say what is no time."""
    said = _("%(found)s is not a time.") % {"found": problem.found}
    return Words(said, _("Write it as in 2026-01-31T12:00:00Z."))


@words.register(AnotherPod)
def another_pod(problem: AnotherPod) -> Words:
    """Say which pod it must be."""
    said = _("This is another pod.")
    return Words(said, _("Write %(right)s, or open the other pod's page.") % {"right": problem.right})
