"""What the upload's page says: all of it, as only the page's script knows when."""

from __future__ import annotations

from dataclasses import dataclass

from clusters.wording.amounts import BINARY_UNITS, size
from clusters.wording.clusters import upload as words

_NAME, _SIZE = "{name}", "{size}"


@dataclass(frozen=True, slots=True)
class UploadView:
    """A sentence for each state, with `{name}` and the like where the script puts a value; ``units`` of sizes."""

    chosen: str
    too_large: str
    one_file: str
    starting: str
    started: str
    sent: str
    all_sent: str
    answered: str
    broken: str
    cancelled: str
    units: str


def upload_view(limit_bytes: int) -> UploadView:
    """Return what is said where files may have so many bytes."""
    return UploadView(
        chosen=words.CHOSEN(name=_NAME, size=_SIZE),
        too_large=words.TOO_LARGE(name=_NAME, size=_SIZE, limit=size(limit_bytes)),
        one_file=str(words.ONE_FILE),
        starting=str(words.STARTING),
        started=str(words.STARTED),
        sent=words.SENT(sent="{sent}", size=_SIZE, percent="{percent}"),
        all_sent=str(words.ALL_SENT),
        answered=words.ANSWERED(status="{status}"),
        broken=str(words.BROKEN),
        cancelled=str(words.CANCELLED),
        units=" ".join(BINARY_UNITS),
    )
