"""A slider over the moments of something, and where its controls lead."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scrubber:
    """The slider and its controls at one moment.

    `action` takes the slider's value as `field`, beside what is `kept` of the address. Addresses are empty where they
    lead nowhere: the `first` moment, those before and after this one, and the failures `before` and `following`.
    `picture` is what the picture of the moment is drawn from, `revision` tells it from others. `marks` are places in
    percent, with the word for their colour.
    """

    action: str
    field: str
    least: int
    most: int
    value: int
    picture: str
    revision: int
    first: str
    before: str
    previous: str
    next: str
    following: str
    marks: tuple[tuple[float, str], ...]
    stride: int = 1
    kept: tuple[tuple[str, str], ...] = ()

    @property
    def controls(self) -> dict[str, str]:
        """Where each control leads, by the name that scrubber.js reads."""
        names = ("first", "before", "previous", "next", "following")
        return {name: address for name in names if (address := getattr(self, name))}
