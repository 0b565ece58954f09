"""CEL expressions answer as kube-scheduler's do, and each answer is given again only where it holds."""

from __future__ import annotations

import gzip
import json
import tracemalloc
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from clusters.adapters import cel
from clusters.adapters.cel import compiled_selector, selectors
from clusters.adapters.cel.selectors import compile_selector as cel_answers_compile_selector
from clusters.adapters.cel.values import Version
from clusters.engine.devices import (
    Allowance,
    CompileError,
    CostlyExpressionError,
    Device,
    DeviceSlice,
    EvaluationError,
    UnsupportedExpressionError,
)
from clusters.engine.versions import NEWEST, RELEASES, Dialect
from tests.engine.device_builders import DRIVER, a_device, a_slice
from tests.support.answers import error_of

OWN = f'device.attributes["{DRIVER}"]'
AMOUNT = f'device.capacity["{DRIVER}"]'
FULL = a_device(
    model="a100",
    memory="40Gi",
    attributes={
        "count": {"int": 3},
        "healthy": {"bool": True},
        "version": {"version": "1.2.3"},
        "other.example.com/kind": {"string": "x"},
    },
)


def compile_selector(expression: str, dialect: Dialect = NEWEST.dialect) -> selectors.DeviceSelector:
    return selectors.compile_selector(expression, dialect)


def read(device: dict[str, Any]) -> Device:
    return DeviceSlice.from_dict(a_slice(device)).devices[0]


@pytest.mark.parametrize(
    ("expression", "selected"),
    [
        (f'device.driver == "{DRIVER}"', True),
        (f'{OWN}.model == "a100"', True),
        (f'{OWN}["model"] in ["b", "a100"]', True),
        (f"{OWN}.count >= 3 && {OWN}.healthy", True),
        (f"{OWN}.count == 3.0", True),
        (f"{OWN}.count + 1 == 4", True),
        (f"{OWN}.model == 1", False),
        (f"{OWN}.model != 1", True),
        (f"!{OWN}.healthy || {OWN}.count < 2", False),
        (f"has({OWN}.absent)", False),
        (f"has({OWN}.model)", True),
        (f'"model" in {OWN}', True),
        ('"absent.example.com" in device.attributes', False),
        ('"other.example.com" in device.attributes', True),
        ('device.attributes["other.example.com"].kind == "x"', True),
        (f"{OWN}.absent == 1 || true", True),
        (f'{OWN}.exists(name, name.startsWith("ver"))', True),
        ('device.attributes["absent.example.com"].size() == 0', True),
        (f'{AMOUNT}.memory.compareTo(quantity("40Gi")) == 0', True),
        (f'{AMOUNT}.memory.isGreaterThan(quantity("39.9Gi"))', True),
        (f'{AMOUNT}.memory.isLessThan(quantity("40G"))', False),
        (f'{AMOUNT}.memory == quantity("40960Mi")', True),
        ("device.allowMultipleAllocations", False),
        ("device.allowMultipleAllocations == false", True),
        (f'{AMOUNT}.memory.sub(quantity("1Gi")).add(1024).isLessThan(quantity("40Gi"))', True),
        (f"{AMOUNT}.memory.asInteger() == 42949672960", True),
        (f'{OWN}.version.isGreaterThan(semver("1.2.0"))', True),
        (f'{OWN}.version.compareTo(semver("1.2.3+build")) == 0', True),
        (f"{OWN}.version.major() == 1 && {OWN}.version.patch() == 3", True),
        ('isSemver("1.2") || isQuantity("x")', False),
        ('semver("v1.2", true) == semver("1.2.0")', True),
        (f'cel.bind(own, {OWN}, own.model == "a100" && own.count == 3)', True),
        (f'{OWN}.model.upperAscii().matches("^A1.*$")', True),
        (f'{OWN}.model.split("1")[0] == "a"', True),
        ("1.0 / 0.0 > 1.0 && 0.0 / 0.0 != 0.0", True),
        ("-7 / 2 == -3 && -7 % 2 == -1 && -9223372036854775808 < 0", True),
        ("!(-1 in [3]) && !dyn(1 == -1) && --1 == 1", True),
        ("dyn(1u) == 1 && 0x10 == 16 && .5 == 5e-1", True),
        (r'"\u0041\x42\103\"" == "ABC" + r"""\""".substring(1) + "\""', True),
        ("cel.bind(lazy, 1 / 0, true)", True),
        ("cel.bind(x, 1, cel.bind(x, x + 1, x == 2))", True),
        ("[0, 1].exists(each, 1 / each == 1) && ![1, 0].all(each, each == 1)", True),
        ("[1, 2, 3].filter(x, x > 1) == [2, 3] && [1, 2].map(x, x > 1, x * 2) == [4]", True),
        ("[1, 2, 3].exists_one(x, x > 2) && 2 in [1, 2]", True),
        ('type(1) == int && string(1) == "1" && int("7") == 7 && double("0.5") == 0.5', True),
        ('"banana".replace("a", "o", 2) == "bonona" && "abc".contains("bc")', True),
        (f"true || {OWN}.absent == 1 && false", True),
        (f"{OWN}.count > 5 ? {OWN}.absent : true", True),
    ],
)
def test_an_expression_selects_a_device_or_not(expression: str, selected: bool) -> None:
    assert compile_selector(expression).matches(DRIVER, read(FULL)) is selected


@pytest.mark.parametrize(
    ("expression", "error"),
    [
        (f"{OWN}.absent == 1", "no such key: absent"),
        (f'{OWN}["absent"] == 1', "no such key: absent"),
        (f"{OWN}.model < 3", "no such overload"),
        (f"{OWN}.model * 1000000000 == 1", "no such overload"),
        (f"{OWN}.count + 9223372036854775807 > 0", "integer overflow"),
        (f"{OWN}.count / 0 > 0", "division by zero"),
        (f"[1][{OWN}.count] == 1", "index out of bounds: 3"),
        (f'double("{"9" * 400}" + {OWN}.model.find("x")) > 0.0', "type conversion error from 'string' to 'double'"),
        ('int(double("inf" + "")) > 0', "integer overflow"),
        ("0.0 / 0.0 < 1.0", "NaN values cannot be ordered"),
        ('"a".substring(2) == ""', "index out of range: 2"),
        (f'{OWN}["{"k" * 200}"] == 1', f"no such key: {'k' * 200}"),
        ("{dyn(1): 1}[dyn(8192000.0)] == 1", r"no such key: 8\.192e\+06"),
        ("[1][dyn(0.00001)] == 1", "unsupported index value 1e-05 in list"),
        ('[dyn("a"), dyn(b"ab")].join() == ""', r"join: invalid input: \[97 98\]"),
        ('[dyn("a"), dyn(null)].join() == ""', "join: invalid input: 0"),
        (
            f"{OWN}.model",
            "CEL result of type string .* bool: unsupported native conversion from string to 'bool'",
        ),
    ],
)
def test_an_expression_that_fails_says_what_the_scheduler_says(expression: str, error: str) -> None:
    for _ in range(2):
        with pytest.raises(EvaluationError, match=rf"^{error}$"):
            compile_selector(expression).matches(DRIVER, read(FULL))


@pytest.mark.parametrize(
    "expression",
    [
        "device.driver ==",
        "",
        "x",
        '"a',
        '"\\q" == ""',
        '"\\ud800" == ""',
        "9223372036854775808 > 0",
        "1e999 > 0.0",
        "has(1)",
        "\0",
    ],
)
def test_what_is_no_expression_does_not_compile(expression: str) -> None:
    with pytest.raises(CompileError):
        compile_selector(expression)


@pytest.mark.parametrize(
    "expression",
    [
        'timestamp("2026-01-01T00:00:00Z") < timestamp("2027-01-01T00:00:00Z")',
        'url("https://example.com").getHost() == "example.com"',
        'format.dns1123Label().validate("a").hasValue()',
        '"%e".format([1.5]) == ""',
        'ip("1::2::3").isLoopback()',
        'double("0x1p-2") == 0.25',
        "type(1) == net.IP",
        "[?dyn(optional.of(1))].size() == 1",
        "(" * 1000 + "true" + ")" * 1000,
        "device" + ".a" * 1000,
        "1" + "+ 1" * 1000 + " > 0",
        'quantity("1e999999999").asApproximateFloat() > 0.0',
        "true || " * 2000 + "true",
        '[dyn("a"), dyn([1])].join() == ""',
        '[dyn("a"), dyn(semver("1.2.3"))].join() == ""',
        "optional.unwrap(dyn([dyn(optional.of(1)), dyn(type(1))])) == []",
        f'{OWN}["{"k" * 2000}"] == 1',
    ],
)
def test_what_is_not_supported_is_said_and_not_guessed(expression: str) -> None:
    with pytest.raises(UnsupportedExpressionError):
        compile_selector(expression).matches(DRIVER, read(FULL))


def bound(first: str, step: str, last: str, levels: int = 30) -> str:
    """An expression of which each level uses the value of the one before several times."""
    names = [f"a{level}" for level in range(levels)]
    steps = [first, *(step.replace("@", name) for name in names)]
    opening = "".join(f"cel.bind({name}, {value}, " for name, value in zip(names, steps, strict=False))
    return opening + last.replace("@", names[-1]) + ")" * levels


def test_all_that_keeps_an_expression_from_compiling_is_told_by_its_place() -> None:
    refusal = error_of(CompileError, compile_selector, "!-1 in [3] || (true ? 1 : 'a') && x")

    faults = [line for line in str(refusal).splitlines() if "ERROR" in line]
    assert faults == [
        "compilation failed: ERROR: <input>:1:1: found no matching overload for '!_' applied to '(int)'",
        "ERROR: <input>:1:21: found no matching overload for '_?_:_' applied to '(bool, int, string)'",
        "ERROR: <input>:1:35: undeclared reference to 'x' (in container '')",
    ]


def test_many_faults_of_a_long_expression_are_told_in_a_bounded_message() -> None:
    refusal = error_of(
        CompileError, compile_selector, " || ".join(["x"] * 90) + " || device.driver == '" + "d" * 9000 + "'"
    )

    message = str(refusal)
    assert len(message) < 50_000
    assert message.startswith("compilation failed: ERROR: <input>:1:1: undeclared reference to 'x'")
    assert message.endswith(f"\n{90 - message.count('ERROR: ')} more errors were truncated")


@pytest.mark.parametrize("expression", ["x", "type(1) == net.IP"])
def test_what_is_refused_is_compiled_once(expression: str) -> None:
    with pytest.raises((CompileError, UnsupportedExpressionError)) as first:
        compiled_selector(expression, NEWEST.dialect)
    hits = cel._compiled.cache_info().hits
    second = error_of(first.type, compiled_selector, expression, NEWEST.dialect)

    assert cel._compiled.cache_info().hits == hits + 1
    assert second is not first.value
    assert str(second) == str(first.value)


@pytest.mark.parametrize(
    ("expression", "selected"),
    [
        (f'[1].all(device, .device.driver == "{DRIVER}")', True),
        ("[1].all(device, device == 1)", True),
        ("cel.bind(int, 1, .int == type(int))", True),
        (f'cel.bind(device, device.driver, device == "{DRIVER}")', True),
    ],
)
def test_a_dot_before_a_name_reaches_over_the_variables_of_macros(expression: str, selected: bool) -> None:
    assert compile_selector(expression).matches(DRIVER, read(FULL)) is selected


def test_types_that_double_with_each_level_are_given_up() -> None:
    with pytest.raises(UnsupportedExpressionError, match=r"^types$"):
        compile_selector(bound("1", "{@: @}", "@ == @"))


@pytest.mark.parametrize(
    "use", ['[dyn("a"), dyn(@)].join() == ""', "optional.unwrap(dyn([dyn(optional.of(1)), dyn(@)])) == []"]
)
def test_what_shares_its_parts_is_not_written_out(use: str) -> None:
    # What reading expressions keeps once and for all is not of this one.
    with pytest.raises(UnsupportedExpressionError):
        compile_selector(bound("[1]", "[@, @]", use, levels=19)).matches(DRIVER, read(FULL))
    tracemalloc.start()
    with pytest.raises(UnsupportedExpressionError):
        compile_selector(bound("[1]", "[@, @]", use, levels=20)).matches(DRIVER, read(FULL))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert peak < 4 << 20


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("999999.0", "999999"),
        ("1e6", "1e+06"),
        ("1234567.0", "1.234567e+06"),
        ("-8192000.0", "-8.192e+06"),
        ("1e16", "1e+16"),
        ("123456.789", "123456.789"),
        ("0.0001", "0.0001"),
        ("1e-5", "1e-05"),
        ("-0.0", "-0"),
    ],
)
def test_doubles_are_written_as_go_writes_them(value: str, written: str) -> None:
    assert compile_selector(f'string({value}) == "{written}" && "%s".format([{value}]) == "{written}"').matches(
        DRIVER, read(FULL)
    )


DEEP = bound("[]", f"{'[' * 10}@{']' * 10}", "@", levels=27)


@pytest.mark.parametrize(
    "body",
    [
        f"[{','.join(['@'] * 2000)}] == []",
        " || ".join(["@ == @"] * 600),
        " || ".join(["[@] == []"] * 500),
        f"[{','.join(['[], @'] * 1000)}] == []",
    ],
)
def test_types_that_take_long_to_compare_are_given_up(body: str) -> None:
    with pytest.raises(CostlyExpressionError):
        compile_selector(DEEP.replace(", a26)", f", {body.replace('@', 'a26')})"))


@pytest.mark.parametrize("term", ["1 < 1", "[1][0] == 1", "[] == []", "{1: 1}[1] == 1", "[1].sortBy(x, x) == []"])
def test_long_expressions_of_plain_types_compile(term: str) -> None:
    compile_selector(" || ".join([term] * (selectors.MAX_LENGTH // (len(term) + 4))))


NUMBERS = str(list(range(60)))
COSTLY = {
    "texts": bound('"' + "x" * 500 + '"', "@ + @", "size(@) > 0"),
    "bytes": bound('b"x"', "@ + @", "size(@) > 0"),
    "lists": bound("[1]", "@ + @", "size(@) > 0"),
    "shared lists": bound("[1]", "[@, @]", "@ == @"),
    "shared lists in lists": bound("[1]", "[@, @]", "@ in [@, @]"),
    "shared texts": bound('"x"', "'%s%s'.format([@, @])", "size(@) > 0"),
    "joined": bound('"x"', "[@, @, @].join()", "size(@) > 0"),
    "shared maps of lists": bound("[1]", "{1: @, 2: @}", "@ == @"),
    "numbers": "lists.range(9999).map(x, lists.range(9999)).size() > 0",
    "transformed": bound("[1]", "[@, @].transformList(i, x, x)", "@ == @"),
    "flattened": bound("[1]", "[@, @].flatten()", "size(@) > 0"),
    "sorted": bound("[1]", "(@ + @).sort()", "size(@) > 0"),
    "found": bound('"x"', '(@ + @).findAll("x").join()', "size(@) > 0"),
    "replaced": bound('"x"', '@.replace("x", "xxxxxxxxxxxx")', "size(@) > 0"),
    "replaced between": bound('"x"', '@.replace("", @)', "size(@) > 0"),
    "split": bound('"\U0001f600"', "@ + @", '@.split("").map(x, x + x).size() > 0', levels=18),
    "nested": f"{NUMBERS}.all(a, {NUMBERS}.all(b, {NUMBERS}.all(c, a + b + c >= 0)))",
    "nested constants": f"{NUMBERS}.all(a, {NUMBERS}.all(b, {NUMBERS}.all(c, true)))",
    "nested chains": f"{NUMBERS}.all(a, {NUMBERS}.all(b, {'&&'.join(['true'] * 1500)}))",
    "nested literals": f"{NUMBERS}.all(a, {NUMBERS}.all(b, [{','.join(['1'] * 3000)}].size() > 0))",
    "mapped lists": f"{NUMBERS}.map(a, {NUMBERS}.map(b, {NUMBERS}.map(c, [a, b, c]))).size() > 0",
    "groups": f'"{"a" * 2600}b".matches("{"(.*)" * 800}$")',
    "repetitions": '"' + "a" * 3000 + '".matches("(.{0,100}){0,9}b$")',
}


@pytest.mark.unmeasured
@pytest.mark.parametrize("expression", COSTLY.values(), ids=COSTLY)
def test_an_expression_that_costs_too_much_is_given_up_before_it_takes_memory(expression: str) -> None:
    tracemalloc.start()
    selector = compile_selector(expression)
    for _ in range(2):
        with pytest.raises(CostlyExpressionError):
            selector.matches(DRIVER, read(FULL))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert peak < 16 << 20


@pytest.mark.unmeasured
def test_an_expression_that_is_costly_for_many_devices_is_given_up() -> None:
    counted = f"{NUMBERS}.all(a, {NUMBERS}.all(b, a + b >= 0)) && {OWN}.serial >= 0"
    selector = compile_selector(counted)
    devices = [read(a_device(attributes={"serial": {"int": number}})) for number in range(100)]
    assert selector.matches(DRIVER, devices[0])
    with suppress(CostlyExpressionError):
        for device in devices:
            selector.matches(DRIVER, device)

    with pytest.raises(CostlyExpressionError):
        selector.matches(DRIVER, devices[-1])
    assert selector.matches(DRIVER, devices[0])


def test_expressions_of_one_cluster_share_what_costly_ones_may_cost() -> None:
    costly = [f"{NUMBERS}.all(a, {NUMBERS}.all(b, a + b >= {-number}))" for number in range(3)]
    allowance = Allowance(20_000)
    assert compile_selector(costly[0]).matches(DRIVER, read(FULL), allowance)

    with pytest.raises(CostlyExpressionError):
        compile_selector(costly[1]).matches(DRIVER, read(FULL), allowance)
    assert compile_selector("true").matches(DRIVER, read(FULL), allowance)
    assert compile_selector(costly[2]).matches(DRIVER, read(FULL), Allowance())


@given(expression=st.text(alphabet="ab1.0\"'[](){}+-*/%<>=!&|?:, \\x", max_size=40))
def test_whatever_somebody_writes_is_answered_or_refused(expression: str) -> None:
    with suppress(CompileError, EvaluationError, UnsupportedExpressionError):
        compile_selector(expression).matches(DRIVER, read(FULL))


VALUES = st.fixed_dictionaries(
    {}, optional={"model": st.sampled_from(["a", "b"]), "count": st.integers(0, 2), "serial": st.integers()}
)


@given(devices=st.lists(VALUES, max_size=8))
def test_answers_that_are_given_again_are_those_of_a_new_evaluation(devices: list[dict[str, Any]]) -> None:
    expression = f'has({OWN}.count) && {OWN}.count > 0 ? {OWN}.model == "a" : {OWN}.count == 0'
    kept = compile_selector(expression)
    for held in devices:
        attributes = {
            name: {"string": value} if isinstance(value, str) else {"int": value} for name, value in held.items()
        }
        device = read(a_device(attributes=attributes))
        assert outcome(kept, device) == outcome(compile_selector(expression), device)


def outcome(selector: Any, device: Device) -> object:
    try:
        return selector.matches(DRIVER, device)
    except EvaluationError as error:
        return str(error)


def test_versions_come_in_the_order_of_semver_org() -> None:
    ordered = [
        "1.0.0-alpha",
        "1.0.0-alpha.1",
        "1.0.0-alpha.beta",
        "1.0.0-beta.2",
        "1.0.0-beta.11",
        "1.0.0-rc.1",
        "1.0.0",
        "1.0.1",
        "1.10.0",
    ]

    assert sorted(map(Version.parse, reversed(ordered))) == list(map(Version.parse, ordered))
    assert Version.parse("1.0.0+a") == Version.parse("1.0.0+b")


@pytest.mark.parametrize("text", ["1", "1.2", "01.2.3", "1.2.3-01", "v1.2.3", "1.2.3-", ""])
def test_what_is_no_version_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"number|elements|zeroes|empty"):
        Version.parse(text)


ANSWERS = Path(__file__).parent.parent / "data" / "cel" / "answers.jsonl.gz"
# What may be left open, by the name that is told; the words of syntax errors are the parser's own.
OPEN = {"timestamp", "duration", "net", "ip", "double", "matches", "?", "sort", "distinct", "sortBy", "[]", "{}"}
MOST_OPEN = 20


@pytest.fixture(scope="module")
def rows() -> list[dict[str, Any]]:
    with gzip.open(ANSWERS, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def device_of(row: dict[str, Any]) -> Device:
    device = {
        "name": "d",
        "attributes": row["attributes"],
        "capacity": row["capacity"],
        "allowMultipleAllocations": row["shared"],
    }
    return DeviceSlice.from_dict(a_slice(device)).devices[0]


def answer(row: dict[str, Any], minor: str) -> list[Any]:
    try:
        return [
            "value",
            cel_answers_compile_selector(row["expression"], RELEASES[minor].dialect).matches(DRIVER, device_of(row)),
        ]
    except CompileError as error:
        return ["compile", str(error)]
    except EvaluationError as error:
        return ["error", str(error)]
    except UnsupportedExpressionError as error:
        return ["open", str(error)]


def agrees(found: list[Any], expected: list[Any]) -> bool:
    is_syntax = found[0] == expected[0] == "compile" and "Syntax error" in found[1] and "Syntax error" in expected[1]
    return found == expected or is_syntax or (found[0] == "open" and found[1] in OPEN)


@pytest.mark.parametrize(
    ("network", "is_mask"), [("10.0.0.0/8", True), ("10.1.0.0/8", False), ("::/0", True), ("192.168.0.1/32", True)]
)
def test_from_1_38_a_network_says_whether_it_is_a_mask(network: str, *, is_mask: bool) -> None:
    expression, device = f"cidr('{network}').isMask()", read(FULL)

    assert cel_answers_compile_selector(expression, RELEASES["1.38"].dialect).matches(DRIVER, device) is is_mask
    with pytest.raises(CompileError):
        cel_answers_compile_selector(expression, RELEASES["1.37"].dialect)


@pytest.mark.parametrize("minor", RELEASES)
def test_answers_are_the_scheduler_s(minor: str, rows: list[dict[str, Any]]) -> None:
    # Of 1.38 none are recorded: it adds a function of networks to 1.37, and takes a later cel-go.
    recorded = {"1.38": "1.37"}.get(minor, minor)
    found = [(row["expression"], answer(row, minor), row["answers"][recorded]) for row in rows]

    assert [each for each in found if not agrees(*each[1:])] == []
    assert sum(mine[0] == "open" for _, mine, _ in found) <= MOST_OPEN
