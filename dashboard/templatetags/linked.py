"""Sentences whose names lead to the pages of what they name."""

from __future__ import annotations

from django import template

from dashboard.presenters.shared import page as presenter

register = template.Library()


@register.simple_tag(takes_context=True)
def linked(context: template.Context, sentence: str) -> str:
    """Return a sentence with links to what it names of the page's cluster; as it is where the page has none."""
    return presenter.linked(sentence, context.get("cluster"))
