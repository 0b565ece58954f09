"""Paths of fields, and what stands there."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from clusters.engine.lessons.problems import NotAFieldPath
from clusters.engine.showing import shown
from clusters.engine.simulation.changes.errors import ChangeError

if TYPE_CHECKING:
    from clusters.engine.objects import Document

_STEP: Final = re.compile(r"""\.?([^.\[\]"]+)|\[([0-9]{1,4})\]|\["([^"]+)"\]""")


@dataclass(frozen=True, slots=True)
class FieldPath:
    """A path such as ``spec.containers[0].resources`` or ``metadata.labels["example.com/app"]``."""

    text: str
    steps: tuple[str | int, ...]

    @classmethod
    def read(cls, text: str, path: str) -> FieldPath:
        """Read a path, which itself stands at ``path``. Raises ChangeError."""
        steps: list[str | int] = []
        position = 0
        for match in _STEP.finditer(text):
            if match.start() != position:
                break
            key, number, quoted = match.groups()
            steps.append(int(number) if number else key or quoted)
            position = match.end()
        if not steps or position != len(text) or text.startswith("."):
            raise ChangeError(path, NotAFieldPath(shown(text)))
        return cls(text, tuple(steps))

    def of(self, document: Document) -> Any:
        """What stands there, None where nothing does."""
        found: Any = document
        for step in self.steps:
            if isinstance(step, str) and isinstance(found, Mapping):
                found = found.get(step)
            elif isinstance(step, int) and isinstance(found, list | tuple) and step < len(found):
                found = found[step]
            else:
                return None
        return found
