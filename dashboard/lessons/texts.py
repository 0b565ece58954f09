"""The texts of lessons as HTML: CommonMark without HTML, images and links, whoever wrote it."""

from __future__ import annotations

from typing import Final

from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

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
