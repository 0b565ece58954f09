"""Whether what a simulation was asked fits: the one answer that page, terminal and programs give."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine.conclusion import Conclusion, Uncertainty
    from clusters.engine.problems import Problem


class Verdict(NamedTuple):
    """Whether what was asked fits, and the first pods that are ``pending`` or ``uncertain``.

    ``uncertainties``: why pods are uncertain. ``message``: the scheduler's about the first pending pod, or the
    ``problem`` in its place; ``doubts``: why the first uncertain one is so, where nothing else is the matter. ``kept``:
    the first pods that keep a node from being drained, where no pod is pending. ``forbidden``: the first pods that
    the API server refused; ``message`` is the API server's about the first, where no pod is pending.
    """

    conclusion: Conclusion
    pending: list[str]
    uncertain: list[str]
    uncertainties: list[Uncertainty]
    has_pods: bool
    message: str | None = None
    doubts: tuple[Uncertainty, ...] = ()
    problem: Problem | None = None
    kept: Sequence[str] = ()
    forbidden: Sequence[str] = ()
