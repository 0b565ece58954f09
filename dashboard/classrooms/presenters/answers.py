"""The answers of a class: in words, as bars, histograms, shaded cells and a map, and the mistake that most made."""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from clusters.engine.lessons import MistakeKind, RawAnswer, Situation, StepTexts
from clusters.engine.objects import Pod
from clusters.engine.registry import PLUGINS
from clusters.wording.amounts import grouped
from clusters.wording.lessons import (
    answers as answer_words,
    answers as answers_words,
    teaching,
    teaching as distributions_words,
    teaching as teaching_words,
)
from clusters.wording.lessons.goals import goal_words
from clusters.wording.lists import OF, TO
from dashboard.lessons.presenters.questions import MistakeView, mistakes_said, own_answer
from dashboard.lessons.presenters.situation import situation_map
from dashboard.pictures.verdict_map.drawing import DrawnMap
from dashboard.pictures.verdict_map.spec import SHADES, MapKey, MapMark, VerdictMap

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from fractions import Fraction

    from dashboard.classrooms.judgements import JudgedAnswer, JudgedAnswers


def share_shade(number: int, answers: int) -> int:
    """Return the shade of a share: 0 for none, the weakest for one of many, the strongest for all."""
    return 1 + round((SHADES - 1) * number / answers) if number else 0


def said(question: Any, answer: JudgedAnswer) -> str:
    """Say what somebody answered, without marks of code; of a manifest how many goals it meets."""
    given = answer.given
    match question.kind:
        case "node":
            return answers_words.one_of([] if given is None else [given]).replace("`", "")
        case "nodes":
            return answers_words.all_nodes(sorted(set(given))).replace("`", "")
        case "pods":
            return answers_words.any_pods([sorted(set(given))]).replace("`", "")
        case "rejections":
            return answers_words.by_node(dict(sorted(given.items()))).replace("`", "")
        case "number" | "outcome" | "eviction":
            return own_answer(question, given)
        case "order":
            return answers_words.in_order(dict.fromkeys(given)).replace("`", "")
        case _manifest:
            return teaching.GOALS_MET(met=len(goals_met(question, answer)), goals=len(question.goals))


def goals_met(question: Any, answer: JudgedAnswer) -> list[int]:
    """Return which goals a changed manifest meets, by their places; one that is refused meets none."""
    if any(mistake.kind is MistakeKind.REFUSED for mistake in answer.mistakes):
        return []
    unmet = {(mistake.given, mistake.subject) for mistake in answer.mistakes if mistake.kind is MistakeKind.GOAL}
    return [place for place, goal in enumerate(question.goals) if (goal.key, goal.subject) not in unmet]


# Of one group; what is rarer is counted together.
MOST_BARS: Final = 12


class AnswerBar(Struct, frozen=True):
    """What some answers say: how many, in words too, ``fill`` percent of all; ``is_right`` only where that is told."""

    label: str
    number: int
    said: str
    fill: float
    is_right: bool


class BarGroup(Struct, frozen=True):
    """Bars under a heading, which is empty where there is one group alone.

    ``more`` says how many answers are left out, ``more_right`` how much that is right.
    """

    title: str
    bars: tuple[AnswerBar, ...]
    more: str = ""
    more_right: str = ""


def answer_bar(label: str, number: int, answers: int, *, is_right: bool) -> AnswerBar:
    """Present how many of all answers say something."""
    return AnswerBar(
        label,
        number,
        OF(part=number, whole=answers),
        100 * number / max(1, answers),
        is_right,
    )


def bar_group(
    numbers: Mapping[str, int], answers: int, right: Collection[str] = (), *, title: str = "", in_order: bool = False
) -> BarGroup:
    """Present what is said, the most frequent first unless it has an order of its own; ``right`` is told as such."""
    labels = list(numbers) if in_order else sorted(numbers, key=lambda label: (-numbers[label], label))
    shown, rest = labels[:MOST_BARS], labels[MOST_BARS:]
    # What is right is seen, however few say it; of very much as many as of what is said.
    unshown_right = [label for label in rest if label in right]
    shown += unshown_right[:MOST_BARS]
    others = sum(numbers[label] for label in rest if label not in shown)
    left = len(unshown_right[MOST_BARS:])
    return BarGroup(
        title,
        tuple(answer_bar(label, numbers[label], answers, is_right=label in right) for label in shown),
        teaching_words.OTHER_ANSWERS(number=others) if others else "",
        teaching.OTHER_RIGHT(number=left) if left else "",
    )


class _Column(NamedTuple):
    """A number that some answers say, in words; ``is_right`` only where that is told."""

    amount: Fraction
    label: str
    answers: int
    is_right: bool


def histogram(question: Any, judged: JudgedAnswers, solution: RawAnswer, *, is_revealed: bool) -> BarGroup:
    """Present numbers by size; of very many, neighbours share a bar, but for what is right once that is told."""
    columns = _numbers_columns(question, judged, solution, is_revealed=is_revealed)
    size = -(-len(columns) // MOST_BARS)
    bars = []
    for _, alike in groupby(columns, lambda each: each.is_right):
        run = list(alike)
        for first in range(0, len(run), size):
            some = run[first : first + size]
            label = TO(first=some[0].label, last=some[-1].label) if len(some) > 1 else some[0].label
            number = sum(each.answers for each in some)
            bars.append(answer_bar(label, number, len(judged.answers), is_right=some[0].is_right))
    return BarGroup("", tuple(bars))


def spread(question: Any, judged: JudgedAnswers) -> str:
    """Say from where to where numbers reach, and what the middle one is; nothing where all are the same."""
    columns = _numbers_columns(question, judged, None, is_revealed=False)
    if len(columns) < 2:
        return ""
    return distributions_words.NUMBER_SPREAD(least=columns[0].label, most=columns[-1].label, middle=_middle(columns))


def _middle(columns: Sequence[_Column]) -> str:
    every = list(_each(columns))
    return every[(len(every) - 1) // 2]


def _each(columns: Sequence[_Column]) -> Iterator[str]:
    for column in columns:
        yield from (column.label for _ in range(column.answers))


def _numbers_columns(question: Any, judged: JudgedAnswers, solution: RawAnswer, *, is_revealed: bool) -> list[_Column]:
    """Return each distinct number, the smallest first; once it is told also the right one that nobody said."""
    found: dict[Fraction, _Column] = {}
    for answer in judged.answers:
        amount = question.amount(answer.given)
        before = found.get(amount)
        number = 1 + (before.answers if before else 0)
        found[amount] = _Column(amount, said(question, answer), number, is_revealed and answer.is_right)
    if is_revealed and (amount := question.amount(solution)) not in found:
        found[amount] = _Column(amount, own_answer(question, solution), 0, is_right=True)
    return sorted(found.values())


def change_groups(question: Any, judged: JudgedAnswers, *, is_revealed: bool) -> tuple[BarGroup, ...]:
    """Present manifests by their verdicts, and where there are several goals, by those that they meet."""
    answers, every = len(judged.answers), str(distributions_words.EVERY_GOAL)
    verdicts = Counter(_verdict(question, answer) for answer in judged.answers)
    right = {every} if is_revealed else set()
    groups = [bar_group({every: 0, **verdicts}, answers, right, title=str(distributions_words.VERDICTS))]
    if len(question.goals) > 1:
        met = Counter(place for answer in judged.answers for place in goals_met(question, answer))
        numbers = {goal_words(goal): met[place] for place, goal in enumerate(question.goals)}
        groups.append(bar_group(numbers, answers, title=str(distributions_words.GOALS), in_order=True))
    return tuple(groups)


def _verdict(question: Any, answer: JudgedAnswer) -> str:
    """Say what a changed manifest comes to, in one sentence."""
    if answer.is_right:
        return str(distributions_words.EVERY_GOAL)
    if any(mistake.kind is MistakeKind.REFUSED for mistake in answer.mistakes):
        return str(distributions_words.REFUSED)
    met = goals_met(question, answer)
    missed = [goal for place, goal in enumerate(question.goals) if place not in met]
    if not missed:
        return str(distributions_words.KEPT_CHANGED)
    return (
        distributions_words.GOAL_MISSED(goal=goal_words(missed[0]))
        if len(missed) == 1
        else distributions_words.GOALS_MISSED(number=len(missed))
    )


_NAMED, _NOT_NAMED = "verdict-chosen-solid", "verdict-unknown-solid"
# What the answers to these questions name of the map's nodes; other questions are not about nodes.
_NAMES: Final[Mapping[str, str]] = {"node": "nodes", "nodes": "nodes", "rejections": "rejections", "pods": "pods"}


class NodeHeat(Struct, frozen=True):
    """A map on which nodes stand out that more answers are about; ``about`` says what its numbers mean."""

    title: str
    drawn: DrawnMap


def node_heat(
    question: Any, situation: Situation, judged: JudgedAnswers, solution: RawAnswer, *, is_revealed: bool
) -> NodeHeat | None:
    """Draw answers that are about nodes, or about what nodes run; None where a map tells nothing of them."""
    kind = _NAMES.get(question.kind)
    if kind is None or not judged.answers or not situation.node_names:
        return None
    if kind == "pods" and (question.on or len({*_node_of_pods(situation).values()} - {""}) < 2):
        # No more than one node has pods that can be named.
        return None
    right = right_nodes(question, situation, solution) if is_revealed else ()
    found = heat_map(question, situation, judged, right)
    return NodeHeat(
        str(distributions_words.HEAT_TITLES[kind]),
        DrawnMap(id="heat", found=found),
    )


def heat_map(question: Any, situation: Situation, judged: JudgedAnswers, right: Collection[str]) -> VerdictMap:
    """Present each node by the share of the answers that are about it; those that are ``right`` have a ring."""
    named, answers = named_nodes(question, situation, judged), len(judged.answers)
    base = situation_map(situation)
    numbers = [named[name] for name in base.names]
    marks = tuple(
        MapMark("right", str(distributions_words.RIGHT_NODE), place)
        for place, name in enumerate(base.names)
        if name in right
    )
    none, some = str(distributions_words.IN_NO_ANSWER), str(distributions_words.IN_ANSWERS)
    lines = (
        distributions_words.NODE_HEAT(node=name, number=number, answers=answers)
        for name, number in zip(base.names, numbers, strict=True)
    )
    return replace(
        base,
        sentence=distributions_words.HEAT_SUMMARY(nodes=len(base.names), answers=answers),
        keys=(
            MapKey(none, "", _NOT_NAMED, "", numbers.count(0), is_faint=True),
            MapKey(some, "", _NAMED, "", len(numbers) - numbers.count(0), is_shaded=True),
        ),
        key_of=tuple(int(number > 0) for number in numbers),
        shade_of=tuple(share_shade(number, answers) for number in numbers),
        loads=(),
        loads_caption="",
        lines=tuple(lines),
        figures=tuple(str(number) if number else "" for number in numbers),
        marks=marks,
    )


def right_nodes(question: Any, situation: Situation, solution: RawAnswer) -> frozenset[str]:
    """Return the nodes that a right answer is about."""
    match question.kind:
        case "node":
            return frozenset(question.acceptable(situation))
        case "rejections":
            return frozenset(node for node, plugin in solution.items() if plugin)
        case "pods":
            node_of = _node_of_pods(situation)
            return frozenset(node_of[pod] for pods in question.acceptable(situation) for pod in pods if node_of[pod])
        case _nodes:
            return frozenset(solution)


def named_nodes(question: Any, situation: Situation, judged: JudgedAnswers) -> Counter[str]:
    """Count how many answers are about each node."""
    found: Counter[str] = Counter()
    node_of = _node_of_pods(situation) if question.kind == "pods" else {}
    for answer in judged.answers:
        match question.kind:
            case "rejections":
                found.update(node for node, plugin in answer.given.items() if plugin)
            case "pods":
                found.update({node_of[pod] for pod in answer.given} - {""})
            case "nodes":
                found.update(set(answer.given))
            case _node:
                found.update({answer.given} - {None})
    return found


def _node_of_pods(situation: Situation) -> dict[str, str]:
    """Return the node of each pod; one without has an empty name."""
    return {key: Pod(pod).node_name for key, pod in situation.pods.items()}


MOST_ROWS: Final = 20
# Of an order; what stands further back is one column.
MOST_PLACES: Final = 12


class AnswerCell(Struct, frozen=True):
    """How many answers say it, ``shade`` by their share of all; ``is_right`` only where that is told."""

    number: int
    shade: int
    is_right: bool


class AnswerRow(Struct, frozen=True):
    """What answers say of one node or pod, column by column."""

    label: str
    cells: tuple[AnswerCell, ...]


class AnswerMatrix(Struct, frozen=True):
    """What answers say of each row; ``subject`` is the head of the first column, ``more`` says what is left out."""

    caption: str
    subject: str
    columns: tuple[str, ...]
    rows: tuple[AnswerRow, ...]
    more: str = ""

    @property
    def has_right(self) -> bool:
        """Whether it is told which cells are right."""
        return any(cell.is_right for row in self.rows for cell in row.cells)


def plugin_matrix(
    situation: Situation,
    judged: JudgedAnswers,
    numbers: Mapping[tuple[str, str], int],
    right: Collection[tuple[str, str]],
) -> AnswerMatrix:
    """Present how many answers name each plugin for each node; ``numbers`` and ``right`` are by both of them."""
    said = {label for _, label in numbers}
    columns = [label for label in (str(answer_words.FITS), *PLUGINS) if label in said]
    # Of many nodes those about which answers differ most.
    names = sorted(situation.node_names, key=lambda node: (max(numbers.get((node, each), 0) for each in columns), node))
    rows = [
        AnswerRow(
            node, tuple(_cell(numbers.get((node, each), 0), judged, is_right=(node, each) in right) for each in columns)
        )
        for node in sorted(names[:MOST_ROWS])
    ]
    return _matrix(str(distributions_words.BY_PLUGIN), str(distributions_words.NODE), columns, rows, len(names))


def place_matrix(
    question: Any, situation: Situation, judged: JudgedAnswers, solution: RawAnswer, *, is_revealed: bool
) -> AnswerMatrix:
    """Present how many answers have each thing at which place: the class's order, once told the right one."""
    orders = [list(dict.fromkeys(answer.given)) for answer in judged.answers]
    right: dict[str, frozenset[int]] = question.places(situation) if is_revealed else {}
    names = _in_order_of(orders)
    if is_revealed:
        names = list(dict.fromkeys([*solution, *right, *names]))
    said = Counter((name, place) for order in orders for place, name in enumerate(order))
    columns = _matrices_columns(
        max(place for _, place in [*said, *((name, max(places)) for name, places in right.items())]) + 1
    )
    rows = [
        AnswerRow(
            name,
            tuple(
                _cell(
                    sum(said[name, place] for place in places),
                    judged,
                    is_right=not right.get(name, frozenset()).isdisjoint(places),
                )
                for places in columns.values()
            ),
        )
        for name in names[:MOST_ROWS]
    ]
    subject = distributions_words.NODE if question.is_of_nodes else distributions_words.POD
    return _matrix(str(distributions_words.BY_PLACE), str(subject), list(columns), rows, len(names))


def _in_order_of(orders: Iterable[Sequence[str]]) -> list[str]:
    """Return everything that has a place in some order, by its place on average."""
    places: dict[str, list[int]] = {}
    for order in orders:
        for place, name in enumerate(order):
            places.setdefault(name, []).append(place)
    return sorted(places, key=lambda name: (sum(places[name]) / len(places[name]), name))


def _matrices_columns(places: int) -> dict[str, range]:
    """Return the heads of the columns for so many places, and which places each has."""
    found = {grouped(place + 1): range(place, place + 1) for place in range(min(places, MOST_PLACES))}
    return found | (
        {distributions_words.LATER_PLACES(first=MOST_PLACES + 1): range(MOST_PLACES, places)}
        if places > MOST_PLACES
        else {}
    )


def _cell(number: int, judged: JudgedAnswers, *, is_right: bool) -> AnswerCell:
    return AnswerCell(number, share_shade(number, len(judged.answers)), is_right)


def _matrix(caption: str, subject: str, columns: Sequence[str], rows: Sequence[AnswerRow], every: int) -> AnswerMatrix:
    left = every - len(rows)
    return AnswerMatrix(
        caption, subject, tuple(columns), tuple(rows), distributions_words.OTHER_ROWS(number=left) if left else ""
    )


class CommonMistake(Struct, frozen=True):
    """A wrong answer of several: how many gave it, what it is, and what is wrong with it."""

    said: str
    answer: str
    mistakes: tuple[MistakeView, ...]


def commonest_mistake(question: Any, judged: JudgedAnswers, texts: StepTexts) -> CommonMistake | None:
    """Return the wrong answer that most gave; None where none is wrong. Manifests are alike by their mistakes."""
    alike: dict[tuple[object, ...], list[JudgedAnswer]] = {}
    for answer in judged.answers:
        if not answer.is_right:
            alike.setdefault(_likeness(question, answer), []).append(answer)
    if not alike:
        return None
    # Of those that are given alike often the one that was met first.
    most = max(alike.values(), key=len)
    mistakes = mistakes_said(most[0].mistakes, texts, getattr(question, "goals", ()))
    return CommonMistake(
        said=teaching_words.COMMONEST_MISTAKE(number=len(most), answers=len(judged.answers)),
        answer=said(question, most[0]),
        mistakes=tuple(mistakes),
    )


def _likeness(question: Any, answer: JudgedAnswer) -> tuple[object, ...]:
    if question.kind == "manifest":
        return tuple(sorted((str(each.kind), each.subject, each.given) for each in answer.mistakes))
    return (said(question, answer),)


class Distribution(Struct, frozen=True):
    """All answers to a step; ``sentence`` says the highest of the bars, ``note`` what is not counted.

    ``spread`` says how far numbers are apart, ``matrix`` counts answers that say more than one thing.
    """

    answers: int
    groups: tuple[BarGroup, ...]
    sentence: str
    note: str
    spread: str = ""
    matrix: AnswerMatrix | None = None


class _Tally(NamedTuple):
    """How many answers say what, by node and label, and what is told to be right; what is of no node has none."""

    numbers: dict[tuple[str, str], int]
    right: set[tuple[str, str]]


# Bars of these stand in the order of the question, all others by how many there are.
_IN_ORDER: Final = frozenset({"outcome", "eviction"})


def distribution(
    question: Any, situation: Situation, judged: JudgedAnswers, solution: RawAnswer, *, is_revealed: bool
) -> Distribution:
    """Present answers: before the reveal without anything that tells which of them are right."""
    answers = len(judged.answers)
    note = teaching_words.UNREADABLE(number=judged.unreadable) if judged.unreadable else ""
    tally = _tally(question, situation, judged, solution, is_revealed=is_revealed)
    match question.kind:
        case "manifest" | "rejections" if not answers:
            return Distribution(0, (), "", note)
        case "rejections" if not tally.numbers:
            # An answer that says nothing of any node is one, too.
            return Distribution(answers, (), "", note)
        case "manifest":
            return Distribution(answers, change_groups(question, judged, is_revealed=is_revealed), "", note)
        case "rejections":
            group = _by_plugin(tally, answers * len(situation.node_names))
            return Distribution(answers, (group,), "", note, matrix=plugin_matrix(situation, judged, *tally))
    numbers = {label: number for (_, label), number in tally.numbers.items()}
    sentence = _most_frequent(numbers, answers)
    if question.kind == "number" and answers:
        group = histogram(question, judged, solution, is_revealed=is_revealed)
        return Distribution(answers, (group,), sentence, note, spread=spread(question, judged))
    right = {label for _, label in tally.right}
    groups = (bar_group(numbers, answers, right, in_order=question.kind in _IN_ORDER),) if numbers else ()
    if question.kind == "order" and any(answer.given for answer in judged.answers):
        matrix = place_matrix(question, situation, judged, solution, is_revealed=is_revealed)
        return Distribution(answers, groups, sentence, note, matrix=matrix)
    return Distribution(answers, groups, sentence, note)


def _most_frequent(numbers: dict[str, int], answers: int) -> str:
    highest = max(numbers, key=lambda label: numbers[label], default="")
    return (
        teaching_words.MOST_FREQUENT(answer=highest, number=numbers[highest], answers=answers)
        if highest and numbers[highest]
        else ""
    )


def _by_plugin(tally: _Tally, of: int) -> BarGroup:
    """Present how often each plugin is named, ``of`` all nodes of all answers."""
    numbers: Counter[str] = Counter()
    for (_, label), number in tally.numbers.items():
        numbers[label] += number
    return bar_group(numbers, of, title=str(teaching.ALL_NODES))


def _tally(
    question: Any, situation: Situation, judged: JudgedAnswers, solution: RawAnswer, *, is_revealed: bool
) -> _Tally:
    numbers: Counter[tuple[str, str]] = Counter(dict.fromkeys(_offered(question), 0))
    right = set(_right_names(question, situation, solution)) if is_revealed else set()
    for answer in judged.answers:
        for node, label, is_right in _parts(question, answer):
            numbers[node, label] += 1
            if is_revealed and is_right:
                right.add((node, label))
    return _Tally({**numbers, **{each: numbers[each] for each in right}}, right)


def _parts(question: Any, answer: JudgedAnswer) -> Iterator[tuple[str, str, bool]]:
    """Yield each thing that an answer says, once: of which node, what, and whether it is right."""
    given = answer.given
    wrong = {mistake.subject for mistake in answer.mistakes}
    match question.kind:
        case "nodes" | "pods" if given:
            yield from (("", name, name not in wrong) for name in dict.fromkeys(given))
        case "rejections":
            for node, plugin in given.items():
                yield node, plugin or str(answer_words.FITS), node not in wrong
        case _whole:
            yield "", said(question, answer), answer.is_right


def _offered(question: Any) -> Iterator[tuple[str, str]]:
    """Yield what has a bar also where nobody says it."""
    match question.kind:
        case "outcome":
            yield from (("", str(label)) for label in answer_words.OUTCOMES.values())
        case "eviction":
            yield from (("", str(label)) for label in answer_words.EVICTIONS.values())


def _right_names(question: Any, situation: Situation, solution: RawAnswer) -> Iterable[tuple[str, str]]:
    """Return what is right and made of names, so that it has a bar after the reveal, named or not."""
    match question.kind:
        case "node":
            return [("", name) for name in question.acceptable(situation)] or [("", str(answer_words.NOWHERE))]
        case "nodes":
            return [("", name) for name in solution] or [("", str(answer_words.NOWHERE))]
        case "pods":
            sets = question.acceptable(situation)
            return [("", name) for names in sets for name in names or [str(answer_words.NO_POD)]]
        case "rejections":
            return [(node, plugin or str(answer_words.FITS)) for node, plugin in solution.items()]
        case "outcome":
            return [("", str(answer_words.OUTCOMES[solution]))]
        case "eviction":
            return [("", str(answer_words.EVICTIONS[solution]))]
        case _other:
            return []
