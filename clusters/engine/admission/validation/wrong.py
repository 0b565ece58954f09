"""One field that the API server would not take."""

from __future__ import annotations

from typing import NamedTuple


class Wrong(NamedTuple):
    """The field, what is wrong with it and what would be right, in whole sentences."""

    field: str
    problem: str
    remedy: str
