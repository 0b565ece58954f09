"""The table of problems as a whole: each has its kind, is said in full, and is what it was after it was stored."""

from __future__ import annotations

import enum
import importlib
import json
import pkgutil
import re
import subprocess
import sys
import typing

from django.conf import settings
from hypothesis import given, strategies as st

import clusters.engine
import clusters.problems
from clusters.documents.stored_problems import decoded, encoded
from clusters.engine.problems import (
    QUOTED,
    Chosen,
    Counted,
    FirstOf,
    Problem,
    Quoted,
    TooMany,
    field_types,
)
from clusters.problems.skips import Skip
from clusters.wording.problems import problem_sentence, remedy_sentence, skipped_thing

if typing.TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clusters.engine.problems import Message, Template

# One a line, in their order; what rows and the API hold is never renamed.
FROZEN = settings.BASE_DIR / "tests" / "data" / "problem_kinds.txt"
ADMITTING = ("clusters.engine.admission", "clusters.engine.quotas")
REASON = TooMany(3, 2)


def all_problems() -> list[type[Problem]]:
    for package in (clusters.engine, clusters.problems):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)
    return sorted((each for each in below(Problem) if "kind" in vars(each)), key=lambda each: each.kind)


def below(base: type[Problem]) -> Iterator[type[Problem]]:
    for each in base.__subclasses__():
        yield each
        yield from below(each)


def values_of(asked: typing.Any) -> st.SearchStrategy[typing.Any]:
    """What a field of a type may hold: an empty value first."""
    if asked is Problem:
        return st.just(REASON)
    plain = typing.get_args(asked)[0] if typing.get_origin(asked) is typing.Annotated else asked
    match plain:
        case type() if issubclass(plain, enum.Enum):
            return st.sampled_from(plain)
        case _ if plain is float:
            return st.floats(allow_nan=False, allow_infinity=False)
        case _ if plain is int:
            return st.integers(0, 2**63)
        case _:
            return st.from_type(plain)


def example(kind: type[Problem], *, is_filled: bool = True) -> Problem:
    """A problem of a kind, whose fields all hold something, or nothing."""
    filled = {str: "'x'", int: 3, float: 1.5, bool: True}
    empty = {str: "", int: 0, float: 0.0, bool: False}
    given_values: dict[str, typing.Any] = {}
    for name, asked in field_types(kind).items():
        plain = typing.get_args(asked)[0] if typing.get_origin(asked) is typing.Annotated else asked
        if plain is Problem:
            given_values[name] = REASON
        elif isinstance(plain, type) and issubclass(plain, enum.Enum):
            given_values[name] = next(iter(plain))
        elif plain in filled:
            given_values[name] = (filled if is_filled else empty)[plain]
        else:
            assert plain == tuple[str, ...], f"{kind.kind}.{name}: say how {asked} is shown"
            given_values[name] = ("a", "b") if is_filled else ()
    return kind(**given_values)


def messages_of(template: Template) -> Iterable[Message]:
    if isinstance(template, Chosen):
        return (*template.messages.values(), template.otherwise)
    return (template,) if isinstance(template, str | Counted) else template


def templates_of(kind: type[Problem]) -> tuple[Template, ...]:
    return (kind.sentence, kind.remedy, *((kind.thing,) if issubclass(kind, Skip) else ()))


def test_every_kind_is_its_own_and_never_renamed() -> None:
    assert [each.kind for each in all_problems()] == FROZEN.read_text(encoding="utf-8").splitlines()


def test_every_placeholder_is_a_field_and_the_last_of_several_messages_can_always_be_said() -> None:
    for kind in all_problems():
        fields = field_types(kind)
        assert "total" in fields or FirstOf not in fields.values(), kind
        for template in templates_of(kind):
            by = [each.by for each in (template, *messages_of(template)) if isinstance(each, Chosen | Counted)]
            texts = [
                text for each in messages_of(template) for text in (each[:2] if isinstance(each, Counted) else [each])
            ]
            named = {name for text in texts for name in re.findall(r"%\((\w+)\)s", text)}
            assert named | set(by) <= fields.keys(), kind


def test_every_problem_is_said_whatever_its_fields_hold() -> None:
    for kind in all_problems():
        for problem in (example(kind), example(kind, is_filled=False)):
            said = [problem_sentence(problem), remedy_sentence(problem)]
            assert said[0] or not re.search("[a-z] ", str(kind.sentence)), kind
            assert "%(" not in "".join(said), kind
        assert not issubclass(kind, Skip) or skipped_thing(example(kind)), kind


def test_what_the_api_server_says_alone_ends_without_a_full_stop() -> None:
    for kind in all_problems():
        if kind.__module__.startswith(ADMITTING):
            assert problem_sentence(example(kind)).endswith(".") is (kind.sentence != QUOTED), kind


@given(st.data())
def test_a_stored_problem_is_what_it_was(data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from(all_problems()))
    problem = data.draw(st.builds(kind, **{name: values_of(asked) for name, asked in field_types(kind).items()}))

    assert decoded(json.loads(json.dumps(encoded(problem)))) == problem
    assert encoded(problem)["kind"] == kind.kind
    assert isinstance(problem_sentence(problem) + remedy_sentence(problem), str)


def test_a_process_without_words_reads_what_rows_hold() -> None:
    stored = [encoded(example(kind)) for kind in all_problems()]
    script = (
        "import json, sys; from clusters.documents.stored_problems import decoded\n"
        "print([decoded(each).kind for each in json.load(sys.stdin)], 'clusters.wording' in sys.modules)"
    )

    said = subprocess.run(
        [sys.executable, "-c", script], input=json.dumps(stored), capture_output=True, text=True, check=True
    ).stdout

    assert said.strip() == f"{[kind.kind for kind in all_problems()]} False"


def test_what_only_another_release_knows_is_quoted() -> None:
    for stored in ({"kind": "NoSuchProblem", "found": "x"}, {"kind": "TooMany", "found": "many"}, {}):
        assert decoded(stored) == Quoted(str(stored))
