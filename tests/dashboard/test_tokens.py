from __future__ import annotations

import itertools
import re

import pytest
from django.conf import settings

from clusters.engine.versions import RELEASES, ExtensionPoint
from clusters.wording.states import VERDICT_WORDS
from dashboard.pictures import tokens as names

TOKENS = (settings.BASE_DIR / "static/css/tokens.css").read_text(encoding="utf-8")
THEMES = ("light", "dark")

# How colour blindnesses mix linear red, green and blue: Machado, Oliveira, Fernandes (2009), severity 1.
BLINDNESS = {
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
# Oklab distances below which two fills may be taken for one another. Tritanopia is rare, so that the verdicts' shapes
# and words may do more of the work there.
NEAR = 0.05
NEAR_VERDICTS = {"protanopia": NEAR, "deuteranopia": NEAR, "tritanopia": 0.035}


def tokens(name: str) -> dict[str, str]:
    """Return the colours of a theme."""
    block = re.search(rf':root\[data-bs-theme="{name}"\] {{(.*?)\n}}', TOKENS, re.DOTALL)
    assert block
    return dict(re.findall(r"(--[\w-]+): (#[0-9a-f]{6});", block.group(1)))


def linear(colour: str) -> list[float]:
    """Return the colour's linear red, green and blue."""
    channels = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    return [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]


def luminance(channels: list[float]) -> float:
    red, green, blue = channels
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(linear(one)), luminance(linear(other))))
    return (high + 0.05) / (low + 0.05)


def lab(channels: list[float]) -> tuple[float, float, float]:
    """Return Oklab coordinates: equal distances look equally different."""
    red, green, blue = (max(0.0, value) for value in channels)
    long = (0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue) ** (1 / 3)
    middle = (0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue) ** (1 / 3)
    short = (0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue) ** (1 / 3)
    return (
        0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short,
    )


def seen(colour: str, blindness: str) -> tuple[float, float, float]:
    channels = linear(colour)
    mixed = [sum(weight * value for weight, value in zip(row, channels, strict=True)) for row in BLINDNESS[blindness]]
    return lab(mixed)


def distance(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    return float(sum((a - b) ** 2 for a, b in zip(one, other, strict=True)) ** 0.5)


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("verdict", VERDICT_WORDS)
def test_verdict_is_readable(name: str, verdict: str) -> None:
    colours = tokens(name)

    ink, surface, solid = (colours[f"--verdict-{verdict}-{part}"] for part in ("ink", "surface", "solid"))
    assert contrast(ink, surface) >= 4.5
    assert contrast(solid, colours["--surface-card"]) >= 3


@pytest.mark.parametrize("name", THEMES)
def test_fills_stand_out_from_the_card(name: str) -> None:
    colours = tokens(name)
    fills = [names.plugin_colour(plugin) for plugin in names.PLUGIN_PATTERNS]
    fills += [f"var(--zone-{number + 1})" for number in range(names.ZONE_COLOURS)]

    faint = [fill for fill in fills if contrast(colours[fill[4:-1]], colours["--surface-card"]) < 3]

    assert faint == []


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("blindness", BLINDNESS)
def test_verdicts_differ_for_colour_blind_readers(name: str, blindness: str) -> None:
    solids = {verdict: tokens(name)[f"--verdict-{verdict}-solid"] for verdict in VERDICT_WORDS}

    near = [
        pair
        for pair in itertools.combinations(solids, 2)
        if distance(seen(solids[pair[0]], blindness), seen(solids[pair[1]], blindness)) < NEAR_VERDICTS[blindness]
    ]

    assert near == []


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("blindness", BLINDNESS)
def test_stacked_plugins_that_look_alike_to_somebody_have_other_patterns(name: str, blindness: str) -> None:
    fills = {plugin: tokens(name)[names.plugin_colour(plugin)[4:-1]] for plugin in list(names.PLUGIN_PATTERNS)[:8]}

    alike = [
        pair
        for pair in itertools.combinations(fills, 2)
        if distance(seen(fills[pair[0]], blindness), seen(fills[pair[1]], blindness)) < NEAR
    ]

    assert all(names.PLUGIN_PATTERNS[one] != names.PLUGIN_PATTERNS[other] for one, other in alike)


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("blindness", BLINDNESS)
def test_three_zones_differ_for_every_reader(name: str, blindness: str) -> None:
    zones = [tokens(name)[f"--zone-{number}"] for number in (1, 2, 3)]

    near = [
        pair
        for pair in itertools.combinations(zones, 2)
        if distance(seen(pair[0], blindness), seen(pair[1], blindness)) < NEAR
    ]

    assert near == []


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize(
    ("ink", "surface"),
    [
        ("--ink", "--surface-page"),
        ("--ink-muted", "--surface-muted"),
        ("--link", "--surface-card"),
        ("--accent-ink", "--accent"),
    ],
)
def test_text_is_readable(name: str, ink: str, surface: str) -> None:
    colours = tokens(name)

    assert contrast(colours[ink], colours[surface]) >= 4.5


def test_both_themes_know_the_same_tokens() -> None:
    assert tokens("light").keys() == tokens("dark").keys()


def test_plugins_that_score_have_a_pattern_of_their_own() -> None:
    scoring = list(names.PLUGIN_PATTERNS.values())[:8]

    assert len(set(scoring)) == len(scoring)


def test_plugins_that_filter_have_a_mark_of_their_own() -> None:
    filtering = {
        name
        for release in RELEASES.values()
        for name, points in release.points.items()
        if ExtensionPoint.FILTER in points
    }

    assert set(names.PLUGIN_MARKS) == filtering
    assert len(set(names.PLUGIN_MARKS.values())) == len(filtering)


@pytest.mark.parametrize("name", THEMES)
def test_no_plugin_that_rejects_looks_like_what_fits(name: str) -> None:
    colours = tokens(name)
    passing = [colours[f"--verdict-{verdict}-solid"] for verdict in ("fits", "uncertain")]
    rejecting = {plugin: colours[names.plugin_colour(plugin)[4:-1]] for plugin in names.PLUGIN_MARKS}

    near = [
        plugin
        for plugin, fill in rejecting.items()
        if any(distance(tuple(linear(fill)), tuple(linear(other))) < 2 * NEAR for other in passing)
    ]
    assert near == []


def test_colours_are_named_nowhere_else() -> None:
    for path in ("static/css/app.css", "static/js/charts.js"):
        text = (settings.BASE_DIR / path).read_text(encoding="utf-8")
        assert re.findall(r"#[0-9a-fA-F]{3,8}\b(?!-)", re.sub(r"#[a-z-]+ ", "", text)) == [], path
