"""The accessibility rules of axe-core, run inside a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings

if TYPE_CHECKING:
    from playwright.sync_api import Page

_AXE = (settings.BASE_DIR / "tests/vendor/axe-core/axe.min.js").read_text(encoding="utf-8")


# A theme changes colours and nothing else, so that only the rules about them can find anything new in it.
_COLOURS = {"runOnly": ["color-contrast", "link-in-text-block"]}

# A live part may be replaced while axe reads it; an element that has left the page has no colours, so the page is read
# again. Elements themselves cannot leave the browser.
_RUN = """async (options) => {
  for (let round = 0; round < 5; round += 1) {
    const { violations } = await axe.run(options);
    const nodes = violations.flatMap((rule) => rule.nodes);
    const isStale = nodes.some(({ element }) => !element.isConnected);
    for (const node of nodes) delete node.element;
    if (!isStale) return violations;
  }
  throw new Error("The page does not hold still.");
}"""


def violations(page: Page, *, only_colours: bool = False) -> list[str]:
    """Return what axe-core finds, a line per rule with the first elements it concerns."""
    # Evaluated by the browser's debugger, which the page's script policy does not bind.
    if not page.evaluate("'axe' in window"):
        page.evaluate(_AXE)
    # What passes is not asked for: to describe it takes a third of the time.
    options = {"resultTypes": ["violations"], "elementRef": True} | (_COLOURS if only_colours else {})
    found: list[dict[str, Any]] = page.evaluate(_RUN, options)
    return [f"{rule['id']}: {[node['target'] for node in rule['nodes'][:3]]}" for rule in found]
