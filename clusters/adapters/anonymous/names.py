"""Neutral names in the place of those that somebody gave: the same for the same text, in the same order."""

from __future__ import annotations

import enum
from itertools import chain, product
from string import ascii_lowercase
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


class Noun(enum.Enum):
    """What a name is of. Of a text that names several things the first one here counts."""

    NODE = "node"
    NAMESPACE = "namespace"
    HASH = "h"
    APP = "app"
    POD = "pod"
    CLAIM = "claim"
    DEVICE_CLAIM = "device-claim"
    VOLUME = "volume"
    REGION = "region"
    ZONE = "zone"
    STORAGE_CLASS = "storage-class"
    PRIORITY_CLASS = "priority"
    RUNTIME_CLASS = "runtime"
    DEVICE_CLASS = "device-class"
    BUDGET = "budget"
    SERVICE = "service"
    GROUP = "group"
    POOL = "pool"
    DEVICE = "device"
    SLICE = "slice"
    OBJECT = "object"
    SCHEDULER = "scheduler"
    VOL = "vol"
    DISK = "disk"
    PART = "z"
    CONTAINER = "container"
    INSTANCE_TYPE = "type"
    VALUE = "value"
    # Those below are compared with nothing of the above.
    LABEL = "label"
    TAINT = "taint"
    IMAGE = "image"
    RESOURCE = "resource"
    DOMAIN = "domain"
    DRIVER = "driver"
    ATTRIBUTE = "attribute"
    MODEL = "model"
    UID = "uid"
    ADDRESS = "address"
    PLUGIN = "plugin"
    WORD = "word"


_ORDER: Final = {noun: number for number, noun in enumerate(Noun)}
# What is compared with one another has one name for one text, whatever else it names.
_KINDS_OF_NAMES: Final[tuple[frozenset[Noun], ...]] = (
    frozenset({Noun.LABEL, Noun.TAINT}),
    frozenset({Noun.DRIVER, Noun.ATTRIBUTE, Noun.MODEL}),
    *(
        frozenset({noun})
        for noun in (Noun.IMAGE, Noun.RESOURCE, Noun.DOMAIN, Noun.UID, Noun.ADDRESS, Noun.PLUGIN, Noun.WORD)
    ),
)
_APART: Final = {noun: number for number, nouns in enumerate(_KINDS_OF_NAMES, 1) for noun in nouns}
# Those of a StatefulSet's pods say something; a longer number is a name.
_LONGEST_ORDINAL: Final = 4


class NamesFound:
    """The names of some objects: first they are noted, then each is asked for."""

    def __init__(self) -> None:
        self._nouns: dict[tuple[int, str], Noun] = {}
        self._owners: dict[str, str] = {}
        self._joined: dict[str, tuple[str, str]] = {}
        self._texts: set[str] = set()

    def note(self, noun: Noun, text: str) -> str:
        """Note what a text names; returns the text itself."""
        key = _APART.get(noun, 0), text
        known = self._nouns.get(key)
        if known is None or _ORDER[noun] < _ORDER[known]:
            self._nouns[key] = noun
        self._texts.add(text.lower())
        return text

    def note_owner(self, pod: str, owner: str) -> None:
        """Note that a pod belongs to what has this name."""
        self._owners[pod] = owner

    def note_joined(self, text: str, first: str, second: str) -> None:
        """Note that a name is made of two others with a hyphen between them."""
        self._joined[text] = (first, second)

    def neutral(self) -> NeutralNames:
        """Give every text its neutral name."""
        return NeutralNames(_Assignment(self._nouns, self._owners, self._joined, self._texts).names())


class NeutralNames:
    """Neutral names by the texts in whose place they stand."""

    def __init__(self, names: Mapping[tuple[int, str], str]) -> None:
        self._names = names

    def of(self, noun: Noun, text: str) -> str:
        """Return the neutral name of a text that was noted."""
        return self._names[_APART.get(noun, 0), text]


class _Assignment:
    def __init__(
        self,
        nouns: dict[tuple[int, str], Noun],
        owners: Mapping[str, str],
        joined: Mapping[str, tuple[str, str]],
        texts: Iterable[str],
    ) -> None:
        self._nouns, self._owners, self._joined = nouns, owners, joined
        self._together = "\n".join(texts)
        self._names: dict[tuple[int, str], str] = {}

    def names(self) -> dict[tuple[int, str], str]:
        hashes = [text for (_, text), noun in self._nouns.items() if noun is Noun.HASH]
        for text in [text for (_, text), noun in self._nouns.items() if noun is Noun.APP]:
            found = next((each for each in hashes if text.endswith(f"-{each}") and len(text) > len(each) + 1), None)
            if found is not None:
                stem = text.removesuffix(f"-{found}")
                self._joined = {**self._joined, text: (stem, found)}
                self._nouns.setdefault((0, stem), Noun.APP)
        for text in [text for (_, text), noun in self._nouns.items() if noun is Noun.ZONE and text.count("-") == 2]:
            region, _, part = text.rpartition("-")
            self._joined = {**self._joined, text: (region, part)}
            self._nouns.setdefault((0, region), Noun.REGION)
            self._nouns.setdefault((0, part), Noun.PART)
        by_noun: dict[Noun, list[tuple[int, str]]] = {}
        for key, noun in self._nouns.items():
            by_noun.setdefault(noun, []).append(key)
        for noun, keys in by_noun.items():
            plain = sorted(key for key in keys if not self._is_made(noun, key[1]))
            prefix, width = self._prefix(noun), len(str(len(plain)))
            for number, key in enumerate(plain, 1):
                self._names[key] = _written(noun, prefix, number, width)
        self._name_pods(by_noun.get(Noun.POD, ()))
        for text in self._joined:
            self._join(text)
        return self._names

    def _is_made(self, noun: Noun, text: str) -> bool:
        return noun not in _APART and (text in self._joined or (noun is Noun.POD and text in self._owners))

    def _prefix(self, noun: Noun) -> str:
        """The noun itself, unless somebody's names begin like its neutral names."""
        for suffix in chain.from_iterable(product(ascii_lowercase, repeat=times) for times in range(5)):
            prefix = "-".join((noun.value, *(["".join(suffix)] if suffix else [])))
            if f"{prefix}-" not in self._together and f"{prefix}_" not in self._together:
                return prefix
        raise AssertionError("names hold every prefix there is")

    def _name_pods(self, keys: Iterable[tuple[int, str]]) -> None:
        of_owner: dict[str, list[str]] = {}
        for _, text in sorted(keys):
            if text in self._owners and text not in self._joined:
                of_owner.setdefault(self._owners[text], []).append(text)
        for owner, pods in of_owner.items():
            width = len(str(len(pods)))
            own = [pod.removeprefix(f"{owner}-") for pod in pods]
            if not all(each.isdecimal() and len(each) <= _LONGEST_ORDINAL for each in own):
                own = [f"{number:0{width}}" for number in range(1, len(pods) + 1)]
            for pod, ordinal in zip(pods, own, strict=True):
                self._names[0, pod] = f"{self._whole(owner)}-{ordinal}"

    def _whole(self, text: str) -> str:
        # What was not noted keeps its name.
        return self._join(text) if text in self._joined else self._names.get((0, text), text)

    def _join(self, text: str) -> str:
        key = 0, text
        if key not in self._names:
            first, second = self._joined[text]
            self._names[key] = f"{self._whole(first)}-{self._whole(second)}"
        return self._names[key]


def _written(noun: Noun, prefix: str, number: int, width: int) -> str:
    match noun:
        case Noun.HASH | Noun.PART:
            return f"{prefix.replace('-', '')}{number:0{width}}"
        case Noun.ATTRIBUTE | Noun.MODEL:
            return f"{prefix.replace('-', '_')}_{number:0{width}}"
        case Noun.DRIVER | Noun.DOMAIN:
            return f"{prefix}-{number:0{width}}.example"
        case Noun.ADDRESS:
            # Addresses for measurements between networks, which nobody has.
            return f"198.{18 + number // 65536}.{number // 256 % 256}.{number % 256}"
        case _:
            return f"{prefix}-{number:0{width}}"
