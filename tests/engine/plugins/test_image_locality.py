from __future__ import annotations

import pytest

from clusters.engine.plugins.image_locality import canonical_image
from tests.engine.builders import Document, a_node, a_pod, explanation_of, raw_scores_of

MIB = 1024**2


def holding(name: str, **mib_by_image: int) -> Document:
    """A node with images ``<name>:1`` of so many MiB."""
    node = a_node(name)
    node["status"]["images"] = [
        {"names": [f"{image}:1"], "sizeBytes": size * MIB} for image, size in mib_by_image.items()
    ]
    return node


def running(*images: str, starting: tuple[str, ...] = ()) -> Document:
    return a_pod(
        containers=[{"name": image, "image": f"{image}:1"} for image in images],
        initContainers=[{"name": image, "image": f"{image}:1"} for image in starting],
    )


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


@pytest.mark.parametrize(
    ("mib", "score"),
    # 23 MiB score 0 and 1000 MiB 100: 100 × (size - 23) / 977, truncated.
    [(0, 0), (22, 0), (23, 0), (32, 0), (33, 1), (600, 59), (999, 99), (1000, 100), (5000, 100)],
)
def test_size_between_the_bounds(mib: int, score: int) -> None:
    assert scores(running("app"), holding("n", app=mib)) == {"n": score}
