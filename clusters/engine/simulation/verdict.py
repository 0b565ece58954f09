"""Whether what a simulation was asked fits: the one answer that page, terminal and programs give."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from clusters.engine.conclusion import Conclusion, Uncertainty
    from clusters.engine.problems import Problem


class Verdict(NamedTuple):
    """Whether what was asked fits, and the first pods that are ``left`` without a node, or ``uncertain``.

    ``uncertainties``: why pods are uncertain, as `uncertainty_with_words` writes it. ``message``: the scheduler's about
    the first pod that is left, or the ``problem`` in its place; ``doubts``: why the first uncertain one is so, where
    nothing else is the matter.
    """

    conclusion: Conclusion
    left: list[str]
    uncertain: list[str]
    uncertainties: list[dict[str, Any]]
    has_pods: bool
    message: str | None = None
    doubts: tuple[Uncertainty, ...] = ()
    problem: Problem | None = None
