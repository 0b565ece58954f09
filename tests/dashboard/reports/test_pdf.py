from __future__ import annotations

import re
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import typst
from django.utils.translation import override
from pypdf import PdfReader
from pypdf.generic import ArrayObject, Destination, DictionaryObject, IndirectObject

from dashboard.reports.blocks import Chart
from dashboard.reports.layout import ROWS_SHOWN, blocks_of
from dashboard.reports.pdf import pdf_of
from dashboard.reports.printing import covered, drawable, machine_fonts, pieces, printable
from tests.dashboard.reports.documents import HOSTILE, MADE, a_document
from tests.support.catalogue import write_catalogue

if TYPE_CHECKING:
    from pytest_django.fixtures import Settings

SECTIONS = (
    "The reviewer's notes",
    "Recommendations",
    "Requested, allocatable and capacity",
    "Trend",
    "Losses and headroom",
    "Maintenance",
    "Incomplete data",
)


def text_of(reader: PdfReader) -> str:
    return "\n".join(page.extract_text() for page in reader.pages)


def without_breaks(text: str) -> str:
    return re.sub(r"\s+", "", text)


@pytest.fixture(scope="module")
def review() -> PdfReader:
    return PdfReader(BytesIO(pdf_of(a_document(nodes=60, title="Capacity review, November"))))


def test_a_review_is_readable_as_text(review: PdfReader) -> None:
    cover, text = review.pages[0].extract_text(), text_of(review)

    assert "Capacity review, November" in cover
    cover = " ".join(cover.split())
    for said in ("prod-eu-1", "1 November 2026 – 21 November 2026", "21 Nov 2026, 16:40 UTC", "ada", "Contents"):
        assert said in cover
    for number, title in enumerate(SECTIONS, start=1):
        assert re.search(rf"^{number}\s+{re.escape(title)}", text, re.MULTILINE), title
        assert title in cover
    assert "21 CPU" in text
    assert "1 Add 2 nodes like general-1 2 pending pods scheduled 2 more nodes" in cover
    assert "They come in *December*." in text


def test_every_page_has_its_number_and_a_long_table_its_head_again(review: PdfReader) -> None:
    pages = [page.extract_text() for page in review.pages]
    rows = [page for page in pages if re.search(r"^node-\d+\b", page, re.MULTILINE)]

    assert len(pages) > 3
    for number, page in enumerate(pages, start=1):
        assert f"{number} of {len(pages)}" in page
    assert all(re.search(r"^Node\b", page, re.MULTILINE) for page in rows)
    assert len(re.findall(r"^node-\d+\b", "\n".join(pages), re.MULTILINE)) == ROWS_SHOWN
    assert "All 60 are in the CSV files." in text_of(review)


def test_charts_are_vectors_whose_words_are_text(review: PdfReader) -> None:
    text = text_of(review)

    assert not [image for page in review.pages for image in page.images]
    for word in ("reserved for the system 4 CPU", "1\u202f180 after losing a node", "610 after losing a zone"):
        assert word in text
    # The line for what was requested ends with the last sample: 41.05 CPU.
    assert re.search(r"requested 41(\.\d)?\b", text)


def test_it_can_be_found_through_and_read_aloud(review: PdfReader) -> None:
    catalog = review.root_object
    titles = [entry.title for entry in review.outline if isinstance(entry, Destination)]
    assert review.metadata is not None
    assert review.xmp_metadata is not None

    assert titles == [f"{at} {title}" for at, title in enumerate(SECTIONS, start=1)]
    assert "'/Marked': True" in str(catalog["/MarkInfo"])
    assert str(catalog["/Lang"]).startswith("en")
    assert "pdfuaid:part" in review.xmp_metadata.stream.get_data().decode()
    assert review.metadata.title == "Capacity review, November"
    assert review.metadata.author == "ada"
    assert review.metadata.creation_date == MADE
    charts = [block.text for block in blocks_of(a_document()) if isinstance(block, Chart)]
    assert set(charts) <= set(alternatives(catalog["/StructTreeRoot"]))


def alternatives(element: object) -> list[str]:
    """Return the words that stand for pictures, of every element of the structure."""
    if isinstance(element, IndirectObject):
        element = element.get_object()
    if isinstance(element, ArrayObject):
        return [found for each in element for found in alternatives(each)]
    if isinstance(element, DictionaryObject):
        own = [str(element["/Alt"])] if "/Alt" in element else []
        return own + alternatives(element.get("/K"))
    return []


def test_its_own_words_and_its_language_are_the_readers(tmp_path: Path, settings: Settings) -> None:
    texts = {
        "Capacity review": "Kapazitätsbericht",
        "heading\x04In short": "Kurz gesagt",
        "heading\x04Contents": "Inhalt",
        "%(part)s of %(whole)s": "%(part)s von %(whole)s",
    }
    write_catalogue(tmp_path / "locale", "de", texts)
    settings.LOCALE_PATHS = [tmp_path / "locale"]
    settings.LANGUAGES = [("de", "German")]

    with override("de"):
        made = PdfReader(BytesIO(pdf_of(a_document())))

    cover = made.pages[0].extract_text()
    for said in ("KAPAZITÄTSBERICHT", "Kurz gesagt", "Inhalt", f"1 von {len(made.pages)}"):
        assert said in cover
    assert str(made.root_object["/Lang"]) == "de"


def test_it_brings_its_fonts(review: PdfReader) -> None:
    found = [each for number in range(1, len(review.xref[0])) if (each := review.get_object(number)) is not None]
    described = [
        each for each in found if isinstance(each, DictionaryObject) and each.get("/Type") == "/FontDescriptor"
    ]
    fonts = {str(each["/FontName"]): any(key.startswith("/FontFile") for key in each) for each in described}

    assert fonts
    assert all(fonts.values())
    assert all("Libertinus" in name or "DejaVu" in name for name in fonts)


def test_the_same_review_is_the_same_file() -> None:
    assert pdf_of(a_document()) == pdf_of(a_document())


def test_names_are_text_whatever_they_hold() -> None:
    title = "# $x$ *b* <t> [l] \\ {% y %}"
    reader = PdfReader(BytesIO(pdf_of(a_document(zones=HOSTILE, title=title))))
    text = without_breaks(text_of(reader))

    assert reader.metadata is not None
    assert reader.metadata.title == title
    assert without_breaks(title) in text
    for name in HOSTILE:
        assert without_breaks(printable(name)) in text, name
    assert not [page["/Annots"] for page in reader.pages if "evil" in str(page.get("/Annots", ""))]


def test_what_no_font_has_is_written_by_its_number() -> None:
    zones = ("rocket-🚀", "bell-\x07", "turned-\u202eexe.txt", "北京")
    text = without_breaks(text_of(PdfReader(BytesIO(pdf_of(a_document(zones=zones))))))

    for said in ("rocket-‹U+1F680›", "bell-‹U+0007›", "turned-‹U+202E›exe.txt", "‹U+5317›‹U+4EAC›"):
        assert said in text


FONTS = [
    Path("/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc"),
    Path("/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf"),
]
WRITTEN = "节点-1 ノード 노드 Узел 🚀"


def test_names_of_every_writing_are_set_where_the_machine_has_fonts(settings: Settings) -> None:
    settings.BERTH_FONTS = FONTS
    if len(machine_fonts()) < len(FONTS):
        pytest.skip("no fonts for Chinese, Japanese, Korean and emoji: install fonts-noto-cjk, fonts-noto-color-emoji")
    document = a_document(zones=(WRITTEN, "b"), title=f"{WRITTEN} ❤️")
    document["notes"] = "节点" * 60

    # PDF/UA refuses a character whose glyph is the box of missing ones.
    reader = PdfReader(BytesIO(pdf_of(document)))

    cover, text = without_breaks(reader.pages[0].extract_text()), without_breaks(text_of(reader))
    assert without_breaks(WRITTEN) in cover
    assert "节点" * 60 in text
    assert "U+8282" not in cover
    assert "U+FE0F" not in text
    assert pdf_of(document) == pdf_of(document)


def test_names_of_other_writings_are_numbers_where_the_machine_has_no_fonts(settings: Settings) -> None:
    settings.BERTH_FONTS = [Path("/nowhere/font.ttf")]
    reader = PdfReader(BytesIO(pdf_of(a_document(title=WRITTEN))))

    assert "‹U+8282›‹U+70B9›-1‹U+30CE›" in without_breaks(text_of(reader))
    assert "Узел‹U+1F680›" in without_breaks(text_of(reader))


def test_what_is_no_font_is_left_out(settings: Settings, tmp_path: Path) -> None:
    broken = [tmp_path / name for name in ("empty.ttf", "text.ttf", "cut.ttf")]
    for path, data in zip(broken, (b"", b"no font at all, but long enough", b"\0\1\0\0\0\1" + b"\0" * 9), strict=True):
        path.write_bytes(data)
    settings.BERTH_FONTS = broken

    assert machine_fonts() == ()


@pytest.mark.parametrize(
    "name", ["\u21a5\u01d9", "\u0208\u0318", "]\u05bb", "\u06c7\u064c\u21b2", "\u21f6\u0336 x" * 40]
)
def test_characters_of_several_fonts_and_marks_keep_no_review_from_paper(name: str) -> None:
    document = a_document(zones=(name, "b"), title=name)
    document["notes"] = document["made_by"] = document["cluster"]["name"] = name

    said = without_breaks(text_of(PdfReader(BytesIO(pdf_of(document)))))

    assert without_breaks(printable(name)) in said


def test_every_character_that_is_drawn_as_it_is_is_in_the_font_of_drawings() -> None:
    drawn = [sign for sign in covered() if drawable(sign) == sign]
    source = '#set document(title: "T")\n#set text(font: "Libertinus Serif", fallback: false)\n'
    source += "#let it = sys.inputs.text.clusters().join(h(0pt))\n#it #text(weight: 600, it)"

    typst.compile(
        source.encode(),
        format="pdf",
        ignore_system_fonts=True,
        sys_inputs={"text": "".join(drawn)},
        pdf_standards="ua-1",
        timestamp=int(MADE.timestamp()),
    )
    assert len(drawn) > 1_500


def test_every_character_that_is_printed_as_it_is_has_a_look() -> None:
    styles = ("it", "strong(it)", "emph(it)", "text(weight: 600, it)")
    source = '#set document(title: "T")\n#set text(font: ("Libertinus Serif", "DejaVu Sans Mono"))\n'
    source += "#let it = sys.inputs.text.clusters().join(h(0pt))\n" + "\n".join(f"#{style}" for style in styles)

    # PDF/UA refuses a character without a glyph.
    typst.compile(
        source.encode(),
        format="pdf",
        ignore_system_fonts=True,
        sys_inputs={"text": covered()},
        pdf_standards="ua-1",
        timestamp=int(datetime(2026, 1, 1, tzinfo=UTC).timestamp()),
    )


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("short words only", "short words only"),
        ("ip-10-0-0-1.eu-west-1.internal", [["ip-", "10-", "0-", "0-", "1.", "eu-", "west-", "1.", "internal"]]),
        ("on " + "a" * 30, ["on ", ["a" * 12, "a" * 12, "a" * 6]]),
    ],
)
def test_long_words_are_cut_after_their_signs(text: str, cut: object) -> None:
    assert pieces(text) == cut


def test_a_narrow_column_has_room_for_its_longest_word_beside_very_long_ones() -> None:
    words = ["1.35", "FailedScheduling message", "shop/web-1"]
    document = a_document(nodes=3)
    message = "0/60 nodes are available: 35 node(s) had untolerated taint(s). " * 4
    columns = [{"key": key, "kind": "text"} for key in ("release", "difference", "object", "before", "after")]
    row = dict(zip(("release", "difference", "object", "before", "after"), [*words, message, message], strict=True))
    (trend,) = (each for each in document["sections"] if each["key"] == "trend")
    trend["tables"].append({"name": "samples", "columns": columns, "rows": [row], "total": None})

    found = text_of(PdfReader(BytesIO(pdf_of(document))))

    # Where columns overprint, the text of one runs into the next one's.
    assert re.search(r"Difference\s+Object", found)
    assert "DifferenceObject" not in found
