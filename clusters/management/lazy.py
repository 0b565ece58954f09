"""Commands whose help is shown, and whose arguments are checked, before what answers them is loaded."""

from __future__ import annotations

from typing import Any, ClassVar

from django.core.management.base import BaseCommand
from django.utils.module_loading import import_string


class LazyCommand(BaseCommand):
    """A command that declares its arguments; ``work`` is the path of the command that takes them."""

    work: ClassVar[str]
    # Nothing that is checked matters to a command that reads a file.
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        command = import_string(self.work)()
        command.stdout, command.stderr, command.style = self.stdout, self.stderr, self.style
        command.handle(*args, **options)
