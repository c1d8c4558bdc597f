"""The best rule that fits on a card: a few thresholds, found by exact valuation.

A card says, for ranges of dice left, the turn total from which on to stop. The search starts from one threshold for all
and, step by step, moves thresholds, and splits the range that gains most; the card that comes out is then
valued with a proof, so its loss is exact. That no other card of its size is better is only as good as the search.
"""

from collections.abc import Callable
from typing import NamedTuple

from solver.errors import ConvergenceError
from solver.policies.policy import HOLDS, MOST_DICE, MOST_POINTS, Policy, load_policy
from solver.race.model import RaceModel
from solver.race.rules import RaceRules
from solver.race.study.choices import NAMES
from solver.text import _, plural

MOST_THRESHOLDS = 6
COARSE = 24
"""Thresholds that are tried first, evenly spread; then their neighbours, ever nearer."""

Value = Callable[[Policy], float]
"""What a policy is worth; more is better. ConvergenceError if a match need not end."""


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


def best_card(rules: RaceRules, model: RaceModel, thresholds: int, value: Value) -> tuple[Card, float]:
    """The best card that the search finds, with at most so many thresholds, and what it is worth."""
    search = _Search(rules, value)
    dice = sorted({slot.dice for slot in model.graph.slots if slot.dice and slot.may_stop})
    holds = [MOST_POINTS] if rules.dice.hold == "all" else [hold for hold in HOLDS if hold in (MOST_POINTS, MOST_DICE)]
    best = max((search.one(hold, dice) for hold in holds), key=search.worth)
    for _more in range(thresholds - 1):
        splits = list(search.splits(best))
        if not splits:
            break
        found = max((search.moved(card) for card in splits), key=search.worth)
        if search.worth(found) <= search.worth(best):
            break
        best = found
    return best, search.worth(best)


class _Search:
    def __init__(self, rules: RaceRules, value: Value) -> None:
        self._value, self._step = value, rules.match.step
        self._most = rules.match.target // self._step
        self._known: dict[Card, float] = {}

    def worth(self, card: Card) -> float:
        if card not in self._known:
            try:
                self._known[card] = self._value(card.policy())
            except ConvergenceError:
                self._known[card] = float("-inf")
        return self._known[card]

    def one(self, hold: str, dice: list[int]) -> Card:
        """The best single threshold, out of those up to half the target, all of which are tried."""
        cards = [
            Card(((dice[0], dice[-1], steps * self._step),), hold)
            for steps in range(1, self._most // 2 + 1, max(1, self._most // 2 // 100))
        ]
        return self.moved(max(cards, key=self.worth))

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

    def moved(self, card: Card) -> Card:
        """The card with its thresholds moved, one by one, as long as that gains."""
        steps = max(1, self._most // COARSE)
        while steps:
            gained = True
            while gained:
                gained = False
                for place, (fewest, most, least) in enumerate(card.ranges):
                    for change in (-steps, steps):
                        moved = least + change * self._step
                        if moved < self._step:
                            continue
                        ranges = (*card.ranges[:place], (fewest, most, moved), *card.ranges[place + 1 :])
                        other = card._replace(ranges=ranges)
                        if self.worth(other) > self.worth(card):
                            card, gained = other, True
                            break
            steps //= 2
        return card
