"""The one form of everything that is no success."""

from __future__ import annotations

from typing_extensions import TypedDict


class ErrorParts(TypedDict):
    """A code for programs, a sentence that says what is wrong, the parameter, field or path, and what to do."""

    code: str
    what: str
    where: str
    remedy: str


class Error(TypedDict):
    """Any answer that is no success."""

    error: ErrorParts
