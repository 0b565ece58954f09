"""The bill of materials of a release, as CycloneDX: every package of the lock file, and what browsers load."""

from __future__ import annotations

import hashlib
import re
import tomllib
import uuid
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, metadata
from typing import TYPE_CHECKING, NamedTuple

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import HashAlgorithm, HashType, Property
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentScope, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL

if TYPE_CHECKING:
    from pathlib import Path

    from cyclonedx.model.license import License

_ROOT_NAME = "berth"
_PINNED = re.compile(r"^(?P<name>[\w.-]+)(?:\[.*?\])?==(?P<version>\S+)(?: ; (?P<marker>.+?))?(?: \\)?$")
_NEEDED_BY = re.compile(r"^ +# (?:via|  ) ?([\w.-]+)", re.MULTILINE)
_LICENCE = "License :: OSI Approved :: "


class Pinned(NamedTuple):
    """A package of the lock file: of which it is one file, on which machines alone, and what needs it."""

    name: str
    version: str
    marker: str
    hashes: tuple[str, ...]
    needed_by: tuple[str, ...]


def bill_of_materials(wheel: Path, *, version: str, commit: str, made_at: int, tree: Path) -> str:
    """Return the bill of a wheel that was built from a tree, as JSON; licences are those of installed packages."""
    berth = Component(
        name=_ROOT_NAME,
        version=version,
        type=ComponentType.APPLICATION,
        licenses=[LicenseFactory().make_from_string("Apache-2.0")],
        hashes=[_sha256(hashlib.sha256(wheel.read_bytes()).hexdigest())],
        bom_ref=_ROOT_NAME,
    )
    bom = Bom(serial_number=uuid.uuid5(uuid.NAMESPACE_OID, commit))
    bom.metadata.timestamp = datetime.fromtimestamp(made_at, UTC)
    bom.metadata.component = berth
    locked = pinned((tree / "requirements.lock").read_text(encoding="utf-8"))
    components = {_ROOT_NAME: berth} | {each.name: _library(each) for each in locked}
    needs: dict[str, list[Component]] = {name: [] for name in components}
    for each in locked:
        for name in each.needed_by:
            needs[name].append(components[each.name])
    vendored = _vendored(tree)
    needs[_ROOT_NAME] += vendored
    bom.components = [*list(components.values())[1:], *vendored]
    for name, component in components.items():
        bom.register_dependency(component, needs[name])
    return JsonV1Dot6(bom).output_as_string(indent=2) + "\n"


def pinned(lock: str) -> list[Pinned]:
    """Return the packages of a lock file."""
    found = []
    for block in re.split(r"\n(?=[a-z])", lock):
        first = _PINNED.match(block.partition("\n")[0])
        if first is None:
            raise ValueError(f"the lock file has a line of another form: {block[:80]!r}")
        hashes = tuple(re.findall(r"--hash=sha256:(\w+)", block))
        needed_by = tuple(_NEEDED_BY.findall(block))
        found.append(Pinned(first["name"], first["version"], first["marker"] or "", hashes, needed_by))
    return found


def _library(package: Pinned) -> Component:
    return Component(
        name=package.name,
        version=package.version,
        # Where a marker says so it is not installed.
        scope=ComponentScope.OPTIONAL if package.marker else ComponentScope.REQUIRED,
        properties=[Property(name="berth:marker", value=package.marker)] if package.marker else [],
        licenses=_licences(package.name),
        # Of each file of which any may be installed.
        hashes=[_sha256(each) for each in package.hashes],
        purl=PackageURL("pypi", None, package.name, package.version),
        bom_ref=package.name,
    )


def _licences(name: str) -> list[License]:
    """Return the licences of an installed package by its metadata; none of one for other machines."""
    try:
        told = metadata(name)
    except PackageNotFoundError:
        return []
    if "License-Expression" in told:
        return [LicenseFactory().make_from_string(told["License-Expression"])]
    classifiers = [each.removeprefix(_LICENCE) for each in told.get_all("Classifier", []) if each.startswith(_LICENCE)]
    # Some put the whole text there.
    named = told["License"].strip() if "License" in told else ""
    return [LicenseFactory().make_from_string(each) for each in ([named] if 0 < len(named) < 100 else classifiers)]


def _vendored(tree: Path) -> list[Component]:
    ledger = tomllib.loads((tree / "static" / "vendor" / "VENDOR.toml").read_text(encoding="utf-8"))["package"]
    shipped = [each for each in ledger if any(path.startswith("static/") for path in each["sha256"])]
    return [_script(each["package"].removeprefix("npm:"), each["version"], each["licence"]) for each in shipped]


def _script(package: str, version: str, licence: str) -> Component:
    group, _, name = package.rpartition("/")
    return Component(
        name=name,
        group=group or None,
        version=version,
        licenses=[LicenseFactory().make_from_string(licence)],
        purl=PackageURL("npm", group or None, name, version),
        bom_ref=f"npm:{package}",
    )


def _sha256(digest: str) -> HashType:
    return HashType(alg=HashAlgorithm.SHA_256, content=digest)
