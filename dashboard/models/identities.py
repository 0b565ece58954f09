"""Who users are elsewhere: at an identity provider, or to a proxy that signs them in."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class Identity(models.Model):
    """Who a user is to those that vouch for them: known by issuer and subject, whatever the name or e-mail address."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="identity")
    issuer = models.CharField(max_length=255)
    subject = models.CharField(max_length=255)
    # When the issuer vouched for the user last.
    verified_at = models.DateTimeField()
    # With what it is asked whether it still does, sealed; empty where it gave nothing for that.
    refresh_token = models.TextField(blank=True)
    # When it was asked last, so that of several processes one asks.
    asked_at = models.DateTimeField(null=True)
    # It no longer does: the user has to sign in again.
    is_refused = models.BooleanField(default=False)

    class Meta:
        verbose_name_plural = "identities"
        constraints = (models.UniqueConstraint(fields=("issuer", "subject"), name="identity_once"),)

    def __str__(self) -> str:
        return f"{self.user} of {self.issuer}"
