"""The lines in which work waits, each with workers of its own."""

from __future__ import annotations

from django.db import models


class Lane(models.TextChoices):
    """What waits in one keeps nothing in the other waiting; the values are the names of the broker's queues."""

    # Somebody, or a pipeline, waits for the answer.
    QUESTIONS = "questions"
    # With studies and reviews.
    SIMULATIONS = "simulations"
