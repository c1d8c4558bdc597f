"""Liar's dice by counterfactual regret minimisation, where the tree of bids is too large for a linear program.

All nodes of one depth are worked on at once, with all throws of a player as columns. A player's numbers stand in one
array for the whole tree: in the row of a node the other has bid to, those of his call there; in the row of a node that
he has bid to, those of that bid. How good the strategies are is measured by best answers, see ``liars_dice_solve``.

Source: Tammelin, Burch, Johanson, Bowling, Solving Heads-Up Limit Texas Hold'em, 2015 (CFR+). The weights of the rounds
are the fourth powers of their numbers here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from solver.parlour.liars_dice import Rules, payoff, tree


class Regrets:
    """Both players' regrets, and the sums of their strategies so far."""

    def __init__(self, rules: Rules) -> None:
        found = self._tree = tree(rules)
        size = len(found.nodes)
        self._children = np.array([len(node.children) for node in found.nodes])
        depth = np.zeros(size, dtype=np.int64)
        for number, node in enumerate(found.nodes):
            if node.parent >= 0:
                depth[number] = depth[node.parent] + 1
        edges = np.searchsorted(depth, np.arange(int(depth[-1]) + 2))
        self._levels = [slice(*pair) for pair in zip(edges.tolist(), edges[1:].tolist(), strict=False)]
        bid = np.array([node.bid for node in found.nodes])
        mover = np.array([node.mover for node in found.nodes])
        self._calls: tuple[list[tuple[Any, Any]], ...] = ([], [])
        """For each player: nodes at which the same bid is called by the same player, and what that brings him."""
        for player in (0, 1):
            for number in range(int(bid.max()) + 1):
                for caller in (0, 1):
                    nodes = np.flatnonzero((bid == number) & (mover == caller))
                    if len(nodes):
                        weighted = payoff(rules, player, found.nodes[nodes[0]]) * found.chances[1 - player]
                        self._calls[player].append((nodes, weighted.T.astype(np.float32)))
        shapes = [(size, len(throws)) for throws in found.throws]
        self._regrets = [np.zeros(shape, dtype=np.float32) for shape in shapes]
        self._sums = [np.zeros(shape) for shape in shapes]
        self._rounds = 0
        self._now = [self._plan(player, self._regrets[player]) for player in (0, 1)]

    def play(self) -> None:
        """One round: first one player learns, then the other."""
        self._rounds += 1
        for player in (0, 1):
            self._learn(player)
            self._now[player] = self._plan(player, self._regrets[player])
            _bids, own = self._now[player]
            self._sums[player] += np.float64(self._rounds) ** 4 * own

    def strategy(self, player: int) -> tuple[Any, Any]:
        """The average strategy: chances of his bids on the way to each node, and of those with a call there."""
        bids, own = self._plan(player, self._sums[player])
        calls = own.copy()
        for depth, level in enumerate(self._levels):
            if depth % 2 != player:
                calls[level] = 0.0
        calls[0] = 0.0
        return bids, calls

    def _plan(self, player: int, weights: Any) -> tuple[Any, Any]:
        """Play in proportion to the weights: chances of own bids to each node, and the same by row as weights are."""
        taken, own = np.ones_like(weights), np.zeros_like(weights)
        for depth, level in enumerate(self._levels[:-1]):
            below, children = self._levels[depth + 1], self._children[level]
            if depth % 2 != player:
                taken[below] = np.repeat(taken[level], children, axis=0)
                continue
            total, even = self._totals(weights, depth)
            scale = np.where(total > 0.0, taken[level] / np.where(total > 0.0, total, 1.0), 0.0)
            plain = np.where(total > 0.0, 0.0, taken[level] * even)
            own[level] = weights[level] * scale + plain
            own[below] = weights[below] * np.repeat(scale, children, axis=0) + np.repeat(plain, children, axis=0)
            taken[below] = own[below]
        last = self._levels[-1]
        if (len(self._levels) - 1) % 2 == player:
            own[last] = taken[last]  # nothing is left but to call
        own[0] = 0.0
        return taken, own

    def _totals(self, weights: Any, depth: int) -> tuple[Any, Any]:
        """Sums over all that may be done at each node of a depth, and the share of each when all are alike."""
        level = self._levels[depth]
        count = self._children[level] + (depth > 0)
        return weights[level] * (depth > 0) + self._over_children(weights[self._levels[depth + 1]], depth), 1.0 / count[
            :, None
        ]

    def _over_children(self, rows: Any, depth: int) -> Any:
        """Sums over the children of each node of a depth, from a row for each node of the next."""
        children = self._children[self._levels[depth]]
        sums = np.zeros((len(children), rows.shape[1]), dtype=rows.dtype)
        inner = np.flatnonzero(children)
        starts = np.cumsum(children) - children
        sums[inner] = np.add.reduceat(rows, starts[inner], axis=0)
        return sums

    def _learn(self, player: int) -> None:
        """Add to the regrets of a player what each bid and call would have won more against the other's play."""
        taken, own = self._now[1 - player]
        worth = np.zeros_like(self._regrets[player])
        seen = np.empty_like(taken)
        for depth, level in enumerate(self._levels):
            seen[level] = taken[level] if depth % 2 == player else own[level]
        for nodes, weighted in self._calls[player]:
            worth[nodes] = seen[nodes] @ weighted
        regrets = self._regrets[player]
        for depth in reversed(range(len(self._levels) - 1)):
            level, below = self._levels[depth], self._levels[depth + 1]
            if depth % 2 != player:
                worth[level] += self._over_children(worth[below], depth)
                continue
            total, even = self._totals(regrets, depth)
            call = worth[level] * (depth > 0)
            won = regrets[level] * call + self._over_children(regrets[below] * worth[below], depth)
            plain = (call + self._over_children(worth[below], depth)) * even
            average = np.where(total > 0.0, won / np.where(total > 0.0, total, 1.0), plain)
            if depth:
                regrets[level] = np.maximum(regrets[level] + call - average, 0.0)
            repeated = np.repeat(average, self._children[level], axis=0)
            regrets[below] = np.maximum(regrets[below] + worth[below] - repeated, 0.0)
            worth[level] = average
