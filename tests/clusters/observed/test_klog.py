"""Lines of components' logs: both formats, what stands before and within them, and anything at all."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from clusters.adapters.bad_input import BadInput, Limits
from clusters.adapters.buffers import LogFile, Meter, is_log
from clusters.adapters.observed import SchedulerLog, is_structured, parsed_line
from clusters.wording.problems import remedy_sentence
from tests.support.answers import known

if TYPE_CHECKING:
    from pathlib import Path

NOW = datetime(2026, 5, 8, tzinfo=UTC)
SCORED = 'I0507 12:00:00.000001       1 schedule_one.go:815] "Plugin scored node for pod" pod="shop/web" score=300'


@pytest.mark.parametrize("before", ["", "May 07 12:00:00 master-0 kube-scheduler[91664]: "], ids=["plain", "journald"])
def test_text_line_in_parts(before: str) -> None:
    line = known(parsed_line(before + SCORED, NOW))

    assert line.message == "Plugin scored node for pod"
    assert line.values == {"pod": "shop/web", "score": "300"}
    assert line.at == datetime(2026, 5, 7, 12, 0, 0, 1, UTC)


def test_json_line_in_parts() -> None:
    line = known(
        parsed_line(
            '{"ts":1778155200000.001,"caller":"scheduler/schedule_one.go:815","msg":"Plugin scored node for pod",'
            '"v":10,"pod":{"name":"web","namespace":"shop"},"node":{"name":"n1"},"score":300}',
            NOW,
        )
    )
    text = known(parsed_line(SCORED, NOW))

    assert (line.message, line.at, line.stamp) == (text.message, text.at, text.stamp)
    assert line.values["pod"] == "shop/web"
    assert line.values["node"] == "n1"
    assert line.values["score"] == "300"


@pytest.mark.parametrize(
    "before",
    [
        "2025-05-07T12:00:00.123456789Z ",
        "2025-05-07T12:00:00.123456789Z stderr F ",
    ],
)
def test_year_comes_from_what_a_runtime_adds(before: str) -> None:
    line = known(parsed_line(before + SCORED, NOW))

    assert line.at == datetime(2025, 5, 7, 12, 0, 0, 1, UTC)


@pytest.mark.parametrize(
    ("stamp", "year"),
    [("0508 12:00:00.000000", 2026), ("0510 00:00:00.000000", 2025), ("1231 23:59:59.999999", 2025)],
)
def test_line_without_a_year_is_of_the_latest_that_is_past(stamp: str, year: int) -> None:
    line = known(parsed_line(f'I{stamp}       1 a.go:1] "x"', NOW))

    assert line.at is not None
    assert line.at.year == year


def test_day_that_most_years_lack_is_found() -> None:
    line = known(parsed_line('I0229 12:00:00.000000       1 a.go:1] "x"', NOW))
    never = known(parsed_line('I0231 12:00:00.000000       1 a.go:1] "x"', NOW))

    assert line.at == datetime(2024, 2, 29, 12, tzinfo=UTC)
    assert never.at is None


def test_quoting_of_go_is_undone() -> None:
    line = known(
        parsed_line(
            r'I0507 12:00:00.000000       1 a.go:1] "It\'s \"so\"" err="a\tb\\c \u00e9 \x41 \U0001f600 \ud800" k=v', NOW
        )
    )

    assert line.message == 'It\'s "so"'
    assert line.values == {"err": "a\tb\\c é A \N{GRINNING FACE} \N{REPLACEMENT CHARACTER}", "k": "v"}


def test_text_over_several_lines_is_one_value() -> None:
    line = known(parsed_line('I0507 12:00:00.000000       1 a.go:1] "x" err=<\n\tone\n\ttwo\n > k="v"', NOW))

    assert line.values == {"err": "one\ntwo", "k": "v"}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I0507 12:00:00.000000       1 a.go:1] not structured",
        '{"ts":"now","msg":"x"}',
        '{"ts":1e300,"msg":"x"}',
        '{"ts":-1,"msg":"x"}',
        '{"ts":1,"msg":null}',
        "[]",
        "{" * 300,
    ],
)
def test_other_lines_are_none(text: str) -> None:
    assert parsed_line(text, NOW) is None


_PIECES = st.sampled_from(
    [
        'I0507 12:00:00.000000       1 a.go:1] "',
        'I9999 99:99:99.999999 1 a.go:1] "Successfully bound pod to node" pod="a/b"',
        '"Plugin scored node for pod" ',
        "Unable to schedule pod; no fit; waiting",
        ' pod="shop/web"',
        ' node="',
        " score=9",
        " err=<",
        "\n >",
        "\\",
        '"',
        '{"ts":1,"msg":"Successfully bound pod to node","pod":',
        "\x00",
        "\ud800",
    ]
)


@settings(deadline=None)
@given(st.lists(_PIECES | st.text('aI0 ="\\<>{}[]\t\r\u00e9\u2028', max_size=12), max_size=12).map("".join))
def test_no_text_breaks_the_reader(text: str) -> None:
    line = parsed_line(text, NOW)
    is_structured(text)
    log = SchedulerLog(now=NOW)
    attempts = [attempt for part in text.split("\n") for attempt in log.take(part)]
    attempts += log.end()

    if line is not None:
        assert all(isinstance(value, str) for value in line.values.values())
    for attempt in attempts:
        assert attempt.document


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.binary(max_size=200) | st.lists(_PIECES, max_size=6).map(lambda parts: _encoded("\n".join(parts))))
def test_no_file_breaks_the_reader(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "scheduler.log"
    path.write_bytes(content)
    is_log(content, path.name)
    log = LogFile(path, Meter(Limits(), bytes_total=len(content)), name=path.name, now=NOW)
    found, refusal = [], None
    try:
        found = [attempt for attempt in log.attempts() if attempt is not None]
    except BadInput as error:
        refusal = error

    assert all(attempt.document for attempt in found)
    assert (refusal is None) == (log.understood > 0)
    assert refusal is None or (refusal.file == "scheduler.log" and remedy_sentence(refusal.problem))


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


_HEADER = "I0101 00:00:0{second}.000000       1 schedule_one.go:1] "


def line(second: int, message: str, values: str) -> str:
    return f'{_HEADER.format(second=second)}"{message}" pod="shop/web" {values}'


def read(*lines: str) -> list[dict[str, object]]:
    log = SchedulerLog(now=datetime(2026, 1, 2, tzinfo=UTC))
    return [attempt.document for each in lines for attempt in log.take(each)]


def test_a_text_that_does_not_end_does_not_swallow_the_log() -> None:
    beginning = line(1, "Unable to schedule pod; no fit; waiting", "err=<")
    bound = line(2, "Successfully bound pod to node", 'node="n1"')

    assert read(beginning, *["\t" + "x" * 200_000] * 10, bound)[-1:] == [{"selectedNode": "n1"}]
