"""Links that sign people in, and tokens that let programs in."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from clusters.wording.access import sign_in as words


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
