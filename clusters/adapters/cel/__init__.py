"""CEL expressions of Kubernetes, evaluated."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from clusters.adapters.cel.selectors import compile_selector
from clusters.engine.devices import CompileError, Selector, UnsupportedExpressionError

if TYPE_CHECKING:
    from clusters.engine.versions import Dialect

# How many expressions stay compiled in a process: a cluster has a handful.
_KEPT = 512


def compiled_selector(expression: str, dialect: Dialect) -> Selector:
    """Compile a device selector. Raises CompileError, UnsupportedExpressionError."""
    found = _compiled(expression, dialect)
    if isinstance(found, Exception):
        # Not what is kept, which would keep whatever it passes, too.
        raise type(found)(*found.args)
    return found


@lru_cache(maxsize=_KEPT)
def _compiled(expression: str, dialect: Dialect) -> Selector | CompileError | UnsupportedExpressionError:
    """The selector, or why there is none."""
    try:
        return compile_selector(expression, dialect)
    except (CompileError, UnsupportedExpressionError) as error:
        return type(error)(*error.args)
