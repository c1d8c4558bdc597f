"""Advice for bluff: what to announce, whether to doubt, and which dice to keep."""

from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np

from solver.parlour.answer import Answer, Option, percent, ranked
from solver.parlour.bluff import Rules, answer_chances, best_throws, leader, rank_payoffs, ranks, solve
from solver.parlour.claims import draw, poker_faces, read_claim
from solver.parlour.hands import CLASSES, FULL, NOTHING, TWO_PAIRS, Rank
from solver.parlour.lattice import DICE, WAYS, Dice, lattice
from solver.parlour.odds import Number
from solver.parlour.position import read_faces, read_number, refuse
from solver.text import _, plural

POSITION = ("dice", "claim", "throw", "seed")
FACES = poker_faces(6)


def advise(rules: Rules, ruleset: str, **stated: str) -> Answer:
    """Advice for one position. PositionError if it cannot be.

    The leader states his dice, the other the announcement, and once he has accepted it the dice of his answer.
    """
    hand = read_faces("--dice", stated["dice"], FACES, (DICE,)) if "dice" in stated else None
    if hand is None and "throw" in stated:
        raise refuse("--throw", stated["throw"], _("only together with --dice"))
    if "claim" not in stated:
        if hand is None:
            return _answer(rules, ruleset, {}, None, (_("You lead."),), (), solve(rules).value, None)
        throw = read_number("--throw", stated.get("throw", str(rules.leader_throws)), 1, rules.leader_throws)
        if throw < rules.leader_throws:
            payoffs = rank_payoffs(rules)
            return _keep(rules, ruleset, hand, throw, rules.leader_throws, payoffs, {"leads": True})
        return _announce(rules, ruleset, hand, stated.get("seed"))
    claim = _claim(rules, stated["claim"])
    if hand is None:
        return _doubt(rules, ruleset, claim, stated.get("seed"))
    if rules.must_beat != "announcement":
        raise refuse("--dice", stated["dice"], _("only where the answer must beat the announcement"))
    throw = read_number("--throw", stated.get("throw", "1"), 1, rules.answer_throws)
    beaten = [Fraction(int(number > claim)) for number in range(len(ranks(rules.straights).ranks))]
    return _keep(rules, ruleset, hand, throw, rules.answer_throws, beaten, {"claim": _fact(rules, claim)})


def _announce(rules: Rules, ruleset: str, hand: Dice, seed: str | None) -> Answer:
    known = ranks(rules.straights)
    own = int(known.of_hand[lattice().hand_number[hand]])
    if rules.must_beat != "announcement":
        words = _("Announce {claim}").format(claim=spoken(known.ranks[0]))
        option = Option(words, {"announce": _fact(rules, 0), "true": True}, solve(rules).value, 1.0)
        note = (_("Announcing tells nothing here, and the lowest hand is always true."),)
        return _answer(rules, ruleset, {}, hand, (), (option,), solve(rules).value, seed)._replace(notes=note)
    plan, doubt, chances = leader(rules), solve(rules).doubt, answer_chances(rules)
    options = []
    for number, rank in enumerate(known.ranks):
        worth = doubt[number] * (number <= own) + (1 - doubt[number]) * (1 - chances[number])
        share = (1 - plan.honest[own]) * plan.lies[number] + (plan.honest[own] if number == own else 0)
        facts = {"announce": _fact(rules, number), "true": number <= own}
        options.append(Option(_("Announce {claim}").format(claim=spoken(rank)), facts, worth, float(share)))
    ordered = tuple(sorted(options, key=lambda option: (-(option.share or 0.0), -option.value)))
    heading = (_("You lead, with {hand}.").format(hand=" ".join(map(str, hand))),)
    return _answer(
        rules, ruleset, {"leads": True}, hand, heading, ordered, max(option.value for option in options), seed
    )


def _doubt(rules: Rules, ruleset: str, claim: int, seed: str | None) -> Answer:
    rank = ranks(rules.straights).ranks[claim]
    heading = (_("The leader announces {claim}.").format(claim=spoken(rank)),)
    if rules.must_beat != "announcement":
        note = (_("Best play always announces the lowest hand, which is true; any other is not known to be one."),)
        accept = Option(_("Accept"), {"do": "accept"}, 1 - solve(rules).value, 1.0)
        return _answer(
            rules, ruleset, {"claim": _fact(rules, claim)}, None, heading, (accept,), 1 - solve(rules).value, seed
        )._replace(notes=note)
    plan, share, chance = leader(rules), solve(rules).doubt[claim], answer_chances(rules)[claim]
    lying = [hand * (1 - part) * plan.lies[claim] for hand, part in zip(plan.hands, plan.honest, strict=True)]
    false = sum(lying[:claim], Fraction(0))
    true = sum(lying[claim:], Fraction(0)) + plan.hands[claim] * plan.honest[claim]
    notes: tuple[str, ...] = ()
    if true + false:
        caught = false / (true + false)
    else:
        # Low hands are never announced; who does so anyway is believed, for nobody gains by it.
        caught = Fraction(0)
        notes = (_("Best play never announces this; a leader who does is taken at his word."),)
    options = (
        Option(_("Doubt"), {"do": "doubt"}, caught, float(share)),
        Option(_("Accept, and throw"), {"do": "accept"}, chance, float(1 - share)),
    )
    ordered = tuple(sorted(options, key=lambda option: (-(option.share or 0.0), -option.value)))
    value = share * caught + (1 - share) * chance
    return _answer(rules, ruleset, {"claim": _fact(rules, claim)}, None, heading, ordered, value, seed)._replace(
        notes=notes
    )


def _keep(
    rules: Rules, ruleset: str, hand: Dice, throw: int, throws: int, payoffs: list[Fraction], state: dict[str, Any]
) -> Answer:
    """Which dice to keep, if a hand of each rank is worth so much."""
    found = lattice()
    known = ranks(rules.straights)
    unit = lcm(*(part.denominator for part in payoffs))
    worth = np.array([int(part * unit) for part in payoffs], dtype=object)[known.of_hand][:, None, None]
    _start, keeps = best_throws(worth, throws)
    number = found.hand_number[hand]
    stop = Fraction(int(worth[number, 0, 0]), unit)
    options = [Option(_("Stop"), {"hold": list(hand), "throw": 0}, stop)]
    if throw < throws:
        scale = unit * WAYS ** (throws - throw)
        for keep in sorted(keep for keep, other in found.pairs if other == number):
            dice = found.keeps[keep]
            count = DICE - len(dice)
            if count:
                kept = " ".join(map(str, dice)) if dice else _("nothing")
                words = plural("Keep {dice} and throw {count} die", "Keep {dice} and throw {count} dice", count)
                value = Fraction(int(keeps[throw - 1][keep, 0, 0]), scale)
                options.append(
                    Option(words.format(dice=kept, count=count), {"hold": list(dice), "throw": count}, value)
                )
    best = ranked(options)
    heading = (
        _("Throw {throw} of {throws}: {hand}.").format(throw=throw, throws=throws, hand=" ".join(map(str, hand))),
    )
    return _answer(rules, ruleset, {**state, "throw": throw}, hand, heading, best, best[0].value, None)


def _answer(
    rules: Rules,
    ruleset: str,
    state: dict[str, Any],
    hand: Dice | None,
    heading: tuple[str, ...],
    options: tuple[Option, ...],
    value: Number,
    seed: str | None,
) -> Answer:
    drawn = draw(seed, options) if any(option.share is not None for option in options) else None
    return Answer(ruleset, rules, percent(_("to win")), state, hand, heading, options, value, drawn=drawn)


def spoken(rank: Rank) -> str:
    """A rank as it is announced, such as ``three 5, sum 20``."""
    number, main, second, total = rank
    name = CLASSES[number]
    if name == NOTHING:
        return _("nothing, sum {total}").format(total=total)
    faces = f"{main} {second}" if second else str(main)
    return _("{name} {faces}, sum {total}").format(name=name, faces=faces, total=total)


def _fact(rules: Rules, claim: int) -> dict[str, Any]:
    number, main, second, total = ranks(rules.straights).ranks[claim]
    return {"class": CLASSES[number], "main": main, "second": second, "sum": total}


def _claim(rules: Rules, text: str) -> int:
    """The number of an announcement; a sum that is left out is the lowest of such hands."""
    name, numbers = read_claim("--claim", text.replace(",", " ").replace(" sum ", " "), FACES)
    group = [rank for rank in ranks(rules.straights).ranks if CLASSES[rank[0]] == name]
    size = 0 if name == NOTHING else 2 if name in (TWO_PAIRS, FULL) else 1
    fits = [rank for rank in group if numbers[:size] == [rank[1], rank[2]][:size] and numbers[size:] in ([], [rank[3]])]
    if not fits or len(numbers) > size + 1:
        options = ", ".join(spoken(rank) for rank in group) or _("a combination of this game")
        raise refuse("--claim", text, options)
    return ranks(rules.straights).ranks.index(fits[0])
