"""Fetch the pinned third-party front-end files and record where they came from.

Run with ``make vendor``; needs npm and Chromium, which nothing else in the project needs. Every package is named with
its exact version and the registry's integrity value, so the same command writes the same bytes. What was written is
listed with its SHA-256 in ``static/vendor/VENDOR.toml``, which the test suite compares with the tree.

Plotly brings its style rules inside the script and injects them at start, which the Content-Security-Policy forbids.
The rules are therefore read out of a page in headless Chromium and shipped as ``plotly.css``.
"""

from __future__ import annotations

import base64
import hashlib
import html
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LEDGER = ROOT / "static" / "vendor" / "VENDOR.toml"
CHROMIUM = os.environ.get("CHROMIUM", "chromium")

# A source map that is not shipped makes Django's hashed static storage fail, and helps nobody without the map.
SOURCE_MAP = re.compile(rb"\n?(?:/\*# sourceMappingURL=[^*]*\*/|//# sourceMappingURL=\S*)\s*$")


@dataclass(frozen=True, slots=True)
class Package:
    """One pinned npm package and the files taken from it (path in the package -> path in the repository)."""

    name: str
    package: str
    version: str
    licence: str
    integrity: str
    files: dict[str, str]
    kept: tuple[str, ...] = ()
    """Repository paths kept by hand because the package lacks them: a licence text that must travel along."""


PLOTLY = Package(
    name="plotly",
    package="plotly.js-basic-dist-min",
    version="4.1.1",
    licence="MIT",
    integrity="sha512-1oNF8PeQx2hv/y7tqEVWKD3JGwn/MGEMQ8mL9HUwsaqG9FGy/OU5FHUHvzqbqxN4mnwZGI9abTiE775C4kkjMQ==",
    files={
        "plotly-basic.min.js": "static/vendor/plotly/plotly-basic.min.js",
        "LICENSE": "static/vendor/plotly/LICENSE",
    },
)
# What ace.css shows beside the lines.
ACE_PICTURES = tuple(f"main-{number}.{'svg' if number in {*range(5, 13), 25} else 'png'}" for number in range(1, 27))
PACKAGES = (
    Package(
        name="tabler",
        package="@tabler/core",
        version="1.6.1",
        licence="MIT",
        integrity="sha512-lgmR9gcxRp5JlLxcmRi9Rz85JrEvH6Bz71KnlcPVSa97wtwQNjgSs3g3fxwbAlulHyRMghhIV04QUuW3pqDsIg==",
        files={
            "dist/css/tabler.min.css": "static/vendor/tabler/tabler.min.css",
        },
        kept=("static/vendor/tabler/LICENSE",),
    ),
    PLOTLY,
    Package(
        name="ace",
        package="ace-builds",
        version="1.45.2",
        licence="BSD-3-Clause",
        integrity="sha512-a0IADaETGBnBW5CIkniUJn7F+NyTuHWKqlv1A8FXaMmFflJsMGnU3TzkiyslInqIZ3odfcVKOdXBGIKBefzFDA==",
        files={
            "src-min-noconflict/ace.js": "static/vendor/ace/ace.js",
            "src-min-noconflict/mode-yaml.js": "static/vendor/ace/mode-yaml.js",
            "css/ace.css": "static/vendor/ace/ace.css",
            "LICENSE": "static/vendor/ace/LICENSE",
            **{f"css/{picture}": f"static/vendor/ace/{picture}" for picture in ACE_PICTURES},
        },
    ),
    Package(
        name="axe-core",
        package="axe-core",
        version="4.14.1",
        licence="MPL-2.0",
        integrity="sha512-FHfa+lmNjQZfJz1q8wKqIDwC6DExcHt/pkjNQb09a3NPjCKg2rhu5qb2S4r76ASyFNNtuFooJpZe37OgudVGtQ==",
        files={
            "axe.min.js": "tests/vendor/axe-core/axe.min.js",
            "LICENSE": "tests/vendor/axe-core/LICENSE",
        },
    ),
)
PLOTLY_CSS = "static/vendor/plotly/plotly.css"
TEXTS = frozenset({".css", ".js", ".svg", ""})


def pack(package: Package, folder: Path) -> Path:
    """Download the package's tarball with npm, check its integrity and return its path."""
    listed = subprocess.run(
        ["npm", "pack", "--silent", f"{package.package}@{package.version}"],
        cwd=folder,
        check=True,
        capture_output=True,
        text=True,
    )
    tarball = folder / listed.stdout.strip().splitlines()[-1]
    digest = base64.b64encode(hashlib.sha512(tarball.read_bytes()).digest()).decode()
    if f"sha512-{digest}" != package.integrity:
        raise SystemExit(
            f"{package.package}@{package.version}: integrity is sha512-{digest}, pinned is {package.integrity}. "
            "Compare with the registry before changing the pin."
        )
    return tarball


def copy_files(package: Package, tarball: Path) -> list[str]:
    """Write the package's chosen files into the repository and return the paths of all its files there."""
    with tarfile.open(tarball) as archive:
        for member, target in package.files.items():
            source = archive.extractfile(f"package/{member}") if f"package/{member}" in archive.getnames() else None
            if source is None:
                raise SystemExit(f"{package.package}@{package.version} has no file {member}.")
            destination = ROOT / target
            destination.parent.mkdir(parents=True, exist_ok=True)
            content = source.read()
            if destination.suffix in TEXTS:
                content = SOURCE_MAP.sub(b"", content).rstrip() + b"\n"
            destination.write_bytes(content)
    return [*package.files.values(), *package.kept]


def extract_plotly_rules(script: Path) -> str:
    """Return the style rules that Plotly injects, read from a page in headless Chromium."""
    page = (
        f'<!doctype html><meta charset="utf-8"><div id="figure"></div><script src="{script.as_uri()}"></script>'
        "<script>Plotly.newPlot('figure', [{y: [1, 2]}]).then(() => {"
        "const rules = document.getElementById('plotly.js-style-global').sheet.cssRules;"
        "const text = Array.from(rules, (rule) => rule.cssText).join('\\n');"
        "document.body.replaceChildren(Object.assign(document.createElement('pre'), {textContent: text}));"
        "});</script>"
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rules.html"
        path.write_text(page, encoding="utf-8")
        dumped = subprocess.run(
            [
                CHROMIUM,
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--allow-file-access-from-files",
                f"--user-data-dir={folder}/profile",
                "--virtual-time-budget=20000",
                "--dump-dom",
                path.as_uri(),
            ],
            check=True,
            capture_output=True,
            text=True,
        ).stdout
    found = re.search(r"<pre>(.*)</pre>", dumped, re.DOTALL)
    if found is None:
        raise SystemExit("Plotly's style rules could not be read from the page; try the script in a visible browser.")
    return html.unescape(found.group(1))


def write_plotly_css() -> str:
    """Write plotly.css with the version in its header and return its repository path."""
    rules = extract_plotly_rules(ROOT / "static/vendor/plotly/plotly-basic.min.js")
    origin = f"plotly.js {PLOTLY.version} ({PLOTLY.licence})"
    header = f"/* Style rules of {origin}, read from a running page by scripts/vendor.py. */\n"
    (ROOT / PLOTLY_CSS).write_text(header + rules + "\n", encoding="utf-8")
    return PLOTLY_CSS


def ledger_entry(package: Package, paths: list[str]) -> str:
    """Return the package's table for VENDOR.toml."""
    lines = [
        "[[package]]",
        f'name = "{package.name}"',
        f'version = "{package.version}"',
        f'licence = "{package.licence}"',
        f'package = "npm:{package.package}"',
        "[package.sha256]",
        *(f'"{path}" = "{hashlib.sha256((ROOT / path).read_bytes()).hexdigest()}"' for path in sorted(paths)),
    ]
    return "\n".join(lines) + "\n"


def main() -> int:
    """Fetch every package, write its files and the ledger."""
    if missing := [tool for tool in ("npm", CHROMIUM) if shutil.which(tool) is None]:
        print(
            f"make vendor needs {' and '.join(missing)} on PATH (set CHROMIUM to the browser's path).", file=sys.stderr
        )
        return 2
    entries = []
    with tempfile.TemporaryDirectory() as folder:
        for package in PACKAGES:
            paths = copy_files(package, pack(package, Path(folder)))
            if package is PLOTLY:
                paths.append(write_plotly_css())
            entries.append(ledger_entry(package, paths))
            print(f"{package.package} {package.version}: {len(paths)} files")
    LEDGER.write_text("# Written by scripts/vendor.py; edit the pins there.\n\n" + "\n".join(entries), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
