from __future__ import annotations

import pytest

from clusters.engine.plugins.image_locality import canonical_image
from tests.engine.builders import Document, a_node, a_pod, explanation_of, raw_scores_of

MIB = 1024**2


def scores(pod: Document, *nodes: Document) -> dict[str, int]:
    return raw_scores_of(explanation_of(pod, *nodes), "ImageLocality")


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("app", "app:latest"),
        ("app:1", "app:1"),
        ("registry.example:5000/app", "registry.example:5000/app:latest"),
        ("registry.example:5000/app:1", "registry.example:5000/app:1"),
        ("app@sha256:0a", "app@sha256:0a"),
    ],
)
def test_an_image_without_a_tag_is_the_latest(written: str, canonical: str) -> None:
    assert canonical_image(written) == canonical
    node = a_node("n")
    node["status"]["images"] = [{"names": [canonical], "sizeBytes": 1000 * MIB}]
    assert scores(a_pod(containers=[{"image": written}]), node) == {"n": 100}
