"""Words for JSON and YAML that cannot be read."""

from __future__ import annotations

from django.utils.translation import gettext as _

from clusters.problems.inputs import (
    AliasAsKey,
    AliasBomb,
    BrokenJson,
    BrokenManifest,
    BrokenYaml,
    CollectionAsKey,
    DuplicateKey,
    ForeignTag,
    HalfACharacter,
    JsonBreaksOff,
    JsonLacksEnd,
    LargeInMemory,
    ManyBytes,
    MergeOfNoMap,
    NestingLimit,
    NulInText,
    UnknownAlias,
)
from clusters.wording.amounts import grouped, size
from clusters.wording.problems.registry import Words, words


@words.register(JsonLacksEnd)
def json_lacks_end(problem: JsonLacksEnd) -> Words:
    """Say which bracket is missing."""
    said = _("The JSON ends too early: its last line is not %(closing)s.") % {"closing": problem.closing}
    return Words(said, _("The file was cut off: take or send it again."))


@words.register(JsonBreaksOff)
def json_breaks_off(problem: JsonBreaksOff) -> Words:
    """Say where it breaks off."""
    said = _("The JSON ends too early: it breaks off at line %(line)s, column %(column)s.") % {
        "line": problem.line,
        "column": problem.column,
    }
    return Words(said, _("The file was cut off: take or send it again."))


@words.register(BrokenJson)
def broken_json(problem: BrokenJson) -> Words:
    """Say where it is broken, and how."""
    said = _("The JSON is broken at line %(line)s, column %(column)s: %(reason)s.") % {
        "line": problem.line,
        "column": problem.column,
        "reason": problem.reason,
    }
    return Words(said, _("Fix that place, or take the dump again with kubectl get -o json."))


@words.register(BrokenYaml)
def broken_yaml(problem: BrokenYaml) -> Words:
    """Say where it is broken, and how."""
    said = _yaml_sentence(problem)
    return Words(said, _("Fix that place, or take the dump again with kubectl get -o yaml or -o json."))


@words.register(LargeInMemory)
def large_in_memory(problem: LargeInMemory) -> Words:
    """Say how much memory it may take."""
    said = _("It would take more than %(most)s of memory to parse this in one piece.") % {
        "most": size(problem.most_bytes)
    }
    return Words(
        said,
        _(
            "Send the objects as kubectl get -o json lists them, whose items are parsed "
            "one at a time, in several files, or raise BERTH_DOCUMENT_MEMORY_MIB."
        ),
    )


@words.register(NestingLimit)
def nesting_limit(problem: NestingLimit) -> Words:
    """Say that it is nested too deeply."""
    said = _("Maps and lists are nested too deeply.")
    return Words(
        said, _("No Kubernetes object is: send the object as the API server returns it, or raise BERTH_NESTING_LIMIT.")
    )


@words.register(CollectionAsKey)
def collection_as_key(problem: CollectionAsKey) -> Words:
    """Say what stands in the place of a key."""
    said = _("A map or list stands where a key belongs.")
    return Words(said, _("Keys are texts."))


@words.register(DuplicateKey)
def duplicate_key(problem: DuplicateKey) -> Words:
    """Name the key."""
    said = _("The key %(found)s stands twice in one map.") % {"found": problem.found}
    return Words(said, _("Remove one of the two."))


@words.register(AliasAsKey)
def alias_as_key(problem: AliasAsKey) -> Words:
    """Say what stands in the place of a key."""
    said = _("An alias stands where a key belongs.")
    return Words(said, _("Write the key itself."))


@words.register(UnknownAlias)
def unknown_alias(problem: UnknownAlias) -> Words:
    """Name the alias."""
    said = _("The alias *%(name)s has no anchor before it.") % {"name": problem.name}
    return Words(said, _("Write the value itself."))


@words.register(AliasBomb)
def alias_bomb(problem: AliasBomb) -> Words:
    """Say for how many values aliases may stand."""
    said = _("Aliases stand for more than %(most)s values, as in an alias bomb.") % {"most": grouped(problem.most)}
    return Words(said, _("Write the values themselves, or raise BERTH_YAML_EXPANSION_LIMIT."))


@words.register(MergeOfNoMap)
def merge_of_no_map(problem: MergeOfNoMap) -> Words:
    """Say what can be merged."""
    said = _("Only maps can be merged with <<.")
    return Words(said, _("Write the fields themselves."))


@words.register(ForeignTag)
def foreign_tag(problem: ForeignTag) -> Words:
    """Name the tag."""
    said = _("The tag %(found)s is not taken.") % {"found": problem.found}
    return Words(said, _("Remove it; Kubernetes knows no tags."))


@words.register(NulInText)
def nul_in_text(problem: NulInText) -> Words:
    """Say that there is a NUL character."""
    said = _("The text holds a NUL character.")
    return Words(said, _("Remove it."))


@words.register(HalfACharacter)
def half_a_character(problem: HalfACharacter) -> Words:
    """Say that there is half a character."""
    said = _("A text holds half of a surrogate pair.")
    return Words(said, _("Take the dump again, in UTF-8."))


@words.register(BrokenManifest)
def broken_manifest(problem: BrokenManifest) -> Words:
    """Say where it is broken, and how."""
    said = _("It is broken at line %(line)s, column %(column)s: %(reason)s.") % {
        "line": problem.line,
        "column": problem.column,
        "reason": problem.reason,
    }
    return Words(said, _("Correct that line; the fault may begin a line or two before."))


@words.register(ManyBytes)
def many_bytes(problem: ManyBytes) -> Words:
    """Say how long a text is and may be."""
    said = _("It has %(found)s bytes.") % {"found": grouped(problem.found)}
    return Words(said, _("At most %(most)s are taken.") % {"most": grouped(problem.most)})


def _yaml_sentence(problem: BrokenYaml) -> str:
    if not problem.line:
        return _("The YAML is broken: %(reason)s.") % {"reason": problem.reason}
    return _("The YAML is broken at line %(line)s, column %(column)s: %(reason)s.") % {
        "line": problem.line,
        "column": problem.column,
        "reason": problem.reason,
    }
