"""Run measurements, all or some groups of them; print a table and write bench/latest.json."""

from __future__ import annotations

import argparse
import json
import os
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.measure import Figure

LATEST = Path(__file__).with_name("latest.json")
# A module of this package each, with a function `run`.
GROUPS = {
    "devices": "explanations of pods that claim devices, beside the time they may take",
    "waits": "from each act to its answer, everything included, and how that grows with the cluster",
    "large": "the same, at 100,000 nodes and 1,000,000 pods too; hours, so only where it is named",
    "peer": "Berth beside kube-scheduler's own code in turns, which needs Go to be built",
    "explain": "explanations of the pods of a large cluster",
    "extremes": "explanations where a cluster or a pod names thousands of things, beside the time they may take",
    "minors": "explanations as each Kubernetes minor decides, beside the oldest",
    "simulate": "pods that a simulation places a second, beside the oldest minor; BERTH_OPENB: a trace, too",
    "ingest": "reading a dump, beside parsing it and inserting bare rows",
    "live_latency": "from a change at the API server to an open page",
    "live_sockets": "500 websockets on one web process",
    "classroom": "60 participants of a led class on one web process, beside a second",
    "pages": "time and size of every page of a large cluster",
    "browser_tasks": "how long each of these pages keeps the browser's main thread",
    "playing": "what a frame costs the browser while a decision or a drain is played, or nodes are ranked anew",
    "house": "what the web process loads, and runs for a page; BERTH_BENCH_AGAINST: another checkout, in turns",
    "studies": "a sweep, by one worker process and by two",
}
# What is measured where it is named, and not with all.
BY_NAME = frozenset({"large"})


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure; a ratio relates the median to the other side, which the name or the docs say."""
    given = _parser().parse_args(arguments).group
    chosen = [group for group in GROUPS if group in given or ("all" in given and group not in BY_NAME)]
    import django

    # Where it is set, each process would compile all of Berth again.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dashboard.settings")
    django.setup()
    figures: dict[str, Figure] = {}
    for group in chosen:
        figures |= import_module(f"bench.{group}").run()
    _print(figures)
    # Of groups that were not chosen the latest figures stay.
    known = json.loads(LATEST.read_text(encoding="utf-8")) if LATEST.exists() else {}
    LATEST.write_text(json.dumps(known | figures, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def _parser() -> argparse.ArgumentParser:
    groups = "\n".join(f"  {name:14} {about}" for name, about in GROUPS.items())
    parser = argparse.ArgumentParser(
        prog="python -m bench",
        description=__doc__,
        epilog=f"groups:\n{groups}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("group", nargs="*", choices=(*GROUPS, "all"), default="all", metavar="GROUP")
    return parser


def _print(figures: dict[str, Figure]) -> None:
    width = max(map(len, figures), default=0)
    print(f"{'':{width}}  {'median':>10} {'min':>10} {'p95':>10} {'max':>10} unit  ratio")
    for name, figure in figures.items():
        ratio = f"{figure['ratio']:.3f}" if "ratio" in figure else ""
        p95 = f"{figure['p95']:.2f}" if "p95" in figure else ""
        print(
            f"{name:{width}}  {figure['median']:10.2f} {figure['min']:10.2f} {p95:>10} {figure['max']:10.2f} "
            f"{figure['unit']:4}  {ratio}"
        )


if __name__ == "__main__":
    main()
