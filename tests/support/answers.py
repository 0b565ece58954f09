"""What is answered where an answer has to be, and the error that a call raises."""

from __future__ import annotations

from typing import TYPE_CHECKING, ParamSpec, TypeVar

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

Given = ParamSpec("Given")
Answer = TypeVar("Answer")
Error = TypeVar("Error", bound=BaseException)


def known(answer: Answer | None) -> Answer:
    """The answer, of which there has to be one."""
    assert answer is not None
    return answer


def error_of(kind: type[Error], call: Callable[Given, object], /, *args: Given.args, **named: Given.kwargs) -> Error:
    """What the call raises; a test that expects an error fails where none comes."""
    with pytest.raises(kind) as raised:
        call(*args, **named)
    return raised.value
