"""The words that steps explain: each lesson that comes with Berth explains a word in the step that first uses it."""

from __future__ import annotations

import re
from typing import Final

import pytest
import yaml
from django.utils import translation

from clusters.documents.lessons import lesson_schema
from clusters.engine.lessons import StepTexts, Term
from clusters.services.lessons.library import built_in_lessons
from clusters.services.lessons.reading import LANGUAGES, check_lesson, read_lesson
from clusters.wording.lessons.terms import TERMS
from clusters.wording.problems import placed_sentence
from tests.clusters.lessons.small_lesson import changed

# How English texts write them.
WRITTEN: Final = {
    Term.ADMISSION_PLUGIN: r"admission plugin",
    Term.ALLOCATABLE: r"allocatable",
    Term.API_SERVER: r"API server",
    Term.AUTOSCALER: r"autoscaler",
    Term.BIN_PACKING: r"bin[ -]packing",
    Term.BUDGET: r"budget",
    Term.CONDITION: r"conditions? (Ready|`?MemoryPressure)|reads? conditions|condition leads",
    Term.CONTROL_PLANE: r"control plane",
    Term.CONTROLLER: r"\bcontrollers?\b",
    Term.CORDON: r"cordon",
    Term.DAEMON_SET: r"DaemonSet",
    Term.DRAIN: r"\bdrain",
    Term.EVICTION: r"\bevict",
    Term.EXTENDED_RESOURCE: r"extended resource",
    Term.FEASIBLE: r"feasible",
    Term.FILTER: r"\bfilter",
    Term.GRACE_PERIOD: r"grace period",
    Term.KUBELET: r"kubelet",
    Term.LABEL: r"\blabel",
    Term.LIMIT: r"(\ba|nor|and|have) limits?\b(?! in time)|`limits`",
    Term.LIMIT_RANGE: r"LimitRange\b",
    Term.NODE_AFFINITY: r"node affinity",
    Term.NODE_SELECTOR: r"node ?selector",
    Term.NOMINATED: r"nominate",
    Term.OVERHEAD: r"overhead",
    Term.PENDING: r"pending",
    Term.PLUGIN: r"(?<!admission )(?<!device )\bplugin",
    Term.POD_AFFINITY: r"pod affinity|anti-affinity",
    Term.PREEMPTION: r"preempt(?!ionPolicy)",
    Term.PRIORITY: r"\bpriorit(y|ies)\b|PriorityClass",
    Term.PROFILE: r"\bprofile",
    Term.QOS_CLASS: r"QoS|Burstable",
    Term.QUEUE: r"\bqueue",
    Term.REPLICA: r"replica(?!tion)",
    Term.REQUEST: r"\brequest",
    Term.RESOURCE_CLAIM: r"\bclaims? (describes|that|has)|ResourceClaim",
    Term.RESOURCE_QUOTA: r"\bquota",
    Term.SCHEDULING_GATE: r"\bgates?\b|schedulingGates",
    Term.SCORE: r"\bscor",
    Term.SKEW: r"\bskew",
    Term.SPREAD_CONSTRAINT: r"spread constraint",
    Term.TAINT: r"(?<!/)\btaint",
    Term.TOLERATION: r"toleration\b|tolerations\b",
    Term.TOPOLOGY_DOMAIN: r"\bdomain",
    Term.VICTIM: r"\bvictim",
    Term.WEIGHT: r"\bweight",
    Term.ZONE: r"\bzones?\b",
}


# A text that explains a word itself emphasises it there.
EMPHASISED: Final = re.compile(r"(?<!\*)\*([^*\n]+)\*(?!\*)")


def all_of(texts: StepTexts) -> str:
    return "\n".join((texts.title, texts.text, texts.ask, *texts.hints, texts.reveal, *texts.mistakes.values()))


def explained_in(text: str) -> set[Term]:
    emphasised = EMPHASISED.findall(text)
    return {
        term for term, written in WRITTEN.items() if any(re.search(written, each, re.IGNORECASE) for each in emphasised)
    }


def test_a_word_is_explained_by_a_text_that_emphasises_it() -> None:
    assert explained_in("A *feasible* node: no *filters* **rejected** `taints` or **labels**.") == {
        Term.FEASIBLE,
        Term.FILTER,
    }


@pytest.mark.parametrize("lesson", sorted(built_in_lessons()))
def test_a_word_is_explained_in_the_step_that_first_uses_it(lesson: str) -> None:
    known: set[Term] = set()
    found, wanted = {}, {}
    for step in built_in_lessons()[lesson].steps:
        texts = built_in_lessons()[lesson].texts["en"].steps[step.name]
        said = all_of(texts)
        places = {term: re.search(pattern, said, re.IGNORECASE) for term, pattern in WRITTEN.items()}
        new = {term: place.start() for term, place in places.items() if place is not None and term not in known}
        named = new.keys() - (explained_in(texts.text) - set(step.terms))
        wanted[step.name] = sorted(named, key=lambda term: new[term])
        found[step.name] = list(step.terms)
        known |= new.keys()

    assert found == wanted


def test_every_term_means_something_else_in_every_language() -> None:
    meanings = set()
    for language in LANGUAGES:
        with translation.override(language):
            meanings |= {str(meaning) for _, meaning in TERMS.values()}

    assert set(TERMS) == set(Term) == set(WRITTEN)
    assert len(meanings) == len(Term) * len(LANGUAGES)


def test_an_author_names_the_terms_of_a_step() -> None:
    files = changed("lesson.yaml", "    pod: web\n", "    terms: [request, taint]\n    pod: web\n")

    first, second = read_lesson("small", files).lesson.steps
    assert (first.terms, second.terms) == ((Term.REQUEST, Term.TAINT), ())


def test_a_term_that_is_not_known_is_told_with_the_closest_one() -> None:
    files = changed("lesson.yaml", "    pod: web\n", "    terms: [request, tolerations]\n    pod: web\n")

    (fault,) = check_lesson("small", files)
    said = placed_sentence(fault.problem, fault.file, fault.field, line=fault.line)
    assert "lesson.yaml, steps[0].terms[1]: Line 7: " in said
    assert said.endswith("Write toleration.")


def test_editors_offer_the_terms() -> None:
    schema = lesson_schema("lesson")["$defs"]

    assert set(schema["Term"]["enum"]) == set(Term)
    assert yaml.safe_dump(schema["StepManifest"]["properties"]["terms"]["items"]).strip() == "$ref: '#/$defs/Term'"
