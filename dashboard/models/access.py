"""Links that sign people in, tokens that let programs in, roles, and who did what."""

from __future__ import annotations

from typing import Any, NoReturn

from django.conf import settings
from django.db import models

from clusters.wording.access import audit, sign_in as words


class SignInLink(models.Model):
    """A link that signs one user in once; the token itself is never stored, only its SHA-256."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    token_digest = models.CharField(max_length=64, unique=True)
    expires_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.user} until {self.expires_at:%Y-%m-%d %H:%M}"


class ApiToken(models.Model):
    """A key by which a program asks in its user's name; the key itself is never stored, only its SHA-256."""

    class Scope(models.TextChoices):
        READ = "read", words.READ
        WRITE = "write", words.READ_AND_WRITE

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=100)
    token_digest = models.CharField(max_length=64, unique=True)
    scope = models.CharField(max_length=8, choices=Scope.choices, default=Scope.READ)
    created_at = models.DateTimeField(auto_now_add=True)
    # The clusters that it opens, by primary key; null for all that its user may view. One that is deleted stays named:
    # nothing left is not everything.
    clusters = models.JSONField(null=True)
    # Null for a token that lasts until it is revoked.
    expires_at = models.DateTimeField(null=True)
    last_used_on = models.DateField(null=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["user", "name"], name="api_token_once"),)
        ordering = ("user", "name")

    def __str__(self) -> str:
        return f"{self.name} of {self.user}"

    @property
    def may_write(self) -> bool:
        return self.scope == self.Scope.WRITE


class RoleGrant(models.Model):
    """A role of a user, or of all in a group: a viewer's or an operator's of one cluster, or of all without one."""

    class Role(models.TextChoices):
        VIEWER = "viewer", words.VIEWER
        OPERATOR = "operator", words.OPERATOR
        TRAINER = "trainer", words.TRAINER
        ADMINISTRATOR = "administrator", words.ADMINISTRATOR

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="role_grants", null=True)
    group = models.ForeignKey("auth.Group", on_delete=models.CASCADE, related_name="role_grants", null=True)
    role = models.CharField(max_length=16, choices=Role.choices)
    cluster = models.ForeignKey("clusters.Cluster", on_delete=models.CASCADE, related_name="role_grants", null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=models.Q(user=None) ^ models.Q(group=None), name="role_grant_of_user_or_group"
            ),
            models.CheckConstraint(
                condition=models.Q(cluster=None) | models.Q(role__in=("viewer", "operator")),
                name="role_grant_of_installation",
            ),
        )
        ordering = ("role", "pk")

    def __str__(self) -> str:
        return f"{self.role} {self.user or self.group}"


class AuditEntry(models.Model):
    """One thing that somebody did; it is written once, never changed, and removed only when it is old.

    Names are as they were then: what they were of may be gone.
    """

    class Action(models.TextChoices):
        SIGNED_IN = "signed-in", audit.SIGNED_IN
        SIGN_IN_FAILED = "sign-in-failed", audit.SIGN_IN_FAILED
        SIGNED_OUT = "signed-out", audit.SIGNED_OUT
        UPLOADED = "uploaded", audit.UPLOADED
        FOLLOWED = "followed", audit.FOLLOWED
        RENAMED = "renamed", audit.RENAMED
        DELETED = "deleted", audit.DELETED
        CONFIGURED = "configured", audit.CONFIGURED
        ROLE_GIVEN = "role-given", audit.ROLE_GIVEN
        ROLE_TAKEN = "role-taken", audit.ROLE_TAKEN
        USER_ADDED = "user-added", audit.USER_ADDED
        LINK_MADE = "link-made", audit.LINK_MADE
        USER_DISABLED = "user-disabled", audit.USER_DISABLED
        USER_ENABLED = "user-enabled", audit.USER_ENABLED
        SESSIONS_ENDED = "sessions-ended", audit.SESSIONS_ENDED
        TOKEN_MADE = "token-made", audit.TOKEN_MADE
        TOKEN_ROTATED = "token-rotated", audit.TOKEN_ROTATED
        TOKEN_REVOKED = "token-revoked", audit.TOKEN_REVOKED
        CLASSROOM_OPENED = "classroom-opened", audit.CLASSROOM_OPENED
        REVIEW_EXPORTED = "review-exported", audit.REVIEW_EXPORTED
        AUDIT_EXPORTED = "audit-exported", audit.AUDIT_EXPORTED

    at = models.DateTimeField(auto_now_add=True)
    # Empty where nobody is signed in and no name was given.
    username = models.CharField(max_length=150, db_index=True)
    address = models.GenericIPAddressField(null=True)
    request_id = models.CharField(max_length=64)
    action = models.CharField(max_length=20, choices=Action.choices)
    # Empty where it is about no cluster.
    cluster = models.CharField(max_length=253, db_index=True)
    subject = models.CharField(max_length=253)

    class Meta:
        ordering = ("-at", "-pk")
        indexes = (models.Index(fields=("-at", "-id"), name="audit_newest"),)
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.username} {self.action} {self.cluster} {self.subject}"

    def save(self, *args: Any, **options: Any) -> None:
        if not self._state.adding:
            raise TypeError("An entry of the audit log is never changed.")
        super().save(*args, **options)

    def delete(self, using: Any = None, keep_parents: bool = False) -> NoReturn:
        raise TypeError("An entry of the audit log is never deleted by itself.")
