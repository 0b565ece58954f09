"""What somebody says of a kubelet that the cluster does not report, as an address or a form holds it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from django.utils.http import urlencode

from clusters.engine.kubelet import FilesystemLayout, Signal
from dashboard.forms.what_if import packed, unpacked

if TYPE_CHECKING:
    from django.http import QueryDict

_TEXT, _LAYOUT, _SIGNAL = "kubelet", "layout", "signal"


class KubeletQuestion(NamedTuple):
    """A configuration as text, empty where none is given, how the node's file systems lie, and what it is short of.

    ``layout``: None where nobody says.
    """

    text: str = ""
    layout: FilesystemLayout | None = None
    signal: Signal = Signal.MEMORY

    @property
    def query(self) -> str:
        """Write the question as a query, without a question mark; empty where nothing is said."""
        pairs = [(_TEXT, packed(self.text))] if self.text else []
        if self.layout is not None:
            pairs.append((_LAYOUT, str(self.layout)))
        if self.signal is not Signal.MEMORY:
            pairs.append((_SIGNAL, str(self.signal)))
        return urlencode(pairs)


def question_of(query: QueryDict) -> KubeletQuestion:
    """Read a question from an address. Raises BadAddress for a damaged text."""
    text = query.get(_TEXT)
    return KubeletQuestion(unpacked(str(text)) if text else "", _layout(query), _signal(query))


def posted_question(form: QueryDict) -> KubeletQuestion:
    """Read a question from a form."""
    text = str(form.get(_TEXT) or "").replace("\r\n", "\n")
    return KubeletQuestion(text if text.strip() else "", _layout(form), _signal(form))


def _layout(given: QueryDict) -> FilesystemLayout | None:
    name = given.get(_LAYOUT)
    return FilesystemLayout(name) if name in set(FilesystemLayout) else None


def _signal(given: QueryDict) -> Signal:
    name = given.get(_SIGNAL)
    return Signal(name) if name in set(Signal) else Signal.MEMORY
