"""Liar's dice: two players with hidden dice bid how many of all dice show a face, ever more, until one calls.

Here are its rules and its tree of bids.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import factorial
from typing import Any, NamedTuple

from solver.parlour.chances import count_chances
from solver.parlour.rules import ParlourRules, Seats, contradiction, numbers
from solver.schema import Problem, key, one_of, whole
from solver.text import _

SEATS = Seats(2, 2, 2)
LARGEST = 6_000_000
"""Most nodes of the tree times throws of a player: what counterfactual regrets can take in some minutes."""


class Rules(ParlourRules):
    """Rules of liar's dice for two. Who is called wins if at least as many dice as he bid show the face."""

    dice: tuple[int, ...] = key(
        numbers(whole(1, 5), 2, "[1, 1]"), _("Dice of the first player and of the second."), default=(1, 1)
    )
    faces: int = key(whole(2, 6), _("Faces of a die."), default=6)
    ones: str = key(
        one_of("plain", "wild", "stairs"),
        _("Whether a one is like any face, counts as every face, or counts as two dice of every face."),
        default="plain",
    )
    raises: str = key(
        one_of("quantity first", "face first", "no decrease"),
        _("Whether more dice always exceed, a higher face always exceeds, or neither may go down."),
        default="quantity first",
    )
    ones_rank: str = key(one_of("lowest", "highest"), _("Where ones stand among the faces of a bid."), default="lowest")


class Bid(NamedTuple):
    """So many of all dice show the face, or more."""

    dice: int
    face: int


def problems(rules: Rules) -> Iterator[Problem]:
    """Contradictions between the keys."""
    if len(rules.dice) != 2:
        yield contradiction("dice", list(rules.dice), _("two numbers, one for each player"))
        return
    size = tree_size(rules)
    if size > LARGEST:
        allowed = _("fewer dice or faces: {size} positions, at most {most}").format(size=size, most=LARGEST)
        yield contradiction("dice", list(rules.dice), allowed)


def bids(rules: Rules) -> list[Bid]:
    """All bids, in an order in which none may follow one after it."""
    most = sum(rules.dice) * (2 if rules.ones == "stairs" else 1)
    every = [Bid(count, face) for count in range(1, most + 1) for face in range(1, rules.faces + 1)]
    face_first = rules.raises == "face first"
    return sorted(
        every,
        key=lambda bid: (_order(rules, bid.face), bid.dice) if face_first else (bid.dice, _order(rules, bid.face)),
    )


def _order(rules: Rules, face: int) -> int:
    return rules.faces + 1 if face == 1 and rules.ones_rank == "highest" else face


def may_follow(rules: Rules, standing: Bid, bid: Bid) -> bool:
    """Whether a bid exceeds the one that stands."""
    more = bid.dice - standing.dice
    higher = _order(rules, bid.face) - _order(rules, standing.face)
    if rules.raises == "quantity first":
        return more > 0 or (more == 0 and higher > 0)
    if rules.raises == "face first":
        return higher > 0 or (higher == 0 and more > 0)
    return more >= 0 and higher >= 0 and (more > 0 or higher > 0)


def matches(rules: Rules, dice: Sequence[int], face: int) -> int:
    """How many a throw counts for a face."""
    plain = sum(die == face for die in dice)
    if rules.ones == "plain" or (face == 1 and rules.ones == "wild"):
        return plain
    ones = sum(die == 1 for die in dice)
    if rules.ones == "wild":
        return plain + ones
    return 2 * ones + (plain if face != 1 else 0)


def bid_chance(rules: Rules, bid: Bid, own: Sequence[int] | None, hidden: int) -> Fraction:
    """How likely a bid is true when ``own`` dice are known and so many others are not; ones plain or wild."""
    if rules.ones == "stairs":
        raise ValueError("where ones count twice, chances are not those of single dice")
    needed = max(0, bid.dice - matches(rules, own or (), bid.face))
    shows = Fraction(2 if rules.ones == "wild" and bid.face != 1 else 1, rules.faces)
    return sum(count_chances(hidden, shows)[needed:], Fraction(0))


class Node(NamedTuple):
    """A series of bids; the root is none."""

    bid: int
    """Number of the last bid; -1 at the root."""
    mover: int
    parent: int
    children: list[int]


class Tree(NamedTuple):
    """The tree of bids, and what both may have thrown."""

    nodes: list[Node]
    throws: list[list[tuple[int, ...]]]
    chances: list[Any]
    true: Any
    """For each bid, whether it holds: bids by throws of the first by throws of the second."""


def tree_size(rules: Rules) -> int:
    """Nodes times throws, found without building the tree."""
    every = bids(rules)
    below = [0] * len(every)
    for index in reversed(range(len(every))):
        below[index] = 1 + sum(
            below[later] for later in range(index + 1, len(every)) if may_follow(rules, every[index], every[later])
        )
    return (1 + sum(below)) * max(len(_throws(rules, count)[0]) for count in rules.dice)


def _throws(rules: Rules, dice: int) -> tuple[list[tuple[int, ...]], list[float]]:
    throws = list(combinations_with_replacement(range(1, rules.faces + 1), dice))
    ways = []
    for throw in throws:
        count = factorial(dice)
        for face in set(throw):
            count //= factorial(throw.count(face))
        ways.append(count / rules.faces**dice)
    return throws, ways


@cache
def tree(rules: Rules) -> Tree:
    """The tree of bids."""
    import numpy as np

    every = bids(rules)
    nodes = [Node(-1, 0, -1, [])]
    for number in range(1 << 62):
        if number == len(nodes):
            break
        node = nodes[number]
        for index in range(node.bid + 1, len(every)):
            if node.bid < 0 or may_follow(rules, every[node.bid], every[index]):
                node.children.append(len(nodes))
                nodes.append(Node(index, 1 - node.mover, number, []))
    throws = [_throws(rules, count) for count in rules.dice]
    true = np.array(
        [
            [[matches(rules, (*one, *other), bid.face) >= bid.dice for other in throws[1][0]] for one in throws[0][0]]
            for bid in every
        ]
    )
    return Tree(nodes, [found for found, _ways in throws], [np.array(ways) for _found, ways in throws], true)


def payoff(rules: Rules, player: int, node: Node) -> Any:
    """What a call of the bid of a node brings to ``player``: his throws by the other's."""
    won = 2.0 * tree(rules).true[node.bid] - 1.0  # to the bidder
    if player == 1:
        won = won.T
    return won if node.mover != player else -won
