"""Clusters that users build in the sandbox, and links to them."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class Sandbox(models.Model):
    """The cluster that one user builds, with all that can be undone; who has no row has not begun.

    ``revision`` counts what was done, so that of two windows none overwrites what the other did.
    """

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    packed_history = models.BinaryField()
    revision = models.PositiveIntegerField(default=0)
    changed_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"{self.revision} of {self.user}"


class SharedSandbox(models.Model):
    """A sandbox as it was when its owner made a link to it.

    The token stands as it is, so that its owner finds the link again; it opens a copy, and only to who is signed in.
    """

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    token = models.CharField(max_length=64, unique=True)
    packed_objects = models.BinaryField()
    nodes = models.PositiveIntegerField()
    pods = models.PositiveIntegerField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ("-created_at",)

    def __str__(self) -> str:
        return f"{self.pk} of {self.owner}"
