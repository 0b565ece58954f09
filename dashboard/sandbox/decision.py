"""The parts of a decision in a sandbox."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import Http404, HttpResponse
from django.views.decorators.http import require_safe

from clusters.wording.lessons import sandbox as words
from dashboard.sandbox.case import ExplainedSandboxPod, decision_of
from dashboard.sandbox.storing import sandbox_of
from dashboard.views.decision_parts import (
    compare_answer,
    lines_answer,
    map_answer,
    names_answer,
    node_answer,
    why_not_answer,
)
from dashboard.views.decisions import cell_answer, scores_answer

if TYPE_CHECKING:
    from collections.abc import Callable

    from dashboard.http import PageRequest


def _part(answer: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Return the view of a part of the decision about a pod; what else its address names goes to the answer."""

    @require_safe
    def view(request: PageRequest, /, namespace: str, name: str, **asked: Any) -> HttpResponse:
        found = decision_of(sandbox_of(request.user), f"{namespace}/{name}")
        if found is None:
            raise Http404(str(words.NO_DECISION))
        return answer(request, ExplainedSandboxPod(found.explanation, found.node), **asked)

    return view


map_part = _part(map_answer)
map_lines = _part(lines_answer)
node_names = _part(names_answer)
node = _part(node_answer)
why_not_node = _part(why_not_answer)
compare = _part(compare_answer)
scores = _part(scores_answer)
cell = _part(cell_answer)
