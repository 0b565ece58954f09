"""What the web process loads until it answers, and how many of its files run for a page of the demo cluster.

Each round is a process of its own: it loads the application and answers a page that everybody may see, then a cluster's
first page, whose answers it computes, then others. BERTH_BENCH_AGAINST names
another checkout, which is measured in turns with this one: ratios relate to it.
BERTH_BENCH_FILES names a file to which the files that run for each page are written.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.large_site import running
from bench.live_site import in_own_process
from bench.measure import Figure, figure

if TYPE_CHECKING:
    from collections.abc import Mapping

HERE = Path(__file__).resolve().parent.parent
ROUNDS = 5
FIRST, OF_CLUSTER = "/sign-in/", "/clusters/demo/"
PAGES = {
    "a decision": "/clusters/demo/pods/ml/arm-benchmark-bgskp/",
    "drains": "/clusters/demo/drain/",
    "a simulation": "/simulations/1/",
}
# What the simulation asks: an ordinary workload more.
_MANIFEST = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: more, namespace: default}
spec:
  replicas: 5
  selector: {matchLabels: {app: more}}
  template:
    metadata: {labels: {app: more}}
    spec:
      containers: [{name: main, image: registry.example/app, resources: {requests: {cpu: 500m, memory: 512Mi}}}]
"""


def run() -> dict[str, Figure]:
    """Measure on databases of their own."""
    measures: dict[str, Figure] = in_own_process("bench.house")
    return measures


def main() -> None:
    """Measure this checkout, in turns with another one where it is named, and print the figures as JSON."""
    import django

    django.setup()
    from django.conf import settings

    against = os.environ.get("BERTH_BENCH_AGAINST")
    checkouts = [Path(against).resolve(), HERE] if against else [HERE]
    with tempfile.TemporaryDirectory(prefix="berth-bench-") as folder, running("redis"):
        environments = {
            checkout: os.environ
            | {
                "BERTH_DATA_DIR": str(Path(folder, str(number))),
                "REDIS_URL": settings.REDIS_URL,
                "BERTH_ALLOWED_HOSTS": "testserver",
                "PYTHONPATH": str(checkout),
            }
            for number, checkout in enumerate(checkouts)
        }
        for checkout, environment in environments.items():
            _prepare(checkout, environment)
        samples: dict[Path, list[dict[str, Any]]] = {checkout: [] for checkout in checkouts}
        for _ in range(ROUNDS):
            for checkout, environment in environments.items():
                samples[checkout].append(_web_process(checkout, environment))
    sys.stdout.write(json.dumps(_figures(samples[HERE], samples[checkouts[0]] if against else None)))


def _python(checkout: Path) -> str:
    """The interpreter of its own environment, whose packages may be others."""
    own = checkout / ".venv" / "bin" / "python"
    return str(own) if own.exists() else sys.executable


def _prepare(checkout: Path, environment: Mapping[str, str]) -> None:
    """Fill its database with the demo cluster and a simulation, by its own commands."""
    manage = [_python(checkout), "manage.py"]
    commands = (
        ["migrate", "--verbosity=0"],
        ["collectstatic", "--no-input", "--verbosity=0"],
        ["demo"],
        ["simulate", "--cluster=demo", "--manifest=/dev/stdin", "--store"],
    )
    for command in commands:
        subprocess.run(
            [*manage, *command],
            cwd=checkout,
            env=environment,
            input=_MANIFEST.encode(),
            stdout=subprocess.DEVNULL,
            check=True,
        )


def _web_process(checkout: Path, environment: Mapping[str, str]) -> dict[str, Any]:
    # -P: not the folder of the script, whose modules are called like others.
    command = [_python(checkout), "-P", str(HERE / "bench" / "web_process.py"), FIRST, OF_CLUSTER, json.dumps(PAGES)]
    output = subprocess.run(command, cwd=checkout, env=environment, stdout=subprocess.PIPE, check=True).stdout
    found: dict[str, Any] = json.loads(output)
    return found


def _figures(here: list[dict[str, Any]], there: list[dict[str, Any]] | None) -> dict[str, Figure]:
    """Medians of all rounds; `there` is what they are compared with."""
    stages = {"first": "once it answers", "cluster": "with a cluster's page", "all": "with all pages"}
    quantities = {"modules": ("own modules", ""), "seconds": ("processor time", "s"), "mib": ("memory", "MiB")}
    wanted = [
        *(
            (f"web process {when}: {what}", unit, stage, of)
            for stage, when in stages.items()
            for of, (what, unit) in quantities.items()
        ),
        *((f"own files that run for {page}", "", "files", page) for page in PAGES),
    ]
    figures = {}
    for name, unit, stage, of in wanted:
        against = None if there is None else figure([found[stage][of] for found in there], unit)["median"]
        figures[name] = figure([found[stage][of] for found in here], unit, against=against)
    return figures


if __name__ == "__main__":
    main()
