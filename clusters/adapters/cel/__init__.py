"""CEL expressions of Kubernetes, evaluated; loaded when the first expression is met."""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clusters.engine.devices import Selector
    from clusters.engine.versions import Dialect

# How many expressions stay compiled in a process: a cluster has a handful.
_KEPT = 512


@lru_cache(maxsize=_KEPT)
def compiled_selector(expression: str, dialect: Dialect) -> Selector:
    """Compile a device selector. Raises CompileError, UnsupportedExpressionError."""
    # The parser takes half a second to load, which only those who meet an expression need to wait for.
    selector: Selector = import_module("clusters.adapters.cel.selectors").compile_selector(expression, dialect)
    return selector
