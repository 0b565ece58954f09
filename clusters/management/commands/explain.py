"""Explain pods of a dump in the terminal, without a database."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from clusters.management.lazy import LazyCommand

if TYPE_CHECKING:
    from django.core.management.base import CommandParser


class Command(LazyCommand):
    """manage.py explain DUMP --pod NAMESPACE/NAME, or --cases FILE -o ANSWERS."""

    work = "clusters.management.terminal.explaining.Explaining"
    help = (
        "Explain where a pod of a dump could go, and why not elsewhere. Reads the dump straight from disk, in any form "
        "that ingest takes, and needs no database. "
        "Exit status: 0 the pod fits, 1 it does not, or with --all-pending a workload cannot create its pods, "
        "2 the input is at fault, 3 whether it fits is uncertain, "
        "4 it could not be computed."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "dump", nargs="?", type=Path, metavar="DUMP", help="file, directory or archive; - is standard input"
        )
        parser.add_argument(
            "--pod", metavar="NAMESPACE/NAME", help="the pod; may be left out where exactly one is pending"
        )
        parser.add_argument("--node", metavar="NAME", help="only what every filter compared on this node")
        parser.add_argument(
            "--all-pending", action="store_true", help="one line for each pending pod, and workloads that fail"
        )
        parser.add_argument(
            "--config", type=Path, metavar="FILE", help="a KubeSchedulerConfiguration, instead of the dump's own"
        )
        parser.add_argument(
            "--default-pods", action="store_true", help="complete pods written by hand, as admission would"
        )
        parser.add_argument("--cases", type=Path, metavar="FILE", help="answer recorded cases, one a line of JSON")
        parser.add_argument(
            "-o",
            "--output",
            default="",
            metavar="table|json|PATH",
            help="how to print (table); with --cases, where to write the answers (- is the terminal)",
        )
