"""Draw the pictures of the documentation: pages of the demo cluster, and the tour of it.

Run with ``make pictures``; needs Chromium. It starts a Berth of its own, and writes what it sees to ``docs/images``.
"""

from __future__ import annotations

import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urljoin

import httpx2
from PIL import Image
from playwright.sync_api import Page, sync_playwright

from tests.support.live import free_port

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "images"
CHROMIUM = shutil.which(os.environ.get("CHROMIUM", "chromium"))
# The list whose first pod's page is drawn.
PENDING = "/clusters/demo/pods/?state=pending&q=clickhouse"
# Other pages, by the names of their pictures.
PAGES = {
    "overview": "/clusters/demo/",
    "pending": "/clusters/demo/pending/",
    "spread": "/clusters/demo/spread/",
    "drain": "/clusters/demo/drain/",
    "free-capacity": "/clusters/demo/nodes/free-capacity",
}
WIDTH, HEIGHT = 1280, 900
COLOURS = 256
# How long each step stays, in milliseconds.
STEP_MS = 5_000
START_SECONDS = 300


@contextmanager
def berth() -> Iterator[str]:
    """Run a Berth with the demo cluster while the block does; give a link that signs in once."""
    with tempfile.TemporaryDirectory(prefix="berth-picture-") as folder:
        address = f"http://127.0.0.1:{(port := free_port())}"
        environment = {**os.environ, "BERTH_DATA_DIR": folder, "BERTH_PORT": str(port)}
        serve = subprocess.Popen([sys.executable, "manage.py", "serve"], cwd=ROOT, env=environment)
        try:
            _wait_for(f"{address}/readyz")
            command = [sys.executable, "manage.py", "signin"]
            said = subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True)
            yield next(iter(re.findall(r"https?://\S+", said.stdout)))
        finally:
            serve.terminate()
            serve.wait(60)


def _wait_for(address: str) -> None:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end:
        try:
            httpx2.get(address, timeout=5).raise_for_status()
        except httpx2.HTTPError:
            time.sleep(1)
        else:
            return
    raise SystemExit(f"{address} did not answer within {START_SECONDS} s")


def tour(page: Page, link: str) -> Iterator[Image.Image]:
    """Take the tour, and give each of its pages as a picture. Afterwards it is not offered."""
    page.goto(urljoin(link, "/clusters/demo/"))
    page.get_by_role("link", name="Take the tour").click()
    while True:
        page.wait_for_load_state("networkidle")
        yield seen(page)
        forward = page.locator(".tour").get_by_role("link", name="Next")
        if not forward.count():
            break
        forward.click()
    page.get_by_role("link", name="Below").click()
    page.wait_for_load_state("networkidle")
    yield seen(page)
    page.get_by_role("button", name="Dismiss").click()


def seen(page: Page) -> Image.Image:
    """Return the first screen of a page."""
    return Image.open(io.BytesIO(page.screenshot())).convert("RGB")


def moving(name: str, shown: Sequence[Image.Image]) -> None:
    """Write pages as a moving picture."""
    # One palette for all: what does not change between two steps is then not written again.
    whole = Image.new("RGB", (WIDTH, HEIGHT * len(shown)))
    for number, picture in enumerate(shown):
        whole.paste(picture, (0, HEIGHT * number))
    palette = whole.quantize(COLOURS)
    first, *others = [picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture in shown]
    first.save(IMAGES / f"{name}.gif", save_all=True, append_images=others, duration=STEP_MS, loop=0, optimize=True)


def drawn(page: Page, name: str) -> None:
    """Write the first screen of a page."""
    page.wait_for_load_state("networkidle")
    seen(page).quantize(COLOURS, dither=Image.Dither.NONE).save(IMAGES / f"{name}.png", optimize=True)


def main() -> None:
    """Write the pictures."""
    with berth() as link, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(
            viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light", reduced_motion="reduce"
        )
        page.goto(link)
        page.get_by_role("button", name="Sign in").click()
        moving("tour", list(tour(page, link)))
        page.goto(urljoin(link, PENDING))
        page.locator("table tbody th a").first.click()
        drawn(page, "decision")
        for name, address in PAGES.items():
            page.goto(urljoin(link, address))
            drawn(page, name)


if __name__ == "__main__":
    main()
