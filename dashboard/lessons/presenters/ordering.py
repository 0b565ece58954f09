"""Things that a learner puts in an order: one place up or down, into the order, or out of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def moved(names: Sequence[str], how: str) -> list[str]:
    """Return the names after a move, which is written `up:NAME`, `down:NAME`, `in:NAME` or `out:NAME`."""
    act, _, name = how.partition(":")
    found = [each for each in names if each != name]
    at = list(names).index(name) if name in names else len(found)
    match act:
        case "up":
            found.insert(max(0, at - 1), name)
        case "down":
            found.insert(at + 1, name)
        case "in":
            found.append(name)
        case "out":
            return found
        case _other:
            return list(names)
    return found
