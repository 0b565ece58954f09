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


def test_an_image_counts_by_the_share_of_nodes_that_hold_it() -> None:
    """600 MiB on one of two nodes count as 300: 27700 / 977 = 28.4. On 2 of 3 they count as 400: 38.6."""
    assert scores(running("app"), holding("n1", app=600), a_node("n2")) == {"n1": 28, "n2": 0}
    assert scores(running("app"), holding("n1", app=600), a_node("n2"), holding("n3", app=600)) == {
        "n1": 38,
        "n2": 0,
        "n3": 38,
    }


def test_every_container_raises_the_upper_bound() -> None:
    """With two containers 2000 MiB score 100, and an image that is used twice counts twice: 117700 / 1977 = 59.5."""
    assert scores(running("app", "app"), holding("n", app=600)) == {"n": 59}
    # 57700 / 1977 = 29.2, whichever of the containers it is.
    assert scores(running("app", "web"), holding("n", web=600)) == {"n": 29}
    assert scores(running("app", starting=("init",)), holding("n", init=600)) == {"n": 29}
    # Two different images: (600 + 300 - 23) × 100 / 1977 = 44.4.
    assert scores(running("app", starting=("init",)), holding("n", init=600, app=300)) == {"n": 44}


def test_nodes_on_which_the_pod_does_not_fit_hold_the_image_too() -> None:
    full = holding("n1", app=600)
    full["spec"]["unschedulable"] = True

    assert scores(running("app"), full, holding("n2", app=600)) == {"n2": 59}
