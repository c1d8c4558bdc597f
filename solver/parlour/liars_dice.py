"""Liar's dice: two players with hidden dice bid how many of all dice show a face, ever more, until one calls.

The whole game is one linear program in the sequence form: one number for each sequence of a player's own actions, with
each throw that he may have. What the strategies are worth is measured by best answers on the tree of bids, which know
nothing of the linear program.

Source: Koller, Megiddo, von Stengel, Efficient Computation of Equilibria for Extensive Two-Person Games, 1996.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import factorial
from typing import Any, NamedTuple

from solver.parlour.chances import count_chances
from solver.parlour.odds import Figure, Odds
from solver.parlour.rules import ParlourRules, Seats, contradiction, numbers
from solver.schema import Problem, key, one_of, whole
from solver.text import _

SEATS = Seats(2, 2, 2)
LARGEST = 60_000
"""Most nodes of the tree times throws of a player: what a linear program can take in a minute or so."""


class Rules(ParlourRules):
    """Rules of liar's dice for two. Who is called wins if at least as many dice as he bid show the face."""

    dice: tuple[int, ...] = key(numbers(whole(1, 5), 2, "[1, 1]"), _("Dice of the first player and of the second."), default=(1, 1))
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
    ones_rank: str = key(
        one_of("lowest", "highest"), _("Where ones stand among the faces of a bid."), default="lowest"
    )


class Bid(NamedTuple):
    """So many of all dice show the face, or more."""

    count: int
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
    return sorted(every, key=lambda bid: (_order(rules, bid.face), bid.count) if face_first else (bid.count, _order(rules, bid.face)))


def _order(rules: Rules, face: int) -> int:
    return rules.faces + 1 if face == 1 and rules.ones_rank == "highest" else face


def may_follow(rules: Rules, standing: Bid, bid: Bid) -> bool:
    """Whether a bid exceeds the one that stands."""
    more = bid.count - standing.count
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
    needed = max(0, bid.count - matches(rules, own or (), bid.face))
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
            [
                [matches(rules, (*one, *other), bid.face) >= bid.count for other in throws[1][0]]
                for one in throws[0][0]
            ]
            for bid in every
        ]
    )
    return Tree(nodes, [found for found, _ways in throws], [np.array(ways) for _found, ways in throws], true)


class Strategy(NamedTuple):
    """How likely one player takes his part in each series of bids, and calls there, with each throw."""

    bids: Any
    """Nodes by throws: the product of the chances of his own bids on the way."""
    calls: Any
    """The same of a call at the node; 0 where the other is to move."""


class Solution(NamedTuple):
    """Strategies of both, and the interval in which the value to the first player lies."""

    strategies: tuple[Strategy, Strategy]
    low: float
    high: float


@cache
def solve(rules: Rules) -> Solution:
    """Equilibrium strategies, a win counted as 1 and a loss as -1, with what best answers make of them."""
    both = _strategies(rules)
    return Solution(both, -best_answer(rules, both[0], 1), best_answer(rules, both[1], 0))


def payoff(rules: Rules, player: int, node: Node) -> Any:
    """What a call of the bid of a node brings to ``player``: his throws by the other's."""
    won = 2.0 * tree(rules).true[node.bid] - 1.0  # to the bidder
    if player == 1:
        won = won.T
    return won if node.mover != player else -won


def best_answer(rules: Rules, strategy: Strategy, player: int) -> float:
    """Most that ``player`` can win against a strategy of the other, by looking at every node from the last back."""
    import numpy as np

    found = tree(rules)
    others = found.chances[1 - player]
    worth = np.zeros((len(found.nodes), len(found.throws[player])))
    for number in reversed(range(len(found.nodes))):
        node = found.nodes[number]
        later = worth[node.children]
        if node.mover == player:
            options = list(later)
            if node.bid >= 0:
                options.append(payoff(rules, player, node) @ (others * strategy.bids[number]))
            worth[number] = np.max(options, axis=0)
        else:
            worth[number] = later.sum(axis=0)
            if node.bid >= 0:
                worth[number] += payoff(rules, player, node) @ (others * strategy.calls[number])
    return float(worth[0] @ found.chances[player])


def _strategies(rules: Rules) -> tuple[Strategy, Strategy]:
    """Strategies that are best against the best answers to them, by linear programming: the second is the dual."""
    import numpy as np
    from scipy.optimize import linprog
    from scipy.sparse import coo_array

    found, player = tree(rules), 0
    throws, others = len(found.throws[player]), len(found.throws[1 - player])
    chances, other_chances = found.chances[player], found.chances[1 - player]
    own = np.arange(throws)
    seen = np.arange(others)
    # Columns: each bid and each call of the player with each throw, then a value for each place of the other.
    bid_column: dict[int, int] = {}
    call_column: dict[int, int] = {}
    value_column: dict[int, int] = {}
    size = 0
    for number, node in enumerate(found.nodes):
        if node.parent >= 0 and node.mover != player:
            bid_column[number] = size
            size += throws
        if node.bid >= 0 and node.mover == player:
            call_column[number] = size
            size += throws
    sequences = size
    for number, node in enumerate(found.nodes):
        if node.mover != player:
            value_column[number] = size
            size += others
    equal, less = _Rows(), _Rows()
    bid_row: dict[int, int] = {}
    call_row: dict[int, int] = {}
    right: list[float] = []
    for number, node in enumerate(found.nodes):
        last = number if number in bid_column else node.parent  # where the player has last bid on the way here
        if node.mover == player:
            row = equal.add(throws)
            for child in node.children:
                equal.fill(row + own, bid_column[child] + own, np.ones(throws))
            if number in call_column:
                equal.fill(row + own, call_column[number] + own, np.ones(throws))
            if last in bid_column:
                equal.fill(row + own, bid_column[last] + own, -np.ones(throws))
            right += [0.0 if last in bid_column else 1.0] * throws
            continue
        # The other's value is no more than each of his actions leaves to the player.
        if node.bid >= 0:
            row = call_row[number] = less.add(others)
            less.fill(row + seen, value_column[number] + seen, np.ones(others))
            weights = payoff(rules, player, node) * chances[:, None]
            less.block(row, bid_column[last], -weights.T)
        for child in node.children:
            row = bid_row[child] = less.add(others)
            less.fill(row + seen, value_column[number] + seen, np.ones(others))
            for grandchild in found.nodes[child].children:
                less.fill(row + seen, value_column[grandchild] + seen, -np.ones(others))
            weights = payoff(rules, player, found.nodes[child]) * chances[:, None]
            less.block(row, call_column[child], -weights.T)
    cost = np.zeros(size)
    for number in [0] if found.nodes[0].mover != player else found.nodes[0].children:
        cost[value_column[number] + seen] -= other_chances
    bounds = np.array([[0.0, 1.0]] * sequences + [[-np.inf, np.inf]] * (size - sequences))
    solved = linprog(
        cost,
        coo_array(less.entries(), shape=(less.count, size)).tocsr(),
        np.zeros(less.count),
        coo_array(equal.entries(), shape=(equal.count, size)).tocsr(),
        right,
        bounds,
        method="highs",
    )
    if not solved.success:
        raise ArithmeticError(f"the linear program was not solved: {solved.message}")
    return (
        _made_whole(found, 0, solved.x, bid_column, call_column),
        _made_whole(found, 1, -solved.ineqlin.marginals, bid_row, call_row),
    )


def _made_whole(found: Tree, player: int, raw: Any, bid_column: dict[int, int], call_column: dict[int, int]) -> Strategy:
    """A strategy whose parts add up exactly, from numbers that do so nearly."""
    import numpy as np

    throws = len(found.throws[player])
    taken = np.ones((len(found.nodes), throws))
    calls = np.zeros((len(found.nodes), throws))
    for number, node in enumerate(found.nodes):
        if node.mover != player:
            for child in node.children:
                taken[child] = taken[number]
            continue
        parts = [np.maximum(raw[bid_column[child] : bid_column[child] + throws], 0.0) for child in node.children]
        if number in call_column:
            parts.append(np.maximum(raw[call_column[number] : call_column[number] + throws], 0.0))
        total = np.sum(parts, axis=0)
        shares = [np.where(total > 0.0, part / np.where(total > 0.0, total, 1.0), 1.0 / len(parts)) for part in parts]
        for child, share in zip(node.children, shares, strict=False):
            taken[child] = taken[number] * share
        if number in call_column:
            calls[number] = taken[number] * shares[-1]
    return Strategy(taken, calls)


class _Rows:
    """Rows of a sparse matrix, as they come."""

    def __init__(self) -> None:
        self.count = 0
        self.parts: list[tuple[Any, Any, Any]] = []

    def add(self, many: int) -> int:
        """Room for so many rows; the number of the first."""
        self.count += many
        return self.count - many

    def fill(self, rows: Any, columns: Any, entries: Any) -> None:
        """Entries one by one."""
        self.parts.append((entries, rows, columns))

    def block(self, row: int, column: int, entries: Any) -> None:
        """A dense block from a first row and column on."""
        import numpy as np

        rows, columns = np.indices(entries.shape)
        self.parts.append((entries.ravel(), row + rows.ravel(), column + columns.ravel()))

    def entries(self) -> tuple[Any, tuple[Any, Any]]:
        """All entries with their places."""
        import numpy as np

        entries, rows, columns = (np.concatenate(part) for part in zip(*self.parts, strict=True))
        return entries, (rows, columns)


def odds(rules: Rules, _players: int) -> Odds:
    """The value to the first player, and how far the strategies are from perfect."""
    found = solve(rules)
    middle, half = (found.low + found.high) / 2.0, abs(found.high - found.low) / 2.0 + 1e-14
    return Odds(
        (
            Figure("expected_payoff", _("Stakes won by the first player, on average"), middle, half),
            Figure("win_seat_1", _("Chance of player 1 to win"), (1.0 + middle) / 2.0, half / 2.0),
            Figure("exploitability", _("What best answers gain against both strategies"), max(0.0, found.high - found.low), 1e-14),
        ),
        (),
        (
            _("{bids} bids, {nodes} series of bids; strategies from a linear program, measured by best answers.").format(
                bids=len(bids(rules)), nodes=len(tree(rules).nodes)
            ),
        ),
    )
