"""Commands that answer a question: the exit status is part of the answer."""

from __future__ import annotations

import sys
from typing import Any, Final, NamedTuple

from django.core.management.base import BaseCommand

from clusters.adapters.bad_input import BadInput
from clusters.management.terminal.pipes import READER_GONE, closed_pipe_is_no_error
from clusters.wording.problems import input_sentence

BAD_INPUT: Final = 2
NOT_COMPUTED: Final = 4


class NoAnswer(NamedTuple):
    """Why there is no answer, in a sentence, and the exit status for it."""

    status: int
    sentence: str


class AnsweringCommand(BaseCommand):
    """A command that says on standard error why it has no answer, and minds no reader that goes away."""

    # Nothing that is checked matters to a command that reads a file.
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        status = READER_GONE
        with closed_pipe_is_no_error():
            try:
                status = self.answer(options)
            except Exception as error:
                why = self.no_answer(error)
                if why is None:
                    raise
                self.stderr.write(self.style.ERROR(why.sentence))
                status = why.status
        if status:
            sys.exit(status)

    def answer(self, options: dict[str, Any]) -> int:
        """Print the answer; return the exit status that it has."""
        raise NotImplementedError

    def no_answer(self, error: Exception) -> NoAnswer | None:
        """Return why an error leaves the question without an answer; None where it is a defect of this command."""
        if isinstance(error, BadInput):
            return NoAnswer(BAD_INPUT, input_sentence(error.problem, **error.place))
        return None
