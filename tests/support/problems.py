"""Input that is refused, as its sender reads why."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from clusters.adapters.bad_input import BadInput
from clusters.wording.problems import input_sentence

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def refused(pattern: str) -> Iterator[None]:
    """Expect BadInput whose sentences match a pattern."""
    with pytest.raises(BadInput) as caught:
        yield
    said = input_sentence(caught.value.problem, **caught.value.place)
    assert re.search(pattern, said), said
