"""What a constraint requires, as a typed value: each plugin defines its own, and those are here that several share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar


class Subject:
    """One requirement of a plugin, as a frozen value: equal to another one exactly where both require the same.

    ``kind`` names its type in documents and stays the same from version to version. ``may_prefer``: the pod can prefer
    this instead of requiring it.
    """

    __slots__ = ()

    kind: ClassVar[str]
    may_prefer: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class ClaimSubject(Subject):
    """A PersistentVolumeClaim of the pod's namespace."""

    kind: ClassVar[str] = "claim"

    claim: str
