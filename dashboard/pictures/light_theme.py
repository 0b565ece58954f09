"""The design tokens' values for what leaves the site: paper and files have the light theme."""

from __future__ import annotations

import re
from functools import cache

from django.conf import settings

_DECLARATION = re.compile(r"--([\w-]+):\s*(#[0-9a-f]{6});")
_REFERENCE = re.compile(r"var\(--([\w-]+)\)")


@cache
def light_colours() -> dict[str, str]:
    """Return the light theme's colours by their tokens' names, as static/css/tokens.css has them."""
    text = (settings.BASE_DIR / "static" / "css" / "tokens.css").read_text(encoding="utf-8")
    light = text[: text.index('[data-bs-theme="dark"]')]
    return dict(_DECLARATION.findall(light))


def with_colours(drawn: str) -> str:
    """Replace the references to tokens in a drawing by the light theme's colours."""
    return _REFERENCE.sub(lambda found: light_colours()[found[1]], drawn)
