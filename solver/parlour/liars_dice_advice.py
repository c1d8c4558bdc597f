"""Advice for liar's dice: what to bid, or whether to call."""

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
    reached = mine.bids[node, own]
    belief = found.chances[1 - player] * other.bids[node]
    notes: tuple[str, ...] = ()
    if belief.sum() <= 1e-9:
        # Nothing can be learned from bids that are never made.
        belief, notes = (
            found.chances[1 - player],
            (_("Best play never comes here; the values take all throws of the other as likely as at first."),),
        )
    options = []
    for child in found.nodes[node].children:
        bid = bids(rules)[found.nodes[child].bid]
        value = float(_worth(rules, found, other, player, child, own) / belief.sum()) if not notes else float("nan")
        share = (
            float(mine.bids[child, own] / reached) if reached > 1e-9 else 1.0 / (1 + len(found.nodes[node].children))
        )
        options.append(
            Option(_("Bid {count} x {face}").format(count=bid.dice, face=bid.face), {"bid": list(bid)}, value, share)
        )
    if node:
        value = float(payoff(rules, player, found.nodes[node])[own] @ belief / belief.sum())
        share = (
            float(mine.calls[node, own] / reached) if reached > 1e-9 else 1.0 / (1 + len(found.nodes[node].children))
        )
        options.append(Option(_("Call"), {"bid": None}, value, share))
    ordered = tuple(sorted(options, key=lambda option: (-(option.share or 0.0), -option.value)))
    best = max(option.value for option in options)
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
        ruleset, rules, STAKES, state, dice, heading, ordered, best, bound, notes, draw(stated.get("seed"), ordered)
    )


def _worth(rules: Rules, found: Tree, other: Strategy, player: int, node: int, own: int) -> float:
    """What a best answer from this node on brings, times the chance that the other comes here."""
    at = found.nodes[node]
    later = [_worth(rules, found, other, player, child, own) for child in at.children]
    chances = found.chances[1 - player]
    if at.mover == player:
        call = payoff(rules, player, at)[own] @ (chances * other.bids[node])
        return max([float(call), *later])
    return sum(later) + float(payoff(rules, player, at)[own] @ (chances * other.calls[node]))


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
