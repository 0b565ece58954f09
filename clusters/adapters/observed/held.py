"""The attempts of one source, held until all of it is read."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.adapters.limits import Limits
    from clusters.adapters.observed.attempt import Attempt


class Held:
    """Attempts without duplicates, as many as the limits allow; `left_out` counts the others."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._attempts: dict[tuple[str, str, str, str], Attempt] = {}
        self._bytes = 0
        self.left_out = 0

    def __len__(self) -> int:
        return len(self._attempts)

    def __iter__(self) -> Iterator[Attempt]:
        return iter(self._attempts.values())

    def add(self, attempt: Attempt) -> None:
        """Take an attempt; of two readings of the same one the fuller, and of equally full ones the later."""
        identity = (attempt.namespace, attempt.name, attempt.uid, attempt.key)
        before = self._attempts.get(identity)
        if before is not None and attempt.cells < before.cells:
            return
        size = self._bytes + len(attempt.packed) - (len(before.packed) if before is not None else 0)
        is_one_more = before is None and len(self) >= self._limits.attempts
        if is_one_more or size > self._limits.attempt_bytes:
            self.left_out += 1
            return
        self._bytes = size
        self._attempts[identity] = attempt
