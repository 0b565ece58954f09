"""Messages of kube-scheduler, quoted: one line of each, and the whole of it where somebody opens that."""

from __future__ import annotations

import re
from dataclasses import dataclass

# Where the first clause of a message ends: `0/60 nodes are available: 2 Too many pods, …`.
_CLAUSE_ENDS = re.compile(r"[:;,.]\s")


@dataclass(frozen=True, slots=True)
class Quote:
    """A message as the scheduler writes it; ``opening`` is its first clause, empty where that is the whole message."""

    whole: str

    @property
    def opening(self) -> str:
        """The first clause."""
        end = _CLAUSE_ENDS.search(self.whole)
        return self.whole[: end.start()] if end is not None else ""
