"""Texts of lessons as HTML: what CommonMark has that a lesson needs, and nothing of a stranger's."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from dashboard.lessons.case import as_html, sentence_as_html

ALLOWED = {"p", "ul", "ol", "li", "strong", "em", "code", "pre", "br", "hr", "blockquote", "h3", "h4", "h5", "h6"}


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("A **bold** `code`.", "<p>A <strong>bold</strong> <code>code</code>.</p>"),
        ("- one\n- two", "<ul>\n<li>one</li>\n<li>two</li>\n</ul>"),
        ("# Head", "<h3>Head</h3>"),
        ("<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>"),
        ('a <img src="x" onerror="y">', "<p>a &lt;img src=&quot;x&quot; onerror=&quot;y&quot;&gt;</p>"),
        ("![x](https://example.com/x.png)", "<p>![x](https://example.com/x.png)</p>"),
        ("[x](javascript:alert(1))", "<p>[x](javascript:alert(1))</p>"),
        ("<https://example.com>", "<p>&lt;https://example.com&gt;</p>"),
        ("[x]: https://example.com\n\n[x]", "<p>[x]: https://example.com</p>\n<p>[x]</p>"),
    ],
)
def test_a_text_becomes_html(text: str, html: str) -> None:
    assert as_html(text).strip() == html


@given(st.text(alphabet=st.sampled_from(list("<>&\"'`*_#![]()/\\=- \nabscript:"))))
def test_no_text_brings_an_element_of_its_own(text: str) -> None:
    for html in (as_html(text), sentence_as_html(text)):
        opened = {part.split(">")[0].split(" ")[0].strip("/") for part in html.split("<")[1:]}
        assert opened <= ALLOWED


def test_a_sentence_is_a_paragraph_whatever_it_begins_with() -> None:
    assert sentence_as_html("1. `ash`, 2. `<elm>`") == "<p>1. <code>ash</code>, 2. <code>&lt;elm&gt;</code></p>"
