"""Who may change what is mirrored, teach, and write lessons; everybody who is signed in may look."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.auth.decorators import user_passes_test
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, PermissionsMixin, User
from django.core.exceptions import PermissionDenied

from clusters.wording.lessons.teaching import MAY_NOT_TEACH
from clusters.wording.lessons.upload import MAY_NOT_WRITE

if TYPE_CHECKING:
    from clusters.models import Report, ReportSchedule, SimulationRun, Study

CHANGE_CLUSTERS = "clusters.add_cluster"
TEACH = "dashboard.teach"
WRITE_LESSONS = "clusters.add_storedlesson"


def may_look(user: AbstractBaseUser | AnonymousUser) -> bool:
    """Tell whether the user may see what is mirrored: the rule of the gate before every view."""
    return user.is_authenticated


def may_change_clusters(user: AbstractBaseUser | AnonymousUser) -> bool:
    """Tell whether the user may upload dumps and delete clusters."""
    return _has(user, CHANGE_CLUSTERS)


def may_teach(user: AbstractBaseUser | AnonymousUser) -> bool:
    """Tell whether the user may open classrooms."""
    return _has(user, TEACH)


def may_write_lessons(user: AbstractBaseUser | AnonymousUser) -> bool:
    """Tell whether the user may upload and remove lessons, and make them of decisions."""
    return _has(user, WRITE_LESSONS)


def _has(user: AbstractBaseUser | AnonymousUser, permission: str) -> bool:
    return isinstance(user, PermissionsMixin) and (bool(getattr(user, "is_staff", False)) or user.has_perm(permission))


def may_end(user: User, ordered: SimulationRun | Study | Report | ReportSchedule) -> bool:
    """Tell whether the user may cancel or remove what somebody ordered: one's own, or any who may change clusters."""
    return ordered.created_by_id == user.pk or may_change_clusters(user)


def _allowed(user: AbstractBaseUser | AnonymousUser) -> bool:
    return _or_refuse(may=may_change_clusters(user))


def _teaches(user: AbstractBaseUser | AnonymousUser) -> bool:
    return _or_refuse(may=may_teach(user), reason=MAY_NOT_TEACH)


def _writes_lessons(user: AbstractBaseUser | AnonymousUser) -> bool:
    return _or_refuse(may=may_write_lessons(user), reason=MAY_NOT_WRITE)


def _or_refuse(*, may: bool, reason: object = "") -> bool:
    if not may:
        # The sign-in page, which Django would show, is no answer for somebody who is signed in.
        raise PermissionDenied(reason)
    return True


changes_clusters = user_passes_test(_allowed)
teaches = user_passes_test(_teaches)
writes_lessons = user_passes_test(_writes_lessons)
