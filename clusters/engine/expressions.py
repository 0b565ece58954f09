"""Who compiles CEL expressions, for which the engine has no evaluator: installed once, when the process starts.

Installing it loads nothing else of the engine.
"""

from __future__ import annotations

from typing import Any

# What ``clusters.engine.devices.Compiler`` says of it; empty until something is installed.
installed: list[Any] = []


def install(compiler: Any) -> None:
    """Let expressions be evaluated by this ``clusters.engine.devices.Compiler`` from now on, in the whole process."""
    installed[:] = [compiler]
