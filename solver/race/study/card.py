"""The best rule that fits on a card: a few thresholds, found by exact valuation.

A card says, for ranges of dice left, the turn total from which on to stop. The search starts from one threshold for all
and, step by step, moves thresholds, and splits the range that gains most; the card that comes out is then
valued with a proof, so its loss is exact. That no other card of its size is better is only as good as the search.
"""

from collections.abc import Callable, Iterable
from itertools import chain
from typing import NamedTuple

from solver.policies.policy import HOLDS, MOST_DICE, MOST_POINTS, Policy, load_policy
from solver.race.model import RaceModel
from solver.race.rules import RaceRules
from solver.race.study.choices import NAMES
from solver.text import _, plural

MOST_THRESHOLDS = 6
COARSE = 24
"""Of so many parts of the target thresholds are moved by one at first; then by ever less."""
FARTHER = 4
"""Beside each move, one that is so many times as large is tried."""

Values = Callable[[list[Policy]], list[float]]
"""What policies are worth; more is better."""


class Card(NamedTuple):
    """A rule for a card."""

    ranges: tuple[tuple[int, int, int], ...]
    """Fewest and most dice left, and the turn total from which on to stop."""
    hold: str

    def policy(self) -> Policy:
        """The card as a policy."""
        return load_policy("; ".join([*self.rules(), f"hold {self.hold}"]), NAMES[1], "card")

    def rules(self) -> list[str]:
        """Its rules, as a policy file has them."""
        if len(self.ranges) == 1:
            return [f"stop at {self.ranges[0][2]}"]
        return [
            f"stop if dice = {fewest} and turn >= {least}" if fewest == most
            else f"stop if {fewest} <= dice <= {most} and turn >= {least}"
            for fewest, most, least in self.ranges
        ]  # fmt: skip

    def words(self) -> list[str]:
        """What stands on the card."""
        if len(self.ranges) == 1:
            return [_("Stop with {least} or more.").format(least=self.ranges[0][2])]
        found = []
        for fewest, most, least in self.ranges:
            dice = plural("{most} die", "{most} dice", most) if fewest == most else _("{fewest} to {most} dice")
            text = _("With {dice} left to throw: stop with {least} or more.")
            found.append(text.format(dice=dice.format(fewest=fewest, most=most), least=least))
        return found


def best_card(rules: RaceRules, model: RaceModel, thresholds: int, values: Values) -> tuple[Card, float]:
    """The best card that the search finds, with at most so many thresholds, and what it is worth."""
    search = _Search(rules, values)
    dice = sorted({slot.dice for slot in model.graph.slots if slot.dice and slot.may_stop})
    holds = [MOST_POINTS] if rules.dice.hold == "all" else [hold for hold in HOLDS if hold in (MOST_POINTS, MOST_DICE)]
    best = search.best([search.one(hold, dice) for hold in holds])
    for _more in range(thresholds - 1):
        splits = search.splits(best)
        if not splits:
            break
        found = search.best(splits)
        if search.worth(found) <= search.worth(best):
            break
        best = found
    return best, search.worth(best)


class _Search:
    def __init__(self, rules: RaceRules, values: Values) -> None:
        self._values, self._step = values, rules.match.step
        self._most = rules.match.target // self._step
        self._known: dict[Card, float] = {}

    def worth(self, card: Card) -> float:
        return self._known[card]

    def one(self, hold: str, dice: list[int]) -> Card:
        """The best of the single thresholds up to half the target, all of which are tried if they are not too many."""
        cards = [
            Card(((dice[0], dice[-1], steps * self._step),), hold)
            for steps in range(1, self._most // 2 + 1, max(1, self._most // 2 // 100))
        ]
        self._learn(cards)
        return max(cards, key=self.worth)

    def splits(self, card: Card) -> list[Card]:
        """The card with one of its ranges cut in two, thresholds as before."""
        return [
            Card(
                (*card.ranges[:place], (fewest, cut, least), (cut + 1, most, least), *card.ranges[place + 1 :]),
                card.hold,
            )
            for place, (fewest, most, least) in enumerate(card.ranges)
            for cut in range(fewest, most)
        ]

    def best(self, cards: list[Card]) -> Card:
        """The best that these cards become, thresholds moved one by one as long as that gains; all at the same time."""
        cards = list(cards)
        self._learn(cards)
        steps = max(1, self._most // COARSE)
        while steps:
            moving = list(range(len(cards)))
            while moving:
                near = {number: self._near(cards[number], steps) for number in moving}
                self._learn(chain.from_iterable(near.values()))
                better = {number: max([cards[number], *some], key=self.worth) for number, some in near.items()}
                moving = [number for number, card in better.items() if card != cards[number]]
                for number in moving:
                    cards[number] = better[number]
            steps //= 2
        return max(cards, key=self.worth)

    def _near(self, card: Card, steps: int) -> list[Card]:
        """The card with one of its thresholds moved by so many steps, or by far more, which saves many rounds."""
        return [
            card._replace(ranges=(*card.ranges[:place], (fewest, most, moved), *card.ranges[place + 1 :]))
            for place, (fewest, most, least) in enumerate(card.ranges)
            for far in (-FARTHER * steps, -steps, steps, FARTHER * steps)
            if self._step <= (moved := least + far * self._step) <= self._most * self._step
        ]

    def _learn(self, cards: Iterable[Card]) -> None:
        """Value the cards that are not known yet."""
        new = [card for card in dict.fromkeys(cards) if card not in self._known]
        self._known |= zip(new, self._values([card.policy() for card in new]), strict=True)
