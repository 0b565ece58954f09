"""Sizes of the images that a node has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


def image_sizes(images: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """Bytes by image name; an image listed twice keeps the first size, as in the scheduler's cache."""
    sizes: dict[str, int] = {}
    for image in images:
        for name in image.get("names") or ():
            sizes.setdefault(str(name), int(image.get("sizeBytes") or 0))
    return sizes
