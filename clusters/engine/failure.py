"""The value that replaces an answer that could not be computed, so that one pod's error costs no other pod's answer."""

from __future__ import annotations

import traceback
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from clusters.engine.cost import CostLimitError

if TYPE_CHECKING:
    from collections.abc import Callable

    from clusters.engine.cost import Excess

T = TypeVar("T")
Note: TypeAlias = "Callable[[str, Failure], object]"
"""Is told of a failure, and first of what was to be computed; what goes on without the answer may lose it."""


class AnswerError(Exception):
    """An error that is the answer to whoever asked, and no defect: `attempt` lets it pass."""


@dataclass(frozen=True, slots=True)
class Failure:
    """An error where an answer should be. ``error`` is its type and text, ``details`` its traceback.

    ``reference`` is the same for all errors of one type from one place in the code, whatever pod met it: in a log it
    leads to the traceback, and it depends neither on the process nor on the time. That of an explanation which would
    cost too much names the limit (``cost.measure_of``), and has no details but an ``excess``.
    """

    reference: str
    error: str
    details: str
    excess: Excess | None = None

    @classmethod
    def of(cls, error: BaseException) -> Failure:
        """What is kept of an error that was caught."""
        if isinstance(error, CostLimitError):
            return cls(error.excess.measure.reference, str(error), "", error.excess)
        frames = traceback.extract_tb(error.__traceback__)
        place = "\0".join(f"{frame.filename.rpartition('/')[2]}:{frame.name}" for frame in frames[-2:])
        kind = type(error).__name__
        return cls(
            reference=blake2b(f"{kind}\0{place}".encode(), digest_size=4).hexdigest(),
            error=f"{kind}: {error}",
            details="".join(traceback.format_exception(error)),
        )


def attempt(compute: Callable[[], T]) -> T | Failure:
    """Compute one pod's answer, or say that it failed.

    Only for pure computation about one pod: whatever is to reach the caller as an exception is an AnswerError.
    """
    try:
        return compute()
    except AnswerError:
        raise
    except Exception as error:  # noqa: BLE001 - whatever goes wrong for one pod, the others are answered
        return Failure.of(error)
