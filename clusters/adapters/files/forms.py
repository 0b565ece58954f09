"""What a file is that is neither JSON nor YAML, told by how it begins."""

from __future__ import annotations

import re

from clusters.adapters.bad_input import BadInput
from clusters.problems.files import FileForm, OtherForm

_LOOKED_AT = 4096
_MAGIC = {
    b"\x89PNG": FileForm.IMAGE,
    b"\xff\xd8\xff": FileForm.IMAGE,
    b"GIF8": FileForm.IMAGE,
    b"%PDF": FileForm.PDF,
    b"\x7fELF": FileForm.PROGRAM,
    b"MZ": FileForm.PROGRAM,
    b"SQLite format 3\x00": FileForm.DATABASE,
}
_TEXTS = (
    (FileForm.HTML, re.compile(rb"\s*<(?:!doctype html|html)\b", re.IGNORECASE)),
    (FileForm.XML, re.compile(rb"\s*<\?xml\b")),
    (FileForm.KUBECTL_TABLE, re.compile(rb"\s*(?:NAMESPACE +)?NAME +[A-Z][-A-Z()/ ]*\r?\n")),
    (FileForm.KUBECTL_TABLE, re.compile(rb"\s*LAST SEEN +TYPE +REASON ")),
    (
        FileForm.KUBECTL_DESCRIBE,
        re.compile(rb"\s*Name: {2,}\S+\s*\n(?:Namespace|Roles|Labels): "),
    ),
    (FileForm.LOG, re.compile(rb"\s*[IWF]\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ [\w./-]+\.go:\d+\] ")),
    (
        FileForm.KUBECTL_MESSAGE,
        re.compile(
            rb"\s*(?:error: |Error from server|The connection to the server |Unable to connect to the server"
            rb"|No resources found|E\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ memcache\.go)"
        ),
    ),
)


def refuse_other_forms(start: bytes) -> None:
    """Raise BadInput for a text or a file that begins as something else than JSON or YAML, and is known."""
    start = start[:_LOOKED_AT]
    form = next((form for magic, form in _MAGIC.items() if start.startswith(magic)), None)
    form = form or next((form for form, pattern in _TEXTS if pattern.match(start)), None)
    if form is None and b"\x00" in start and start[:2] not in {b"\xff\xfe", b"\xfe\xff"}:
        form = FileForm.BINARY
    if form is not None:
        raise BadInput(OtherForm(form))
