from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from clusters.engine.problems import shown
from clusters.engine.quantity import MAX_INT64, QuantityError, milli_value, nano_units, parsed, taken_over, whole_value
from clusters.wording.problems import problem_sentence, remedy_sentence

POWERS_OF_TEN = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
POWERS_OF_TWO = {"Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60}


# What Go's own Quantity answers (k8s.io/apimachinery v0.34.1): text, Value(), MilliValue().
@pytest.mark.parametrize(
    ("text", "units", "thousandths"),
    [
        ("0", 0, 0),
        ("1", 1, 1000),
        ("0.1", 1, 100),
        ("100m", 1, 100),
        ("0.1m", 1, 1),
        ("1n", 1, 1),
        ("0.1n", 1, 1),
        ("1u", 1, 1),
        ("999999999n", 1, 1000),
        ("1000000000n", 1, 1000),
        ("1.0000000001", 2, 1001),
        ("1k", 1000, 1000000),
        ("1M", 1000000, 1000000000),
        ("1G", 1000000000, 1000000000000),
        ("1T", 1000000000000, 1000000000000000),
        ("1P", 1000000000000000, 1000000000000000000),
        ("1E", 1000000000000000000, 0),
        ("1Ki", 1024, 1024000),
        ("1.5Gi", 1610612736, 1610612736000),
        ("0.1Ki", 103, 102400),
        ("1Ei", 1152921504606846976, -9223372036854775808),
        ("8Ei", 9223372036854775807, -1000),
        ("16Ei", 9223372036854775807, -1000),
        ("7.9999Ei", 9223256744704315124, -115292150460684697),
        ("1e3", 1000, 1000000),
        ("1E3", 1000, 1000000),
        ("1e-3", 1, 1),
        ("1E+2", 100, 100000),
        ("1e-300", 1, 1),
        ("1e300", 0, 0),
        ("5.", 5, 5000),
        (".5", 1, 500),
        ("+5", 5, 5000),
        ("-5", -5, -5000),
        ("-5m", -1, -5),
        ("-1.5", -2, -1500),
        ("0009", 9, 9000),
        ("00.500Mi", 524288, 524288000),
        ("9223372036854775807", 9223372036854775807, -1000),
        ("9223372036854775808", -9223372036854775808, 0),
        ("9223372036854775", 9223372036854775, 9223372036854775000),
        ("9223372036854776", 9223372036854776, -9223372036854775616),
        ("100E", 0, 0),
        ("10P", 10000000000000000, 0),
        ("518M", 518000000, 518000000000),
        ("20G", 20000000000, 20000000000000),
        ("236939447078M", 236939447078000000, -2868225880224171008),
        ("440159887531829790M", 2127189046178890624, 5813477702292188160),
        ("1234567890123456789", 1234567890123456789, -1363962815083169272),
    ],
)
def test_values_are_those_of_go(text: str, units: int, thousandths: int) -> None:
    assert (whole_value(text), milli_value(text)) == (units, thousandths)


@pytest.mark.parametrize(
    ("number", "thousandths"),
    [
        (3, 3000),
        (0, 0),
        (-2, -2000),
        (0.1, 100),
        (1.5, 1500),
        (1e-7, 1),
        (1e16, 0),
        (2**53, 2**53 * 1000),
    ],
)
def test_numbers_are_read_as_the_literals_of_json(number: float, thousandths: int) -> None:
    assert milli_value(number) == thousandths


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            " ",
            "1.5Gi ",
            " 1",
            "1 Gi",
            "1\n",
            "1K",
            "1_000",
            "1,5",
            "NaN",
            "nan",
            "Inf",
            "Infinity",
            "0x10",
            "Gi",
            "e5",
            ".",
            "+",
            "-",
        ),
        *(
            "1..2",
            "1.2.3",
            "--1",
            "+-1",
            "1e",
            "1e+",
            "1e1.5",
            "1e5k",
            "1mi",
            "1ki",
            "1KiB",
            "1B",
            "1mm",
            "1i",
            "١",
            "1²",
            "9" * 129,
        ),
    ],
)
def test_what_is_not_in_the_grammar_is_refused(text: str) -> None:
    for read in (whole_value, milli_value):
        with pytest.raises(QuantityError) as raised:
            read(text)
        assert remedy_sentence(raised.value.problem).startswith(("Write ", "Remove "))


@pytest.mark.parametrize("given_value", [True, False, None, {}, [], float("nan"), float("inf"), b"1"])
def test_what_is_no_number_is_refused(given_value: object) -> None:
    whole_value(1)
    whole_value(0)
    with pytest.raises(QuantityError):
        whole_value(given_value)  # type: ignore[arg-type]


def test_a_number_too_long_to_print_is_refused() -> None:
    with pytest.raises(QuantityError, match="LongQuantity"):
        whole_value(10**5000)


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        ("1.5Gi ", "Remove the space around 1.5Gi."),
        ("2K", "Write 2k for thousands or 2Ki for units of 1024."),
        ("0" * 200, "Write at most 128 characters."),
    ],
)
def test_the_error_says_what_would_be_right(text: str, remedy: str) -> None:
    with pytest.raises(QuantityError) as raised:
        whole_value(text)
    assert remedy_sentence(raised.value.problem) == remedy
    assert problem_sentence(raised.value.problem) == f"{shown(text)} is not a resource quantity."


def test_the_cache_does_not_take_true_for_one() -> None:
    assert whole_value(1) == whole_value("1") == whole_value(1.0) == 1
    with pytest.raises(QuantityError):
        whole_value(True)


numbers = st.tuples(st.integers(0, 10**9), st.text("0123456789", max_size=12)).map(lambda pair: f"{pair[0]}.{pair[1]}")


@given(numbers, st.sampled_from([*POWERS_OF_TEN, *POWERS_OF_TWO]), st.sampled_from([0, 3]))
def test_the_value_is_the_exact_one_rounded_up(number: str, suffix: str, places: int) -> None:
    factor = Fraction(10) ** POWERS_OF_TEN[suffix] if suffix in POWERS_OF_TEN else Fraction(2) ** POWERS_OF_TWO[suffix]
    exact = Fraction(Decimal(number)) * factor * 10**places
    assume(exact <= MAX_INT64)
    assert (milli_value if places else whole_value)(number + suffix) == math.ceil(exact)


@given(st.integers(0, 10**15), st.integers(0, 3))
def test_every_spelling_of_an_amount_is_the_same(number: int, thousands: int) -> None:
    suffix = ("", "k", "M", "G")[thousands]
    assert (
        whole_value(f"{number}{suffix}")
        == whole_value(f"{number}e{3 * thousands}")
        == whole_value(f"{number}E+{3 * thousands}")
    )
    assert whole_value(f"+00{number}.000") == whole_value(number) == number


@given(st.integers(0, 10**9), st.sampled_from(list(POWERS_OF_TEN)[:7]))
def test_a_negative_amount_mirrors_the_positive(number: int, suffix: str) -> None:
    assert whole_value(f"-{number}{suffix}") == -whole_value(f"{number}{suffix}")


# What Go's own Quantity answers: texts, then Value() and MilliValue() of their sum and of the greatest, in this order.
@pytest.mark.parametrize(
    ("texts", "total", "greatest"),
    [
        (["4Ei", "4Ei"], (-9223372036854775808, 0), (4611686018427387904, 0)),
        (["8Ei", "1"], (-9223372036854775808, 0), (9223372036854775807, -1000)),
        (["9223372036854775", "2"], (9223372036854777, -9223372036854774616), (9223372036854775, 9223372036854775000)),
        (["9223372036854775807", "1"], (-9223372036854775808, 0), (9223372036854775807, -1000)),
        (["1.5", "-0.1n", "8Ei"], (-9223372036854775807, 500), (9223372036854775807, -1000)),
        (["-5m", "2"], (2, 1995), (2, 2000)),
        (["1E", "9E"], (0, 0), (9000000000000000000, 0)),
        (["100m", "9223372036854775807"], (-9223372036854775808, -900), (9223372036854775807, -1000)),
        (["0Ei", "-9223372036854775807Ei"], (-9223372036854775807, 1000), (0, 0)),
        (["1000E", "9223372036854775808"], (-5347552017170563072, 2003764205206896640), (0, 0)),
        (["9223372036854775808", "1000E"], (-5347552017170563072, 2003764205206896640), (3875820019684212736, 0)),
        (["3k", "4Pi", "1n"], (4503599627373497, 4503599627373496001), (4503599627370496, 4503599627370496000)),
        (["-8Ei", "-8Ei"], (2, 2000), (-9223372036854775807, 1000)),
    ],
)
def test_sums_and_comparisons_are_those_of_go(
    texts: list[str], total: tuple[int, int], greatest: tuple[int, int]
) -> None:
    first, *others = map(parsed, texts)
    added = highest = first
    for other in others:
        added = added + other
        if other > highest:
            highest = taken_over(other, highest)

    assert (added.scaled(0), added.scaled(3)) == total
    assert (highest.scaled(0), highest.scaled(3)) == greatest


@given(st.lists(st.tuples(st.integers(0, 10**6), st.sampled_from([*POWERS_OF_TEN, *POWERS_OF_TWO])), min_size=1))
def test_sums_are_exact_in_nano_units(parts: list[tuple[int, str]]) -> None:
    texts = [f"{number}{suffix}" for number, suffix in parts]
    total = parsed(texts[0])
    for text in texts[1:]:
        total = total + parsed(text)
    exact = sum(map(nano_units, texts))

    assert exact == total.unscaled * Fraction(10) ** (total.exponent + 9)
    if exact <= MAX_INT64:
        assert total.scaled(0) == math.ceil(Fraction(exact, 10**9))


@given(st.text(alphabet="0123456789.+-eEnumkKMGTPi _", max_size=40))
def test_any_text_gives_an_int64_or_an_error(text: str) -> None:
    try:
        answers = (whole_value(text), milli_value(text))
    except QuantityError:
        return
    assert all(-MAX_INT64 - 1 <= answer <= MAX_INT64 for answer in answers)
