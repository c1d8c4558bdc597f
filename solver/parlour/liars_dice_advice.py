"""Advice for liar's dice: what to bid, or whether to call."""

from typing import Any

import numpy as np

from solver.parlour.answer import Answer, Option, Unit
from solver.parlour.claims import draw
from solver.parlour.liars_dice import Bid, Rules, Tree, bids, may_follow, payoff, tree
from solver.parlour.liars_dice_solve import Strategy, solve
from solver.parlour.position import faces_of, read_faces, read_number, refuse
from solver.text import _

POSITION = ("dice", "claim", "seed")
STAKES = Unit(
    "stake",
    lambda value: _("{stakes:+.4f} stakes on average").format(stakes=value),
    lambda loss: _("{stakes:.4f} stakes").format(stakes=loss),
)
SELDOM = 1e-9
"""What is no likelier never happens: the error of a linear program."""


def advise(rules: Rules, ruleset: str, **stated: str) -> Answer:
    """Advice for one position: own dice, and all bids so far, such as ``1x3/1x5``. PositionError if it cannot be."""
    found = tree(rules)
    node = _node(rules, found, stated.get("claim"))
    player = found.nodes[node].mover
    if "dice" not in stated:
        raise refuse("--dice", "", _("your dice"))
    dice = read_faces("--dice", stated["dice"], faces_of(rules.faces), (rules.dice[player],))
    own = found.throws[player].index(dice)
    solved = solve(rules)
    mine, other = solved.strategies[player], solved.strategies[1 - player]
    chances = found.chances[1 - player]
    belief = chances * other.bids[node]
    notes: tuple[str, ...] = ()
    never = bool(belief.sum() <= SELDOM)
    if never:
        # Nothing can be learned from bids that are never made.
        belief = chances
        notes = (_("Best play never comes here; the values take all throws of the other as likely as at first."),)
    choices: list[tuple[str, dict[str, Any], float]] = []
    for child in found.nodes[node].children:
        bid = bids(rules)[found.nodes[child].bid]
        value = _worth(rules, found, other, player, child, own, belief) / float(belief.sum())
        choices.append((_("Bid {count} x {face}").format(count=bid.dice, face=bid.face), {"bid": list(bid)}, value))
    if node:
        value = float(payoff(rules, player, found.nodes[node])[own] @ belief / belief.sum())
        choices.append((_("Call"), {"bid": None}, value))
    values = np.array([value for *_words, value in choices])
    shares = _shares(found, mine, node)[: len(choices), own]
    if mine.bids[node, own] <= SELDOM:
        # Of what follows on bids of his own that he never makes, nothing is known but what it is worth.
        shares = np.arange(len(choices)) == values.argmax()
        notes += (_("Best play would not have bid so with your dice; told is what wins most from here."),)
    options = [Option(*choice, float(share)) for choice, share in zip(choices, shares, strict=True)]
    ordered = tuple(sorted(options, key=lambda option: (-(option.share or 0.0), -option.value)))
    worth = float(values @ shares) if never else float(values.max())
    said = ", ".join(f"{bid.dice} x {bid.face}" for bid in _path(rules, found, node))
    heading = (
        _("Your dice: {dice}.").format(dice=" ".join(map(str, dice))),
        _("Bids so far: {bids}.").format(bids=said or _("none")),
    )
    state = {"player": player + 1, "bids": [list(bid) for bid in _path(rules, found, node)]}
    bound = solved.high - solved.low + 1e-12
    notes += (
        _("Both strategies together give away at most {stakes:.2g} stakes to best answers.").format(stakes=bound),
    )
    return Answer(
        ruleset, rules, STAKES, state, dice, heading, ordered, worth, bound, notes, draw(stated.get("seed"), ordered)
    )


def _worth(rules: Rules, found: Tree, other: Strategy, player: int, node: int, own: int, belief: Any) -> float:
    """What a best answer from this node on brings, times the weight of ``belief`` in the other's throws here."""
    at = found.nodes[node]
    won = payoff(rules, player, at)[own]
    if at.mover == player:
        later = [_worth(rules, found, other, player, child, own, belief) for child in at.children]
        return max([float(won @ belief), *later])
    *raised, called = _shares(found, other, node)
    later = [
        _worth(rules, found, other, player, child, own, belief * share)
        for child, share in zip(at.children, raised, strict=True)
    ]
    return sum(later) + float(won @ (belief * called))


def _shares(found: Tree, strategy: Strategy, node: int) -> Any:
    """How often who is to move there bids each of what he may, and calls (last), by his throws.

    With throws for which his strategy never comes there it says nothing; all are taken as equally likely.
    """
    parts = np.stack([*(strategy.bids[child] for child in found.nodes[node].children), strategy.calls[node]])
    total = parts.sum(axis=0)
    known = (strategy.bids[node] > SELDOM) & (total > 0.0)
    return np.where(known, parts / np.where(known, total, 1.0), 1.0 / len(parts))


def _path(rules: Rules, found: Tree, node: int) -> list[Bid]:
    path: list[Bid] = []
    while node:
        path.insert(0, bids(rules)[found.nodes[node].bid])
        node = found.nodes[node].parent
    return path


def _node(rules: Rules, found: Tree, text: str | None) -> int:
    node = 0
    every = bids(rules)
    for part in text.split("/") if text else []:
        count, cross, face = part.strip().lower().partition("x")
        if not cross:
            raise refuse("--claim", part.strip(), _("bids such as 1x3/1x5, from the first on"))
        bid = Bid(read_number("--claim", count, 1, 2 * every[-1].dice), read_number("--claim", face, 1, rules.faces))
        standing = every[found.nodes[node].bid] if node else None
        if bid not in every or (standing and not may_follow(rules, standing, bid)):
            raise refuse("--claim", part.strip(), _("a bid above the one before it, of at most all dice"))
        node = next(child for child in found.nodes[node].children if every[found.nodes[child].bid] == bid)
    return node
