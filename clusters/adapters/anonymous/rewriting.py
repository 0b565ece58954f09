"""Objects and configurations with other names, field by field: names are noted on one way through, put on the next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol

from clusters.adapters.anonymous import vocabulary
from clusters.adapters.anonymous.expressions import rewritten_expression
from clusters.adapters.anonymous.fields import (
    ATTRIBUTE_MAPS,
    COUNTER_MAPS,
    DROPPED,
    KINDS,
    LABEL_MAPS,
    NOUNS,
    RESOURCE_MAPS,
)
from clusters.adapters.anonymous.names import Noun
from clusters.engine.matching.selector_errors import key_fault, value_fault
from clusters.engine.objects import metadata, name_of

# ImageLocality by name: it finds images by references with their default tag.
from clusters.engine.plugins.image_locality import canonical_image

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

from clusters.engine.objects import Document

_HOSTNAME: Final = "kubernetes.io/hostname"
_ZONES: Final = frozenset(key for key in vocabulary.LABEL_KEYS if key.endswith("/zone"))
_REGIONS: Final = frozenset(key for key in vocabulary.LABEL_KEYS if key.endswith("/region"))
_BY_LABEL: Final = {
    _HOSTNAME: Noun.NODE,
    "kubernetes.io/metadata.name": Noun.NAMESPACE,
    "node.kubernetes.io/instance-type": Noun.INSTANCE_TYPE,
    "beta.kubernetes.io/instance-type": Noun.INSTANCE_TYPE,
    "statefulset.kubernetes.io/pod-name": Noun.POD,
    "pod-template-hash": Noun.HASH,
    "controller-revision-hash": Noun.VALUE,
    **dict.fromkeys(_ZONES, Noun.ZONE),
    **dict.fromkeys(_REGIONS, Noun.REGION),
}
_NAME_FIELD: Final = "metadata.name"
# No label and no value of one begins so.
_REFUSED: Final = "-"
_SEVERAL_ZONES: Final = "__"
_RESOURCE_PREFIXES: Final = ("requests.", "limits.", "count/")
_CLASS_OF_DEVICES: Final = "deviceclass.resource.kubernetes.io/"
_EBS: Final = "aws://"


class Naming(Protocol):
    """What is done with a name that is met: it is noted, or another one is put in its place."""

    def of(self, noun: Noun, text: str) -> str:
        """Return what stands in the place of a text."""


class Rewriting:
    """One way through objects. ``numbers``: labels whose values are compared as numbers, which stay as they are."""

    def __init__(self, naming: Naming, numbers: Collection[str]) -> None:
        self._naming = naming
        self._numbers = numbers

    def document(self, document: Document) -> dict[str, Any]:
        """Return an object with other names."""
        kind, given = str(document.get("kind")), metadata(document)
        unnamed = {key: part for key, part in given.items() if key != "name"}
        parts = {key: part for key, part in document.items() if key not in ("apiVersion", "kind", "metadata")}
        named = {"name": self.name(KINDS[kind], name_of(document)), **self._fields("metadata", unnamed)}
        identity = {"apiVersion": document.get("apiVersion") or "v1", "kind": kind, "metadata": named}
        found = {**identity, **self._fields(kind, parts)}
        if kind in ("Service", "ReplicationController"):
            selector = (document.get("spec") or {}).get("selector")
            if selector:
                found["spec"]["selector"] = self._labels(selector)
        return found

    def configuration(self, document: Document) -> dict[str, Any]:
        """Return a scheduler's configuration with other names."""
        return self._fields("profiles", document)

    def name(self, noun: Noun, text: str) -> str:
        """Return what stands in the place of a name."""
        if not text or text in vocabulary.NAMES or (noun is Noun.DRIVER and text in vocabulary.DRIVERS):
            return text
        if noun is Noun.VOL and not text.startswith("vol-"):
            noun = Noun.DISK
        return self._naming.of(noun, text)

    # -- structure -------------------------------------------------------------------------------------------------

    def _fields(self, around: str, document: Mapping[str, Any]) -> dict[str, Any]:
        if document.keys() >= {"key", "operator"} and around in ("matchExpressions", "matchFields"):
            return self._requirement(document)
        if around in ("taints", "taint", "tolerations"):
            return self._taint(document)
        if around == "matchLabelExpressions":
            return self._requirement(document)
        return {
            key: self._part(around, key, part)
            for key, part in document.items()
            if key not in DROPPED and part is not None
        }

    def _part(self, around: str, key: str, part: Any) -> Any:
        if isinstance(part, dict):
            return self._map(around, key, part)
        if isinstance(part, list):
            return [self._part_of_list(around, key, each) for each in part]
        return self._text(around, key, part) if isinstance(part, str) else part

    def _part_of_list(self, around: str, key: str, part: Any) -> Any:
        if isinstance(part, dict):
            return self._fields(key, part)
        return self._text(around, key, part) if isinstance(part, str) else part

    def _map(self, around: str, key: str, part: dict[str, Any]) -> dict[str, Any]:
        is_plain = all(not isinstance(each, dict | list) for each in part.values())
        if key in LABEL_MAPS and is_plain:
            return self._labels(part)
        if key == "annotations":
            return self._annotations(part)
        if key in ATTRIBUTE_MAPS or (key == "capacity" and not is_plain and "requests" not in part):
            return {self._attribute(name): self._amount(key, each) for name, each in part.items()}
        if key == "requests" and around == "capacity":
            return {self._attribute(name): each for name, each in part.items()}
        if key in COUNTER_MAPS:
            return {self.name(Noun.VALUE, name): self._amount(key, each) for name, each in part.items()}
        if key in RESOURCE_MAPS and all(isinstance(each, str) for each in part.values()):
            return {self._resource(name): each for name, each in part.items()}
        if key == "disruptedPods":
            return {self.name(Noun.POD, name): each for name, each in part.items()}
        return self._fields(key, part)

    def _amount(self, around: str, part: Any) -> Any:
        if not isinstance(part, dict):
            return part
        return {
            key: self.name(Noun.MODEL, each)
            if key == "string"
            else [self.name(Noun.MODEL, text) for text in each]
            if key == "strings"
            else each
            for key, each in part.items()
        }

    # -- texts -----------------------------------------------------------------------------------------------------

    def _text(self, around: str, key: str, text: str) -> str:
        if key == "expression":
            return rewritten_expression(text, self._expression_name)
        if key == "apiVersion" or key == "apiGroup":
            return self._api_version(text)
        noun = NOUNS.get(f"{around}.{key}", NOUNS.get(key))
        if noun is None:
            return self._plain(text)
        match noun:
            case Noun.LABEL:
                return self._label_key(text)
            case Noun.IMAGE:
                return self._image(text, is_asked=around != "images")
            case Noun.RESOURCE:
                return self._resource(text)
            case Noun.ATTRIBUTE:
                return self._attribute(text)
            case Noun.DOMAIN:
                return text if text in vocabulary.RESOURCE_DOMAINS else self.name(noun, text)
            case Noun.PLUGIN:
                return text if text in vocabulary.PLUGINS else self.name(noun, text)
            case Noun.VOL if text.startswith(_EBS):
                zone, _, volume = text.removeprefix(_EBS).partition("/")
                return f"{_EBS}{self.name(Noun.ZONE, zone)}/{self.name(Noun.VOL, volume)}"
            case _:
                return self.name(noun, text)

    def _plain(self, text: str) -> str:
        """Return a text of which nothing is known: a word of the API, an amount or a time, or else a name."""
        forms = (vocabulary.TIME, vocabulary.PERCENTAGE, vocabulary.QUANTITY, vocabulary.API_VERSION)
        if (
            text in vocabulary.WORDS
            or text in vocabulary.PLUGIN_ARGUMENTS
            or any(form.fullmatch(text) for form in forms)
        ):
            return text
        version = vocabulary.VERSION.match(text)
        return version[0] if version and text[:1] == "v" else self.name(Noun.WORD, text)

    def _api_version(self, text: str) -> str:
        if vocabulary.API_VERSION.fullmatch(text) or text in vocabulary.WORDS or not text:
            return text
        group, slash, _ = text.rpartition("/")
        return f"{self.name(Noun.DOMAIN, group)}/v1" if slash else self.name(Noun.DOMAIN, text)

    def _requirement(self, part: Mapping[str, Any]) -> dict[str, Any]:
        key = str(part["key"])
        values = [self._label_value(key, str(each)) for each in part.get("values") or ()]
        written = {**self._words(part), "key": self._label_key(key)}
        if key == _NAME_FIELD:
            values = [self.name(Noun.NODE, str(each)) for each in part.get("values") or ()]
        return {**written, "values": values} if "values" in part else written

    def _words(self, part: Mapping[str, Any]) -> dict[str, Any]:
        """Return the effect, the operator and the times of a taint, a toleration or a requirement."""
        given = {name: each for name, each in part.items() if name not in ("key", "value", "values")}
        return {name: self._plain(each) if isinstance(each, str) else each for name, each in given.items()}

    def _taint(self, part: Mapping[str, Any]) -> dict[str, Any]:
        found = self._words(part)
        if part.get("key"):
            key = str(part["key"])
            found["key"] = key if key in vocabulary.TAINT_KEYS else self._naming.of(Noun.TAINT, key)
        if "value" in part:
            found["value"] = self.name(Noun.VALUE, str(part["value"]))
        return found

    def _labels(self, labels: Mapping[str, Any]) -> dict[str, Any]:
        return {self._label_key(key): self._label_value(key, str(value)) for key, value in labels.items()}

    def _label_key(self, key: str) -> str:
        if key in vocabulary.LABEL_KEYS or key in vocabulary.TAINT_KEYS or key == _NAME_FIELD or not key:
            return key
        return self._as_valid(self._naming.of(Noun.LABEL, key), key_fault(key))

    def _label_value(self, key: str, value: str) -> str:
        if key in self._numbers and vocabulary.INTEGER.fullmatch(value):
            return value
        noun = _BY_LABEL.get(key, Noun.VALUE)
        if noun in (Noun.ZONE, Noun.REGION) and _SEVERAL_ZONES in value:
            return _SEVERAL_ZONES.join(self.name(noun, each) for each in value.split(_SEVERAL_ZONES))
        return self._as_valid(self.name(noun, value), value_fault(value))

    @staticmethod
    def _as_valid(name: str, fault: str) -> str:
        """Return a name that Kubernetes refuses where it refuses the original, as some selectors have them."""
        return f"{_REFUSED}{name}" if fault else name

    def _annotations(self, annotations: Mapping[str, str]) -> dict[str, str]:
        kept = {key: str(value) for key, value in annotations.items() if key in vocabulary.ANNOTATIONS}
        return {key: self._annotation(key, value) for key, value in kept.items()}

    def _annotation(self, key: str, value: str) -> str:
        if key.endswith("/selected-node"):
            return self.name(Noun.NODE, value)
        if key.endswith("/storage-class"):
            return self.name(Noun.STORAGE_CLASS, value)
        if key.endswith(("/storage-provisioner", "/provisioned-by")):
            return self.name(Noun.DRIVER, value)
        return ",".join(self.name(Noun.DRIVER, each) for each in value.split(","))

    def _image(self, text: str, *, is_asked: bool) -> str:
        """Return an image: what pods ask for has a tag, by default ``latest``, and what nodes report may have none."""
        if not text:
            return text
        whole = canonical_image(text) if is_asked else text
        name = self.name(Noun.IMAGE, whole)
        return f"{name}:v1" if whole == canonical_image(whole) else name

    def _resource(self, name: str) -> str:
        if name in vocabulary.RESOURCES or vocabulary.HUGE_PAGES.fullmatch(name) or not name:
            return name
        for prefix in _RESOURCE_PREFIXES:
            if name.startswith(prefix):
                return f"{prefix}{self._resource(name.removeprefix(prefix))}"
        if name.startswith(_CLASS_OF_DEVICES):
            return f"{_CLASS_OF_DEVICES}{self.name(Noun.DEVICE_CLASS, name.removeprefix(_CLASS_OF_DEVICES))}"
        domain, slash, own = name.partition("/")
        if not slash:
            return self.name(Noun.RESOURCE, name)
        kept = domain if domain in vocabulary.RESOURCE_DOMAINS else self.name(Noun.DOMAIN, domain)
        return f"{kept}/{self.name(Noun.RESOURCE, own)}"

    def _attribute(self, name: str) -> str:
        domain, slash, own = name.rpartition("/")
        return f"{self._device_word(Noun.DRIVER, domain)}{slash}{self._device_word(Noun.ATTRIBUTE, own)}"

    def _device_word(self, noun: Noun, text: str) -> str:
        return text if text in vocabulary.ATTRIBUTES or not text else self.name(noun, text)

    def _expression_name(self, text: str, *, is_attribute: bool) -> str:
        return self._device_word(Noun.ATTRIBUTE if is_attribute else Noun.MODEL, text)


def numbered_labels(documents: Sequence[Document]) -> frozenset[str]:
    """Return the labels that some requirement compares as numbers."""
    return frozenset(_numbered(documents))


def _numbered(value: Any) -> set[str]:
    if isinstance(value, dict):
        own = {str(value.get("key"))} if value.get("operator") in ("Gt", "Lt") else set()
        return own.union(*map(_numbered, value.values()))
    return set().union(*map(_numbered, value)) if isinstance(value, list | tuple) else set()
