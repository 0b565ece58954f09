"""Keys, colours and words, explained."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.views.decorators.http import require_safe

from clusters.wording import glossary as words
from clusters.wording.sections import SECTIONS
from dashboard.http import PageRequest, render_page
from dashboard.presenters.shared.page import SECTION_KEYS, plugin_marks

if TYPE_CHECKING:
    from django.http import HttpResponse


@require_safe
def glossary(request: PageRequest) -> HttpResponse:
    """Explain the pages: in a dialog, or as a page."""
    context = {
        "sections": [(SECTIONS[page], key) for page, key in SECTION_KEYS.items()],
        "verdicts": words.VERDICTS,
        "plugins": plugin_marks(),
        "terms": words.TERMS,
    }
    return render_page(request, "help/page.html", "help/_content.html", context)
