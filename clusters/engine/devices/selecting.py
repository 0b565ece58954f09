"""CEL expressions that select devices: what the engine needs of whoever evaluates them.

The engine has no evaluator of its own. One is installed once, when the process starts; without it, and for expressions
that it does not support, what a claim selects is not known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from clusters.engine.devices.inventory import Device
    from clusters.engine.versions.device_rules import Dialect


# Kubernetes' units: as much as twenty evaluations at the bound, and less than a second.
MOST_TOGETHER: Final = 2_000_000


class CompileError(Exception):
    """An expression that cannot be compiled; the message is cel-go's, but where the expression is no CEL."""


class EvaluationError(Exception):
    """An expression that cannot be evaluated for a device; the message is cel-go's where that is known."""


class UnsupportedExpressionError(Exception):
    """An expression that Kubernetes can evaluate and the evaluator cannot; its argument names what it lacks."""


class CostlyExpressionError(UnsupportedExpressionError):
    """An expression that takes more time or memory than an evaluation may."""


class Allowance:
    """What costly evaluations may cost together, in the units of the evaluator; plain ones take nothing of it."""

    def __init__(self, left: int = MOST_TOGETHER) -> None:
        self.left = left


class Selector(Protocol):
    """A compiled expression."""

    def matches(self, driver: str, device: Device, allowance: Allowance | None = None) -> bool:
        """Whether a device of this driver is selected. Raises EvaluationError, UnsupportedExpressionError.

        Once the ``allowance`` is used up only plain evaluations are made.
        """


class Compiler(Protocol):
    """Compiles expressions; it may keep what it compiled."""

    def __call__(self, expression: str, dialect: Dialect) -> Selector:
        """Compile one expression. Raises CompileError, UnsupportedExpressionError."""


class _Absent:
    def __call__(self, expression: str, dialect: Dialect) -> Selector:
        raise UnsupportedExpressionError(expression)


_installed: list[Compiler] = [_Absent()]


def install(compiler: Compiler) -> None:
    """Let expressions be evaluated by this from now on, in the whole process."""
    _installed[0] = compiler


def compiled(expression: str, dialect: Dialect) -> Selector:
    """Compile an expression. Raises CompileError, UnsupportedExpressionError."""
    return _installed[0](expression, dialect)
