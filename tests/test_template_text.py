"""Text of templates is marked for translation, and a review's template has none."""

from __future__ import annotations

import pytest

from tests.support import typst_text
from tests.support.template_text import unmarked, unmarked_of_templates


def test_text_of_templates_is_marked() -> None:
    assert unmarked_of_templates() == [], "mark it with translate or blocktranslate, or word it in clusters/wording"


@pytest.mark.parametrize(
    ("source", "texts"),
    [
        ("<h1>Nodes</h1>", ["Nodes"]),
        ('<h1>{% translate "Nodes" %}</h1>', []),
        ("<p>{% blocktranslate trimmed %}Up to {{ most }} nodes{% endblocktranslate %}</p>", []),
        ("<p>Up to {{ most }} nodes</p>", ["Up to", "nodes"]),
        ('<nav aria-label="Pages"></nav>', ["Pages"]),
        ('<nav aria-label="{% translate "Pages" %}"></nav>', []),
        ('<a aria-label="{% blocktranslate with of=node.name %}Pods of {{ of }}{% endblocktranslate %}"></a>', []),
        ('{% include "x.html" with title="No nodes" url=nodes_url only %}', ["No nodes"]),
        ('{% include "x.html" with title=_("No nodes") only %}', []),
        ("<code>kubectl drain</code><script>let it = 'be';</script>", []),
        ('{# said by nobody #}<a class="btn" href="{% url \'help\' %}">?</a>', []),
        ("<p>{% if a %}{{ a }}{% else %}the same{% endif %}</p>", ["the same"]),
        ("<th>CPU</th>", []),
        ("<title>{{ page }} · Berth</title>", []),
    ],
)
def test_unmarked_text_is_found(source: str, texts: list[str]) -> None:
    assert [text for _, text in unmarked(source)] == texts


def test_the_words_of_a_typeset_review_come_as_data() -> None:
    assert typst_text.unmarked_of_templates() == [], "word it in clusters/wording, and hand it to the template"


@pytest.mark.parametrize(
    ("source", "texts"),
    [
        ("#block(below: 4mm, text(size: 13pt)[In short])", ["In short"]),
        ("#block(below: 4mm, text(size: 13pt, labels.in_short))", []),
        ("[#counter(page).display() of #counter(page).final().first()]", ["of"]),
        ("[#text(size: 9pt, words(it.note)) \\ #block(it.title)]", []),
        ("[#if it.reason.len() > 0 { block(words(it.reason)) }\n]", []),
        ('#set document(keywords: ("capacity review", it.name))', ["capacity review"]),
        ('#set text(font: ("Libertinus Serif", "DejaVu Sans Mono"), lang: "en")', ['lang: "en"']),
        ("// Words of a comment [are no text]\n#let ink = 1pt", []),
    ],
)
def test_text_in_a_typst_template_is_found(source: str, texts: list[str]) -> None:
    assert typst_text.unmarked(source) == texts
