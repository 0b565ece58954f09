"""Rows of the web ring: the one-time links by which people sign in."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class SignInLink(models.Model):
    """A link that signs one user in once; the token itself is never stored, only its SHA-256."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    token_digest = models.CharField(max_length=64, unique=True)
    expires_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"sign-in link of {self.user} until {self.expires_at:%Y-%m-%d %H:%M}"
