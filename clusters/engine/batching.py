"""Opportunistic batching: pods that are alike may share one evaluation of the nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clusters.engine.configuration import PodTopologySpreadArgs
from clusters.engine.spreading.constraints import PLUGIN as SPREADING
from clusters.engine.spreading.constraints import has_constraints
from clusters.engine.versions import Gate

if TYPE_CHECKING:
    from clusters.engine.explanation import Explanation


def may_share_an_evaluation(explanation: Explanation) -> bool:
    """Whether the pod may get the next best node of the one before it, without a search.

    Upstream: ``SignPod`` of ``pkg/scheduler/framework/plugins/podtopologyspread/plugin.go`` v1.37.2. Pods that spread,
    by themselves or by default, never do; which of the others are alike nobody outside has to know.
    """
    if not explanation.snapshot.release.enables(Gate.OPPORTUNISTIC_BATCHING):
        return False
    profile = explanation.profile
    arguments = profile.args.get(SPREADING)
    is_asked = SPREADING in (*profile.filter, *profile.score)
    return not (
        is_asked and isinstance(arguments, PodTopologySpreadArgs) and has_constraints(explanation.pod, arguments)
    )
