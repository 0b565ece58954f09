"""Reading explanations that were written down, by this version or one before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from clusters.documents.explanation import VERSION, ExplanationDocument
from clusters.documents.version_1 import as_version_2, with_conclusion

if TYPE_CHECKING:
    from collections.abc import Mapping


def read_explanation(stored: Mapping[str, Any]) -> ExplanationDocument:
    """Return a document of any version as values of the present one. Raises ValueError for an unknown version."""
    match stored.get("version"):
        case 1:
            return msgspec.convert(as_version_2(stored), ExplanationDocument)
        case found if found == VERSION:
            return msgspec.convert(with_conclusion(stored), ExplanationDocument)
        case other:
            raise ValueError(f"an explanation of version {other!r} is not known")
