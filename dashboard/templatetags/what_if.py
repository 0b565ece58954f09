"""Where a change that would help is tried out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import template
from django.urls import reverse

if TYPE_CHECKING:
    from clusters.engine.analysis import LiftKind
    from dashboard.explained import ExplainedPod

register = template.Library()


@register.simple_tag(takes_context=True)
def what_if(context: template.Context, kind: LiftKind, number: int) -> str:
    """Return the address of the what-if that lifts what a relaxation names; empty where the pod cannot do so itself."""
    # Django loads all template tags before the first page; the form is loaded with the pages that lead to it.
    from clusters.engine.analysis import lifts
    from dashboard.forms.what_if import WhatIfState

    case: ExplainedPod = context["case"]
    if case.profile:
        # A what-if is judged by the pod's own scheduler.
        return ""
    changes = lifts(case.explanation, kind)[number].edits
    return f"{reverse('what-if', kwargs=case.address)}?{WhatIfState(changes=changes).query()}" if changes else ""
