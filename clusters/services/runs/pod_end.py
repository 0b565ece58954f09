"""Where a pod is when a run ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clusters.engine.admission.creation import CreationRefusal
    from clusters.engine.conclusion import Uncertainty
    from clusters.models import RunPod


@dataclass(slots=True)
class PodEnd:
    """Where one pod ended; ``step`` is the number of the step that decided it.

    ``failed`` is the reference in the log of an attempt that could not be computed, else empty. ``uncertain``: what
    could have kept it from the node that took it, also if it has left that since. ``message`` is as its row holds it.
    ``refusal``: why the API server did not create it.
    """

    outcome: RunPod.Outcome
    node: str
    step: int
    attempts: int
    message: str
    plugins: tuple[str, ...]
    failed: str = ""
    uncertain: tuple[Uncertainty, ...] = ()
    refusal: CreationRefusal | None = None
