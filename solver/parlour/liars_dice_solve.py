"""Liar's dice as one linear program in the sequence form; larger trees by counterfactual regrets.

In the program there is one number for each sequence of a player's own actions, with each throw that he may have. What
the strategies are worth is measured by best answers on the tree of bids, which know nothing of how they were found.

Source: Koller, Megiddo, von Stengel, Efficient Computation of Equilibria for Extensive Two-Person Games, 1996.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_array

from solver.parlour.liars_dice import Rules, Tree, payoff, tree, tree_size

PROGRAM = 60_000
"""Most nodes of the tree times throws of a player that a linear program can take in a minute or so."""
ROUNDS = 200
"""Rounds of counterfactual regrets."""


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
    both = _strategies(rules) if by_program(rules) else by_regrets(rules)
    return Solution(both, -best_answer(rules, both[0], 1), best_answer(rules, both[1], 0))


def by_program(rules: Rules) -> bool:
    """Whether a linear program is solved."""
    return tree_size(rules) <= PROGRAM


def by_regrets(rules: Rules, rounds: int = ROUNDS) -> tuple[Strategy, Strategy]:
    """Strategies after so many rounds of counterfactual regrets."""
    from solver.parlour.liars_dice_regret import Regrets

    regrets = Regrets(rules)
    for _round in range(rounds):
        regrets.play()
    return Strategy(*regrets.strategy(0)), Strategy(*regrets.strategy(1))


def best_answer(rules: Rules, strategy: Strategy, player: int) -> float:
    """Most that ``player`` can win against a strategy of the other, by looking at every node from the last back."""
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


class _Columns(NamedTuple):
    """Where each bid and each call of the player stands, with one column for each throw, then the other's values."""

    bids: dict[int, int]
    calls: dict[int, int]
    values: dict[int, int]
    sequences: int
    """Columns of the player's bids and calls."""
    size: int


def _columns(found: Tree, player: int) -> _Columns:
    throws, others = len(found.throws[player]), len(found.throws[1 - player])
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
    return _Columns(bid_column, call_column, value_column, sequences, size)


def _strategies(rules: Rules) -> tuple[Strategy, Strategy]:
    """Strategies that are best against the best answers to them, by linear programming: the second is the dual."""
    found, player = tree(rules), 0
    throws, others = len(found.throws[player]), len(found.throws[1 - player])
    chances, other_chances = found.chances[player], found.chances[1 - player]
    own = np.arange(throws)
    seen = np.arange(others)
    bid_column, call_column, value_column, sequences, size = _columns(found, player)
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
    program: Any = linprog
    solved = program(
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


def _made_whole(
    found: Tree, player: int, raw: Any, bid_column: dict[int, int], call_column: dict[int, int]
) -> Strategy:
    """A strategy whose parts add up exactly, from numbers that do so nearly."""
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
