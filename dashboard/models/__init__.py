"""Rows of the web ring: how people and programs are let in, how far learners are, classrooms, and sandboxes."""

from __future__ import annotations

from dashboard.models.access import ApiToken, AuditEntry, RoleGrant, SignInLink
from dashboard.models.classrooms import Classroom, Participant
from dashboard.models.identities import Identity
from dashboard.models.lessons import LessonProgress
from dashboard.models.sandboxes import Sandbox, SharedSandbox

__all__ = [
    "ApiToken",
    "AuditEntry",
    "Classroom",
    "Identity",
    "LessonProgress",
    "Participant",
    "RoleGrant",
    "Sandbox",
    "SharedSandbox",
    "SignInLink",
]
