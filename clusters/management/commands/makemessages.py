"""Collects messages for translators, those that problems declare among them."""

from __future__ import annotations

from django.core.management.commands import makemessages


class Command(makemessages.Command):
    """Django's own command, which also knows the marks of `clusters.engine.problems`."""

    xgettext_options = [*makemessages.Command.xgettext_options, "--keyword=message:1", "--keyword=plural:1,2"]  # noqa: RUF012
