"""The sentences about what could not be computed."""

from __future__ import annotations

REMEDY = "The other pods are not affected. This is a defect of Berth: report it with that error."
_NEXT = "The other pods are not affected. Try a what-if without what is unusual about this one, and report the error."

OVER_TIME = "Ask for less at once, or ask a simulation, which has no such limit."


def what(reference: str) -> str:
    """Say that an explanation failed, and where its traceback is."""
    return f"Could not be computed: Berth's log has the error under {reference}."


def page(reference: str) -> str:
    """Say in the place of a whole explanation what to do without it."""
    return f"{what(reference)} {_NEXT}"
