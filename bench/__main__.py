"""Run every measurement, print a table, write bench/latest.json."""

from __future__ import annotations

import json
import os
from pathlib import Path

import django

LATEST = Path(__file__).with_name("latest.json")


def main() -> None:
    """Measure; a ratio relates the median to the other side, which the name or the docs say."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dashboard.settings")
    django.setup()
    from bench import browser_tasks, explain, ingest, live_latency, live_sockets, pages, simulate, studies

    figures = explain.run() | simulate.run() | ingest.run() | live_latency.run() | live_sockets.run()
    figures |= pages.run() | browser_tasks.run()
    figures |= studies.run()
    width = max(map(len, figures))
    print(f"{'':{width}}  {'median':>10} {'min':>10} {'max':>10} unit  ratio")
    for name, figure in figures.items():
        ratio = f"{figure['ratio']:.3f}" if "ratio" in figure else ""
        print(
            f"{name:{width}}  {figure['median']:10.2f} {figure['min']:10.2f} {figure['max']:10.2f} "
            f"{figure['unit']:4}  {ratio}"
        )
    LATEST.write_text(json.dumps(figures, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
