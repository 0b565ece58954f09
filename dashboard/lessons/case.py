"""The pod in question of a lesson with its explanation, as the parts of a decision ask for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

from dashboard.explained import ExplainedCase, with_query
from dashboard.lessons.languages import texts_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clusters.engine import Explanation
    from dashboard.lessons.experiments import PlayedStep
    from dashboard.lessons.learners import Learner


@dataclass(frozen=True, slots=True)
class ExplainedLesson(ExplainedCase):
    """The pod in question at a step; `side` is where in an address: the lesson's own situation, or the experiment."""

    played: PlayedStep
    explanation: Explanation
    side: str
    learner: Learner

    @property
    def is_simulated(self) -> bool:
        """Whether a simulation decides."""
        return False

    @property
    def own_node(self) -> str:
        """Return the node that the pod runs on: none yet."""
        return ""

    @property
    def whole(self) -> str:
        """Return the name of what has the nodes."""
        return texts_of(self.played.lesson).title

    @property
    def page(self) -> str:
        """Return the template of a page that has one part of the decision."""
        return "lessons/decision_part.html"

    @property
    def context(self) -> dict[str, object]:
        """Return what pages of the decision show beside it."""
        return {"played": self.played, "learner": self.learner, "pod": self.explanation.pod.key}

    def part_address(self, name: str = "", query: Sequence[tuple[str, str]] = (), **path: object) -> str:
        """Return the address of a part of the decision, or of the step."""
        if not name:
            return self._step
        named = {**self.played.address, "side": self.side, **path}
        address = self.learner.address(f"decision-{name}", named)
        return with_query(address, query)

    def node_address(self, name: str) -> str:
        """Return where a node stands in the step's table."""
        return f"{self._step}#node-{name}"

    def pod_address(self, namespace: str, name: str) -> str:
        """Return where another pod stands in the step's table."""
        return f"{self._step}#cluster"

    @property
    def _step(self) -> str:
        name = "experiment" if self.side == "experiment" else "step"
        return self.learner.address(name, self.played.address)


# Addresses of strangers have no place in a lesson, and pictures of theirs would tell them who learns what.
_RULES: Final = ("image", "link", "autolink", "reference", "html_block", "html_inline")
_markdown: Final = MarkdownIt("commonmark", {"html": False}).disable(list(_RULES))
# Below the headings of the page that a text stands on.
_LEVELS_DOWN: Final = 2


def as_html(text: str) -> SafeString:
    """Return a text as HTML; whatever it holds is escaped."""
    tokens = _markdown.parse(text)
    for token in tokens:
        if token.type in {"heading_open", "heading_close"}:
            token.tag = f"h{min(6, int(token.tag[1]) + _LEVELS_DOWN)}"
    html: str = _markdown.renderer.render(tokens, _markdown.options, {})
    return mark_safe(html)  # noqa: S308 - the renderer escapes


def sentence_as_html(text: str) -> SafeString:
    """Return a sentence as a paragraph: one that begins with "1." is no list."""
    html: str = _markdown.renderInline(text)
    return mark_safe(f"<p>{html}</p>")  # noqa: S308 - the renderer escapes
