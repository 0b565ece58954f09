"""How pages look: in either theme, on a phone and on a desk, without what axe-core or a narrow window finds wrong.

With BERTH_TEST_SCREENSHOTS=FOLDER a picture of each page in each look is kept there: every width in both themes, and a
third width.
"""

from __future__ import annotations

import os
import re
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest
from playwright.sync_api import expect

from tests.browser.axe import violations

if TYPE_CHECKING:
    from collections.abc import Iterable

    from playwright.sync_api import Page

Theme = Literal["light", "dark"]

PICTURES = os.environ.get("BERTH_TEST_SCREENSHOTS", "")
_THEMES: tuple[Theme, ...] = ("light", "dark")
# The third width takes half as much time again, so it is for whoever wants to see.
_WIDTHS = [1440, 390, *([1024] if PICTURES else [])]

# A flexible box lays each run of its own text out by itself, so that a sentence with a link in it falls apart.
_SPLIT_SENTENCES = """() => [...document.querySelectorAll("body *")]
  .filter((each) => /flex|grid/.test(getComputedStyle(each).display) && each.checkVisibility())
  .filter((each) => [...each.childNodes].filter((node) => node.nodeType === 3 && node.data.trim()).length > 1)
  .map((each) => each.textContent.trim().replace(/\\s+/g, " ").slice(0, 80))"""

# A cell of a stacked table is its column's name with the value beside it; what is too much lies below the name.
_VALUES_BELOW_NAMES = """() => [...document.querySelectorAll("td[data-column]")]
  .filter((cell) => cell.checkVisibility() && getComputedStyle(cell).display === "grid")
  .filter((cell) => [...cell.children].some((each) => each.checkVisibility() && !each.matches(".visually-hidden")
    && each.getBoundingClientRect().left - cell.getBoundingClientRect().left
      < parseFloat(getComputedStyle(cell).gridTemplateColumns) - 1))
  .map((cell) => `${cell.dataset.column}: ${cell.textContent.trim().replace(/\\s+/g, " ").slice(0, 60)}`)"""

# Small desks: what fits 1440 may run over their edge, or hide a table's last columns.
_NARROWER_DESKS = (1366, 1280)
_HIDDEN_COLUMNS = """() => [...document.querySelectorAll(".table-scroll, .review-scroll")]
  .filter((each) => each.checkVisibility() && each.scrollWidth > each.clientWidth + 1)
  .map((each) => each.textContent.trim().replace(/\\s+/g, " ").slice(0, 60))"""

# A theme changes colours alone, the same in every width: each is looked at in one, unless pictures are kept.
_LOOKS = list(product(_WIDTHS, _THEMES) if PICTURES else zip(_WIDTHS, _THEMES, strict=True))
in_every_look = pytest.mark.parametrize(("width", "theme"), _LOOKS)


def wear(page: Page, *, width: int, theme: Theme) -> None:
    """Give the page's window a width and a theme, and nothing that moves."""
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    page.set_viewport_size({"width": width, "height": 900})


def flaws(page: Page, *, only_colours: bool = False) -> list[str]:
    """Return what is wrong with how the open page looks, or only with its colours and its width."""
    found = violations(page, only_colours=only_colours)
    if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
        found.append("wider than the window")
    size = page.viewport_size
    if not only_colours and size and size["width"] > max(_NARROWER_DESKS):
        for width in _NARROWER_DESKS:
            page.set_viewport_size({"width": width, "height": size["height"]})
            page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
            if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                found.append(f"wider than a window of {width} px")
            found += [f"hides columns at {width} px: {text}" for text in page.evaluate(_HIDDEN_COLUMNS)]
        page.set_viewport_size(size)
    found += [f"split into columns: {text}" for text in page.evaluate(_SPLIT_SENTENCES)]
    return found + [f"below its column's name: {text}" for text in page.evaluate(_VALUES_BELOW_NAMES)]


def unfold(page: Page) -> None:
    """Open every card that a phone folds."""
    page.evaluate("document.querySelectorAll('details[data-folds]').forEach((each) => { each.open = true; })")


def flaws_in_every_look(page: Page) -> list[str]:
    """Return what is wrong with how the open page looks in every width."""
    found = []
    for width, theme in _LOOKS:
        wear(page, width=width, theme=theme)
        found += flaws(page)
    return found


def flaws_of_pages(page: Page, addresses: Iterable[str]) -> dict[str, list[str]]:
    """Open each address in every width, look at it in that width's themes, and return what is wrong by address."""
    found = {}
    opened = list(addresses)
    # A window is sized once for all pages: each time, the page in it is laid out anew.
    for width, theme in _LOOKS:
        wear(page, width=width, theme=theme)
        for address in opened:
            page.goto(address)
            expect(page.locator("html")).to_have_attribute("data-bs-theme", theme)
            if wrong := flaws(page):
                found[f"{address} {width} {theme}"] = wrong
            if PICTURES:
                _keep(page, f"{address}-{width}-{theme}")
    return found


def _keep(page: Page, name: str) -> None:
    folder = Path(PICTURES)
    folder.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=folder / f"{re.sub('[^A-Za-z0-9]+', '-', name).strip('-')[:180]}.png", full_page=True)
