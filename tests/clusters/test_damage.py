"""Whatever happens to a dump on its way, it is read or refused; nothing else comes of it."""

from __future__ import annotations

import contextlib
import gzip
import io
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given
from hypothesis import strategies as st

from clusters.adapters.bad_input import BadInput
from tests.clusters.dumps import as_json, as_yaml, listed, small_cluster, state_of, tar


def _zip(content: bytes) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("dump.json", content)
    return target.getvalue()


WHOLE = listed(small_cluster())
FORMS = {
    "dump.json": as_json(WHOLE, None),
    "dump.yaml": as_yaml(WHOLE),
    "dump.json.gz": gzip.compress(as_json(WHOLE), mtime=0),
    "dump.tar": tar({"nodes.json": as_json(WHOLE), "pods.yaml": as_yaml(WHOLE)}),
    "dump.zip": _zip(as_json(WHOLE)),
}
BITS = st.sampled_from(
    [b"\x00", b"\xff", b"{", b"}", b'"', b"\\", b"&a ", b"*a ", b"!!", b"? ", b"[", b"- ", b"\n", b"0x_", b"<<"]
)


@given(
    name=st.sampled_from(sorted(FORMS)),
    places=st.lists(st.tuples(st.floats(0, 1), st.integers(0, 40), BITS), min_size=1, max_size=4),
    cut=st.floats(0.5, 1.5),
)
def test_damage_is_refused_or_harmless(name: str, places: list[tuple[float, int, bytes]], cut: float) -> None:
    content = FORMS[name]
    for fraction, removed, added in places:
        place = int(fraction * len(content))
        content = content[:place] + added + content[place + removed :]
    content = content[: int(cut * len(content))]

    with TemporaryDirectory() as folder, contextlib.suppress(BadInput):
        state_of(content, Path(folder), name)
