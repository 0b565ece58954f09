"""Input that is refused, as its sender reads why."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from clusters.adapters.bad_input import BadInput
from clusters.wording.problems import both_sentences, input_sentence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clusters.adapters.kube import SourceError


@contextmanager
def refused(pattern: str) -> Iterator[None]:
    """Expect BadInput whose sentences match a pattern."""
    with pytest.raises(BadInput) as caught:
        yield
    said = input_sentence(caught.value.problem, **caught.value.place)
    assert re.search(pattern, said), said


@contextmanager
def not_given(error: type[SourceError], pattern: str) -> Iterator[None]:
    """Expect an error of a live cluster's source whose sentences match a pattern."""
    with pytest.raises(error) as caught:
        yield
    said = both_sentences(caught.value.problem)
    assert re.search(pattern, said), said
