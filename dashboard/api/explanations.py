"""The explanation of one pod as data: everything that its page says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
from django.urls import reverse

from clusters.documents.words import words
from clusters.documents.writing import compact, explanation_document
from clusters.engine.analysis import Advice, advice
from clusters.engine.kubelet import container_ends
from clusters.services.computing import check
from clusters.services.observed import PairState, compare, events_of, observations_of
from clusters.services.pending.pods import Needs, tried_ways
from dashboard.api.clusters import cluster_dict
from dashboard.presenters.decisions import page as presenter
from dashboard.presenters.decisions.observed import about_text, autoscaler_sentences, side_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dashboard.explained import ExplainedPod


def explanation_dict(
    case: ExplainedPod, top: int, nodes: Iterable[int] = (), *, evidence: bool = False, is_mirrored: bool = True
) -> dict[str, Any]:
    """Return the explanation and what stands beside it; docs/api.md explains every field.

    ``nodes`` are rows of nodes whose every answer is wanted, with ``evidence`` also what was compared there.
    """
    explanation = case.explanation
    view = presenter.verdict(case.pod, explanation)
    # What is left costs most.
    check()
    return {
        "cluster": cluster_dict(case.cluster),
        "page": reverse("decision", kwargs=case.address) if is_mirrored else None,
        "profile": case.profile or explanation.profile.scheduler_name,
        "state": view.kind,
        "nodeName": case.pod.node_name or None,
        "terminations": [
            {
                "container": end.container,
                "reason": end.reason or None,
                "exitCode": end.exit_code,
                "finishedAt": end.finished or None,
                "restarts": end.restarts,
            }
            for end in container_ends(case.pod.object)
        ],
        "reported": {"condition": case.pod.unschedulable_message or None} if is_mirrored else None,
        "explanation": msgspec.to_builtins(
            explanation_document(explanation, compact(top), nodes=nodes, evidence=evidence)
        ),
        "words": {
            **words(explanation, view.sentence, _advice(case, is_mirrored=is_mirrored)),
            "context": list(view.context),
            "autoscaler": _autoscaler(case) if is_mirrored else [],
        },
        "observed": _observed(case, top) if is_mirrored else None,
    }


def _advice(case: ExplainedPod, *, is_mirrored: bool) -> list[Advice]:
    """Return what would make a pod schedulable as its page has it; nothing of one that fits."""
    explanation = case.explanation
    if explanation.fits:
        return []
    tried = tried_ways(cluster=case.cluster, explanation=explanation) if is_mirrored else ()
    return advice(explanation, tried, Needs(case.cluster).of(case.pod.object) if is_mirrored else {})


def _autoscaler(case: ExplainedPod) -> list[str]:
    """Quote what those who add nodes reported about a pending pod, as its page does."""
    if case.explanation.fits or case.pod.node_name:
        return []
    return autoscaler_sentences(events_of(case.pod))


def _observed(case: ExplainedPod, top: int) -> dict[str, Any] | None:
    """Return how the latest attempt that somebody recorded compares; None where nobody did."""
    attempts = observations_of(case.pod)
    latest = attempts.first()
    if latest is None:
        return None
    comparison = compare(latest.document, case.explanation)
    counts = comparison.counts()
    differing = (cell for cell in comparison.cells() if cell[2].state is PairState.DIFFERS)
    return {
        "attempts": attempts.count(),
        "source": latest.source,
        "origin": latest.origin,
        "attempt": latest.attempt,
        "observedAt": latest.observed_at,
        "cells": {state: counts[state] for state in PairState},
        "differences": [
            {
                "node": node or None,
                "about": about_text(about),
                "observed": side_text(pair.observed),
                "computed": side_text(pair.computed),
            }
            for (node, about, pair), _ in zip(differing, range(top), strict=False)
        ],
    }
