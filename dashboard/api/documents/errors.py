"""The one form of everything that is no success."""

from __future__ import annotations

from typing_extensions import TypedDict


class ErrorParts(TypedDict):
    """A sentence that says what is wrong, the parameter, field or path to blame, and what to do."""

    what: str
    where: str
    remedy: str


class Error(TypedDict):
    """Any answer that is no success."""

    error: ErrorParts
