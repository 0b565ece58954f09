"""The texts of a lesson that was made of a decision, as its files have them: one document for each language."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils import translation

from clusters.wording.lessons import taken as words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine.lessons import AskedStep


def lesson_texts(
    language: str, steps: Sequence[AskedStep], *, pod: str, nodes: int, nodes_in_all: int
) -> dict[str, Any]:
    """Write the texts of a lesson in a language; ``nodes_in_all``: how many the cluster has that it is taken from."""
    with translation.override(language):
        shown = [words.SITUATION(pod=pod, nodes=nodes)]
        shown += [words.FROM_A_PART(nodes=nodes_in_all)] if nodes_in_all > nodes else []
        return {
            "title": words.step_title(steps[0].kind, steps[0].plugin),
            "about": str(words.ABOUT),
            "steps": {
                str(step.kind): {
                    "title": words.step_title(step.kind, step.plugin),
                    "text": "\n\n".join(shown),
                    "ask": words.step_ask(step.kind, step.plugin),
                    "hints": [*map(str, words.HINTS[step.kind])],
                    "reveal": str(words.REVEALS[step.kind]),
                }
                for step in steps
            },
        }
