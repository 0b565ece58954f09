"""What somebody changed, as an address holds it: the texts compressed, the changes without YAML by name."""

from __future__ import annotations

import base64
import binascii
import zlib
from typing import TYPE_CHECKING, NamedTuple

from django.utils.http import urlencode

from clusters.engine.edits import Edit, edit_of, text_of
from clusters.engine.kubelet import FilesystemLayout, Signal
from clusters.services.decisions.explain import MOST_BYTES
from clusters.wording.decisions import what_if as words
from dashboard.forms.runs.nodes import KUBERNETES_CHOICES

if TYPE_CHECKING:
    from django.http import QueryDict

# More changes than a page offers are nobody's.
MOST_CHANGES = 12
_MOST_SHOWN = 80
_VERSIONS = frozenset(choice for choice, _ in KUBERNETES_CHOICES)


class BadAddress(ValueError):  # noqa: N818 - it is the address that is bad
    """An address that does not hold what it should; its text says so to the reader."""


class WhatIfState(NamedTuple):
    """One side: the pod's text and the configuration's, None where they are as the mirror has them, and changes.

    ``kubernetes``: a choice of a version, empty for the cluster's own.
    """

    pod: str | None = None
    configuration: str | None = None
    changes: tuple[Edit, ...] = ()
    kubernetes: str = ""

    @property
    def is_changed(self) -> bool:
        """Whether anything is otherwise than it is."""
        return any(part for part in self)

    @property
    def is_small(self) -> bool:
        """Whether the texts are within what is taken, and an address may hold them."""
        return all(len(text.encode()) <= MOST_BYTES for text in (self.pod, self.configuration) if text is not None)

    def query(self, prefix: str = "") -> str:
        """Write the state as a query, without a question mark."""
        texts = ((f"{prefix}pod", self.pod), (f"{prefix}configuration", self.configuration))
        pairs = [(name, packed(text)) for name, text in texts if text is not None]
        if self.kubernetes:
            pairs.append((f"{prefix}kubernetes", self.kubernetes))
        return urlencode([*pairs, *((f"{prefix}change", text_of(change)) for change in self.changes)])

    def and_also(self, *changes: Edit) -> WhatIfState:
        """Return the state with more changes, made after those that are there."""
        return self._replace(changes=(*self.changes, *changes))

    def without(self, number: int) -> WhatIfState:
        """Return the state without one of its changes."""
        return self._replace(changes=self.changes[:number] + self.changes[number + 1 :])


def state_of(query: QueryDict, prefix: str = "") -> WhatIfState:
    """Read a state from a query. Raises BadAddress."""
    texts = [_text(query, f"{prefix}{name}") for name in ("pod", "configuration")]
    names = query.getlist(f"{prefix}change")
    if len(names) > MOST_CHANGES:
        raise BadAddress(words.MANY_CHANGES(changes=len(names), most=MOST_CHANGES))
    kubernetes = str(query.get(f"{prefix}kubernetes") or "")
    if kubernetes not in _VERSIONS:
        raise BadAddress(words.UNKNOWN_VERSION(version=_shown(kubernetes)))
    return WhatIfState(texts[0], texts[1], tuple(_change(name) for name in names), kubernetes)


def _change(name: str) -> Edit:
    change = edit_of(name)
    if change is None:
        raise BadAddress(words.UNKNOWN_CHANGE(change=_shown(name)))
    return change


def _shown(text: str) -> str:
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}…"


def posted(form: QueryDict, pod: str, configuration: str, own: str) -> WhatIfState:
    """Read a state from a form, whose texts may be the mirror's own; ``own``: the choice of the cluster's version."""
    texts = _unlike(form, "pod", pod), _unlike(form, "configuration", configuration)
    kubernetes = str(form.get("kubernetes") or "")
    return WhatIfState(*texts, kubernetes=kubernetes if kubernetes in _VERSIONS and kubernetes != own else "")


def _unlike(form: QueryDict, name: str, as_is: str) -> str | None:
    text = str(form.get(name) or "").replace("\r\n", "\n")
    return None if text.strip() in {"", as_is.strip()} else text


def _text(query: QueryDict, name: str) -> str | None:
    found = query.get(name)
    return None if found is None else unpacked(str(found))


def packed(text: str) -> str:
    """Compress a text into letters, digits, dashes and underscores."""
    return base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")


def unpacked(packed_text: str) -> str:
    """Undo `packed`. Raises BadAddress, also for what would be larger than any text that is taken."""
    try:
        data = base64.urlsafe_b64decode((packed_text + "=" * (-len(packed_text) % 4)).encode("ascii"))
        stream = zlib.decompressobj()
        text = stream.decompress(data, MOST_BYTES + 1)
        if not stream.eof or len(text) > MOST_BYTES:
            raise BadAddress(str(words.INCOMPLETE_TEXT))
        return text.decode()
    except (binascii.Error, zlib.error, UnicodeError) as error:
        raise BadAddress(str(words.INCOMPLETE_TEXT)) from error


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
