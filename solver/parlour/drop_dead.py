"""Drop Dead: a throw without dead faces scores its sum; dice that show one are set aside; until none is left."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from solver.parlour.chances import count_chances, sum_chances
from solver.parlour.odds import Distribution, Figure, Odds
from solver.parlour.rules import ParlourRules, Seats, contradiction, numbers
from solver.schema import Problem, key, whole
from solver.text import _

SEATS = Seats(1, 20, 2)
LISTED_SCORES = 40
LARGEST_TAIL = 1e-14
"""Expected points beyond the last score that is looked at."""
ROUNDING = 2.0**-52


class Rules(ParlourRules):
    """Rules of Drop Dead."""

    dice: int = key(whole(1, 10), _("Number of dice."), default=5)
    faces: int = key(whole(2, 12), _("Faces of a die."), default=6)
    dead: tuple[int, ...] = key(
        numbers(whole(1, 12), 11, "[2, 5]"), _("Faces that score nothing and set their dice aside."), default=(2, 5)
    )


class Play(NamedTuple):
    """What a series of throws of one turn brings."""

    after_each_throw: list[int]
    """The score after each throw."""
    dead: list[int]
    """Dice set aside by each throw."""


def problems(rules: Rules) -> Iterator[Problem]:
    """Contradictions between the keys."""
    dead = set(rules.dead)
    if not dead or len(dead) < len(rules.dead) or max(dead) > rules.faces or len(dead) == rules.faces:
        allowed = _("some, but not all, of the faces 1 to {faces}, each once").format(faces=rules.faces)
        yield contradiction("dead", list(rules.dead), allowed)


def play(rules: Rules, throws: Sequence[Sequence[int]]) -> Play:
    """Score a turn throw by throw."""
    total = 0
    scores, dead = [], []
    for throw in throws:
        count = sum(face in rules.dead for face in throw)
        total += 0 if count else sum(throw)
        scores.append(total)
        dead.append(count)
    return Play(scores, dead)


class Throw(NamedTuple):
    """What may come of one throw of so many dice."""

    sums: dict[int, Fraction]
    """Chance of each sum that scores."""
    left: list[Fraction]
    """Chance that 0, 1, ... dice are left after one that does not score."""


def throw_of(rules: Rules, dice: int) -> Throw:
    """The chances of one throw."""
    alive = [face for face in range(1, rules.faces + 1) if face not in rules.dead]
    living = Fraction(len(alive), rules.faces)
    scoring = living**dice
    sums = {total: chance * scoring for total, chance in sum_chances([alive] * dice).items()}
    return Throw(sums, count_chances(dice, living)[:dice])


def expectations(rules: Rules) -> tuple[list[Fraction], list[Fraction]]:
    """Expected score and expected number of throws with 0, 1, ... dice."""
    scores, throws = [Fraction(0)], [Fraction(0)]
    for dice in range(1, rules.dice + 1):
        thrown = throw_of(rules, dice)
        again = sum(thrown.sums.values(), Fraction(0))
        gained = sum((total * chance for total, chance in thrown.sums.items()), Fraction(0))
        score, count = gained, Fraction(1)
        for left, chance in enumerate(thrown.left):
            score += chance * scores[left]
            count += chance * throws[left]
        scores.append(score / (1 - again))
        throws.append(count / (1 - again))
    return scores, throws


def score_chances(rules: Rules, most: int) -> list[Fraction]:
    """Chance of each score from 0 to ``most`` of a whole turn."""
    chances = [[Fraction(int(score == 0)) for score in range(most + 1)]]
    for dice in range(1, rules.dice + 1):
        thrown = throw_of(rules, dice)
        row: list[Fraction] = []
        for score in range(most + 1):
            chance = sum((part * chances[left][score] for left, part in enumerate(thrown.left)), Fraction(0))
            for total, part in thrown.sums.items():
                if total <= score:
                    chance += part * row[score - total]
            row.append(chance)
        chances.append(row)
    return chances[rules.dice]


def odds(rules: Rules, players: int) -> Odds:
    """What a turn brings, and how players compare who all play alike."""
    scores, throws = expectations(rules)
    listed = score_chances(rules, LISTED_SCORES)
    figures = [
        Figure("expected_score", _("Score of a turn, on average"), scores[-1]),
        Figure("expected_throws", _("Throws of a turn, on average"), throws[-1]),
        Figure("nothing_scored", _("Chance to score nothing"), listed[0]),
    ]
    if players > 1:
        tie, best, bound = _compared(rules, players, scores[-1])
        figures += [
            Figure("win_each_seat", _("Chance of each player to win, ties shared"), Fraction(1, players)),
            Figure("tie", _("Chance that several share the win"), tie, bound),
            Figure("expected_best", _("Score of the winner, on average"), best, bound),
        ]
    return Odds(
        tuple(figures),
        (Distribution("score", _("Score of a turn"), dict(enumerate(listed)), 1 - sum(listed, Fraction(0))),),
    )


def _compared(rules: Rules, players: int, expected: Fraction) -> tuple[float, float, float]:
    """Chance of a tie for the win, expected winning score, and a bound on the error of both."""
    chances = _decimals(rules, expected)
    below = tie = best = missing = 0.0
    for chance in chances:
        tie += (below + chance) ** players - below**players - players * chance * below ** (players - 1)
        below += chance
        best += 1.0 - below**players
        missing += 1.0 - below
    # All sums are of positive numbers: a chance has a relative error of so many roundings for each point scored, at
    # most, and what is cut off is the rest of the mean.
    steps = (float(expected) + rules.dice + 1.0) * (rules.dice * rules.faces + 2.0)
    rounding = 2.0 * players * len(chances) * steps * ROUNDING
    bound = players * abs(float(expected) - missing) + rounding
    return tie, best, bound


def _decimals(rules: Rules, expected: Fraction) -> list[float]:
    """Chances of the scores in decimals, up to where hardly any points are left."""
    thrown = [throw_of(rules, dice) for dice in range(rules.dice + 1)]
    sums = [[(total, float(chance)) for total, chance in throw.sums.items()] for throw in thrown]
    left = [[float(chance) for chance in throw.left] for throw in thrown]
    rows: list[list[float]] = [[] for _dice in thrown]
    remaining, tail = float(expected), 1.0
    while remaining > LARGEST_TAIL * float(expected) and len(rows[0]) < 10_000:
        score = len(rows[0])
        rows[0].append(float(score == 0))
        for dice in range(1, rules.dice + 1):
            chance = sum(part * rows[fewer][score] for fewer, part in enumerate(left[dice]))
            chance += sum(part * rows[dice][score - total] for total, part in sums[dice] if total <= score)
            rows[dice].append(chance)
        tail -= rows[-1][-1]
        remaining -= tail
    return rows[-1]
