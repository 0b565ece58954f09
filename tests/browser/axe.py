"""The accessibility rules of axe-core, run inside a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings

if TYPE_CHECKING:
    from playwright.sync_api import Page

_AXE = (settings.BASE_DIR / "tests/vendor/axe-core/axe.min.js").read_text(encoding="utf-8")


def violations(page: Page) -> list[str]:
    """Return what axe-core finds, a line per rule with the first elements it concerns."""
    # Evaluated by the browser's debugger, which the page's script policy does not bind.
    page.evaluate(_AXE)
    found: list[dict[str, Any]] = page.evaluate("axe.run().then((result) => result.violations)")
    return [f"{rule['id']}: {[node['target'] for node in rule['nodes'][:3]]}" for rule in found]
