"""Names that lead to pages: of objects, and in sentences."""

from __future__ import annotations

from typing import NamedTuple

from django import template

from dashboard.presenters.shared import page as presenter

register = template.Library()


@register.simple_tag(takes_context=True)
def linked(context: template.Context, sentence: str) -> str:
    """Return a sentence with links to what it names of the page's cluster; as it is where the page has none."""
    return presenter.linked(sentence, context.get("cluster"))


class ObjectName(NamedTuple):
    """What an address needs of an object's key."""

    namespace: str
    name: str


@register.filter
def named(key: object) -> ObjectName:
    """Split a key, as in `shop/web`."""
    namespace, _, name = str(key).partition("/")
    return ObjectName(namespace, name)
