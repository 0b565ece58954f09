"""What keeps a pod of a simulation from a node, as its steps, its row and the summary hold it.

A message of kube-scheduler or the API server is a text. A problem is a document, and so are uncertainties; a column of
text holds them as JSON.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from clusters.documents.stored_problems import decoded, encoded, problem_of_text, text_of_problem
from clusters.documents.values import read_uncertainty, value_document
from clusters.engine.configuration.problems import NoScheduler
from clusters.engine.simulation.problems import PodGroupDoesNotFit
from clusters.wording.conclusions import uncertainty_clauses
from clusters.wording.problems import problem_sentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from clusters.engine.conclusion import Uncertainty
    from clusters.engine.problems import Problem
    from clusters.engine.simulation import Step

# No message of kube-scheduler begins so, nor does a sentence of an earlier release.
_UNCERTAINTIES: Final = '[{"kind":'
_PROBLEM: Final = '{"kind":'
# The sentences of earlier releases that were no message of kube-scheduler.
_NO_SCHEDULER: Final = re.compile(
    r"no profile has the scheduler name (?P<found>.+), so another scheduler places this pod; "
    r"the configuration has (?P<known>.*)",
    re.DOTALL,
)
_POD_GROUP: Final = re.compile(
    r"pod group (?P<group>\S*): fewer than the (?P<missing>\d+) pods that are needed together find a node"
)


class StoredMessage(NamedTuple):
    """A message as it is quoted, or the ``problem`` in its place."""

    text: str
    problem: Problem | None = None


def message_document(step: Step) -> str | dict[str, Any]:
    """Return the message of a step, or its problem, as a chunk of steps holds it."""
    return step.message if step.problem is None else encoded(step.problem)


def read_message(stored: str | Mapping[str, Any]) -> StoredMessage:
    """Return what `message_document` or `text_of_step` wrote; a sentence of an earlier release is its problem."""
    if not isinstance(stored, str):
        return StoredMessage("", decoded(stored))
    if stored.startswith(_PROBLEM):
        return StoredMessage("", problem_of_text(stored))
    if found := _NO_SCHEDULER.fullmatch(stored):
        return StoredMessage("", NoScheduler(found["found"], tuple(name[1:-1] for name in found["known"].split(", "))))
    if found := _POD_GROUP.fullmatch(stored):
        return StoredMessage("", PodGroupDoesNotFit(found["group"], int(found["missing"])))
    return StoredMessage(stored)


def text_of_step(step: Step) -> str:
    """Return the message of a step, or its problem, as a column of text holds it."""
    return step.message if step.problem is None else text_of_problem(step.problem)


def text_of_uncertainties(uncertainties: Iterable[Uncertainty]) -> str:
    """Return uncertainties as a column of text holds them."""
    return msgspec.json.encode([value_document(each) for each in uncertainties]).decode()


def message_in_words(stored: str) -> str:
    """Return what a column of text holds as people read it: problems and uncertainties in words, messages quoted."""
    if stored.startswith(_UNCERTAINTIES):
        return uncertainty_clauses(map(read_uncertainty, msgspec.json.decode(stored)))
    message = read_message(stored)
    return message.text if message.problem is None else problem_sentence(message.problem)
