"""Tags behind templates/_components/."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from django import template
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from clusters.wording import amounts, times
from clusters.wording.evaluation import AT_LEAST
from clusters.wording.lists import listed
from clusters.wording.states import BY_NAME, VERDICT_WORDS
from dashboard.reader_zone import is_readers_zone

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from django.core.paginator import Page
    from django.utils.functional import _StrOrPromise

register = template.Library()
register.filter("grouped", amounts.grouped)
register.filter("cpu", amounts.cpu)
register.filter("size", amounts.size)
register.filter("listed", listed)

ALERT_KINDS = {"success": "success", "warning": "warning", "danger": "danger", "error": "danger"}


@register.simple_block_tag(takes_context=True)
def component(context: template.Context, content: SafeString, name: str, **values: Any) -> SafeString:
    """Wrap the block's content in templates/_components/NAME.html, which sees the values and `content` only."""
    chosen = context.template.engine.get_template(f"_components/{name}.html")  # type: ignore[union-attr]
    return chosen.render(context.new({**values, "content": content}))


@register.filter("age")
def age_at(at: datetime, as_of: datetime | None = None) -> str:
    """Return how long before a moment a time was, in short; before now where none is given."""
    return amounts.age((as_of or timezone.now()) - at)


@register.simple_tag
def age(
    at: datetime | None, as_of: datetime | None = None, *, ago: bool = False, missing: _StrOrPromise = times.UNKNOWN
) -> SafeString:
    """Write how old something is, where that is what readers want to know; the time itself is said on hover.

    Ages in a dump, and of the past, count to its last moment, `as_of`. With `ago` no heading says that it is one.
    """
    if at is None:
        return _missing(missing)
    return _time(at, _ago(at, as_of) if ago else age_at(at, as_of), _in_full(at))


@register.simple_tag
def moment(
    at: datetime | None, as_of: datetime | None = None, *, full: bool = False, missing: _StrOrPromise = times.UNKNOWN
) -> SafeString:
    """Write a time by the reader's clock, without the day or the year where that is this one, unless in full.

    How long ago it was is said on hover; of a dump, and of the past, before its last moment, `as_of`.
    """
    if at is None:
        return _missing(missing)
    if full:
        return _time(at, _in_full(at), _ago(at, as_of))
    local, today = timezone.localtime(at), timezone.localdate()
    pattern = "H:i" if local.date() == today else "j M H:i" if local.year == today.year else "j M Y H:i"
    if not is_readers_zone():
        pattern += " T"
    return _time(at, date_format(local, pattern), f"{_ago(at, as_of)} · {_in_full(at)}")


def _ago(at: datetime, as_of: datetime | None) -> str:
    age = age_at(at, as_of)
    return times.AGO(age=age) if as_of is None else times.EARLIER(age=age)


def _in_full(at: datetime) -> str:
    return date_format(timezone.localtime(at), "Y-m-d H:i:s T")


def _time(at: datetime, text: str, title: str) -> SafeString:
    return format_html('<time datetime="{}" title="{}">{}</time>', at.isoformat(), title, text)


def _missing(text: _StrOrPromise) -> SafeString:
    return format_html('<span class="muted">{}</span>', text)


@register.filter
def at_least(number: int) -> str:
    """Write a number that may grow."""
    return AT_LEAST(number=number)


@register.filter
def breakable(text: str) -> SafeString:
    """Let a long list without blanks break after its commas; what is copied stays as it was."""
    return _breakable(text, after=",")


@register.filter
def breakable_names(text: str) -> SafeString:
    """Let long names, such as taints, break after slash, equals sign and colon rather than within a word."""
    return _breakable(text, after="/=:")


def _breakable(text: str, *, after: str) -> SafeString:
    return format_html_join(SafeString("<wbr>"), "{}", ((part,) for part in re.split(f"(?<=[{after}])", text)))


@register.filter
def breakable_words(text: str) -> SafeString:
    """Let a name of several words in one, such as a plugin's, break before each of them."""
    return format_html_join(SafeString("<wbr>"), "{}", ((part,) for part in re.split("(?<=[a-z])(?=[A-Z])", text)))


@register.simple_tag
def verdict_icon(verdict: str) -> str:
    """Return the path of the verdict's shape."""
    return f"_icons/verdict-{verdict}.svg"


@register.filter
def verdict_label(verdict: str) -> str:
    """Return the verdict's usual words."""
    return str(VERDICT_WORDS[verdict])


@register.filter
def pod_state(name: str) -> str:
    """Return the one name of a pod's state."""
    return str(BY_NAME[name])


@register.simple_tag
def alert_icon(kind: str) -> str:
    """Return the path of the alert's shape."""
    return f"_icons/alert-{ALERT_KINDS.get(kind, 'info')}.svg"


@register.simple_tag
def page_numbers(page: Page[Any]) -> Iterable[int | str]:
    """Return the page numbers to offer, with gaps."""
    return page.paginator.get_elided_page_range(page.number, on_each_side=1, on_ends=1)
